#include "tools/tables/products.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text/format.hpp"
#include "tools/tables/shared_sums.hpp"

namespace tetrawave::tables {

namespace {

/// One row of a matrix times vector as an expression: "S(0.5) * v[1] + ...".
std::string row_expression(const Entry& entry, std::size_t row, std::size_t columns, const std::string& vector) {
  std::string text;
  for (std::size_t j = 0; j < columns; ++j) {
    const double c = entry(row, j);
    if (std::abs(c) < 1e-13) continue;
    const std::string term = std::abs(std::abs(c) - 1) < 1e-13
                                 ? tetrawave::format("{}[{}]", vector, j)
                                 : tetrawave::format("S({:.17g}) * {}[{}]", std::abs(c), vector, j);
    text += text.empty() ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + ");
    text += term;
  }
  return text;
}

/// The rows of a matrix one after the other, and where each begins.
void write_rolled(Header& out, const Entry& entry, std::size_t rows, std::size_t columns, const std::string& from,
                  const std::string& to, bool add) {
  std::string first = "0";
  std::string column;
  std::string value;
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const double c = entry(i, j);
      if (std::abs(c) < 1e-13) continue;
      column += tetrawave::format("{}{}", count == 0 ? "" : ", ", j);
      value += tetrawave::format("{}S({:.17g})", count == 0 ? "" : ", ", c);
      ++count;
    }
    first += tetrawave::format(", {}", count);
  }
  out << "    static constexpr std::uint16_t first[" << rows + 1 << "] = {" << first << "};\n"
      << "    static constexpr std::uint8_t column[" << count << "] = {" << column << "};\n"
      << "    static constexpr S value[" << count << "] = {" << value << "};\n"
      << "    multiply_sparse<" << rows << ", " << (add ? "true" : "false") << ">(first, column, value, " << from
      << ", " << to << ");\n";
}

}  // namespace

std::string fused_row(const Entry& entry, std::size_t row, std::size_t columns, const std::string& from,
                      const std::string& start) {
  std::string text = start.empty() ? "" : tetrawave::format("R sum = {};", start);
  for (std::size_t j = 0; j < columns; ++j) {
    const double c = entry(row, j);
    if (std::abs(c) < 1e-13) continue;
    text += text.empty() ? tetrawave::format("R sum = S({:.17g}) * {}[{}];", c, from, j)
                         : tetrawave::format(" sum = multiply_add(S({:.17g}), {}[{}], sum);", c, from, j);
  }
  return text.empty() ? "const R sum = R{};" : text;
}

namespace {

void write_rows(Header& out, const Entry& entry, std::size_t rows, std::size_t columns, const std::string& from,
                const std::string& to, bool add) {
  for (std::size_t i = 0; i < rows; ++i) {
    const std::string sum = row_expression(entry, i, columns, from);
    if (sum.empty() && add) continue;
    if (out.style == Style::fused) {
      const std::string target = tetrawave::format("{}[{}]", to, i);
      out << "    { " << fused_row(entry, i, columns, from, add ? target : "") << " " << target << " = sum; }\n";
    } else {
      out << "    " << to << "[" << i << "] " << (add ? "+= " : "= ") << (sum.empty() ? "R{}" : sum) << ";\n";
    }
  }
}

}  // namespace

void write_product(Header& out, const std::string& signature, const Entry& entry, std::size_t rows, std::size_t columns,
                   const std::string& from, const std::string& to, bool add) {
  out << "  " << signature << " {\n";
  if (out.style == Style::rolled)
    write_rolled(out, entry, rows, columns, from, to, add);
  else if (out.style == Style::shared)
    write_shared(out.text, entry, rows, columns, from, to, add);
  else
    write_rows(out, entry, rows, columns, from, to, add);
  out << "  }\n";
}

Entry to_modes(const basis::ReferenceElement& e, const basis::Table& matrix, double factor) {
  return [&e, &matrix, factor](std::size_t row, std::size_t column) {
    double sum = 0;
    for (std::size_t i = 0; i < e.dofs; ++i) sum += e.to_dofs(i, row) * matrix(i, column);
    const double scale = row < 3 * e.low_modes ? 6 / e.modes[row % e.low_modes] : 1;
    return factor * scale * sum;
  };
}

basis::Table unit_table(std::size_t size) {
  basis::Table unit{size, size, std::vector<double>(size * size, 0.0)};
  for (std::size_t i = 0; i < size; ++i) unit.entries[i * size + i] = 1;
  return unit;
}

Entry dofs_of_modes(const basis::ReferenceElement& e) {
  return [&e](std::size_t i, std::size_t j) { return e.to_dofs(i, j); };
}

std::pair<std::size_t, std::size_t> unpack(std::size_t packed) {
  std::size_t row = 0;
  while ((row + 1) * (row + 2) / 2 <= packed) ++row;
  return {row, packed - row * (row + 1) / 2};
}

double top_entry(const basis::ReferenceElement& e, std::size_t row, std::size_t column, std::size_t number) {
  constexpr std::size_t pairs[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  const auto [a, b] = pairs[number];
  return e.top_mass[a][b](row, column) + (a == b ? 0 : e.top_mass[b][a](row, column));
}

double curl_of_mode(const basis::ReferenceElement& e, std::size_t row, std::size_t mode) {
  double sum = 0;
  for (std::size_t i = 0; i < e.dofs; ++i) sum += e.curl_components(row, i) * e.to_dofs(i, mode);
  return std::abs(sum) < 1e-13 ? 0 : sum;
}

CurlRows curl_rows(const basis::ReferenceElement& e) {
  const std::size_t rows = 3 * e.curl_modes;
  const auto size = [&e](std::size_t row) { return std::sqrt(e.modes[row % e.curl_modes]); };
  std::vector<double> a(e.dofs * rows);  // the transposed curl, brought to reduced echelon form with full pivoting
  const auto at = [&](std::size_t i, std::size_t row) -> double& { return a[i * rows + row]; };
  for (std::size_t i = 0; i < e.dofs; ++i)
    for (std::size_t row = 0; row < rows; ++row) at(i, row) = size(row) * e.curl_components(row, i);
  std::vector<std::size_t> pivots;  // of row i of the echelon form
  for (std::size_t step = 0; step < e.dofs; ++step) {
    std::size_t best = step;
    std::size_t pivot = 0;
    for (std::size_t i = step; i < e.dofs; ++i)
      for (std::size_t row = 0; row < rows; ++row)
        if (std::abs(at(i, row)) > std::abs(at(best, pivot)) + 1e-10) {
          best = i;
          pivot = row;
        }
    if (std::abs(at(best, pivot)) < 1e-9) break;
    for (std::size_t row = 0; row < rows; ++row) std::swap(at(step, row), at(best, row));
    const double scale = 1 / at(step, pivot);
    for (std::size_t row = 0; row < rows; ++row) at(step, row) *= scale;
    for (std::size_t i = 0; i < e.dofs; ++i) {
      if (i == step) continue;
      const double factor = at(i, pivot);
      for (std::size_t row = 0; row < rows; ++row) at(i, row) -= factor * at(step, row);
    }
    pivots.push_back(pivot);
  }
  CurlRows result{pivots, {rows, pivots.size(), std::vector<double>(rows * pivots.size(), 0.0)}};
  const auto order = [&e](std::size_t row) { return (row % e.curl_modes == 0 ? 0 : 3 * e.curl_modes) + row; };
  std::sort(result.kept.begin(), result.kept.end(), [&](std::size_t x, std::size_t y) { return order(x) < order(y); });
  for (std::size_t j = 0; j < result.kept.size(); ++j) {
    const auto i = static_cast<std::size_t>(std::find(pivots.begin(), pivots.end(), result.kept[j]) - pivots.begin());
    for (std::size_t row = 0; row < rows; ++row)
      result.all.entries[row * pivots.size() + j] =
          std::abs(at(i, row)) < 1e-12 ? 0 : at(i, row) * size(result.kept[j]) / size(row);
  }
  return result;
}

}  // namespace tetrawave::tables

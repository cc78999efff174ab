#include "tools/tables/shared_sums.hpp"

#include <cmath>
#include <map>
#include <tuple>

#include "base/text/format.hpp"

namespace tetrawave::tables {

namespace {

/// Coefficients of a row by column, those of sums after those of the vector.
using Row = std::map<std::size_t, double>;

/// x_first + ratio x_second
struct Sum {
  std::size_t first = 0;
  std::size_t second = 0;
  double ratio = 0;
};

/// Two columns, and ten digits of the ratio of their coefficients.
using Pair = std::tuple<std::size_t, std::size_t, std::string>;

std::map<Pair, std::vector<std::size_t>> rows_of_pairs(const std::vector<Row>& rows) {
  std::map<Pair, std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto a = rows[i].begin(); a != rows[i].end(); ++a)
      for (auto b = std::next(a); b != rows[i].end(); ++b)
        found[{a->first, b->first, tetrawave::format("{:.9e}", b->second / a->second)}].push_back(i);
  return found;
}

/// Takes the pair that most rows have out of these, as long as two have one.
std::vector<Sum> take_sums(std::vector<Row>& rows, std::size_t columns) {
  std::vector<Sum> sums;
  while (true) {
    const auto pairs = rows_of_pairs(rows);
    auto best = pairs.begin();
    for (auto pair = pairs.begin(); pair != pairs.end(); ++pair)
      if (pair->second.size() > best->second.size()) best = pair;
    if (best == pairs.end() || best->second.size() < 2) return sums;
    const auto& [first, second, digits] = best->first;
    const Row& one = rows[best->second.front()];
    sums.push_back({first, second, one.at(second) / one.at(first)});
    for (const std::size_t i : best->second) {
      rows[i][columns + sums.size() - 1] = rows[i][first];
      rows[i].erase(first);
      rows[i].erase(second);
    }
  }
}

class SumWriter {
 public:
  SumWriter(std::ofstream& out, std::string from, std::size_t columns, std::vector<Sum> sums)
      : out_(out), from_(std::move(from)), columns_(columns), sums_(std::move(sums)), written_(sums_.size()) {}

  /// The row as an expression, after the sums that it needs.
  std::string expression(const Row& row) {
    std::string text;
    for (const auto& [column, c] : row) {
      write_sum(column);
      text += term(c, column, text.empty());
    }
    return text;
  }

 private:
  [[nodiscard]] std::string term(double c, std::size_t column, bool first) const {
    const std::string sign = first ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + ");
    const std::string x =
        column < columns_ ? tetrawave::format("{}[{}]", from_, column) : tetrawave::format("s{}", column - columns_);
    if (std::abs(std::abs(c) - 1) < 1e-13) return sign + x;
    return sign + tetrawave::format("S({:.17g}) * {}", std::abs(c), x);
  }
  void write_sum(std::size_t column) {
    if (column < columns_ || written_[column - columns_]) return;
    const Sum& sum = sums_[column - columns_];
    write_sum(sum.first);
    write_sum(sum.second);
    written_[column - columns_] = true;
    out_ << "    const R s" << column - columns_ << " = " << term(1, sum.first, true)
         << term(sum.ratio, sum.second, false) << ";\n";
  }

  std::ofstream& out_;
  std::string from_;
  std::size_t columns_;
  std::vector<Sum> sums_;
  std::vector<bool> written_;
};

}  // namespace

void write_shared(std::ofstream& out, const Entry& entry, std::size_t rows, std::size_t columns,
                  const std::string& from, const std::string& to, bool add) {
  std::vector<Row> left(rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      if (std::abs(entry(i, j)) >= 1e-13) left[i][j] = entry(i, j);
  auto sums = take_sums(left, columns);
  SumWriter writer(out, from, columns, std::move(sums));
  for (std::size_t i = 0; i < rows; ++i) {
    if (left[i].empty() && add) continue;
    const std::string row = left[i].empty() ? "R{}" : writer.expression(left[i]);
    out << "    " << to << "[" << i << "] " << (add ? "+= " : "= ") << row << ";\n";
  }
}

}  // namespace tetrawave::tables

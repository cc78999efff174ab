// Writes the header of kernel terms: for every space, the constant matrices of the factored operators without their
// zeros. Up to full-2 as straight-line code, whose entries become constant operands of multiply-adds on the CPU and on
// the GPU alike; of degree 3 as tables for loops (kernels/products.hpp), and for the kernels that are worth it as
// straight-line code too (kernels/spaces.hpp). A second header has the matrices of the GPU's tiles
// (cuda/tiles/tile.cuh), dense and in the order in which tensor cores take them.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "base/text/format.hpp"
#include "basis/reference_element.hpp"
#include "tools/tables/bernstein.hpp"
#include "tools/tables/products.hpp"

namespace {

using tetrawave::Space;
using tetrawave::basis::ReferenceElement;
using tetrawave::basis::Table;
using tetrawave::tables::curl_of_mode;
using tetrawave::tables::curl_rows;
using tetrawave::tables::CurlRows;
using tetrawave::tables::Entry;
using tetrawave::tables::fused_row;
using tetrawave::tables::Header;
using tetrawave::tables::Style;
using tetrawave::tables::to_modes;
using tetrawave::tables::write_product;

void write_constants(Header& out, const ReferenceElement& e, const std::string& space) {
  out << "  static constexpr Space space = Space::" << space << ";\n"
      << "  static constexpr ProductStyle style = ProductStyle::" << out.style_name() << ";\n"
      << "  static constexpr int dofs = " << e.dofs << ";\n"
      << "  static constexpr int face_dofs = " << e.face_dofs << ";\n"
      << "  static constexpr int low_modes = " << e.low_modes << ";\n"
      << "  static constexpr int top = " << e.top << ";\n"
      << "  static constexpr int modes = " << e.modes.size() << ";\n"
      << "  /// Numbers of the functions on face f.\n"
      << "  template <int f>\n  TW_FN static constexpr int on_face(int k) {\n"
      << "    constexpr std::uint8_t table[4][" << e.face_dofs << "] = {";
  for (const auto& face : e.on_face) {
    out << "{";
    for (const std::size_t i : face) out << i << ", ";
    out << "}, ";
  }
  out << "};\n    return table[f][k];\n  }\n"
      << "  /// Byte f: row of trace function k on face f of an element; bytes 4, 5: in a ghost block of two traces.\n"
      << "  TW_FN static constexpr std::uint64_t rows_of(int k) {\n    constexpr std::uint64_t table[" << e.face_dofs
      << "] = {";
  for (std::size_t k = 0; k < e.face_dofs; ++k) {
    std::uint64_t packed = 0;
    for (std::size_t f = 0; f < 4; ++f) packed |= static_cast<std::uint64_t>(e.on_face[f][k]) << (8 * f);
    packed |= static_cast<std::uint64_t>(k) << 32 | static_cast<std::uint64_t>(e.face_dofs + k) << 40;
    out << packed << "u, ";
  }
  out << "};\n    return table[k];\n  }\n";
}

void write_energy(Header& out, const ReferenceElement& e) {
  out << "  /// Mean square of orthogonal polynomial m.\n  TW_FN static constexpr double mode_square(int m) {\n"
      << "    constexpr double table[" << e.modes.size() << "] = {";
  for (const double d : e.modes) out << tetrawave::format("{:.17g}, ", d);
  out << "};\n    return table[m];\n  }\n"
      << "  /// c (3 x modes, row a*modes+m) = coefficients of the covariant components of the field u (dofs).\n";
  const Entry components = [&e](std::size_t i, std::size_t j) { return e.components(i, j); };
  write_product(out, "template <class S, class R>\n  TW_FN static void components(const R* u, R* c)", components,
                3 * e.modes.size(), e.dofs, "u", "c", false);
}

std::pair<std::size_t, std::size_t> unpack(std::size_t packed) {
  std::size_t row = 0;
  while ((row + 1) * (row + 2) / 2 <= packed) ++row;
  return {row, packed - row * (row + 1) / 2};
}

/// Of the matrices that the six numbers of a symmetric 3 x 3 matrix are multiplied with, for the mass of the top.
double top_entry(const ReferenceElement& e, std::size_t row, std::size_t column, std::size_t number) {
  constexpr std::size_t pairs[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  const auto [a, b] = pairs[number];
  return e.top_mass[a][b](row, column) + (a == b ? 0 : e.top_mass[b][a](row, column));
}

void write_top(Header& out, const ReferenceElement& e) {
  if (e.top == 0) return;
  const Entry packed = [&e](std::size_t row, std::size_t number) {
    const auto [t, u] = unpack(row);
    return top_entry(e, t, u, number);
  };
  out << "  /// y (packed lower triangle, top x top) = sum_ab g_ab X_ab of the six numbers g (00 01 02 11 12 22).\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void top_matrix(const R* g, R* y)", packed,
                e.top * (e.top + 1) / 2, 6, "g", "y", false);
  const Entry tested = [&e](std::size_t t, std::size_t row) {
    double sum = 0;
    for (std::size_t i = 0; i < e.dofs; ++i) sum += e.components(row, i) * e.to_dofs(i, 3 * e.low_modes + t);
    return sum * e.modes[row % e.modes.size()];
  };
  out << "  /// w (top) = mean of the top functions times a field c (3 x modes) of contravariant components.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void top_dual(const R* c, R* w)", tested, e.top,
                3 * e.modes.size(), "c", "w", false);
}

/// curl M^-1 curl^T, from the metric and the inverse mass of the top functions.
void write_curl_gram(Header& out, const ReferenceElement& e) {
  const std::size_t rows = 3 * e.curl_modes;
  const Entry low = [&e](std::size_t packed, std::size_t pair) {
    constexpr std::size_t pairs[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    const auto [r, c] = unpack(packed);
    const auto [a, b] = pairs[pair];
    double sum = 0;
    for (std::size_t m = 0; m < e.low_modes; ++m) {
      const auto at = [&e, m](std::size_t row, std::size_t axis) {
        return curl_of_mode(e, row, axis * e.low_modes + m);
      };
      sum += 6 / e.modes[m] * (at(r, a) * at(c, b) + (a == b ? 0 : at(r, b) * at(c, a)));
    }
    return sum;
  };
  const std::size_t packed = rows * (rows + 1) / 2;
  out << "  /// k (packed lower triangle, 3 curl_modes) = curl M^-1 curl^T of the low modes.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void curl_gram([[maybe_unused]] const R* q, R* k)",
                low, packed, 6, "q", "k", false);
  if (e.top == 0) return;
  const Entry top = [&e](std::size_t entry, std::size_t inner) {
    const auto [r, c] = unpack(entry);
    const auto [t, u] = unpack(inner);
    const auto at = [&e](std::size_t row, std::size_t mode) { return curl_of_mode(e, row, 3 * e.low_modes + mode); };
    return at(r, t) * at(c, u) + (t == u ? 0 : at(r, u) * at(c, t));
  };
  out << "  /// k += curl X curl^T of the top, X (packed lower triangle, top x top) its inverse mass.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void add_top_gram(const R* x, R* k)", top, packed,
                e.top * (e.top + 1) / 2, "x", "k", true);
}

/// DFDD-ELD of mixed-2, where the low modes have constant curls alone (ImplicitInverse in schemes/dfdd/update.hpp).
void write_implicit(Header& out, const ReferenceElement& e) {
  if (e.top == 0 || e.curl_modes == 1) return;
  const std::size_t low = 3 * e.low_modes;
  const Entry curl = [&e](std::size_t axis, std::size_t mode) { return curl_of_mode(e, axis * e.curl_modes, mode); };
  const Entry of_top = [=](std::size_t axis, std::size_t t) { return curl(axis, low + t); };
  const Entry dual = [=, &e](std::size_t mode, std::size_t axis) {
    return 6 / e.modes[mode % e.low_modes] * curl(axis, mode);
  };
  const Entry top_dual = [=](std::size_t t, std::size_t axis) { return curl(axis, low + t); };
  constexpr std::size_t pairs[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  const Entry gram = [&](std::size_t entry, std::size_t pair) {
    const auto [r, c] = pairs[entry];
    const auto [a, b] = pairs[pair];
    double sum = 0;
    for (std::size_t m = 0; m < e.low_modes; ++m) {
      const auto at = [&](std::size_t row, std::size_t axis) { return curl(row, axis * e.low_modes + m); };
      sum += 6 / e.modes[m] * (at(r, a) * at(c, b) + (a == b ? 0 : at(r, b) * at(c, a)));
    }
    return sum;
  };
  const Entry stiffness = [&](std::size_t packed, std::size_t pair) {
    const auto [t, u] = unpack(packed);
    const auto [a, b] = pairs[pair % 6];
    double sum = 0;
    for (std::size_t j = pair < 6 ? 0 : 1; j < (pair < 6 ? 1 : e.curl_modes); ++j) {
      const auto at = [&, m = j](std::size_t axis, std::size_t mode) {
        return curl_of_mode(e, axis * e.curl_modes + m, low + mode);
      };
      const double weight = pair < 6 ? 1 : e.modes[j] / 6;
      sum += weight * (at(a, t) * at(b, u) + (a == b ? 0 : at(b, t) * at(a, u)));
    }
    return sum;
  };
  const std::string head = "template <class S, class R>\n  TW_FN static void ";
  out << "  /// s (3) = constant part of the curl of the low modes z, and of the top; and back, g to modes ((6/d) for "
         "low "
         "ones).\n";
  write_product(out, head + "curl_of_low(const R* z, R* s)", curl, 3, low, "z", "s", false);
  write_product(out, head + "curl_of_top(const R* z, R* s)", of_top, 3, e.top, "z", "s", false);
  write_product(out, head + "curl_of_low_dual(const R* g, R* w)", dual, low, 3, "g", "w", false);
  write_product(out, head + "curl_of_top_dual(const R* g, R* w)", top_dual, e.top, 3, "g", "w", false);
  out << "  /// k (00 01 02 11 12 22) = constant part of curl M^-1 curl^T of the low modes.\n";
  write_product(out, head + "low_gram(const R* q, R* k)", gram, 6, 6, "q", "k", false);
  out << "  /// y (packed lower triangle, top x top) += curl^T X curl, X of the constant part g[0] to g[5], of the "
         "linear "
         "one\n  /// g[6] to g[11] times d/6.\n";
  write_product(out, head + "add_top_stiffness(const R* g, R* y)", stiffness, e.top * (e.top + 1) / 2, 12, "g", "y",
                true);
}

/// The space of curls in degree 3, K^-1 in which DFDD-ELD holds (schemes/dfdd/held_inverse.hpp).
void write_independent_curl(Header& out, const ReferenceElement& e) {
  const CurlRows rows = curl_rows(e);
  const std::size_t rank = rows.kept.size();
  out << "  /// Rank of the curl, which has no divergence: so many of its components give the others.\n"
      << "  static constexpr int curl_rank = " << rank << ";\n"
      << "  /// c (curl_rank) = those of them, from u (dofs); the constant ones first.\n";
  const Entry curl = [&](std::size_t i, std::size_t j) { return e.curl_components(rows.kept[i], j); };
  write_product(out, "template <class S, class R>\n  TW_FN static void independent_curl(const R* u, R* c)", curl, rank,
                e.dofs, "u", "c", false);
  Table transposed{e.dofs, rank, {}};
  for (std::size_t i = 0; i < e.dofs; ++i)
    for (const std::size_t row : rows.kept) transposed.entries.push_back(e.curl_components(row, i));
  out << "  /// w = (6/d) T^-T independent_curl^T l.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void independent_curl_transposed(const R* l, R* w)",
                to_modes(e, transposed, 1), e.dofs, rank, "l", "w", false);
  const Entry back = [&](std::size_t i, std::size_t j) { return rows.all(j, i); };
  out << "  /// c (curl_rank) = Z^T l, where Z c (3 x curl_modes) are all components of a curl.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void to_independent(const R* l, R* c)", back, rank,
                3 * e.curl_modes, "l", "c", false);
  const Entry all = [&](std::size_t i, std::size_t j) { return rows.all(i, j); };
  out << "  /// l (3 x curl_modes) = Z c.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void from_independent(const R* c, R* l)", all,
                3 * e.curl_modes, rank, "c", "l", false);
}

/// The curl as a rank-3m' factor of the stiffness S = curl^T (q (x) d/6) curl, and curl M^-1 curl^T (theory/dfdd).
void write_curl_factor(Header& out, const ReferenceElement& e) {
  const std::size_t rows = 3 * e.curl_modes;
  out << "  static constexpr int curl_modes = " << e.curl_modes << ";\n"
      << "  /// c (3 x curl_modes) = contravariant components of the curl of u (dofs), times det J.\n";
  const Entry curl = [&e](std::size_t i, std::size_t j) { return e.curl_components(i, j); };
  write_product(out, "template <class S, class R>\n  TW_FN static void curl_components(const R* u, R* c)", curl, rows,
                e.dofs, "u", "c", false);
  Table transposed{e.dofs, rows, {}};
  for (std::size_t i = 0; i < e.dofs; ++i)
    for (std::size_t r = 0; r < rows; ++r) transposed.entries.push_back(e.curl_components(r, i));
  out << "  /// w = (6/d) T^-T curl_components^T l.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void curl_transposed(const R* l, R* w)",
                to_modes(e, transposed, 1), e.dofs, rows, "l", "w", false);
  if (out.style != Style::straight) return write_independent_curl(out, e);
  write_curl_gram(out, e);
  write_implicit(out, e);
}

void write_face_components(Header& out, const ReferenceElement& e) {
  out << "  /// c (2 x face_modes) = components of the trace j (face_dofs) along x_b - x_a and x_c - x_a.\n";
  const Entry components = [&e](std::size_t i, std::size_t k) { return e.face_components(i, k); };
  write_product(out, "template <class S, class R>\n  TW_FN static void face_components(const R* j, R* c)", components,
                2 * e.face_modes.size(), e.face_dofs, "j", "c", false);
}

/// Traces in the coordinates of their face, for fluxes that need its metric.
void write_traces(Header& out, const ReferenceElement& e) {
  const std::size_t rows = 2 * e.face_modes.size();
  out << "  static constexpr int face_modes = " << e.face_modes.size() << ";\n"
      << "  /// +1 if the normal of a face's ascending vertices points outward when det J > 0, else -1.\n"
      << "  TW_FN static constexpr int face_sign(int f) {\n    constexpr int table[4] = {";
  for (const double sign : e.face_sign) out << sign << ", ";
  out << "};\n    return table[f];\n  }\n"
      << "  /// c (2 x face_modes) = components of the trace j (face_dofs) along x_b - x_a and x_c - x_a.\n";
  const Entry components = [&e](std::size_t i, std::size_t k) { return e.face_components(i, k); };
  write_product(out, "template <class S, class R>\n  TW_FN static void face_components(const R* j, R* c)", components,
                rows, e.face_dofs, "j", "c", false);
  const Entry dual = [&e](std::size_t k, std::size_t i) {
    return e.face_modes[i % e.face_modes.size()] / 2 * e.face_components(i, k);
  };
  out << "  /// r (face_dofs) = oint N . v of a tangential field v given by sqrt(g) times its contravariant "
         "components.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void face_dual(const R* v, R* r)", dual, e.face_dofs,
                rows, "v", "r", false);
  const Entry curl = [&e](std::size_t i, std::size_t j) { return e.curl(i, j); };
  out << "  /// r = C v: the curl of v, tested.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void curl_dual(const R* v, R* r)", curl, e.dofs,
                e.dofs, "v", "r", false);
  Table unit{e.dofs, e.dofs, std::vector<double>(e.dofs * e.dofs, 0.0)};
  for (std::size_t i = 0; i < e.dofs; ++i) unit.entries[i * e.dofs + i] = 1;
  out << "  /// w = (6/d) T^-T r: from tested values to orthogonal modes.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void to_modes(const R* r, R* w)",
                to_modes(e, unit, 1), e.dofs, e.dofs, "r", "w", false);
}

/// What a half step of DGTD-Central needs.
void write_central(Header& out, const ReferenceElement& e) {
  out << "  /// w = (6/d) T^-T C v: the curl of v, tested and transformed to orthogonal modes.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void curl(const R* v, R* w)", to_modes(e, e.curl, 1),
                e.dofs, e.dofs, "v", "w", false);
  for (std::size_t f = 0; f < 4; ++f) {
    out << "  /// w += (6/d) T^-T (1/2 D_f) jump: the central flux through face " << f << ".\n";
    write_product(out,
                  "template <class S, class R>\n  TW_FN static void flux" + std::to_string(f) + "(const R* jump, R* w)",
                  to_modes(e, e.face[f], 0.5), e.dofs, e.face_dofs, "jump", "w", true);
  }
  const Entry to_dofs = [&e](std::size_t i, std::size_t j) { return e.to_dofs(i, j); };
  out << "  /// u = P z: dofs from orthogonal modes.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void to_dofs(const R* z, R* u)", to_dofs, e.dofs,
                e.dofs, "z", "u", false);
  if (out.style != Style::fused) return;
  out << "  /// put(i, u[i]) for every dof.\n"
         "  template <class S, class R, class Put>\n  TW_FN static void put_dofs(const R* z, const Put& put) {\n";
  for (std::size_t i = 0; i < e.dofs; ++i)
    out << "    { " << fused_row(to_dofs, i, e.dofs, "z", "") << " put(" << i << ", sum); }\n";
  out << "  }\n";
}

/// A matrix for the GPU's tiles: tiles of 16 rows by 4 columns, those of the first rows first, without tiles of zeros.
/// A tile is two runs of 32 numbers, one a lane: lane l has row l / 4 (in the second run 8 rows on) and column l % 4.
void write_tiles(Header& out, const std::string& name, const Entry& entry, std::size_t rows, std::size_t columns) {
  const auto number = [&](std::size_t row_tile, std::size_t step, std::size_t place) {
    const std::size_t row = row_tile * 16 + place / 32 * 8 + place % 32 / 4;
    const std::size_t column = step * 4 + place % 4;
    const double c = row < rows && column < columns ? entry(row, column) : 0;
    return std::abs(c) < 1e-13 ? 0 : c;
  };
  std::string values;
  std::string filled;
  std::size_t tiles = 0;
  for (std::size_t row_tile = 0; row_tile < (rows + 15) / 16; ++row_tile) {
    std::uint64_t steps = 0;
    for (std::size_t step = 0; step < (columns + 3) / 4; ++step) {
      std::string text;
      bool is_zero = true;
      for (std::size_t place = 0; place < 64; ++place) {
        const double c = number(row_tile, step, place);
        is_zero = is_zero && c == 0;
        text += c == 0 ? "0," : tetrawave::format("{:.17g},", c);
      }
      if (is_zero) continue;
      steps |= std::uint64_t{1} << step;
      values += text;
      ++tiles;
    }
    filled += tetrawave::format("{}u, ", steps);
  }
  out << "static __device__ const double " << name << "_values[" << tiles * 64 << "] = {" << values << "};\n"
      << "struct " << name << " {\n  static constexpr int rows = " << rows
      << ";\n  static constexpr int columns = " << columns << ";\n  static constexpr int entries = " << tiles * 64
      << ";\n  /// Bit s: the tile of columns 4 s to 4 s + 3 is there.\n  TW_FN static constexpr std::uint64_t "
         "filled(int row_tile) {\n"
         "    constexpr std::uint64_t table[] = {"
      << filled << "};\n    return table[row_tile];\n  }\n  __device__ static const double* values() { return " << name
      << "_values; }\n};\n";
}

/// The matrix of the top functions for cuda/tiles/top.cuh: for each of its blocks of 4 x 4 in the lower triangle and
/// each pair of columns of the block the 6 matrices of which it is a sum, as two runs of 32 numbers, one a lane: lane l
/// has the matrix l % 4 (in the second run 4 + l % 4) at row l / 8, column l / 4 % 2.
void write_top_tiles(Header& out, const ReferenceElement& e, const std::string& name) {
  const std::size_t blocks = (e.top + 3) / 4;
  std::string values;
  std::size_t count = 0;
  for (std::size_t block = 0; block < blocks * (blocks + 1) / 2; ++block)
    for (std::size_t place = 0; place < 128; ++place, ++count) {
      const auto [a, b] = unpack(block);
      const std::size_t lane = place % 32;
      const std::size_t matrix = place % 64 / 32 * 4 + lane % 4;
      const std::size_t row = 4 * a + lane / 8;
      const std::size_t column = 4 * b + place / 64 * 2 + lane / 4 % 2;
      const bool is_there = matrix < 6 && row < e.top && column < e.top;
      values += tetrawave::format("{:.17g},", is_there ? top_entry(e, row, column, matrix) : 0);
    }
  if (count > 0) out << "static __device__ const double " << name << "_values[" << count << "] = {" << values << "};\n";
  out << "struct " << name << " {\n  static constexpr int entries = " << count << ";\n";
  if (count > 0) out << "  __device__ static const double* values() { return " << name << "_values; }\n";
  out << "};\n";
}

/// Columns of `left`, and then of `right`.
Entry beside(const Entry& left, std::size_t columns, const Entry& right) {
  return [=](std::size_t i, std::size_t j) { return j < columns ? left(i, j) : right(i, j - columns); };
}

void write_tiles_of_space(Header& out, Space space, const std::string& name) {
  const ReferenceElement& e = tetrawave::basis::reference_element(space);
  const std::size_t nf = e.face_dofs;
  Table unit{e.dofs, e.dofs, std::vector<double>(e.dofs * e.dofs, 0.0)};
  for (std::size_t i = 0; i < e.dofs; ++i) unit.entries[i * e.dofs + i] = 1;
  const Entry modes = to_modes(e, unit, 1);
  const Entry curl = to_modes(e, e.curl, 1);
  const Entry outer = [&e, nf](std::size_t i, std::size_t j) { return to_modes(e, e.face[j / nf], 0.5)(i, j % nf); };
  const Entry inner = [&](std::size_t i, std::size_t j) {  // the own trace, taken off on every face
    double sum = curl(i, j);
    for (std::size_t f = 0; f < 4; ++f)
      for (std::size_t k = 0; k < nf; ++k)
        if (e.on_face[f][k] == j) sum -= outer(i, f * nf + k);
    return sum;
  };
  const std::size_t components = 2 * e.face_modes.size();
  const Entry dual = [&](std::size_t i, std::size_t j) {  // of face components v, as `face_dual`
    const std::size_t f = j / components;
    const std::size_t c = j % components;
    double sum = 0;
    for (std::size_t k = 0; k < nf; ++k)
      sum += modes(i, e.on_face[f][k]) * e.face_modes[c % e.face_modes.size()] / 2 * e.face_components(c, k);
    return sum;
  };
  const std::vector<std::size_t> kept = curl_rows(e).kept;
  const std::size_t curls = kept.size();
  const Entry curl_of_dofs = [&](std::size_t i, std::size_t j) { return e.curl_components(kept[i], j); };
  const Entry curl_of_modes = [&](std::size_t i, std::size_t j) { return curl_of_mode(e, kept[i], j); };
  const Entry curl_transposed = [&](std::size_t i, std::size_t r) {
    double sum = 0;
    for (std::size_t j = 0; j < e.dofs; ++j) sum += modes(i, j) * e.curl_components(kept[r], j);
    return sum;
  };
  const Entry dofs = [&e](std::size_t i, std::size_t j) { return e.to_dofs(i, j); };
  const std::string prefix = "Tile" + name;
  write_tiles(out, prefix + "Central", beside(inner, e.dofs, outer), e.dofs, e.dofs + 4 * nf);
  write_tiles(out, prefix + "Upwind", beside(curl, e.dofs, dual), e.dofs, e.dofs + 4 * components);
  write_tiles(out, prefix + "Coupling", outer, e.dofs, 4 * nf);
  write_tiles(out, prefix + "Curl", beside(curl_of_modes, e.dofs, curl_of_dofs), curls, 2 * e.dofs);
  write_tiles(out, prefix + "Back", curl_transposed, e.dofs, curls);
  write_tiles(out, prefix + "Dofs", dofs, e.dofs, e.dofs);
  write_top_tiles(out, e, prefix + "Top");
}

void write_tile_header(const char* path, Header& out) {
  out = Header{std::ofstream(path)};
  out << "// Made by tools/tables from src/basis; do not edit. Matrices of cuda/tiles/tile.cuh.\n#pragma "
         "once\n\n#include "
         "<cstdint>\n\n"
         "namespace tetrawave::cuda {\n\n";
  write_tiles_of_space(out, Space::mixed_3, "Mixed3");
  write_tiles_of_space(out, Space::full_3, "Full3");
  out << "\n}  // namespace tetrawave::cuda\n";
  out.text.close();
}

void write_space(Header& out, Space space, const std::string& type, const std::string& name) {
  const ReferenceElement& e = tetrawave::basis::reference_element(space);
  out << "/// Terms of the space " << name << ". S: scalar type of the constants, R: the lane's number type.\nstruct "
      << type << " {\n";
  out.style = e.degree > 2 ? Style::rolled : Style::straight;
  write_constants(out, e, name);
  write_central(out, e);
  write_top(out, e);
  write_energy(out, e);
  write_curl_factor(out, e);
  write_traces(out, e);
  out << "};\n\n";
  if (out.style == Style::straight) return;
  out.style = Style::fused;
  out << "/// The terms of " << type << " as straight-line code for DGTD-Central.\nstruct Fused" << type << " : "
      << type << " {\n  static constexpr ProductStyle style = ProductStyle::fused;\n";
  write_central(out, e);
  write_face_components(out, e);
  out << "};\n\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: tetrawave-tables HEADER TILE_HEADER\n";
    return 64;
  }
  Header out{std::ofstream(argv[1])};
  out << "// Made by tools/tables from src/basis; do not edit.\n#pragma once\n\n#include <cstdint>\n\n"
         "#include \"base/target.hpp\"\n#include \"base/types.hpp\"\n#include "
         "\"kernels/products.hpp\"\n\nnamespace tetrawave::kernels {\n\n";
  write_space(out, Space::mixed_1, "Mixed1", "mixed_1");
  write_space(out, Space::full_1, "Full1", "full_1");
  write_space(out, Space::mixed_2, "Mixed2", "mixed_2");
  write_space(out, Space::full_2, "Full2", "full_2");
  write_space(out, Space::mixed_3, "Mixed3", "mixed_3");
  write_space(out, Space::full_3, "Full3", "full_3");
  tetrawave::tables::write_bernstein(out, 3, "SparseFull3", "Full3");
  out << "}  // namespace tetrawave::kernels\n";
  out.text.close();
  Header tiles;
  write_tile_header(argv[2], tiles);
  return out.text && tiles.text ? 0 : 74;
}

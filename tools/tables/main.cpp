// Writes the header of kernel terms: for every space, the constant matrices of the factored operators without their
// zeros. Up to full-2 as straight-line code, whose entries become constant operands of multiply-adds on the CPU and on
// the GPU alike; of degrees 3 and 4 as tables for loops (kernels/products.hpp), and for the kernels that are worth it
// as straight-line code too (kernels/spaces.hpp). A second header has the straight-line code of CPUs, a third one the
// matrices of the GPU's tiles, a fourth one the sparse operators of DFDD-ELD.
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
#include "tools/tables/curl_series.hpp"
#include "tools/tables/products.hpp"
#include "tools/tables/tiles.hpp"

namespace {

using tetrawave::Space;
using tetrawave::basis::ReferenceElement;
using tetrawave::basis::Table;
using tetrawave::tables::curl_of_mode;
using tetrawave::tables::curl_rows;
using tetrawave::tables::CurlRows;
using tetrawave::tables::dofs_of_modes;
using tetrawave::tables::Entry;
using tetrawave::tables::fused_row;
using tetrawave::tables::Header;
using tetrawave::tables::Style;
using tetrawave::tables::to_modes;
using tetrawave::tables::top_entry;
using tetrawave::tables::unit_table;
using tetrawave::tables::unpack;
using tetrawave::tables::write_product;

void write_constants(Header& out, const ReferenceElement& e, const std::string& space) {
  out << "  static constexpr Space space = Space::" << space << ";\n"
      << "  static constexpr ProductStyle style = ProductStyle::" << out.style_name() << ";\n"
      << "  static constexpr int dofs = " << e.dofs << ";\n"
      << "  static constexpr int face_dofs = " << e.face_dofs << ";\n"
      << "  static constexpr int low_modes = " << e.low_modes << ";\n"
      << "  static constexpr int top = " << e.top << ";\n"
      << "  static constexpr int modes = " << e.modes.size() << ";\n"
      << "  static constexpr int curl_modes = " << e.curl_modes << ";\n"
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

/// The space of curls of mixed-3, K^-1 in which DFDD-ELD holds (schemes/dfdd/held_inverse.hpp).
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
  out << "  /// c (3 x curl_modes) = contravariant components of the curl of u (dofs), times det J.\n";
  const Entry curl = [&e](std::size_t i, std::size_t j) { return e.curl_components(i, j); };
  write_product(out, "template <class S, class R>\n  TW_FN static void curl_components(const R* u, R* c)", curl, rows,
                e.dofs, "u", "c", false);
  Table transposed{e.dofs, rows, {}};
  for (std::size_t i = 0; i < e.dofs; ++i)
    for (std::size_t r = 0; r < rows; ++r) transposed.entries.push_back(e.curl_components(r, i));
  out << "  /// w = (6/d) T^-T curl_components^T l.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void curl_transposed(const R* l, R* w)",
                to_modes(e, transposed, 1), e.dofs, rows, "l", "w", false);
  if (out.style == Style::rolled) {
    if (e.top > 0) write_independent_curl(out, e);
    return;
  }
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
  const Table unit = unit_table(e.dofs);
  out << "  /// w = (6/d) T^-T r: from tested values to orthogonal modes.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void to_modes(const R* r, R* w)",
                to_modes(e, unit, 1), e.dofs, e.dofs, "r", "w", false);
}

void write_to_dofs(Header& out, const ReferenceElement& e) {
  out << "  /// u = P z: dofs from orthogonal modes.\n";
  write_product(out, "template <class S, class R>\n  TW_FN static void to_dofs(const R* z, R* u)", dofs_of_modes(e),
                e.dofs, e.dofs, "z", "u", false);
}

void write_curl(Header& out, const ReferenceElement& e) {
  out << "  /// r = C v: the curl of v, tested.\n";
  const Entry curl = [&e](std::size_t i, std::size_t j) { return e.curl(i, j); };
  write_product(out, "template <class S, class R>\n  TW_FN static void curl_dual(const R* v, R* r)", curl, e.dofs,
                e.dofs, "v", "r", false);
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
  write_to_dofs(out, e);
  if (out.style != Style::fused) return;
  out << "  /// put(i, u[i]) for every dof.\n"
         "  template <class S, class R, class Put>\n  TW_FN static void put_dofs(const R* z, const Put& put) {\n";
  for (std::size_t i = 0; i < e.dofs; ++i)
    out << "    { " << fused_row(dofs_of_modes(e), i, e.dofs, "z", "") << " put(" << i << ", sum); }\n";
  out << "  }\n";
}

void begin_space(Header& out, const ReferenceElement& e, const std::string& type, const std::string& name) {
  out << "/// Terms of the space " << name << ". S: scalar type of the constants, R: the lane's number type.\nstruct "
      << type << " {\n";
  out.style = e.degree > 2 ? Style::rolled : Style::straight;
  write_constants(out, e, name);
}

/// full-4: tables of what is added to the sparse operators alone, which `type` lacks.
void write_additions(Header& out, Space space, const std::string& type, const std::string& name) {
  const ReferenceElement& e = tetrawave::basis::reference_element(space);
  begin_space(out, e, type, name);
  write_to_dofs(out, e);
  write_energy(out, e);
  write_traces(out, e);
  out << "};\n\n";
}

void write_matrices(Header& out, const ReferenceElement& e) {
  write_central(out, e);
  write_top(out, e);
  write_energy(out, e);
  write_curl_factor(out, e);
  write_traces(out, e);
  write_curl(out, e);
}

void write_space(Header& out, Space space, const std::string& type, const std::string& name) {
  const ReferenceElement& e = tetrawave::basis::reference_element(space);
  begin_space(out, e, type, name);
  write_matrices(out, e);
  out << "};\n\n";
  if (space != Space::mixed_3) return;
  out.style = Style::fused;
  out << "/// The terms of " << type << " as straight-line code for DGTD-Central.\nstruct Fused" << type << " : "
      << type << " {\n  static constexpr ProductStyle style = ProductStyle::fused;\n";
  write_central(out, e);
  write_face_components(out, e);
  out << "};\n\n";
}

/// Whether it could be written.
bool write_host_header(const char* path) {
  Header out{std::ofstream(path), Style::shared};
  out << "// Made by tools/tables from src/basis; do not edit.\n#pragma once\n\n#include \"kernel_terms.hpp\"\n\n"
         "namespace tetrawave::kernels {\n\n"
         "/// The terms with which CPUs compute in place of others: sums that several rows have are computed once.\n"
         "template <class Basis>\nstruct TermsOfHost {\n  using type = Basis;\n};\n\n";
  const auto write = [&](Space space, const std::string& type) {
    out << "struct Shared" << type << " : " << type << " {\n";
    write_matrices(out, tetrawave::basis::reference_element(space));
    out << "};\ntemplate <>\nstruct TermsOfHost<" << type << "> {\n  using type = Shared" << type << ";\n};\n\n";
  };
  write(Space::mixed_1, "Mixed1");
  write(Space::full_1, "Full1");
  write(Space::mixed_2, "Mixed2");
  write(Space::full_2, "Full2");
  out << "}  // namespace tetrawave::kernels\n";
  out.text.close();
  return static_cast<bool>(out.text);
}

bool write_series_header(const char* path) {
  Header out{std::ofstream(path)};
  out << "// Made by tools/tables from src/basis; do not edit.\n#pragma once\n\n#include \"kernel_terms.hpp\"\n\n"
         "namespace tetrawave::kernels {\n\n";
  tetrawave::tables::write_curl_series(out, 3, Space::full_3, "SeriesFull3", "SparseFull3");
  out << "}  // namespace tetrawave::kernels\n";
  out.text.close();
  return static_cast<bool>(out.text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: tetrawave-tables HEADER HOST_HEADER TILE_HEADER SERIES_HEADER\n";
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
  write_additions(out, Space::full_4, "Full4", "full_4");
  tetrawave::tables::write_bernstein(out, 3, "SparseFull3", "Full3");
  tetrawave::tables::write_bernstein(out, 4, "SparseFull4", "Full4");
  out << "}  // namespace tetrawave::kernels\n";
  out.text.close();
  const bool are_written =
      write_host_header(argv[2]) && tetrawave::tables::write_tile_header(argv[3]) && write_series_header(argv[4]);
  return out.text && are_written ? 0 : 74;
}

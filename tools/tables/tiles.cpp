#include "tools/tables/tiles.hpp"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "base/text/format.hpp"
#include "basis/reference_element.hpp"
#include "tools/tables/products.hpp"

namespace tetrawave::tables {

namespace {

using basis::ReferenceElement;
using basis::Table;

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
        text += c == 0 ? "0," : format("{:.17g},", c);
      }
      if (is_zero) continue;
      steps |= std::uint64_t{1} << step;
      values += text;
      ++tiles;
    }
    filled += format("{}u, ", steps);
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
      values += format("{:.17g},", is_there ? top_entry(e, row, column, matrix) : 0);
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

/// Of the traces beyond the four faces, one face after the other.
Entry outer_flux(const ReferenceElement& e) {
  return [&e](std::size_t i, std::size_t j) { return to_modes(e, e.face[j / e.face_dofs], 0.5)(i, j % e.face_dofs); };
}

/// For DGTD-Central and DGTD-Upwind.
void write_tiles_of_mixed_3(Header& out) {
  const ReferenceElement& e = basis::reference_element(Space::mixed_3);
  const std::size_t nf = e.face_dofs;
  const Table unit = unit_table(e.dofs);
  const Entry modes = to_modes(e, unit, 1);
  const Entry curl = to_modes(e, e.curl, 1);
  const Entry outer = outer_flux(e);
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
  write_tiles(out, "TileMixed3Central", beside(inner, e.dofs, outer), e.dofs, e.dofs + 4 * nf);
  write_tiles(out, "TileMixed3Upwind", beside(curl, e.dofs, dual), e.dofs, e.dofs + 4 * components);
  write_tiles(out, "TileMixed3Dofs", dofs_of_modes(e), e.dofs, e.dofs);
  write_top_tiles(out, e, "TileMixed3Top");
}

}  // namespace

bool write_tile_header(const char* path) {
  Header out{std::ofstream(path)};
  out << "// Made by tools/tables from src/basis; do not edit. Matrices of cuda/tiles/tile.cuh.\n#pragma "
         "once\n\n#include "
         "<cstdint>\n\n"
         "namespace tetrawave::cuda {\n\n";
  write_tiles_of_mixed_3(out);
  out << "\n}  // namespace tetrawave::cuda\n";
  out.text.close();
  return static_cast<bool>(out.text);
}

}  // namespace tetrawave::tables

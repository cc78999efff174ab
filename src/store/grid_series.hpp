// Vector fields on an unstructured grid over time: a VTKHDF file (version 2.0), and an XDMF file that refers to it.
//
//   /VTKHDF/Points [points,3], Connectivity [points], Offsets [cells+1], Types [cells]
//   /VTKHDF/CellData/region, element [cells]
//   /VTKHDF/PointData/NAME [steps*points,3]     step by step
//   /VTKHDF/Steps/Values [steps], and for readers where each step begins
//
// Every cell has its own points, in its order. All datasets are allocated when the file is created; from then on only
// their values change, so a program killed at any time leaves a file that can be read and continued. Steps not yet
// written are zero and take no space on most file systems.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "store/hdf5.hpp"

namespace tetrawave::store {

struct GridShape {
  struct Array {
    std::string name;
    std::string units;
  };
  int corners = 4;  ///< nodes of a cell: 4 (tetrahedra), 10 (of second order, in VTK's order) or 3 (triangles)
  std::int64_t cells = 0;
  std::vector<double> steps;  ///< times [s], or frequencies [Hz]
  std::string step_units = "s";
  std::vector<Array> arrays;
  std::vector<std::string> regions;  ///< meaning of the values of `region`

  [[nodiscard]] std::int64_t points() const { return corners * cells; }
};

class GridSeries {
 public:
  /// A new file; an existing one is overwritten. Throws UserError (io), as do the others.
  static GridSeries create(const std::filesystem::path& path, const GridShape& shape);
  /// An existing file of this shape.
  static GridSeries open_to_fill(const std::filesystem::path& path, const GridShape& shape);

  /// Coordinates [m], 3 per point.
  void fill_points(std::int64_t first_point, std::span<const float> coordinates) const;
  void fill_cells(std::int64_t first_cell, std::span<const std::int32_t> regions,
                  std::span<const std::int64_t> elements) const;
  /// 3 numbers per point.
  void fill(std::size_t array, std::int64_t step, std::int64_t first_point, std::span<const float> values) const;
  [[nodiscard]] std::vector<float> read(std::size_t array, std::int64_t step, std::int64_t first_point,
                                        std::int64_t points) const;
  void close();

 private:
  GridSeries(File file, GridShape shape) : file_(std::move(file)), shape_(std::move(shape)) {}
  [[nodiscard]] std::string path_of(std::size_t array) const {
    return "/VTKHDF/PointData/" + shape_.arrays[array].name;
  }
  void write_topology() const;
  void write_steps() const;

  File file_;
  GridShape shape_;
};

/// Number of steps for which the file was created.
[[nodiscard]] std::int64_t steps_of_series(const std::filesystem::path& path);

/// Replaces a file, atomically, by one for other steps, with the first `kept` steps of the old one.
void change_steps(const std::filesystem::path& path, const GridShape& shape, std::int64_t kept);

/// Writes FILE.xdmf next to FILE.vtkhdf, with its first `steps` steps.
void write_xdmf(const std::filesystem::path& vtkhdf, const GridShape& shape, std::int64_t steps);

}  // namespace tetrawave::store

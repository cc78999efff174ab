#include "store/grid_series.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::store {

namespace {

constexpr std::int64_t page = 1 << 18;  ///< numbers or points written at once

/// A cell type in VTK and XDMF.
struct CellKind {
  int nodes;
  std::uint8_t vtk;
  const char* xdmf;
};
constexpr std::array<CellKind, 3> cell_kinds{{{3, 5, "Triangle"}, {4, 10, "Tetrahedron"}, {10, 24, "Tetrahedron_10"}}};

const CellKind& kind_of(const GridShape& shape) {
  for (const CellKind& kind : cell_kinds)
    if (kind.nodes == shape.corners) return kind;
  throw InternalError("cells are triangles or tetrahedra");
}

/// Fills a list with `at(k)`, a page at a time.
template <class T, class At>
void fill_list(const File& file, const std::string& path, std::int64_t count, const At& at) {
  file.reserve<T>(path, {count});
  std::vector<T> values;
  for (std::int64_t first = 0; first < count; first += page) {
    values.clear();
    for (std::int64_t k = first; k < std::min(count, first + page); ++k) values.push_back(at(k));
    file.write_rows(path, first, std::span<const T>(values));
  }
}

void write_number(const File& file, const std::string& name, std::int64_t value) {
  file.write("/VTKHDF/" + name, std::span<const std::int64_t>(&value, 1));
}

}  // namespace

GridSeries GridSeries::create(const std::filesystem::path& path, const GridShape& shape) {
  GridSeries series(File::create(path), shape);
  const File& file = series.file_;
  file.create_group("/VTKHDF");
  constexpr std::array<std::int64_t, 2> version{2, 0};
  file.set_attribute("/VTKHDF", "Version", std::span<const std::int64_t>(version));
  file.set_ascii_attribute("/VTKHDF", "Type", "UnstructuredGrid");
  series.write_topology();
  file.create_group("/VTKHDF/PointData");
  const auto steps = static_cast<std::int64_t>(shape.steps.size());
  for (std::size_t a = 0; a < shape.arrays.size(); ++a)
    file.reserve<float>(series.path_of(a), {steps * shape.points(), 3}, shape.arrays[a].units);
  series.write_steps();
  return series;
}

GridSeries GridSeries::open_to_fill(const std::filesystem::path& path, const GridShape& shape) {
  GridSeries series(File::open_to_fill(path), shape);
  const auto steps = static_cast<std::int64_t>(shape.steps.size());
  for (std::size_t a = 0; a < shape.arrays.size(); ++a)
    if (!series.file_.has(series.path_of(a)) ||
        series.file_.info(series.path_of(a)).extents != Extents{steps * shape.points(), 3})
      fail(ExitCode::io, "{}: not the file that this run writes its fields to: {} has another shape", path.string(),
           series.path_of(a));
  return series;
}

void GridSeries::write_topology() const {
  const std::int64_t corners = shape_.corners;
  write_number(file_, "NumberOfPoints", shape_.points());
  write_number(file_, "NumberOfCells", shape_.cells);
  write_number(file_, "NumberOfConnectivityIds", shape_.points());
  file_.reserve<float>("/VTKHDF/Points", {shape_.points(), 3}, "m");
  fill_list<std::int64_t>(file_, "/VTKHDF/Connectivity", shape_.points(), [](std::int64_t k) { return k; });
  fill_list<std::int64_t>(file_, "/VTKHDF/Offsets", shape_.cells + 1, [&](std::int64_t k) { return corners * k; });
  fill_list<std::uint8_t>(file_, "/VTKHDF/Types", shape_.cells, [&](std::int64_t) { return kind_of(shape_).vtk; });
  file_.create_group("/VTKHDF/CellData");
  file_.reserve<std::int32_t>("/VTKHDF/CellData/region", {shape_.cells});
  file_.set_attribute("/VTKHDF/CellData/region", "names", shape_.regions);
  file_.reserve<std::int64_t>("/VTKHDF/CellData/element", {shape_.cells});
}

void GridSeries::write_steps() const {
  const std::string group = "/VTKHDF/Steps";
  const auto count = static_cast<std::int64_t>(shape_.steps.size());
  file_.create_group(group);
  file_.set_attribute(group, "NSteps", count);
  file_.write(group + "/Values", std::span<const double>(shape_.steps), shape_.step_units);
  const std::vector<std::int64_t> zero(shape_.steps.size(), 0);
  const std::vector<std::int64_t> one(shape_.steps.size(), 1);
  const std::span<const std::int64_t> zeros(zero);
  file_.write(group + "/NumberOfParts", std::span<const std::int64_t>(one));
  file_.write(group + "/PartOffsets", zeros);
  file_.write(group + "/PointOffsets", zeros);
  file_.write(group + "/CellOffsets", zeros, "", {count, 1});
  file_.write(group + "/ConnectivityIdOffsets", zeros, "", {count, 1});
  for (const char* name : {"region", "element"}) file_.write(group + "/CellDataOffsets/" + name, zeros);
  std::vector<std::int64_t> first;
  for (std::int64_t k = 0; k < count; ++k) first.push_back(k * shape_.points());
  for (const GridShape::Array& array : shape_.arrays)
    file_.write(group + "/PointDataOffsets/" + array.name, std::span<const std::int64_t>(first));
}

void GridSeries::fill_points(std::int64_t first_point, std::span<const float> coordinates) const {
  file_.write_rows("/VTKHDF/Points", first_point, coordinates);
}

void GridSeries::fill_cells(std::int64_t first_cell, std::span<const std::int32_t> regions,
                            std::span<const std::int64_t> elements) const {
  file_.write_rows("/VTKHDF/CellData/region", first_cell, regions);
  file_.write_rows("/VTKHDF/CellData/element", first_cell, elements);
}

void GridSeries::fill(std::size_t array, std::int64_t step, std::int64_t first_point,
                      std::span<const float> values) const {
  file_.write_rows(path_of(array), step * shape_.points() + first_point, values);
}

std::vector<float> GridSeries::read(std::size_t array, std::int64_t step, std::int64_t first_point,
                                    std::int64_t points) const {
  return file_.read_rows<float>(path_of(array), step * shape_.points() + first_point, points);
}

void GridSeries::close() { file_.close(); }

std::int64_t steps_of_series(const std::filesystem::path& path) {
  return File::open(path).attribute<std::int64_t>("/VTKHDF/Steps", "NSteps");
}

void change_steps(const std::filesystem::path& path, const GridShape& shape, std::int64_t kept) {
  write_atomically(path, [&](const std::filesystem::path& temporary) {
    const File from = File::open(path);
    GridSeries to = GridSeries::create(temporary, shape);
    const std::int64_t points = shape.points();
    for (std::int64_t first = 0; first < points; first += page) {
      const std::int64_t count = std::min(page, points - first);
      to.fill_points(first, from.read_rows<float>("/VTKHDF/Points", first, count));
    }
    for (std::int64_t first = 0; first < shape.cells; first += page) {
      const std::int64_t count = std::min(page, shape.cells - first);
      to.fill_cells(first, from.read_rows<std::int32_t>("/VTKHDF/CellData/region", first, count),
                    from.read_rows<std::int64_t>("/VTKHDF/CellData/element", first, count));
    }
    for (std::size_t a = 0; a < shape.arrays.size(); ++a)
      for (std::int64_t first = 0; first < kept * points; first += page)
        to.fill(a, 0, first,
                from.read_rows<float>("/VTKHDF/PointData/" + shape.arrays[a].name, first,
                                      std::min(page, kept * points - first)));
    to.close();
  });
}

namespace {

std::string data_item(const std::string& extents, const std::string& type, int precision, const std::string& path) {
  return tetrawave::format(R"(<DataItem Dimensions="{}" NumberType="{}" Precision="{}" Format="HDF">{}</DataItem>)",
                           extents, type, precision, path);
}

/// The rows of one step of an array.
std::string step_item(const std::string& file, const GridShape& shape, const std::string& name, std::int64_t step) {
  const std::int64_t points = shape.points();
  return tetrawave::format(
      R"(<DataItem ItemType="HyperSlab" Dimensions="{0} 3" Type="HyperSlab"><DataItem Dimensions="3 2" Format="XML">{1} 0 1 1 {0} 3</DataItem>{2}</DataItem>)",
      points, step * points,
      data_item(tetrawave::format("{} 3", static_cast<std::int64_t>(shape.steps.size()) * points), "Float", 4,
                file + ":/VTKHDF/PointData/" + name));
}

std::string step_grid(const std::string& file, const GridShape& shape, std::int64_t step) {
  const std::string cells = tetrawave::format("{}", shape.cells);
  std::string text = tetrawave::format(
      "<Grid Name=\"step {0}\" GridType=\"Uniform\">\n<Time Value=\"{1:.17g}\"/>\n"
      "<Topology TopologyType=\"{2}\" NumberOfElements=\"{3}\">{4}</Topology>\n"
      "<Geometry GeometryType=\"XYZ\">{5}</Geometry>\n",
      step, shape.steps[static_cast<std::size_t>(step)], kind_of(shape).xdmf, cells,
      data_item(tetrawave::format("{}", shape.points()), "Int", 8, file + ":/VTKHDF/Connectivity"),
      data_item(tetrawave::format("{} 3", shape.points()), "Float", 4, file + ":/VTKHDF/Points"));
  for (const GridShape::Array& array : shape.arrays)
    text += tetrawave::format("<Attribute Name=\"{}\" AttributeType=\"Vector\" Center=\"Node\">{}</Attribute>\n",
                              array.name, step_item(file, shape, array.name, step));
  text += tetrawave::format("<Attribute Name=\"region\" AttributeType=\"Scalar\" Center=\"Cell\">{}</Attribute>\n",
                            data_item(cells, "Int", 4, file + ":/VTKHDF/CellData/region"));
  return text + "</Grid>\n";
}

}  // namespace

void write_xdmf(const std::filesystem::path& vtkhdf, const GridShape& shape, std::int64_t steps) {
  const std::string file = vtkhdf.filename().string();
  std::string text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
      "<Grid Name=\"fields\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (std::int64_t step = 0; step < steps; ++step) text += step_grid(file, shape, step);
  write_text_atomically(std::filesystem::path(vtkhdf).replace_extension(".xdmf"),
                        text + "</Grid>\n</Domain>\n</Xdmf>\n");
}

}  // namespace tetrawave::store

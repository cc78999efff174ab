// Files of fields over time.
#include "store/grid_series.hpp"

#include <fstream>
#include <numeric>
#include <sstream>

#include "catch.hpp"
#include "failure.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using namespace tetrawave::store;
using tetrawave_tests::ContainsSubstring;
using tetrawave_tests::TemporaryDirectory;

namespace {

GridShape two_triangles(std::size_t steps) {
  GridShape shape;
  shape.corners = 3;
  shape.cells = 2;
  for (std::size_t k = 0; k < steps; ++k) shape.steps.push_back(0.5 * static_cast<double>(k));
  shape.arrays = {{"E", "V/m"}};
  shape.regions = {"air"};
  return shape;
}

std::vector<float> numbers(float first, std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::string text_of(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a series has the datasets of VTKHDF with every step's offsets") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "cut.vtkhdf";
  const GridShape shape = two_triangles(3);
  GridSeries series = GridSeries::create(path, shape);
  series.fill_points(0, numbers(1, 18));
  series.fill_cells(0, std::vector<std::int32_t>{0, 0}, std::vector<std::int64_t>{7, 9});
  series.close();
  series = GridSeries::open_to_fill(path, shape);
  series.fill(0, 1, 2, numbers(100, 6));
  CHECK(series.read(0, 1, 2, 2) == numbers(100, 6));
  series.close();
  const File file = File::open(path);
  CHECK(file.attribute<std::string>("/VTKHDF", "Type") == "UnstructuredGrid");
  CHECK(file.attribute<std::vector<double>>("/VTKHDF", "Version") == std::vector<double>{2, 0});
  CHECK(file.attribute<std::int64_t>("/VTKHDF/Steps", "NSteps") == 3);
  CHECK(file.read<std::int64_t>("/VTKHDF/NumberOfPoints") == std::vector<std::int64_t>{6});
  CHECK(file.read<std::int64_t>("/VTKHDF/Offsets") == std::vector<std::int64_t>{0, 3, 6});
  CHECK(file.read<std::int64_t>("/VTKHDF/Connectivity") == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5});
  CHECK(file.info("/VTKHDF/Types").element_bytes == 1);
  CHECK(file.read<std::int64_t>("/VTKHDF/CellData/element") == std::vector<std::int64_t>{7, 9});
  CHECK(file.read<std::int64_t>("/VTKHDF/Steps/PointDataOffsets/E") == std::vector<std::int64_t>{0, 6, 12});
  CHECK(file.read<std::int64_t>("/VTKHDF/Steps/PointOffsets") == std::vector<std::int64_t>{0, 0, 0});
  CHECK(file.read<double>("/VTKHDF/Steps/Values") == std::vector<double>{0, 0.5, 1});
  CHECK(file.read_rows<float>("/VTKHDF/PointData/E", 8, 2) == numbers(100, 6));
  CHECK(file.info("/VTKHDF/PointData/E").is_plain());
}

TEST_CASE("cells of ten nodes are second-order tetrahedra to VTK and XDMF") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "regions.vtkhdf";
  GridShape shape = two_triangles(1);
  shape.corners = 10;
  GridSeries::create(path, shape).close();
  write_xdmf(path, shape, 1);
  const File file = File::open(path);
  CHECK(file.read<std::int64_t>("/VTKHDF/Types") == std::vector<std::int64_t>{24, 24});
  CHECK(file.read<std::int64_t>("/VTKHDF/Offsets") == std::vector<std::int64_t>{0, 10, 20});
  CHECK(file.info("/VTKHDF/Points").extents == Extents{20, 3});
  CHECK_THAT(text_of(folder.path() / "regions.xdmf"), ContainsSubstring("Tetrahedron_10"));
}

TEST_CASE("filling values changes no other byte of the file") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "cut.vtkhdf";
  const GridShape shape = two_triangles(3);
  GridSeries::create(path, shape).close();
  const std::string before = text_of(path);
  GridSeries series = GridSeries::open_to_fill(path, shape);
  series.fill(0, 2, 0, numbers(1, 18));
  series.close();
  const std::string after = text_of(path);
  REQUIRE(after.size() == before.size());
  std::size_t changed = 0;
  for (std::size_t k = 0; k < after.size(); ++k) changed += before[k] != after[k] ? 1 : 0;
  CHECK(changed > 0);
  CHECK(changed <= 18 * sizeof(float));
}

TEST_CASE("a series of another shape is not filled, and can be given other steps") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "cut.vtkhdf";
  GridSeries series = GridSeries::create(path, two_triangles(3));
  for (std::int64_t step = 0; step < 3; ++step) series.fill(0, step, 0, numbers(static_cast<float>(100 * step), 18));
  series.fill_points(0, numbers(5, 18));
  series.close();
  const auto failure = tetrawave_tests::catch_failure([&] { (void)GridSeries::open_to_fill(path, two_triangles(2)); });
  CHECK(failure.code == ExitCode::io);
  CHECK_THAT(failure.text, ContainsSubstring("has another shape"));
  change_steps(path, two_triangles(2), 2);
  CHECK(steps_of_series(path) == 2);
  change_steps(path, two_triangles(4), 2);
  series = GridSeries::open_to_fill(path, two_triangles(4));
  CHECK(series.read(0, 1, 0, 6) == numbers(100, 18));
  CHECK(series.read(0, 3, 0, 6) == std::vector<float>(18, 0));
  series.close();
  CHECK(File::open(path).read<float>("/VTKHDF/Points") == numbers(5, 18));
}

TEST_CASE("the XDMF file points at the rows of each step") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "cut.vtkhdf";
  write_xdmf(path, two_triangles(3), 2);
  const std::string text = text_of(folder.path() / "cut.xdmf");
  CHECK_THAT(text, ContainsSubstring(R"(<Time Value="0.5"/>)"));
  CHECK_THAT(text, !ContainsSubstring(R"(<Time Value="1"/>)"));
  CHECK_THAT(text, ContainsSubstring(R"(TopologyType="Triangle" NumberOfElements="2")"));
  CHECK_THAT(text, ContainsSubstring("6 0 1 1 6 3"));
  CHECK_THAT(text, ContainsSubstring("cut.vtkhdf:/VTKHDF/PointData/E"));
}

#include "mesh/file/mesh_file.hpp"

#include <fstream>
#include <functional>
#include <iterator>
#include <limits>

#include "catch.hpp"
#include "failure.hpp"
#include "store/hdf5.hpp"
#include "temporary_directory.hpp"
#include "unit/mesh/sample_mesh.hpp"

using namespace tetrawave;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;
using tetrawave_tests::Failure;
using tetrawave_tests::make_cube;
using tetrawave_tests::TemporaryDirectory;

namespace {

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void write_header(const store::File& file) {
  file.set_attribute("/", "format", "tetrawave-mesh");
  file.set_attribute("/", "version", 1);
  file.set_attribute("/", "units", "m");
}

// What reading says of the cube after `change`, which may break what write_mesh would refuse.
Failure read_changed(const std::function<void(WholeMesh&)>& change) {
  const TemporaryDirectory directory;
  WholeMesh mesh = make_cube();
  change(mesh);
  store::File file = store::File::create(directory / "m.h5");
  write_header(file);
  file.write("/nodes", mesh.nodes);
  file.write("/tetrahedra", mesh.elements, "", {6, 4});
  file.write("/region", mesh.region);
  file.write("/region_names", mesh.region_names);
  file.write("/faces", mesh.faces, "", {3, 3});
  file.write("/face_group", mesh.face_group);
  file.write("/group_names", mesh.group_names);
  file.close();
  return catch_failure([&] { (void)read_mesh_slab(directory / "m.h5", 0, 1); });
}

// What reading says of a file made by hand.
Failure read_made(const std::function<void(const store::File&)>& make) {
  const TemporaryDirectory directory;
  store::File file = store::File::create(directory / "m.h5");
  make(file);
  file.close();
  return catch_failure([&] { (void)read_mesh_slab(directory / "m.h5", 0, 1); });
}

}  // namespace

TEST_CASE("slabs of all ranks together are the whole mesh") {
  const TemporaryDirectory directory;
  const WholeMesh mesh = make_cube();
  write_mesh(directory / "m.h5", mesh);
  for (int ranks = 1; ranks <= 9; ++ranks) {
    std::vector<Vec3> nodes;
    std::vector<std::int64_t> elements;
    std::vector<std::int32_t> region;
    std::vector<std::int64_t> faces;
    std::vector<std::int32_t> face_group;
    for (int rank = 0; rank < ranks; ++rank) {
      const MeshSlab slab = read_mesh_slab(directory / "m.h5", rank, ranks);
      CHECK(slab.node_count == 8);
      CHECK(slab.element_count == 6);
      CHECK(slab.face_count == 3);
      CHECK(slab.first_node == 8 * rank / ranks);
      CHECK(slab.first_element == 6 * rank / ranks);
      CHECK(slab.region_names == mesh.region_names);
      CHECK(slab.group_names == mesh.group_names);
      CHECK(slab.source == "cube");
      nodes.insert(nodes.end(), slab.nodes.begin(), slab.nodes.end());
      for (const auto& element : slab.elements) elements.insert(elements.end(), element.begin(), element.end());
      for (const auto& face : slab.faces) faces.insert(faces.end(), face.begin(), face.end());
      region.insert(region.end(), slab.region.begin(), slab.region.end());
      face_group.insert(face_group.end(), slab.face_group.begin(), slab.face_group.end());
    }
    CHECK(nodes == mesh.nodes);
    CHECK(elements == mesh.elements);
    CHECK(region == mesh.region);
    CHECK(faces == mesh.faces);
    CHECK(face_group == mesh.face_group);
  }
}

TEST_CASE("equal meshes make equal bytes, with quality written along") {
  const TemporaryDirectory directory;
  write_mesh(directory / "a.h5", make_cube());
  write_mesh(directory / "b.h5", make_cube());
  CHECK(read_bytes(directory / "a.h5") == read_bytes(directory / "b.h5"));
  const store::File file = store::File::open(directory / "a.h5");
  CHECK(file.attribute<std::string>("/", "units") == "m");
  CHECK(file.attribute<double>("/", "min_dihedral_angle_deg") == tetrawave_tests::Approx(45));
  CHECK(file.attribute<double>("/", "max_edge_m") == tetrawave_tests::Approx(std::sqrt(3.0)));
}

TEST_CASE("a mesh without named faces is read") {
  const TemporaryDirectory directory;
  WholeMesh mesh = make_cube();
  mesh.faces.clear();
  mesh.face_group.clear();
  mesh.group_names.clear();
  write_mesh(directory / "m.h5", mesh);
  CHECK(read_mesh_slab(directory / "m.h5", 0, 1).face_count == 0);
}

TEST_CASE("a missing mesh file is exit 66") {
  const auto failure = catch_failure([] { (void)read_mesh_slab("/no/such/mesh.h5", 0, 1); });
  CHECK(failure.code == ExitCode::missing_input);
  CHECK(failure.text == "/no/such/mesh.h5: the mesh file is missing");
}

TEST_CASE("a mesh cut off anywhere is refused") {
  const TemporaryDirectory directory;
  write_mesh(directory / "m.h5", make_cube());
  const std::string whole = read_bytes(directory / "m.h5");
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    write_bytes(directory / "cut.h5", whole.substr(0, length));
    CHECK(catch_failure([&] { (void)read_mesh_slab(directory / "cut.h5", 0, 1); }).code == ExitCode::bad_mesh);
  }
}

TEST_CASE("a file that is not HDF5 or not a mesh is refused") {
  const TemporaryDirectory directory;
  write_bytes(directory / "m.h5", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
  CHECK(catch_failure([&] { (void)read_mesh_slab(directory / "m.h5", 0, 1); }).code == ExitCode::bad_mesh);
  CHECK(catch_failure([&] { (void)read_mesh_slab(directory.path(), 0, 1); }).code == ExitCode::bad_mesh);
  const auto results = read_made([](const store::File& file) { file.set_attribute("/", "program", "tetrawave"); });
  CHECK(results.code == ExitCode::bad_mesh);
  CHECK_THAT(results.text, ContainsSubstring("the attribute format = \"tetrawave-mesh\" is missing"));
}

TEST_CASE("a mesh of another version is refused") {
  const auto failure = read_made([](const store::File& file) {
    file.set_attribute("/", "format", "tetrawave-mesh");
    file.set_attribute("/", "version", 2);
  });
  CHECK(failure.code == ExitCode::bad_mesh);
  CHECK_THAT(failure.text, ContainsSubstring("format version 2 is not known"));
}

TEST_CASE("a mesh in other units than metres is refused") {
  const auto failure = read_made([](const store::File& file) {
    file.set_attribute("/", "format", "tetrawave-mesh");
    file.set_attribute("/", "version", 1);
    file.set_attribute("/", "units", "mm");
  });
  CHECK(failure.code == ExitCode::bad_mesh);
  CHECK_THAT(failure.text, ContainsSubstring("units"));
}

TEST_CASE("a small file that claims 1e11 nodes is refused before memory is taken") {
  const TemporaryDirectory directory;
  write_mesh(directory / "m.h5", make_cube());
  std::string bytes = read_bytes(directory / "m.h5");
  // The extents of /nodes, [8, 3], as they stand in its header: the one place with these two numbers side by side.
  const std::string extents("\x08\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0", 16);
  const auto place = bytes.find(extents);
  REQUIRE(place != std::string::npos);
  const std::int64_t claimed = 100000000000;
  std::size_t changed = 0;
  for (auto at = place; at != std::string::npos; at = bytes.find(extents, at + 16), ++changed)
    bytes.replace(at, 8, reinterpret_cast<const char*>(&claimed), 8);
  REQUIRE(changed >= 1);
  write_bytes(directory / "m.h5", bytes);
  const auto failure = catch_failure([&] { (void)read_mesh_slab(directory / "m.h5", 0, 1); });
  CHECK(failure.code == ExitCode::bad_mesh);
  CHECK_THAT(failure.text, ContainsSubstring("100000000000") && ContainsSubstring("/nodes"));
}

#ifndef __SANITIZE_ADDRESS__  // HDF5 1.10 itself reads past its buffers in such files, which the sanitizer ends.
TEST_CASE("a mesh that damage has reached anywhere ends in an error or in a mesh, never in a crash") {
  const TemporaryDirectory directory;
  write_mesh(directory / "m.h5", make_cube());
  const std::string whole = read_bytes(directory / "m.h5");
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); at += 13) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    write_bytes(directory / "damaged.h5", bytes);
    const auto failure = catch_failure([&] { (void)read_mesh_slab(directory / "damaged.h5", 0, 1); });
    refused += failure.code == ExitCode::bad_mesh || failure.code == ExitCode::bad_case ? 1 : 0;
    CHECK((failure.code == ExitCode::done || failure.code == ExitCode::bad_mesh || failure.code == ExitCode::bad_case));
  }
  CHECK(refused > 20);
}
#endif

TEST_CASE("references out of range and repeated nodes are refused with the element's number") {
  const auto beyond = read_changed([](WholeMesh& mesh) { mesh.elements[4 * 3 + 2] = 100; });
  // Quality is measured when writing, so a wrong reference is put into the file itself.
  CHECK(beyond.code == ExitCode::bad_mesh);
  CHECK_THAT(beyond.text, ContainsSubstring("tetrahedron 3 refers to node 100, but nodes are 0 to 7"));
  const auto negative = read_changed([](WholeMesh& mesh) { mesh.faces[4] = -1; });
  CHECK_THAT(negative.text, ContainsSubstring("face 1 refers to node -1"));
  const auto repeated = read_changed([](WholeMesh& mesh) { mesh.elements[4] = 7; });
  CHECK(repeated.code == ExitCode::bad_mesh);
  CHECK_THAT(repeated.text, ContainsSubstring("tetrahedron 1 refers to node 7 twice"));
}

TEST_CASE("a coordinate that is not finite is refused") {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const auto failure = read_changed([bad](WholeMesh& mesh) { mesh.nodes[5][1] = bad; });
    CHECK(failure.code == ExitCode::bad_mesh);
    CHECK_THAT(failure.text, ContainsSubstring("node 5 has a coordinate that is not finite"));
  }
}

TEST_CASE("indices into the lists of names are checked") {
  const auto region = read_changed([](WholeMesh& mesh) { mesh.region[2] = 2; });
  CHECK_THAT(region.text, ContainsSubstring("tetrahedron 2 has the index 2 into /region_names, which has 2 names"));
  const auto group = read_changed([](WholeMesh& mesh) { mesh.face_group[1] = -1; });
  CHECK_THAT(group.text, ContainsSubstring("face 1 has the index -1 into /group_names"));
  CHECK(group.code == ExitCode::bad_mesh);
}

TEST_CASE("names that cannot be paths and names given twice are refused") {
  const auto slash = read_changed([](WholeMesh& mesh) { mesh.group_names[0] = "a/b"; });
  CHECK(slash.code == ExitCode::bad_mesh);
  CHECK_THAT(slash.text, ContainsSubstring("the name 'a/b' in /group_names is not allowed"));
  const auto twice = read_changed([](WholeMesh& mesh) { mesh.region_names[1] = "air"; });
  CHECK_THAT(twice.text, ContainsSubstring("the name 'air' occurs twice in /region_names"));
  CHECK(is_group_name("port1_face.a-b"));
  CHECK_FALSE(is_group_name(""));
  CHECK_FALSE(is_group_name(".hidden"));
  CHECK_FALSE(is_group_name("-dash"));
  CHECK_FALSE(is_group_name("two words"));
  CHECK_FALSE(is_group_name(std::string(129, 'a')));
}

TEST_CASE("datasets of another shape or type, or missing ones, are refused") {
  const auto flat = read_made([](const store::File& file) {
    write_header(file);
    file.write("/nodes", std::vector<double>{0, 0, 0});
  });
  CHECK_THAT(flat.text, ContainsSubstring("dataset /nodes must have the shape [n, 3]"));
  const auto whole = read_made([](const store::File& file) {
    write_header(file);
    file.write("/nodes", std::vector<std::int32_t>{0, 0, 0}, "", {1, 3});
  });
  CHECK_THAT(whole.text, ContainsSubstring("dataset /nodes does not hold real numbers"));
  const auto missing = read_made(write_header);
  CHECK_THAT(missing.text, ContainsSubstring("dataset /nodes is missing"));
  CHECK(missing.code == ExitCode::bad_mesh);
}

TEST_CASE("second-order and two-dimensional meshes do not fit a case that needs straight tetrahedra") {
  const TemporaryDirectory directory;
  WholeMesh curved;
  curved.order = 2;
  curved.nodes = {{0, 0, 0},   {1, 0, 0},  {0, 1, 0},  {0, 0, 1},   {.5, 0, 0},
                  {.5, .5, 0}, {0, .5, 0}, {0, 0, .5}, {0, .5, .5}, {.5, 0, .5}};
  curved.elements = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  curved.region = {0};
  curved.region_names = {"air"};
  write_mesh(directory / "curved.h5", curved);
  const auto second = catch_failure([&] { (void)read_mesh_slab(directory / "curved.h5", 0, 1); });
  CHECK(second.code == ExitCode::bad_case);
  CHECK_THAT(second.text, ContainsSubstring("second-order tetrahedra"));
  WholeMesh plane;
  plane.dimension = 2;
  plane.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  plane.elements = {0, 1, 2};
  plane.region = {0};
  plane.region_names = {"air"};
  write_mesh(directory / "plane.h5", plane);
  const auto flat = catch_failure([&] { (void)read_mesh_slab(directory / "plane.h5", 0, 1); });
  CHECK(flat.code == ExitCode::bad_case);
  CHECK_THAT(flat.text, ContainsSubstring("two-dimensional"));
}

TEST_CASE("a slab that is the whole mesh can be written as one") {
  const TemporaryDirectory directory;
  write_mesh(directory / "a.h5", make_cube());
  write_mesh(directory / "b.h5", make_whole(read_mesh_slab(directory / "a.h5", 0, 1)));
  CHECK(read_bytes(directory / "a.h5") == read_bytes(directory / "b.h5"));
}

// Gmsh meshes of all versions, and what becomes of damaged ones.
#include <sstream>

#include "catch.hpp"
#include "mesh/file/mesh_file.hpp"
#include "mesher/mesher_program.hpp"

using namespace tetrawave;
using tetrawave_tests::ContainsSubstring;
using tetrawave_tests::make_two_cubes;
using tetrawave_tests::read_bytes;
using tetrawave_tests::run_mesher_program;
using tetrawave_tests::TemporaryDirectory;
using tetrawave_tests::write_text;

namespace {

// Meshes the two cubes and lets Gmsh save them as DIRECTORY/a.msh, too.
void save_msh(const TemporaryDirectory& directory, const std::string& version, bool binary) {
  std::ostringstream geometry;
  geometry << make_two_cubes() << "Mesh.MshFileVersion = " << version << ";\nMesh.Binary = " << (binary ? 1 : 0)
           << ";\nMesh 3;\nSave " << directory / "a.msh"
           << ";\n";
  write_text(directory / "a.geo", geometry.str());
  const ChildResult result = run_mesher_program(
      {(directory / "a.geo").string(), "-o", (directory / "geo.h5").string(), "--allow-geo-commands"});
  INFO(result.output);
  REQUIRE(result.exit_code == 0);
  REQUIRE(std::filesystem::exists(directory / "a.msh"));
}

ChildResult mesh_msh(const TemporaryDirectory& directory, const std::string& name) {
  return run_mesher_program({(directory / name).string(), "-o", (directory / "msh.h5").string()});
}

}  // namespace

TEST_CASE("Gmsh meshes of version 2.2 and 4.1, text and binary, are the mesh they were saved from") {
  for (const std::string version : {"2.2", "4.1"})
    for (const bool binary : {false, true}) {
      const TemporaryDirectory directory;
      save_msh(directory, version, binary);
      const ChildResult result = mesh_msh(directory, "a.msh");
      INFO(version << (binary ? " binary" : " text") << "\n" << result.output);
      REQUIRE(result.exit_code == 0);
      const MeshSlab made = read_mesh_slab(directory / "geo.h5", 0, 1);
      const MeshSlab read = read_mesh_slab(directory / "msh.h5", 0, 1);
      CHECK(read.nodes == made.nodes);
      CHECK(read.elements == made.elements);
      CHECK(read.region == made.region);
      CHECK(read.faces == made.faces);
      CHECK(read.face_group == made.face_group);
      CHECK(read.region_names == made.region_names);
      CHECK(read.group_names == made.group_names);
    }
}

TEST_CASE("a straight Gmsh mesh cannot be curved, and neither parameters nor sizes change it") {
  const TemporaryDirectory directory;
  save_msh(directory, "4.1", false);
  const std::string input = (directory / "a.msh").string();
  const std::string output = (directory / "m.h5").string();
  const ChildResult curved = run_mesher_program({input, "-o", output, "--order", "2"});
  CHECK(curved.exit_code == 78);
  CHECK_THAT(
      curved.output,
      ContainsSubstring("a.msh: the mesh has straight tetrahedra, and nothing says how order 2 would curve them"));
  CHECK(run_mesher_program({input, "-o", output, "--size", "0.1"}).exit_code == 78);
  CHECK(run_mesher_program({input, "-o", output, "--set", "height=2"}).exit_code == 78);
}

TEST_CASE("a Gmsh mesh cut off anywhere is exit 65 and never a smaller mesh") {
  for (const bool binary : {false, true}) {
    const TemporaryDirectory directory;
    save_msh(directory, "4.1", binary);
    const std::string whole = read_bytes(directory / "a.msh");
    for (int part = 0; part < 8; ++part) {
      write_text(directory / "cut.msh", whole.substr(0, whole.size() * static_cast<std::size_t>(part) / 8));
      const ChildResult result = mesh_msh(directory, "cut.msh");
      INFO(result.output);
      CHECK(result.signal == 0);
      CHECK(result.exit_code == 65);
    }
    CHECK_FALSE(std::filesystem::exists(directory / "msh.h5"));
  }
}

TEST_CASE("a damaged Gmsh mesh ends in an error or in a mesh, never in a crash") {
  for (const bool binary : {false, true}) {
    const TemporaryDirectory directory;
    save_msh(directory, "4.1", binary);
    const std::string whole = read_bytes(directory / "a.msh");
    std::uint64_t random = 1;
    for (int round = 0; round < 25; ++round) {
      std::string damaged = whole;
      for (int change = 0; change < 3; ++change) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        damaged[(random >> 33U) % damaged.size()] =
            binary ? static_cast<char>(random >> 56U) : "0129 -"[(random >> 40U) % 6];
      }
      write_text(directory / "damaged.msh", damaged);
      const ChildResult result = mesh_msh(directory, "damaged.msh");
      INFO(result.output);
      CHECK(result.signal == 0);
      CHECK((result.exit_code == 0 || result.exit_code == 65 || result.exit_code == 78));
    }
  }
}

TEST_CASE("a second-order Gmsh mesh keeps its nodes on edges, and can be made straight") {
  const TemporaryDirectory directory;
  for (const std::string version : {"2.2", "4.1"}) {
    write_text(directory / "a.geo",
               "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1};\nMesh.MeshSizeMax = 0.8;\n"
               "Physical Volume(\"ball\") = {1};\nPhysical Surface(\"skin\") = {1};\nMesh.MshFileVersion = " +
                   version + ";\nMesh 3;\nSetOrder 2;\nSave \"" + (directory / "a.msh").string() + "\";\n");
    const auto make = [&](const char* input, const char* output, const char* order) {
      return run_mesher_program({(directory / input).string(), "-o", (directory / output).string(), "--order", order,
                                 "--unit-m", "1e-2", "--allow-geo-commands"});
    };
    REQUIRE(make("a.geo", "geo.h5", "2").exit_code == 0);
    const ChildResult straight = make("a.msh", "straight.h5", "1");
    REQUIRE(straight.exit_code == 0);
    CHECK_THAT(straight.output, !ContainsSubstring("warning"));
    REQUIRE(mesh_msh(directory, "a.msh").exit_code == 0);
    CHECK(read_mesh_slab(directory / "msh.h5", 0, 1, 0).middles.size() ==
          read_mesh_slab(directory / "geo.h5", 0, 1, 2).elements.size());
    REQUIRE(make("a.msh", "msh.h5", "2").exit_code == 0);
    const ChildResult warned =
        run_mesher_program({(directory / "a.msh").string(), "-o", (directory / "warned.h5").string(), "--straight"});
    CHECK_THAT(warned.output, ContainsSubstring("a.msh has second-order elements, which are taken as straight"));
    CHECK(read_mesh_slab(directory / "warned.h5", 0, 1, 0).middles.empty());
    const MeshSlab made = read_mesh_slab(directory / "geo.h5", 0, 1, 2);
    const MeshSlab read = read_mesh_slab(directory / "msh.h5", 0, 1, 2);
    CHECK(read.nodes.size() == made.nodes.size());
    CHECK(read.elements.size() == made.elements.size());
    CHECK(read_mesh_slab(directory / "straight.h5", 0, 1).elements.size() == made.elements.size());
    REQUIRE(read.face_middles.size() == made.face_middles.size());
    for (const auto& nodes : read.face_middles)
      for (const GlobalIndex node : nodes)
        CHECK(std::abs(norm(read.nodes[static_cast<std::size_t>(node)]) - 1e-2) < 1e-8);
  }
}

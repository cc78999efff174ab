#include "model/set_up/mesh_setup.hpp"

#include "catch.hpp"

using namespace tetrawave;
using namespace tetrawave::modes;

namespace {

Case from_file(const char* file, Mode mode) {
  Case given;
  given.mode = mode;
  MeshInput input;
  input.file = file;
  input.order = 0;
  given.mesh = input;
  return given;
}

}  // namespace

TEST_CASE("a geometry is meshed, a finished mesh is read unless layers are added to it") {
  CHECK(is_mesh_to_make(mesh_recipe(from_file("/a.geo", Mode::time_domain))));
  Case given = from_file("/a.h5", Mode::time_domain);
  CHECK_FALSE(is_mesh_to_make(mesh_recipe(given)));
  given.pml.emplace();
  given.pml->regions = {"meshed by the user"};
  CHECK_FALSE(is_mesh_to_make(mesh_recipe(given)));
  given.pml->faces = {"outside"};
  CHECK(is_mesh_to_make(mesh_recipe(given)));
}

TEST_CASE("an order that the case leaves open is that of the mesh in the frequency domain, and the first elsewhere") {
  CHECK(order_to_read(mesh_recipe(from_file("/a.h5", Mode::frequency_domain))) == 0);
  CHECK(order_to_read(mesh_recipe(from_file("/a.h5", Mode::time_domain))) == 1);
  Case given = from_file("/a.h5", Mode::time_domain);
  std::get<MeshInput>(given.mesh).order = 2;
  CHECK(order_to_read(mesh_recipe(given)) == 2);
}

TEST_CASE("a recipe knows which port lies on which face group") {
  Case given = from_file("/a.geo", Mode::time_domain);
  given.ports.resize(2);
  given.ports[0].name = "one";
  given.ports[0].boundary = "left";
  given.ports[1].name = "two";
  given.ports[1].boundary = "right";
  CHECK(mesh_recipe(given).ports == FacePorts{{"left", "one"}, {"right", "two"}});
}

#include "mesh/make/align_planes.hpp"

#include <algorithm>
#include <numeric>

#include "case/spec/case.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "mesh/array/unit_cells.hpp"
#include "mesh/make/add_layers.hpp"
#include "unit_cell_meshes.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

/// The cells with nodes in an order of no meaning.
WholeMesh shuffled_cells() {
  WholeMesh mesh = make_whole(make_cell_mesh());
  std::vector<std::int64_t> number(mesh.nodes.size());
  std::iota(number.begin(), number.end(), std::int64_t{0});
  std::sort(number.begin(), number.end(),
            [](std::int64_t a, std::int64_t b) { return hash_words(a, 5) < hash_words(b, 5); });
  std::vector<Vec3> nodes(number.size());
  for (std::size_t n = 0; n < number.size(); ++n) nodes[static_cast<std::size_t>(number[n])] = mesh.nodes[n];
  mesh.nodes = nodes;
  for (auto* list : {&mesh.elements, &mesh.faces})
    for (std::int64_t& node : *list) node = number[static_cast<std::size_t>(node)];
  return mesh;
}

MeshSlab with_layers(WholeMesh mesh) {
  PmlLayers layers;
  layers.faces = {"outside"};
  layers.name_places.resize(1);
  layers.thickness_m = 1.5;
  layers.cells = 3;
  add_layers(mesh, layers, {});
  MeshSlab slab;
  slab.nodes = mesh.nodes;
  slab.region = mesh.region;
  slab.face_group = mesh.face_group;
  slab.region_names = mesh.region_names;
  slab.group_names = mesh.group_names;
  slab.source = "cells";
  for (std::size_t e = 0; e < mesh.region.size(); ++e)
    slab.elements.push_back(
        {mesh.elements[4 * e], mesh.elements[4 * e + 1], mesh.elements[4 * e + 2], mesh.elements[4 * e + 3]});
  for (std::size_t f = 0; f < mesh.face_group.size(); ++f)
    slab.faces.push_back({mesh.faces[3 * f], mesh.faces[3 * f + 1], mesh.faces[3 * f + 2]});
  return cut_slab(slab, 0, 1);
}

}  // namespace

TEST_CASE("layers on cells repeat where cut planes are numbered alike, and only there") {
  WholeMesh mesh = shuffled_cells();
  const auto failure = catch_failure([&] { (void)make_unit_cells(with_layers(mesh)); });
  CHECK(failure.code == ExitCode::bad_mesh);
  CHECK(failure.text.find("do not match: their nodes do, but the triangle near") != std::string::npos);
  align_planes(mesh);
  const UnitCells cells = make_unit_cells(with_layers(mesh));
  CHECK(cells.cells[1][1].elements.size() == 2 * 3 * 4 * 6 + 2 * 3 * 2 * 3 * 3);  // above the antenna cell alone
  CHECK(std::count(cells.mesh.region_names.begin(), cells.mesh.region_names.end(), "lid.pml") == 1);
}

TEST_CASE("a mesh that is numbered alike on its cut planes is the same mesh") {
  const WholeMesh before = shuffled_cells();
  WholeMesh mesh = before;
  align_planes(mesh);
  double difference = 0;
  for (std::size_t i = 0; i < mesh.elements.size(); ++i)
    difference = std::max(difference, norm(mesh.nodes[static_cast<std::size_t>(mesh.elements[i])] -
                                           before.nodes[static_cast<std::size_t>(before.elements[i])]));
  CHECK(difference < 1e-14);
  CHECK(mesh.elements != before.elements);
}

#include "mesh/make/add_layers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "catch.hpp"
#include "failure.hpp"
#include "mesh/tetrahedron.hpp"
#include "mesh_slabs.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

PmlLayers with_layers(std::vector<std::string> faces, double thickness_m, std::int64_t cells) {
  PmlLayers spec;
  for (std::size_t i = 0; i < faces.size(); ++i) spec.name_places.push_back({tetrawave::format("case.yaml:3:{}", i)});
  spec.faces = std::move(faces);
  spec.thickness_m = thickness_m;
  spec.cells = cells;
  spec.place = {"case.yaml:3:1"};
  return spec;
}

WholeMesh make_box_mesh() { return make_whole(make_box_slab(make_box({1, 2, 1}, {3, 4, 2}, 0.4), 0, 1)); }

Corners corners_of(const WholeMesh& mesh, std::size_t e) {
  Corners corners;
  for (std::size_t v = 0; v < 4; ++v) corners[v] = mesh.nodes[static_cast<std::size_t>(mesh.elements[4 * e + v])];
  return corners;
}

std::map<std::string, double> volumes(const WholeMesh& mesh) {
  std::map<std::string, double> sum;
  for (std::size_t e = 0; e < mesh.region.size(); ++e)
    sum[mesh.region_names[static_cast<std::size_t>(mesh.region[e])]] += signed_volume(corners_of(mesh, e));
  return sum;
}

using Face = std::array<std::int64_t, 3>;
Face face_of(const std::int64_t* nodes, std::size_t a, std::size_t b, std::size_t c) {
  Face face{nodes[a], nodes[b], nodes[c]};
  std::sort(face.begin(), face.end());
  return face;
}

/// How many elements each face has.
std::map<Face, int> count_faces(const WholeMesh& mesh) {
  std::map<Face, int> count;
  for (std::size_t e = 0; e < mesh.region.size(); ++e)
    for (const auto& [a, b, c] : face_corners) ++count[face_of(&mesh.elements[4 * e], a, b, c)];
  return count;
}

double area_of(const WholeMesh& mesh, const Face& f) {
  const auto at = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(f[k])]; };
  return norm(cross(at(1) - at(0), at(2) - at(0))) / 2;
}

/// Area of each group, all of whose faces are faces of this many elements.
std::map<std::string, double> areas(const WholeMesh& mesh, int elements) {
  const auto count = count_faces(mesh);
  std::map<std::string, double> sum;
  for (std::size_t f = 0; f < mesh.face_group.size(); ++f) {
    const Face face = face_of(&mesh.faces[3 * f], 0, 1, 2);
    if (count.at(face) == elements)
      sum[mesh.group_names[static_cast<std::size_t>(mesh.face_group[f])]] += area_of(mesh, face);
  }
  return sum;
}

/// Area of all faces with one element; each of the others has two.
double outer_area(const WholeMesh& mesh) {
  double sum = 0;
  for (const auto& [face, elements] : count_faces(mesh)) {
    REQUIRE((elements == 1 || elements == 2));
    if (elements == 1) sum += area_of(mesh, face);
  }
  return sum;
}

std::string refusal(WholeMesh mesh, const PmlLayers& layers, const FacePorts& ports = {}) {
  const Failure failure = catch_failure([&] { add_layers(mesh, layers, ports); });
  CHECK(failure.code == ExitCode::bad_case);
  return failure.text;
}

}  // namespace

TEST_CASE("layers on all sides make a larger box with edges and corners, whose faces match") {
  WholeMesh mesh = make_box_mesh();
  add_layers(mesh, with_layers({"x0", "x1", "y0", "y1", "z0", "z1"}, 0.5, 3), {});
  for (std::size_t e = 0; e < mesh.region.size(); ++e) REQUIRE(signed_volume(corners_of(mesh, e)) > 0);
  const auto volume = volumes(mesh);
  CHECK(volume.at("box") == Approx(2).epsilon(1e-12));
  CHECK(volume.at("box.pml") == Approx(2. * 3 * 2 - 2).epsilon(1e-12));
  CHECK(mesh.region.size() == 6 * (9 * 10 * 8));
  CHECK(outer_area(mesh) == Approx(2 * (6 + 6 + 4)).epsilon(1e-12));
  const auto outer = areas(mesh, 1);
  CHECK(areas(mesh, 2).empty());
  CHECK(outer.at("x0") == Approx(6).epsilon(1e-12));
  CHECK(outer.at("x1") == Approx(6).epsilon(1e-12));
  CHECK(outer.at("y0") == Approx(4).epsilon(1e-12));
  CHECK(outer.at("z1") == Approx(6).epsilon(1e-12));
  Vec3 low{}, high{};
  for (const Vec3& node : mesh.nodes)
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], node[i]);
      high[i] = std::max(high[i], node[i]);
    }
  CHECK(low == Vec3{-0.5, -0.5, -0.5});
  CHECK(high == Vec3{1.5, 2.5, 1.5});
}

TEST_CASE("layers that this machine has not the memory for are refused before they are made, with the number") {
  WholeMesh mesh = make_box_mesh();
  const Failure failure = catch_failure([&] {
    add_layers(mesh, with_layers({"x0", "x1", "y0", "y1", "z0", "z1"}, 0.5, 1000), {});
  });
  CHECK(failure.code == ExitCode::out_of_memory);
  const double elements = 6. * 2003 * 2004 * 2002;
  CHECK_THAT(failure.text, ContainsSubstring(tetrawave::format(
                               "boundaries.pml: with layers of 1000 cells the mesh has {:.3g} elements", elements)));
  CHECK(mesh.region.size() == 6 * (3 * 4 * 2));
}

TEST_CASE("a layer on one side lengthens the walls and the sheets that end at its foot") {
  WholeMesh mesh = make_whole(make_box_slab(make_box({1, 2, 1}, {3, 4, 2}), 0, 1));
  mesh.group_names.push_back("strip");  // half of the plane z = 1/2
  for (const auto& [face, elements] : count_faces(mesh)) {
    const auto on_strip = [&](std::int64_t node) {
      const Vec3& r = mesh.nodes[static_cast<std::size_t>(node)];
      return r[2] == 0.5 && r[1] <= 1;
    };
    if (!std::all_of(face.begin(), face.end(), on_strip)) continue;
    mesh.faces.insert(mesh.faces.end(), face.begin(), face.end());
    mesh.face_group.push_back(6);
  }
  add_layers(mesh, with_layers({"x1"}, 0.25, 2), {});
  const auto outer = areas(mesh, 1);
  CHECK(outer.at("x0") == Approx(2));
  CHECK(outer.at("x1") == Approx(2));
  CHECK(outer.at("y0") == Approx(1.25));
  CHECK(outer.at("y1") == Approx(1.25));
  CHECK(outer.at("z0") == Approx(2.5));
  CHECK(outer.at("z1") == Approx(2.5));
  const auto inner = areas(mesh, 2);
  CHECK(inner.size() == 1);
  CHECK(inner.at("strip") == Approx(1.25));
  CHECK(outer_area(mesh) == Approx(2 * (2 + 1.25 + 2.5)));
  CHECK(volumes(mesh).at("box.pml") == Approx(0.5));
}

TEST_CASE("one group on several sides, and every region goes on in the layer") {
  WholeMesh mesh = make_box_mesh();
  mesh.group_names = {"open"};
  std::fill(mesh.face_group.begin(), mesh.face_group.end(), 0);
  mesh.region_names.push_back("top");
  for (std::size_t e = 0; e < mesh.region.size(); ++e)
    if (centroid(corners_of(mesh, e))[1] > 1) mesh.region[e] = 1;
  const auto before = volumes(mesh);
  add_layers(mesh, with_layers({"open"}, 0.5, 2), {});
  CHECK(mesh.region_names == std::vector<std::string>{"box", "top", "box.pml", "top.pml"});
  const auto volume = volumes(mesh);
  CHECK(volume.at("box") == before.at("box"));
  CHECK(volume.at("box.pml") + volume.at("top.pml") == Approx(10).epsilon(1e-12));
  CHECK(volume.at("box.pml") == Approx(5).epsilon(0.2));  // the border between them is not quite a plane
  CHECK(areas(mesh, 1).at("open") == Approx(32).epsilon(1e-12));
  CHECK(areas(mesh, 2).empty());
}

TEST_CASE("the built-in box with layers is the box to which they are added") {
  BoxMesh spec = make_box({1, 2, 1}, {3, 4, 2});
  WholeMesh added = make_whole(make_box_slab(spec, 0, 1));
  add_layers(added, with_layers({"x1", "z0"}, 0.5, 3), {});
  spec.layer_m = 0.5;
  spec.layer_cells[0][1] = spec.layer_cells[2][0] = 3;
  const MeshSlab slab = make_box_slab(spec, 0, 1);
  const WholeMesh made = make_whole(slab);
  CHECK(made.region.size() == added.region.size());
  CHECK(made.nodes.size() == added.nodes.size());
  auto nodes = made.nodes, others = added.nodes;
  std::sort(nodes.begin(), nodes.end());
  std::sort(others.begin(), others.end());
  double largest = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) largest = std::max(largest, norm(nodes[n] - others[n]));
  CHECK(largest < 1e-14);
  for (const auto& [name, volume] : volumes(added)) CHECK(volumes(made).at(name) == Approx(volume).epsilon(1e-12));
  for (const auto& [name, area] : areas(added, 1)) CHECK(areas(made, 1).at(name) == Approx(area).epsilon(1e-12));
  for (const int ranks : {2, 3}) {
    std::vector<std::int32_t> regions;
    std::vector<Vec3> places;
    for (int rank = 0; rank < ranks; ++rank) {
      const MeshSlab part = make_box_slab(spec, rank, ranks);
      regions.insert(regions.end(), part.region.begin(), part.region.end());
      places.insert(places.end(), part.nodes.begin(), part.nodes.end());
    }
    CHECK(regions == slab.region);
    CHECK(places == slab.nodes);
  }
}

TEST_CASE("layers on faces that are not planes of the box around the mesh are refused with the place") {
  const PmlLayers given = with_layers({"x1"}, 0.5, 2);
  WholeMesh bent = make_box_mesh();
  for (Vec3& node : bent.nodes) node[0] *= 1 + 0.1 * node[1];
  CHECK_THAT(refusal(bent, given),
             ContainsSubstring(
                 "case.yaml:3:0: error: boundaries.pml.faces: 'x1' is not made of planes normal to x, y or z: its "
                 "triangle at ("));
  CHECK_THAT(refusal(bent, given), ContainsSubstring("has the normal ("));
  WholeMesh named = make_box_mesh();
  named.group_names[1] = "other";
  CHECK(refusal(named, given) ==
        "case.yaml:3:0: error: the mesh has no face group 'x1' (did you mean 'x0'?); its groups: x0, other, y0, y1, "
        "z0, z1");
  WholeMesh layered = make_box_mesh();
  layered.region_names[0] = "air.pml";
  CHECK(refusal(layered, given) ==
        "case.yaml:3:1: error: boundaries.pml: the mesh has a volume 'air.pml'; names that end in '.pml' are those of "
        "added layers");
  WholeMesh inside = make_box_mesh();
  inside.nodes.insert(inside.nodes.end(), {{2, 0, 0}, {3, 0, 0}, {2, 1, 0}, {2, 0, 1}});
  const auto first = static_cast<std::int64_t>(inside.nodes.size()) - 4;
  inside.elements.insert(inside.elements.end(), {first, first + 1, first + 2, first + 3});
  inside.region.push_back(0);
  CHECK_THAT(refusal(inside, given), ContainsSubstring("'x1' is not on the bounding box of the mesh, (0, 0, "
                                                       "0) to (3, 2, 1) m: its triangle at (1, "));
}

TEST_CASE("a port whose face ends at the foot of a layer is refused") {
  CHECK(refusal(make_box_mesh(), with_layers({"x1"}, 0.5, 2), {{"z0", "p1"}}) ==
        "case.yaml:3:1: error: boundaries.pml.faces: the face 'z0' of port 'p1' reaches the layer on the +x side; keep "
        "it away from the surfaces that layers are added to");
}

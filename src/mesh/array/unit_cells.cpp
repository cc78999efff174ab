#include "mesh/array/unit_cells.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "mesh/hash.hpp"
#include "mesh/slab_elements.hpp"
#include "mesh/tetrahedron.hpp"

namespace tetrawave {

namespace {

constexpr std::array<const char*, 2> axis_names{"x", "y"};
constexpr std::array<std::array<const char*, 3>, 3> cell_names{
    {{"south-west", "west", "north-west"}, {"south", "middle", "north"}, {"south-east", "east", "north-east"}}};

/// Bits of the columns (or rows) touched by a node, face or element.
constexpr unsigned on_low_plane = 0b011;
constexpr unsigned on_high_plane = 0b110;

std::size_t at(GlobalIndex i) { return static_cast<std::size_t>(i); }

int lowest_bit(unsigned bits) { return (bits & 1) != 0 ? 0 : (bits & 2) != 0 ? 1 : 2; }

/// Finds points of a plane that coincide within a tolerance.
class PlanePoints {
 public:
  PlanePoints(const std::vector<Vec3>& nodes, std::array<std::size_t, 2> axes, double tolerance_m)
      : nodes_(nodes), axes_(axes), tolerance_m_(tolerance_m) {}

  void add(std::int32_t node) { buckets_.emplace(key(bucket(node, 0), bucket(node, 1)), node); }

  /// The node at the same position, or -1.
  [[nodiscard]] std::int32_t find(std::int32_t node) const {
    for (std::int64_t du = -1; du <= 1; ++du)
      for (std::int64_t dv = -1; dv <= 1; ++dv) {
        const auto [first, last] = buckets_.equal_range(key(bucket(node, 0) + du, bucket(node, 1) + dv));
        for (auto it = first; it != last; ++it)
          if (coincide(node, it->second)) return it->second;
      }
    return -1;
  }

 private:
  [[nodiscard]] double coordinate(std::int32_t node, std::size_t k) const { return nodes_[at(node)][axes_[k]]; }
  [[nodiscard]] std::int64_t bucket(std::int32_t node, std::size_t k) const {
    return std::llround(coordinate(node, k) / (4 * tolerance_m_));
  }
  static std::uint64_t key(std::int64_t u, std::int64_t v) { return hash_words(u, v); }
  [[nodiscard]] bool coincide(std::int32_t a, std::int32_t b) const {
    return std::abs(coordinate(a, 0) - coordinate(b, 0)) <= tolerance_m_ &&
           std::abs(coordinate(a, 1) - coordinate(b, 1)) <= tolerance_m_;
  }

  const std::vector<Vec3>& nodes_;
  std::array<std::size_t, 2> axes_;
  double tolerance_m_;
  std::unordered_multimap<std::uint64_t, std::int32_t> buckets_;
};

class Builder {
 public:
  explicit Builder(MeshSlab mesh) { result_.mesh = std::move(mesh); }

  UnitCells run() {
    find_planes();
    for (std::size_t axis = 0; axis < 2; ++axis) mark_nodes(axis);
    place_elements();
    merge_regions();
    place_faces();
    for (std::size_t axis = 0; axis < 2; ++axis) pair_nodes(axis);
    for (std::size_t axis = 0; axis < 2; ++axis) check_triangles(axis);
    for (std::size_t axis = 0; axis < 2; ++axis) check_named_faces(axis);
    for (std::size_t column = 0; column < 3; ++column)
      for (std::size_t row = 0; row < 3; ++row) collect_own(column, row);
    collect_elements();
    return std::move(result_);
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(format_string<Args...> text, Args&&... args) const {
    fail(ExitCode::bad_mesh, "{}: {}", result_.mesh.source, tetrawave::format(text, std::forward<Args>(args)...));
  }

  [[nodiscard]] const MeshSlab& mesh() const { return result_.mesh; }
  [[nodiscard]] std::string plane_name(std::size_t axis, bool high) const {
    return tetrawave::format("{} = {:.6g} m", axis_names[axis], (high ? result_.high_m : result_.low_m)[axis]);
  }

  [[nodiscard]] bool is_antenna(std::int32_t region) const {
    const std::string& name = mesh().region_names[at(region)];
    return name.size() > UnitCells::prefix.size() && name.compare(0, UnitCells::prefix.size(), UnitCells::prefix) == 0;
  }

  /// The bounding box of the antenna cell's elements.
  void find_planes() {
    result_.low_m.fill(std::numeric_limits<double>::infinity());
    result_.high_m.fill(-std::numeric_limits<double>::infinity());
    for (std::size_t e = 0; e < mesh().elements.size(); ++e) {
      if (!is_antenna(mesh().region[e])) continue;
      antenna_.push_back(e);
      for (const GlobalIndex node : mesh().elements[e])
        for (std::size_t axis = 0; axis < 2; ++axis) {
          result_.low_m[axis] = std::min(result_.low_m[axis], mesh().nodes[at(node)][axis]);
          result_.high_m[axis] = std::max(result_.high_m[axis], mesh().nodes[at(node)][axis]);
        }
    }
    if (antenna_.empty())
      refuse(
          "no physical volume is of the antenna cell: name its volumes {}NAME, as in {}air, NAME being what the case "
          "calls them",
          UnitCells::prefix, UnitCells::prefix);
    tolerance_m_ = 1e-6 * std::max(result_.pitch_m(0), result_.pitch_m(1));
  }

  void mark_nodes(std::size_t axis) {
    marks_[axis].reserve(mesh().nodes.size());
    for (const Vec3& node : mesh().nodes) {
      const double x = node[axis];
      const double low = result_.low_m[axis], high = result_.high_m[axis];
      marks_[axis].push_back((x <= low + tolerance_m_ ? 1U : 0U) |
                             (x >= low - tolerance_m_ && x <= high + tolerance_m_ ? 2U : 0U) |
                             (x >= high - tolerance_m_ ? 4U : 0U));
    }
  }

  template <std::size_t N>
  [[nodiscard]] unsigned common_marks(const std::array<GlobalIndex, N>& nodes, std::size_t axis) const {
    unsigned bits = 0b111;
    for (const GlobalIndex node : nodes) bits &= marks_[axis][at(node)];
    return bits;
  }

  [[nodiscard]] std::string place_of(std::size_t element) const {
    Corners corners;
    for (std::size_t v = 0; v < 4; ++v) corners[v] = mesh().nodes[at(mesh().elements[element][v])];
    return describe_place(centroid(corners));
  }

  void place_elements() {
    std::array<std::int64_t, 9> counts{};
    for (std::size_t e = 0; e < mesh().elements.size(); ++e) {
      std::array<int, 2> cell{};
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const unsigned bits = common_marks(mesh().elements[e], axis);
        if (bits == 0)
          refuse(
              "the element near {} crosses a cut plane, {} or {}: cut all volumes there, so that nine cells meet at "
              "the planes of the antenna cell",
              place_of(e), plane_name(axis, false), plane_name(axis, true));
        cell[axis] = lowest_bit(bits);
      }
      result_.element_cell.push_back(static_cast<std::uint8_t>(3 * cell[0] + cell[1]));
      ++counts[result_.element_cell.back()];
      if (result_.element_cell.back() == 4 && !is_antenna(mesh().region[e]))
        refuse("the element near {} is in the antenna cell, but in the physical volume '{}': name it {}NAME",
               place_of(e), mesh().region_names[at(mesh().region[e])], UnitCells::prefix);
    }
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (counts[k] == 0)
        refuse("there is no cell {} of the antenna cell, which is {} to {} and {} to {}: nine cells are needed, 3 x 3",
               cell_names[k / 3][k % 3], plane_name(0, false), plane_name(0, true), plane_name(1, false),
               plane_name(1, true));
  }

  /// Removes the prefix from the names; regions that then have the same name are merged.
  void merge_regions() {
    std::vector<std::string> names;
    std::vector<std::int32_t> number;
    for (std::size_t r = 0; r < mesh().region_names.size(); ++r) {
      std::string name = mesh().region_names[r];
      if (is_antenna(static_cast<std::int32_t>(r))) name = name.substr(UnitCells::prefix.size());
      const auto found = std::find(names.begin(), names.end(), name);
      number.push_back(static_cast<std::int32_t>(found - names.begin()));
      if (found == names.end()) names.push_back(std::move(name));
    }
    for (std::int32_t& region : result_.mesh.region) region = number[at(region)];
    result_.mesh.region_names = std::move(names);
  }

  void place_faces() {
    for (const auto& face : mesh().faces) {
      std::array<int, 2> cell{};
      for (std::size_t axis = 0; axis < 2; ++axis) cell[axis] = lowest_bit(common_marks(face, axis));
      result_.face_cell.push_back(static_cast<std::uint8_t>(3 * cell[0] + cell[1]));
    }
  }

  /// Finds the partner of every node of the upper plane on the lower one, and moves it to the exact translate.
  void pair_nodes(std::size_t axis) {
    std::vector<std::uint8_t> used(mesh().nodes.size(), 0);
    for (const auto& element : mesh().elements)
      for (const GlobalIndex node : element) used[at(node)] = 1;
    PlanePoints low(mesh().nodes, {1 - axis, 2}, tolerance_m_), high = low;
    std::array<std::vector<std::int32_t>, 2> planes;
    for (std::size_t n = 0; n < used.size(); ++n) {
      if (used[n] == 0) continue;
      const auto node = static_cast<std::int32_t>(n);
      const bool is_low = marks_[axis][n] == on_low_plane;
      if (!is_low && marks_[axis][n] != on_high_plane) continue;
      planes[is_low ? 0 : 1].push_back(node);
      (is_low ? low : high).add(node);
    }
    for (const std::int32_t node : planes[0])
      if (high.find(node) < 0) refuse_pair(axis, node, false);
    auto& partner = partner_[axis];
    partner.resize(mesh().nodes.size());
    for (std::size_t n = 0; n < partner.size(); ++n) partner[n] = static_cast<std::int32_t>(n);
    for (const std::int32_t node : planes[1]) {
      partner[at(node)] = low.find(node);
      if (partner[at(node)] < 0) refuse_pair(axis, node, true);
    }
    for (const std::int32_t node : planes[0]) result_.mesh.nodes[at(node)][axis] = result_.low_m[axis];
    for (const std::int32_t node : planes[1]) {
      result_.mesh.nodes[at(node)] = mesh().nodes[at(partner[at(node)])];
      result_.mesh.nodes[at(node)][axis] = result_.high_m[axis];
    }
  }

  [[noreturn]] void refuse_pair(std::size_t axis, std::int32_t node, bool high) const {
    refuse(
        "the cut planes {} and {} do not match: the node at {} of {} has no partner on the other one; mesh one plane "
        "as a copy of the other (in Gmsh: Periodic Surface {{UPPER}} = {{LOWER}} Translate {{{}}})",
        plane_name(axis, false), plane_name(axis, true), describe_place(mesh().nodes[at(node)]), plane_name(axis, high),
        axis == 0 ? "pitch, 0, 0" : "0, pitch, 0");
  }

  using Triangle = std::array<std::int32_t, 3>;

  /// Faces of the elements of a column (row) in a plane, with nodes of the lower one, sorted.
  [[nodiscard]] std::vector<Triangle> triangles_in(std::size_t axis, unsigned plane, int column) const {
    std::vector<Triangle> found;
    for (std::size_t e = 0; e < mesh().elements.size(); ++e) {
      const int cell = result_.element_cell[e];
      if ((axis == 0 ? cell / 3 : cell % 3) != column) continue;
      for (const auto& corners : face_corners) {
        Triangle triangle{};
        bool inside = true;
        for (std::size_t v = 0; v < 3; ++v) {
          const GlobalIndex node = mesh().elements[e][corners[v]];
          inside = inside && marks_[axis][at(node)] == plane;
          triangle[v] = partner_[axis][at(node)];
        }
        if (!inside) continue;
        std::sort(triangle.begin(), triangle.end());
        found.push_back(triangle);
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  void check_triangles(std::size_t axis) const {
    const auto before = triangles_in(axis, on_low_plane, 0);
    compare(before, triangles_in(axis, on_low_plane, 1), axis, false);
    const auto behind = triangles_in(axis, on_high_plane, 2);
    compare(behind, triangles_in(axis, on_high_plane, 1), axis, true);
    const auto differs = first_difference(before, behind);
    if (differs)
      refuse(
          "the cut planes {} and {} do not match: their nodes do, but the triangle near {} of one is not on the "
          "other; mesh one plane as a copy of the other (in Gmsh: Periodic Surface)",
          plane_name(axis, false), plane_name(axis, true), place_of(*differs));
  }

  /// The faces of both sides of a plane.
  void compare(const std::vector<Triangle>& before, const std::vector<Triangle>& behind, std::size_t axis,
               bool high) const {
    const auto differs = first_difference(before, behind);
    if (differs)
      refuse(
          "the cells on both sides of the cut plane {} do not share their faces near {}: join them (in Gmsh: Coherence "
          "or BooleanFragments)",
          plane_name(axis, high), place_of(*differs));
  }

  static std::optional<Triangle> first_difference(const std::vector<Triangle>& a, const std::vector<Triangle>& b) {
    std::vector<Triangle> left;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(left));
    if (left.empty()) return std::nullopt;
    return left.front();
  }

  [[nodiscard]] std::string place_of(const Triangle& triangle) const {
    Vec3 sum{};
    for (const std::int32_t node : triangle) sum = sum + mesh().nodes[at(node)];
    return describe_place((1. / 3) * sum);
  }

  /// A named face in a cut plane is copied with the plane, so it has to be in both.
  void check_named_faces(std::size_t axis) const {
    using NamedTriangle = std::pair<std::int32_t, Triangle>;
    std::array<std::vector<NamedTriangle>, 2> found;
    for (std::size_t f = 0; f < mesh().faces.size(); ++f)
      for (const bool high : {false, true}) {
        Triangle triangle{};
        bool inside = true;
        for (std::size_t v = 0; v < 3; ++v) {
          const GlobalIndex node = mesh().faces[f][v];
          inside = inside && marks_[axis][at(node)] == (high ? on_high_plane : on_low_plane);
          triangle[v] = partner_[axis][at(node)];
        }
        std::sort(triangle.begin(), triangle.end());
        if (inside) found[high ? 1 : 0].emplace_back(mesh().face_group[f], triangle);
      }
    for (auto& list : found) std::sort(list.begin(), list.end());
    std::vector<NamedTriangle> left;
    std::set_symmetric_difference(found[0].begin(), found[0].end(), found[1].begin(), found[1].end(),
                                  std::back_inserter(left));
    if (left.empty()) return;
    refuse("the physical surface '{}' lies in one of the cut planes {} and {} only, near {}: give both the same names",
           mesh().group_names[at(left.front().first)], plane_name(axis, false), plane_name(axis, true),
           place_of(left.front().second));
  }

  [[nodiscard]] std::int32_t fold(std::int32_t node) const { return partner_[1][at(partner_[0][at(node)])]; }

  /// Whether the cell before this one, along an axis, owns a node of this one.
  [[nodiscard]] bool is_behind(std::size_t axis, std::size_t column, GlobalIndex node) const {
    const unsigned mark = marks_[axis][at(node)];
    return (column == 1 && mark == on_low_plane) || (column == 2 && mark == on_high_plane);
  }

  void collect_own(std::size_t column, std::size_t row) {
    UnitCell& cell = result_.cells[column][row];
    std::vector<std::uint8_t> mine(mesh().nodes.size(), 0);
    for (std::size_t e = 0; e < mesh().elements.size(); ++e) {
      if (result_.element_cell[e] != 3 * column + row) continue;
      for (const GlobalIndex node : mesh().elements[e])
        if (!is_behind(0, column, node) && !is_behind(1, row, node)) mine[at(node)] = 1;
    }
    cell.place.assign(mine.size(), -1);
    for (std::size_t n = 0; n < mine.size(); ++n) {
      if (mine[n] == 0) continue;
      cell.place[at(fold(static_cast<std::int32_t>(n)))] = static_cast<std::int32_t>(cell.own.size());
      cell.own.push_back(static_cast<std::int32_t>(n));
    }
  }

  template <std::size_t N>
  [[nodiscard]] std::array<CellNode, N> nodes_of(const std::array<GlobalIndex, N>& nodes, std::size_t cell) const {
    std::array<CellNode, N> result;
    for (std::size_t v = 0; v < N; ++v) {
      result[v].folded = fold(static_cast<std::int32_t>(nodes[v]));
      result[v].back = {static_cast<std::int8_t>(is_behind(0, cell / 3, nodes[v]) ? 1 : 0),
                        static_cast<std::int8_t>(is_behind(1, cell % 3, nodes[v]) ? 1 : 0)};
    }
    return result;
  }

  /// The cell that owns a node of a cell.
  [[nodiscard]] const UnitCell& owner_of(const CellNode& node, std::size_t cell) const {
    return result_
        .cells[cell / 3 - static_cast<std::size_t>(node.back[0])][cell % 3 - static_cast<std::size_t>(node.back[1])];
  }

  [[noreturn]] void refuse_stray(std::size_t face) const {
    Vec3 sum{};
    for (const GlobalIndex node : mesh().faces[face]) sum = sum + mesh().nodes[at(node)];
    refuse("a face of '{}' near {} is not a face of any element: regenerate the mesh",
           mesh().group_names[at(mesh().face_group[face])], describe_place((1. / 3) * sum));
  }

  void collect_elements() {
    for (std::size_t e = 0; e < mesh().elements.size(); ++e) {
      const std::size_t k = result_.element_cell[e];
      UnitCell& cell = result_.cells[k / 3][k % 3];
      cell.elements.push_back(nodes_of(mesh().elements[e], k));
      cell.region.push_back(mesh().region[e]);
    }
    for (std::size_t f = 0; f < mesh().faces.size(); ++f) {
      const std::size_t k = result_.face_cell[f];
      UnitCell& cell = result_.cells[k / 3][k % 3];
      cell.faces.push_back(nodes_of(mesh().faces[f], k));
      for (const CellNode& node : cell.faces.back())
        if (owner_of(node, k).place[at(node.folded)] < 0) refuse_stray(f);
      cell.face_group.push_back(mesh().face_group[f]);
    }
  }

  UnitCells result_;
  std::vector<std::size_t> antenna_;  ///< elements of the antenna cell
  double tolerance_m_ = 0;
  std::array<std::vector<unsigned>, 2> marks_;  ///< per axis and node
  std::array<std::vector<std::int32_t>, 2>
      partner_;  ///< per axis and node: on the lower plane; for others the node itself
};

}  // namespace

UnitCells make_unit_cells(MeshSlab mesh) {
  ensure(static_cast<GlobalIndex>(mesh.elements.size()) == mesh.element_count, "unit cells are read as a whole");
  if (mesh.node_count > std::numeric_limits<std::int32_t>::max())
    fail(ExitCode::bad_mesh, "{}: {} nodes are too many for unit cells: at most 2^31", mesh.source, mesh.node_count);
  return Builder(std::move(mesh)).run();
}

unsigned cells_of_group(const UnitCells& cells, std::int32_t group) {
  unsigned found = 0;
  for (std::size_t f = 0; f < cells.face_cell.size(); ++f)
    if (cells.mesh.face_group[f] == group) found |= 1U << cells.face_cell[f];
  return found;
}

}  // namespace tetrawave

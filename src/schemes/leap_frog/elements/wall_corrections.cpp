#include "schemes/leap_frog/elements/wall_corrections.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "schemes/leap_frog/elements/element_walls.hpp"
#include "schemes/leap_frog/elements/wall_correction.hpp"
#include "terms/walls/wall_at.hpp"

namespace tetrawave::march {

namespace {

using Vector = std::vector<double>;

/// Elements by (part, number of wall faces, whether the other field enters, number of branches).
using WallElements = std::map<std::tuple<Part, int, bool, int>, std::vector<WallElement>>;

/// Lists of wall faces of elements [first, last).
WallElements group_walls(const Problem& problem, Field field, double dt_m, const DrivenFaceMap& driven,
                         std::size_t first, std::size_t last) {
  WallElements groups;
  for (auto e = static_cast<LocalIndex>(first); e < static_cast<LocalIndex>(last); ++e) {
    auto faces = wall_faces(problem, e, field, problem.classes.step_of(problem.classes.of(e), dt_m), driven);
    if (faces.empty()) continue;
    bool with_other = false;
    int branches = 0;
    for (const WallFace& face : faces) {
      with_other = with_other || face.factors.turned != 0 || (problem.time_order == 4 && face.factors.face != 0);
      if (face.branches != nullptr) branches = static_cast<int>(face.branches->size());
    }
    const auto count = static_cast<int>(faces.size());
    groups[{problem.part_of(e), count, with_other, branches}].push_back({e, std::move(faces)});
  }
  return groups;
}

/// By ascending element.
WallElements group_walls(const Problem& problem, Field field, double dt_m, int threads, bool with_waves) {
  DrivenFaceMap driven;
  if (with_waves)
    for (const DrivenFace& face : problem.driven) driven[{face.element, face.face}] = &face;
  const std::size_t count = problem.mesh->global_id.size();
  std::vector<WallElements> ranges(count_ranges(count, threads));
  for_ranges(count, ranges.size(), [&](std::size_t range, std::size_t first, std::size_t last) {
    ranges[range] = group_walls(problem, field, dt_m, driven, first, last);
  });
  WallElements groups;
  for (WallElements& range : ranges)
    for (auto& [key, elements] : range) {
      auto& all = groups[key];
      all.insert(all.end(), std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()));
      elements = {};
    }
  return groups;
}

template <class S>
class ListFiller {
 public:
  ListFiller(const Problem& problem, const ElementLayout<S>& layout, Field field, double dt_m, double border_dt_m)
      : problem_(problem),
        layout_(layout),
        reference_(basis::reference_element(problem.space)),
        field_(field),
        dt_m_(dt_m),
        border_dt_m_(border_dt_m) {}

  void fill(WallList<S>& list, const std::vector<WallElement>& elements, const WallListOptions& options) const {
    list.blocks = (static_cast<std::int64_t>(elements.size()) + layout_.lanes - 1) / layout_.lanes;
    const auto lanes = static_cast<std::size_t>(list.blocks * layout_.lanes);
    const auto faces = static_cast<std::size_t>(list.faces);
    list.element.assign(lanes, layout_.spare);
    list.face.assign(lanes * faces, 0);
    list.wave.assign(lanes * faces, 0);
    list.matrix.assign(lanes * faces * columns(list) * reference_.dofs, S(0));
    list.branch.assign(lanes * faces * static_cast<std::size_t>(list.branches * kernels::branch_numbers), S(0));
    for (const WallElement& wall : elements) list.owner.push_back(wall.element);
    if (options.only_sizes) return;
    const std::vector<std::size_t> first = find_first_copies(elements);
    for_each_index(elements.size(), options.threads, [&](std::size_t item) {
      if (first[item] == item) fill_item(list, elements[item], static_cast<std::int32_t>(item));
    });
    for_each_index(elements.size(), options.threads, [&](std::size_t item) {
      if (first[item] != item) copy_item(list, elements[item], first[item], item);
    });
  }

 private:
  [[nodiscard]] std::size_t columns(const WallList<S>& list) const {
    return (list.with_other ? 2 : 1) * reference_.face_dofs + 1;
  }

  /// The first of the elements that each is a copy of in a finite array, walls and matrices included, or itself: where
  /// a port drives it, and where masses depend on its place or its neighbours.
  [[nodiscard]] std::vector<std::size_t> find_first_copies(const std::vector<WallElement>& elements) const {
    const LocalMesh& mesh = *problem_.mesh;
    std::vector<std::size_t> first(elements.size());
    std::iota(first.begin(), first.end(), std::size_t{0});
    if (mesh.shape.empty() || problem_.classes.count > 1) return first;
    std::vector<std::size_t> of_shape(mesh.shape_corners.size(), elements.size());
    for (std::size_t item = 0; item < elements.size(); ++item) {
      const WallElement& wall = elements[item];
      const auto e = static_cast<std::size_t>(wall.element);
      if (problem_.layers && problem_.layers->is_layer[static_cast<std::size_t>(mesh.region[e])]) continue;
      if (std::any_of(wall.faces.begin(), wall.faces.end(), [](const WallFace& f) { return f.driven != nullptr; }))
        continue;
      std::size_t& found = of_shape[static_cast<std::size_t>(mesh.shape[e])];
      found = std::min(found, item);
      first[item] = found;
    }
    return first;
  }

  void copy_item(WallList<S>& list, const WallElement& wall, std::size_t from, std::size_t to) const {
    list.element[layout_.at(static_cast<std::int32_t>(to), 1, 0)] = layout_.slot(wall.element);
    const auto lanes = static_cast<std::size_t>(list.blocks * layout_.lanes);
    const auto copy = [&](auto& values) {
      const auto rows = static_cast<int>(values.size() / lanes);
      for (int row = 0; row < rows; ++row)
        values[layout_.at(static_cast<std::int32_t>(to), rows, row)] =
            values[layout_.at(static_cast<std::int32_t>(from), rows, row)];
    };
    copy(list.face);
    copy(list.matrix);
    copy(list.branch);
  }

  void fill_item(WallList<S>& list, const WallElement& wall, std::int32_t place) const {
    const ElementWalls walls(problem_, wall, field_, dt_m_, border_dt_m_);
    list.element[layout_.at(place, 1, 0)] = layout_.slot(wall.element);
    for (std::size_t j = 0; j < wall.faces.size(); ++j) {
      const WallFace& face = wall.faces[j];
      const auto row = static_cast<int>(j);
      list.face[layout_.at(place, list.faces, row)] = static_cast<std::int32_t>(face.face);
      list.wave[layout_.at(place, list.faces, row)] = face.driven == nullptr ? 0 : face.driven->wave;
      const std::size_t nf = reference_.face_dofs;
      for (std::size_t k = 0; k < nf; ++k) put(list, place, j, k, walls.own(j, k));
      if (list.with_other)
        for (std::size_t k = 0; k < nf; ++k)
          put(list, place, j, nf + k, problem_.time_order == 4 ? walls.old(j, k) : walls.other(j, k));
      put(list, place, j, columns(list) - 1, walls.wave(j));
      if (face.branches != nullptr) put_branches(list, place, j, face);
    }
  }

  /// r_b, a_b and c_b (schemes/leap_frog/elements/wall_correction.hpp). In DGTD-Central, with Y_s the admittance of all
  /// branches together and E_s the contribution of their states, Y_s E_s is added to J in E* and J* on the face
  /// (theory/walls): twice in the sum of two steps of h, and in e with the factor of J's part of the flux, which is not
  /// in the columns.
  void put_branches(WallList<S>& list, std::int32_t place, std::size_t j, const WallFace& face) const {
    if (has_rates(problem_.scheme)) return put_terms(list, place, j, face);
    double total = 0;
    for (const WallBranch& branch : *face.branches) total += branch.ohms;
    const double part = face.factors.turned + 0.5;  // Y/(Y + Y_s), of e
    const double factor = field_ == Field::electric ? part / face.factors.turned : 2;
    for (int b = 0; b < list.branches; ++b) {
      const WallBranch& branch = (*face.branches)[static_cast<std::size_t>(b)];
      const double half = branch.rate_per_s * dt_m_ / c0_m_per_s / 2;
      put_branch(list, place, j, b, {factor * branch.ohms / total, (1 - half) / (1 + half), 2 * half / (1 + half)});
    }
  }

  /// DFDD-ELD: the equation of E has the wall's admittance, that of H its impedance, each by the trapezoidal rule.
  void put_terms(WallList<S>& list, std::int32_t place, std::size_t j, const WallFace& face) const {
    const auto branches = branches_of(*face.branches);
    const auto law = field_ == Field::electric ? schemes::admittance_law(branches) : schemes::impedance_law(branches);
    for (int b = 0; b < list.branches; ++b) {
      const auto step = schemes::branch_step(law, static_cast<std::size_t>(b), dt_m_);
      put_branch(list, place, j, b, {-step.share, step.keep, step.take});
    }
  }

  void put_branch(WallList<S>& list, std::int32_t place, std::size_t j, int b,
                  const std::array<double, kernels::branch_numbers>& numbers) const {
    const int rows = list.faces * list.branches * kernels::branch_numbers;
    const int first = (static_cast<int>(j) * list.branches + b) * kernels::branch_numbers;
    for (int k = 0; k < kernels::branch_numbers; ++k)
      list.branch[layout_.at(place, rows, first + k)] = static_cast<S>(numbers[static_cast<std::size_t>(k)]);
  }

  void put(WallList<S>& list, std::int32_t place, std::size_t j, std::size_t column, const Vector& x) const {
    const auto n = reference_.dofs;
    const auto rows = static_cast<int>(static_cast<std::size_t>(list.faces) * columns(list) * n);
    const std::size_t of_waves = columns(list) - 1;  // the last of a face; those of all faces stand behind the others
    const std::size_t number =
        column == of_waves ? static_cast<std::size_t>(list.faces) * of_waves + j : j * of_waves + column;
    const auto first = static_cast<int>(number * n);
    for (std::size_t i = 0; i < n; ++i)
      list.matrix[layout_.at(place, rows, first + static_cast<int>(i))] = static_cast<S>(x[i]);
  }

  const Problem& problem_;
  const ElementLayout<S>& layout_;
  const basis::ReferenceElement& reference_;
  Field field_;
  double dt_m_;
  double border_dt_m_;
};

}  // namespace

template <class S>
std::vector<WallList<S>> make_wall_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                         double dt_m, const WallListOptions& options) {
  std::vector<WallList<S>> lists;
  for (const auto& [key, elements] :
       group_walls(problem, field, dt_m, options.threads, options.with_rates || dt_m > 0)) {
    WallList<S> list;
    std::tie(list.part, list.faces, list.with_other, list.branches) = key;
    const double step = problem.classes.step_of(list.part.step_class, dt_m);
    const double border = problem.classes.step_of(list.part.step_class, options.border_dt_m.value_or(dt_m));
    ListFiller<S>(problem, layout, field, step, border).fill(list, elements, options);
    lists.push_back(std::move(list));
  }
  return lists;
}

void hold_fixed_dofs(const Problem& problem, Field field, std::vector<double>& dofs, int threads) {
  const std::size_t n = basis::reference_element(problem.space).dofs;
  for_each_index(problem.mesh->global_id.size(), threads, [&](std::size_t e) {
    WallElement wall{static_cast<LocalIndex>(e), wall_faces(problem, static_cast<LocalIndex>(e), field, 0, {})};
    if (std::none_of(wall.faces.begin(), wall.faces.end(), [](const WallFace& face) { return face.factors.fixed; }))
      return;
    ElementWalls(problem, wall, field, 0, 0).hold(&dofs[e * n]);
  });
}

template std::vector<WallList<double>> make_wall_lists(const Problem&, const ElementLayout<double>&, Field, double,
                                                       const WallListOptions&);
template std::vector<WallList<float>> make_wall_lists(const Problem&, const ElementLayout<float>&, Field, double,
                                                      const WallListOptions&);

}  // namespace tetrawave::march

#include "schemes/leap_frog/wall_corrections.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <tuple>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/physical_element.hpp"
#include "schemes/leap_frog/wall_correction.hpp"
#include "terms/pml/layers.hpp"
#include "terms/ports/port_memory.hpp"
#include "terms/walls/conductors.hpp"

namespace tetrawave::march {

namespace {

using basis::SymmetricMatrix;
using Vector = std::vector<double>;
using DrivenFaceMap = std::map<std::pair<LocalIndex, std::size_t>, const DrivenFace*>;

/// A wall face of an element and its contribution to the equation.
struct WallFace {
  std::size_t face = 0;
  schemes::WallFactors factors;
  const DrivenFace* driven = nullptr;
  const std::vector<WallBranch>* branches = nullptr;  ///< of a conductor
};

struct WallElement {
  LocalIndex element = 0;
  std::vector<WallFace> faces;
};

/// Null if there is no conductor.
const std::vector<WallBranch>* branches_at(const Problem& problem, LocalIndex e, std::size_t face) {
  const std::int32_t tag = problem.mesh->boundary[static_cast<std::size_t>(e)][face];
  if (tag < 0 || problem.walls[static_cast<std::size_t>(tag)] != Wall::conductor) return nullptr;
  return &problem.wall_branches[static_cast<std::size_t>(tag)];
}

schemes::ConductorBranches branches_of(const std::vector<WallBranch>& list) {
  schemes::ConductorBranches branches;
  for (const WallBranch& branch : list) {
    branches.ohms.push_back(branch.ohms / eta0_ohm);
    branches.rates_per_m.push_back(branch.rate_per_s / c0_m_per_s);
  }
  return branches;
}

std::vector<WallFace> wall_faces(const Problem& problem, LocalIndex e, Field field, double dt_m,
                                 const DrivenFaceMap& driven) {
  std::vector<WallFace> faces;
  for (std::size_t f = 0; f < 4; ++f) {
    const auto wall = wall_at(problem, e, f, dt_m);
    if (!wall) continue;
    const auto factors =
        schemes::wall_factors(problem.scheme, *wall, problem.medium_of(e), field == Field::electric, dt_m);
    if (!factors.any()) continue;
    const auto found = driven.find({e, f});
    faces.push_back({f, factors, found == driven.end() ? nullptr : found->second, branches_at(problem, e, f)});
  }
  return faces;
}

/// The columns of an element's wall faces.
class ElementWalls {
 public:
  ElementWalls(const Problem& problem, const WallElement& wall, Field field, double dt_m, double border_dt_m)
      : reference_(basis::reference_element(problem.space)),
        element_(problem.space, problem.mesh->corners[static_cast<std::size_t>(wall.element)]),
        faces_(wall.faces),
        inverse_(reference_.dofs),
        field_(field) {
    const bool electric = field == Field::electric;
    const Medium& medium = problem.medium_of(wall.element);
    const auto factors = schemes::element_factors(problem.scheme, medium, electric, dt_m);
    add(factors.mass, element_.mass(mass_weights_of(problem, wall.element, field, dt_m, border_dt_m)));
    const Field other = electric ? Field::magnetic : Field::electric;
    if (factors.stiffness != 0)
      add(factors.stiffness, element_.stiffness(mass_weights_of(problem, wall.element, other, dt_m, border_dt_m)));
    for (const WallFace& face : faces_) {
      face_mass_.push_back(element_.face_mass(face.face));
      add(face.factors.face, face_mass_.back());
    }
    inverse_.factor();
    hold_fixed_dofs();
  }

  /// Weights for trace function k of this field on face j.
  [[nodiscard]] Vector own(std::size_t j, std::size_t k) const {
    const std::size_t dof = reference_.on_face[faces_[j].face][k];
    Vector x(reference_.dofs, 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = faces_[j].factors.face * face_mass_[j](i, dof);
    inverse_.solve(x.data());
    release(x);
    for (std::size_t c = 0; c < fixed_.size(); ++c)
      if (fixed_[c] == dof && fixed_by_[c] == j)
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += holding_[c][i];
    return x;
  }

  /// Weights for trace function k of the other field on face j.
  [[nodiscard]] Vector other(std::size_t j, std::size_t k) const {
    Vector x(reference_.dofs, 0.0);
    const double scale = faces_[j].factors.turned * element_.sign();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = scale * reference_.face[faces_[j].face](i, k);
    inverse_.solve(x.data());
    release(x);
    return x;
  }

  /// Weights for the incident wave on face j.
  [[nodiscard]] Vector wave(std::size_t j) const {
    Vector x(reference_.dofs, 0.0);
    const DrivenFace* driven = faces_[j].driven;
    if (driven == nullptr) return x;
    const auto& moment = field_ == Field::electric ? driven->direct : driven->rotated;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = faces_[j].factors.incident * moment[i];
    inverse_.solve(x.data());
    release(x);
    return x;
  }

  /// u - H C u, in place.
  void hold(double* u) const {
    Vector x(u, u + reference_.dofs);
    release(x);
    std::copy(x.begin(), x.end(), u);
  }

  /// A0^-1 of a moment.
  [[nodiscard]] Vector response(Vector moment) const {
    inverse_.solve(moment.data());
    release(moment);
    return moment;
  }

 private:
  void add(double factor, const SymmetricMatrix& matrix) {
    for (std::size_t i = 0; i < reference_.dofs; ++i)
      for (std::size_t j = 0; j < reference_.dofs; ++j) inverse_(i, j) += factor * matrix(i, j);
  }

  /// Columns H = A0^-1 C^T (C A0^-1 C^T)^-1, C selecting the fixed dofs: u - H C u has none of them left, and is the
  /// solution of the equations without their rows and columns.
  void hold_fixed_dofs() {
    std::vector<bool> seen(reference_.dofs, false);
    for (std::size_t j = 0; j < faces_.size(); ++j) {
      if (!faces_[j].factors.fixed) continue;
      for (const std::size_t dof : reference_.on_face[faces_[j].face]) {
        if (seen[dof]) continue;
        seen[dof] = true;
        fixed_.push_back(dof);
        fixed_by_.push_back(j);
      }
    }
    const std::size_t n = reference_.dofs;
    std::vector<Vector> columns;
    for (const std::size_t dof : fixed_) {
      columns.emplace_back(n, 0.0);
      columns.back()[dof] = 1;
      inverse_.solve(columns.back().data());
    }
    SymmetricMatrix small(fixed_.size());
    for (std::size_t c = 0; c < fixed_.size(); ++c)
      for (std::size_t d = 0; d < fixed_.size(); ++d) small(c, d) = columns[c][fixed_[d]];
    if (!fixed_.empty()) small.factor();
    for (std::size_t c = 0; c < fixed_.size(); ++c) {
      Vector unit(fixed_.size(), 0.0);
      unit[c] = 1;
      small.solve(unit.data());
      holding_.emplace_back(n, 0.0);
      for (std::size_t d = 0; d < fixed_.size(); ++d)
        for (std::size_t i = 0; i < n; ++i) holding_.back()[i] += columns[d][i] * unit[d];
      for (std::size_t d = 0; d < fixed_.size(); ++d) holding_.back()[fixed_[d]] = d == c ? 1 : 0;
    }
  }

  /// x - H C x.
  void release(Vector& x) const {
    Vector values;
    for (const std::size_t dof : fixed_) values.push_back(x[dof]);
    for (std::size_t c = 0; c < fixed_.size(); ++c)
      for (std::size_t i = 0; i < x.size(); ++i) x[i] -= holding_[c][i] * values[c];
    for (const std::size_t dof : fixed_) x[dof] = 0;
  }

  const basis::ReferenceElement& reference_;
  basis::PhysicalElement element_;
  const std::vector<WallFace>& faces_;
  SymmetricMatrix inverse_;
  Field field_;
  std::vector<SymmetricMatrix> face_mass_;
  std::vector<std::size_t> fixed_;     ///< dofs held at zero
  std::vector<std::size_t> fixed_by_;  ///< index of the face that contributes each
  std::vector<Vector> holding_;        ///< columns of H
};

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
      with_other = with_other || face.factors.turned != 0;
      if (face.branches != nullptr) branches = static_cast<int>(face.branches->size());
    }
    const auto count = static_cast<int>(faces.size());
    groups[{problem.part_of(e), count, with_other, branches}].push_back({e, std::move(faces)});
  }
  return groups;
}

/// By ascending element.
WallElements group_walls(const Problem& problem, Field field, double dt_m, int threads) {
  DrivenFaceMap driven;
  if (dt_m > 0)
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

  void fill(WallList<S>& list, const std::vector<WallElement>& elements, int threads) const {
    list.blocks = (static_cast<std::int64_t>(elements.size()) + layout_.lanes - 1) / layout_.lanes;
    const auto lanes = static_cast<std::size_t>(list.blocks * layout_.lanes);
    const auto faces = static_cast<std::size_t>(list.faces);
    list.element.assign(lanes, layout_.spare);
    list.face.assign(lanes * faces, 0);
    list.wave.assign(lanes * faces, 0);
    list.matrix.assign(lanes * faces * columns(list) * reference_.dofs, S(0));
    list.branch.assign(lanes * faces * static_cast<std::size_t>(list.branches * kernels::branch_numbers), S(0));
    for (const WallElement& wall : elements) list.owner.push_back(wall.element);
    for_each_index(elements.size(), threads,
                   [&](std::size_t item) { fill_item(list, elements[item], static_cast<std::int32_t>(item)); });
  }

 private:
  [[nodiscard]] std::size_t columns(const WallList<S>& list) const {
    return (list.with_other ? 2 : 1) * reference_.face_dofs + 1;
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
        for (std::size_t k = 0; k < nf; ++k) put(list, place, j, nf + k, walls.other(j, k));
      put(list, place, j, columns(list) - 1, walls.wave(j));
      if (face.branches != nullptr) put_branches(list, place, j, face);
    }
  }

  /// r_b, a_b and c_b (schemes/leap_frog/wall_correction.hpp). In DGTD-Central, with Y_s the admittance of all branches
  /// together and E_s the contribution of their states, Y_s E_s is added to J in E* and J* on the face (theory/walls):
  /// twice in the sum of two steps of h, and in e with the factor of J's part of the flux, which is not in the columns.
  void put_branches(WallList<S>& list, std::int32_t place, std::size_t j, const WallFace& face) const {
    if (problem_.scheme == Scheme::dfdd_eld) return put_terms(list, place, j, face);
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

/// The reactance of the lumped ports with a tag, or null: copies of a port in an array share their tag and their
/// reactance.
const PortMemory* reactance_at(const Problem& problem, std::int32_t tag) {
  const auto found = std::find_if(problem.memories.begin(), problem.memories.end(), [&](const PortMemory& memory) {
    return memory.resistance_ohm > 0 && memory.tag == tag;
  });
  return found == problem.memories.end() ? nullptr : &*found;
}

}  // namespace

std::optional<schemes::WallSpec> wall_at(const Problem& problem, LocalIndex element, std::size_t face, double dt_m) {
  using Kind = schemes::WallSpec::Kind;
  const auto e = static_cast<std::size_t>(element);
  const std::int32_t tag = problem.mesh->boundary[e][face];
  if (tag < 0) return std::nullopt;
  const auto t = static_cast<std::size_t>(tag);
  switch (problem.walls[t]) {
    case Wall::electric:
      return schemes::WallSpec{Kind::electric, 0, problem.holds_metal && problem.medium_of(element).chi3 == 0};
    case Wall::magnetic:
      return schemes::WallSpec{Kind::magnetic, 0};
    case Wall::one_mode:
      return schemes::WallSpec{Kind::one_mode, 0};
    case Wall::open: {
      const auto found = problem.open_admittance.find({element, static_cast<std::uint8_t>(face)});
      const bool own = found == problem.open_admittance.end();
      return schemes::WallSpec{Kind::open, own ? 1 / problem.medium_of(element).impedance() : found->second};
    }
    case Wall::conductor:
      if (problem.scheme == Scheme::dfdd_eld && dt_m > 0) {
        const auto law = schemes::impedance_law(branches_of(problem.wall_branches[t]));
        return schemes::WallSpec{Kind::open, 1 / schemes::present_part(law, dt_m)};
      }
      return schemes::WallSpec{Kind::open, eta0_ohm / problem.wall_ohms[t]};
    case Wall::impedance: {
      const bool outer = problem.mesh->neighbour[e][face] == no_neighbour;
      double ohms = problem.wall_ohms[t];
      if (const PortMemory* memory = dt_m > 0 ? reactance_at(problem, tag) : nullptr)
        ohms *= companion_ohms(*memory, dt_m) / memory->resistance_ohm;
      return schemes::WallSpec{outer ? Kind::open : Kind::sheet, eta0_ohm / ohms};
    }
  }
  return std::nullopt;
}

std::vector<WallGroup> count_walls(const Problem& problem, Field field, double dt_m, int threads) {
  std::vector<WallGroup> counts;
  for (const auto& [key, elements] : group_walls(problem, field, dt_m, threads)) {
    const auto& [part, faces, with_other, branches] = key;
    counts.push_back({faces, part, with_other, branches, static_cast<std::int64_t>(elements.size())});
  }
  return counts;
}

std::int64_t count_wall_faces(const Problem& problem, LocalIndex element, Field field) {
  return static_cast<std::int64_t>(wall_faces(problem, element, field, 1, {}).size());
}

template <class S>
std::vector<WallList<S>> make_wall_lists(const Problem& problem, const ElementLayout<S>& layout, Field field,
                                         double dt_m, int threads, std::optional<double> border_dt_m) {
  std::vector<WallList<S>> lists;
  for (const auto& [key, elements] : group_walls(problem, field, dt_m, threads)) {
    WallList<S> list;
    std::tie(list.part, list.faces, list.with_other, list.branches) = key;
    const double step = problem.classes.step_of(list.part.step_class, dt_m);
    const double border = problem.classes.step_of(list.part.step_class, border_dt_m.value_or(dt_m));
    ListFiller<S>(problem, layout, field, step, border).fill(list, elements, threads);
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

std::vector<ModalResponse> modal_responses(const Problem& problem, double dt_m, int threads) {
  std::map<std::int32_t, std::int32_t> port_of;
  for (std::size_t p = 0; p < problem.terminations.size(); ++p)
    port_of[problem.terminations[p].wave] = static_cast<std::int32_t>(p);
  std::map<std::pair<std::int32_t, LocalIndex>, Vector> moments;
  const auto add_to = [](Vector& sum, const Vector& more) {
    sum.resize(more.size(), 0.0);
    for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
  };
  for (const DrivenFace& face : problem.driven)
    if (const auto port = port_of.find(face.wave); port != port_of.end())
      add_to(moments[{port->second, face.element}], face.direct);
  std::map<std::pair<std::int32_t, LocalIndex>, Vector> weights;
  for (std::size_t p = 0; p < problem.terminations.size(); ++p)
    for (const Functional::Item& item : problem.electric[problem.terminations[p].functional].items)
      add_to(weights[{static_cast<std::int32_t>(p), item.element}], item.weight);
  std::vector<ModalResponse> responses;
  for (auto& [place, moment] : moments) responses.push_back({place.second, place.first, std::move(moment), {}, 0});
  for_each_index(responses.size(), threads, [&](std::size_t k) {
    ModalResponse& item = responses[k];
    const WallElement wall{item.element, wall_faces(problem, item.element, Field::electric, dt_m, {})};
    const ElementWalls walls(problem, wall, Field::electric, dt_m, dt_m);
    item.of_current = walls.response(std::move(item.of_current));
    for (const WallFace& face : wall.faces) item.wall_faces.push_back(face.face);
    const Vector& weight = weights.at({item.port, item.element});
    for (std::size_t i = 0; i < weight.size(); ++i) item.voltage += weight[i] * item.of_current[i];
  });
  return responses;
}

template std::vector<WallList<double>> make_wall_lists(const Problem&, const ElementLayout<double>&, Field, double, int,
                                                       std::optional<double>);
template std::vector<WallList<float>> make_wall_lists(const Problem&, const ElementLayout<float>&, Field, double, int,
                                                      std::optional<double>);

}  // namespace tetrawave::march

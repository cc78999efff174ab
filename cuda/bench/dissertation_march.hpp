// The host's side of cuda/bench/dissertation.hpp: DGTD-Central, and DFDD-ELD with the dissertation's three levels of a
// field and its dispersive media (`method.dispersion: published`), on one rank.
#pragma once

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "basis/reference_element.hpp"
#include "cuda/bench/dissertation.hpp"
#include "engines/parts/unfused.hpp"
#include "kernels/element_block.hpp"
#include "march/interface/per_field.hpp"
#include "march/interface/region_elements.hpp"
#include "schemes/central/stored.hpp"
#include "schemes/dfdd/stored.hpp"
#include "schemes/leap_frog/elements/rate_matrices.hpp"
#include "schemes/stored/equation.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/dispersion/recursive_convolution.hpp"

namespace tetrawave::cuda {

/// `Device`: a backend (march/elements/element_system.hpp) with launch(space, block, arguments, thread blocks).
template <class Device, class S>
class DissertationMarch final : public march::Unfused {
 public:
  /// `block`: 480 or 512 threads.
  DissertationMarch(Device device, const march::Problem& problem, int block)
      : device_(std::move(device)),
        problem_(problem),
        block_(block),
        reference_(basis::reference_element(problem.space)),
        shape_(march::stored_shape(problem.scheme, problem.space)),
        elements_in_block_(dissertation_threads(block_, shape_.dofs) / shape_.dofs),
        blocks_(blocks_of(static_cast<std::size_t>(problem.mesh->element_count()))),
        neighbour_(device_, static_cast<std::size_t>(blocks_ * elements_in_block_) * traces()),
        levels_(march::per_field([this](march::Field field) { return make_level(field); })),
        parts_{"volume", "surface"} {
    check_problem();
    neighbour_.upload(find_neighbours());
    if (!levels_.electric.dispersive.empty() || !levels_.magnetic.dispersive.empty()) parts_.emplace_back("dispersion");
  }

  [[nodiscard]] const std::vector<std::string>& parts() const override { return parts_; }

  void start(double dt_m, const std::vector<double>& electric, const std::vector<double>& magnetic) override {
    for (const march::Field field : march::both_fields) {
      const std::vector<double>& dofs = field == march::Field::electric ? electric : magnetic;
      for (Buffer<S>& values : levels_[field].values) values.upload(std::vector<S>(dofs.begin(), dofs.end()));
      for (Dispersive& list : levels_[field].dispersive) list.memory.clear();
    }
    if (dt_m == dt_m_) return;
    dt_m_ = dt_m;
    set_matrices();
    for (const march::Field field : march::both_fields)
      for (Dispersive& list : levels_[field].dispersive) set_step(list, field);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t k = 0; k < steps; ++k)
      for (const march::Field field : {march::Field::magnetic, march::Field::electric}) {
        for (std::size_t part = 0; part < parts_.size(); ++part) run(part, field);
        auto& values = levels_[field].values;
        std::rotate(values.begin(), values.end() - 1, values.end());
      }
  }

  void run_part(std::size_t part, std::int64_t times) override {
    for (std::int64_t k = 0; k < times; ++k)
      for (const march::Field field : {march::Field::magnetic, march::Field::electric}) run(part, field);
  }

  void synchronize() override { device_.synchronize(); }

  std::vector<double> field(march::Field which) override {
    const std::vector<S> values = now(which).download();
    return {values.begin(),
            values.begin() + static_cast<std::ptrdiff_t>(problem_.mesh->global_id.size()) * shape_.dofs};
  }

  /// Matrices, fields in every kernel, u written by each, the index array; of dispersive elements three levels of both
  /// fields, their matrices, and their memory twice.
  [[nodiscard]] std::int64_t bytes_per_step() const override {
    const std::int64_t n = shape_.dofs;
    const std::int64_t words = shape_.entries() + (of_rates() ? 7 : 6) * n;
    std::int64_t all = 2 * (words * std::int64_t{sizeof(S)} + 4 * static_cast<std::int64_t>(traces())) *
                       problem_.mesh->element_count();
    for (const march::Field field : march::both_fields)
      for (const Dispersive& list : levels_[field].dispersive)
        all += static_cast<std::int64_t>(list.elements.size()) *
               ((2 * n * n + 8 * n + 4 * n * list.poles()) * std::int64_t{sizeof(S)} + 4);
    return all;
  }

 private:
  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  /// Elements of one medium whose rates have terms or losses.
  struct Dispersive {
    std::vector<LocalIndex> elements;
    std::int64_t blocks;
    schemes::Law own, other;
    int own_poles, other_poles;
    Buffer<std::int32_t> element;
    Buffer<S> matrix, memory, constants;
    [[nodiscard]] int poles() const { return own_poles + other_poles; }
  };
  /// A field: its present values, in DFDD-ELD those of one and two steps before, and a place for the next ones.
  struct Level {
    std::vector<Buffer<S>> values;
    Buffer<S> matrix;
    std::vector<Dispersive> dispersive;
  };

  [[nodiscard]] bool of_rates() const { return has_rates(problem_.scheme); }
  [[nodiscard]] std::size_t traces() const { return 4 * reference_.face_dofs; }
  [[nodiscard]] std::size_t threads() const {
    return static_cast<std::size_t>(dissertation_threads(block_, shape_.dofs));
  }
  [[nodiscard]] std::size_t block_size() const { return static_cast<std::size_t>(shape_.columns) * threads(); }
  [[nodiscard]] std::int64_t blocks_of(std::size_t elements) const {
    return (static_cast<std::int64_t>(elements) + elements_in_block_ - 1) / elements_in_block_;
  }
  [[nodiscard]] Buffer<S>& now(march::Field field) { return levels_[field].values.front(); }

  void check_problem() const {
    ensure(of_rates() || has_central_fluxes(problem_.scheme), "the dissertation's mapping is of leap-frog schemes");
    ensure(problem_.classes.count == 1 && !problem_.layers && problem_.terminations.empty(), "one step for all");
    for (const auto& tags : problem_.mesh->boundary)
      for (const std::int32_t tag : tags)
        if (const auto wall = problem_.wall_of(tag))
          ensure(march::is_mirror(*wall) || (of_rates() && !march::is_conductor(*wall)),
                 "the dissertation's mapping has walls in its matrices");
    for (const Medium& medium : problem_.media)
      for (const bool electric : {true, false}) {
        const schemes::Law law = schemes::law_of(problem_.scheme, medium, electric);
        ensure(law.terms.empty() || (of_rates() && law.published && !law.is_projected()),
               "dispersion in the dissertation's mapping is that of method.dispersion: published, in DFDD-ELD");
      }
  }

  [[nodiscard]] Level make_level(march::Field field) {
    const auto blocks = static_cast<std::size_t>(blocks_);
    Level level{{}, Buffer<S>(device_, blocks * block_size()), {}};
    for (int k = 0; k < (of_rates() ? 4 : 1); ++k) level.values.emplace_back(device_, blocks * threads());
    if (!of_rates()) return level;
    const auto law_of = [&](const Medium& medium, march::Field of) {
      return schemes::law_of(problem_.scheme, medium, of == march::Field::electric);
    };
    std::vector<bool> chosen;
    for (const Medium& medium : problem_.media)
      chosen.push_back(law_of(medium, field).any() || law_of(medium, other(field)).any());
    for (const march::RegionElements& list : march::elements_by_region(problem_, chosen)) {
      const Medium& medium = problem_.media[list.region];
      level.dispersive.push_back(make_dispersive(list.elements, law_of(medium, field), law_of(medium, other(field))));
    }
    return level;
  }
  [[nodiscard]] Dispersive make_dispersive(const std::vector<LocalIndex>& elements, const schemes::Law& own,
                                           const schemes::Law& other_law) {
    const auto count_poles = [](const schemes::Law& law) {
      return static_cast<int>(schemes::recursions_of(law.terms, 1).size());
    };
    const int own_poles = count_poles(own);
    const int other_poles = count_poles(other_law);
    const std::int64_t blocks = blocks_of(elements.size());
    std::vector<std::int32_t> places(static_cast<std::size_t>(blocks * elements_in_block_), -1);
    std::copy(elements.begin(), elements.end(), places.begin());
    const auto length = static_cast<std::size_t>(blocks) * threads();
    const auto poles = static_cast<std::size_t>(own_poles + other_poles);
    return {elements,
            blocks,
            own,
            other_law,
            own_poles,
            other_poles,
            Buffer<std::int32_t>(device_, places),
            Buffer<S>(device_, length * 2 * static_cast<std::size_t>(shape_.dofs)),
            Buffer<S>(device_, std::max<std::size_t>(1, 2 * poles * length)),
            Buffer<S>(device_, std::max<std::size_t>(1, kernels::pole_constants * poles))};
  }

  [[nodiscard]] std::vector<std::int32_t> find_neighbours() const {
    const LocalMesh& mesh = *problem_.mesh;
    ensure(mesh.element_count() < (std::int32_t{1} << 28) / shape_.dofs, "the index array has room for every dof");
    std::vector<std::int32_t> codes(neighbour_.size(), 0);
    for (std::size_t e = 0; e < mesh.neighbour.size(); ++e)
      for (std::size_t f = 0; f < 4; ++f) {
        const auto wall = problem_.wall_of(mesh.boundary[e][f]);
        const bool is_alone = mesh.neighbour[e][f] < 0 || (wall && !of_rates());  // rates: P is 0 there, unless a sheet
        const auto mirror = !wall || of_rates()             ? kernels::FaceMirror::none
                            : wall == march::Wall::electric ? kernels::FaceMirror::electric
                                                            : kernels::FaceMirror::magnetic;
        const std::size_t at = is_alone ? e : static_cast<std::size_t>(mesh.neighbour[e][f]);
        const std::size_t face = is_alone ? f : mesh.neighbour_face[e][f];
        for (std::size_t k = 0; k < reference_.face_dofs; ++k)
          codes[e * traces() + f * reference_.face_dofs + k] = static_cast<std::int32_t>(
              4 * (at * reference_.dofs + reference_.on_face[face][k]) + static_cast<std::size_t>(mirror));
      }
    return codes;
  }

  /// [thread block][column][thread], some blocks at a time.
  void set_matrices() {
    const std::int64_t at_once = std::max<std::int64_t>(1, march::stored_at_once / std::int64_t(block_size()));
    for (std::int64_t first = 0; first < blocks_; first += at_once) {
      const auto count = static_cast<std::size_t>(std::min(at_once, blocks_ - first));
      std::array<std::vector<S>, 2> values;
      for (auto& field : values) field.assign(count * block_size(), S(0));
      for_each_task(count * static_cast<std::size_t>(elements_in_block_), device_.threads(), [&](std::size_t task) {
        const std::int64_t element = first * elements_in_block_ + static_cast<std::int64_t>(task);
        if (element >= problem_.mesh->element_count()) return;
        const march::ElementMatrices made = make_matrices(static_cast<LocalIndex>(element));
        for (std::size_t field = 0; field < 2; ++field) put(made[field], block_size(), task, values[field]);
      });
      const std::size_t at = static_cast<std::size_t>(first) * block_size();
      levels_.electric.matrix.upload(values[0], at);
      levels_.magnetic.matrix.upload(values[1], at);
    }
  }

  /// The matrix of element `task` counted from the first thread block of `values`, which have `size` entries each.
  void put(const basis::DenseMatrix& matrix, std::size_t size, std::size_t task, std::vector<S>& values) const {
    const auto in_block = static_cast<std::size_t>(elements_in_block_);
    S* to = values.data() + task / in_block * size + task % in_block * matrix.rows();
    for (std::size_t column = 0; column < matrix.columns(); ++column)
      for (std::size_t row = 0; row < matrix.rows(); ++row)
        to[column * threads() + row] = static_cast<S>(matrix(row, column));
  }

  /// In DFDD-ELD A1 | -A2 | P of (4.26) from those of the rates, K1 | K2 | P: A2 = K1, A1 = 1 + K1 + dt K2.
  [[nodiscard]] march::ElementMatrices make_matrices(LocalIndex element) const {
    if (!of_rates()) return march::central_matrices(problem_, element, dt_m_);
    march::ElementMatrices made = march::dfdd_matrices(problem_, element, dt_m_);
    const auto n = static_cast<std::size_t>(shape_.dofs);
    for (basis::DenseMatrix& matrix : made)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          const double before = matrix(i, j);
          matrix(i, j) = (i == j ? 1 : 0) + before + dt_m_ * matrix(i, n + j);
          matrix(i, n + j) = -before;
        }
    return made;
  }

  void set_step(Dispersive& list, march::Field field) {
    std::vector<S> constants;
    for (const schemes::Law* law : {&list.own, &list.other})
      for (const auto& pole : schemes::recursions_of(law->terms, dt_m_))
        constants.insert(constants.end(), pole.begin(), pole.end());
    list.constants.upload(constants);
    const std::size_t size = 2 * static_cast<std::size_t>(shape_.dofs) * threads();
    std::vector<S> values(list.matrix.size(), S(0));
    for_each_task(list.elements.size(), device_.threads(),
                  [&](std::size_t task) { put(make_history(list.elements[task], field), size, task, values); });
    list.matrix.upload(values);
  }
  /// dt U | dt T (4.30, 4.31), with the losses of walls in A0: (K1 + A0^-1 F) A^-1 = A0^-1, A = A0 - F
  /// (schemes/stored/equation.hpp).
  [[nodiscard]] basis::DenseMatrix make_history(LocalIndex element, march::Field field) const {
    const auto n = static_cast<std::size_t>(shape_.dofs);
    const std::vector<double> open = march::make_rate_matrices<double>(problem_, {element}, field, dt_m_, 1, true, 1);
    basis::DenseMatrix result(n, 2 * n);
    if (!march::keeps_field(problem_, element, field)) {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < 2 * n; ++j) result(i, j) = dt_m_ * open[j * n + i];
      return result;
    }
    const basis::DenseMatrix walls = march::stored_walls(problem_, element, field, dt_m_);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < 2 * n; ++j)
        for (std::size_t k = 0; k < n; ++k) result(i, j) += dt_m_ * ((i == k ? 1 : 0) - walls(i, k)) * open[j * n + k];
    return result;
  }

  void run(std::size_t part, march::Field which) {
    Level& target = levels_[which];
    const std::vector<Buffer<S>>& source = levels_[other(which)].values;
    if (part == 2) {
      for (Dispersive& list : target.dispersive)
        device_.launch(problem_.space, block_, convolution(list, target.values, source), list.blocks);
      return;
    }
    DissertationUpdate<S> update;
    update.part = part == 0    ? DissertationPart::volume
                  : of_rates() ? DissertationPart::changes
                               : DissertationPart::jumps;
    update.matrix = target.matrix.data();
    update.neighbour = neighbour_.data();
    update.first = target.values.front().data();
    update.second = of_rates() ? target.values[1].data() : source.front().data();
    update.target = target.values.back().data();
    update.trace = source.front().data();
    if (of_rates()) update.before = source[1].data();
    update.mirror_code =
        which == march::Field::electric ? kernels::mirror_code_of_magnetic : kernels::mirror_code_of_electric;
    for (std::size_t k = 0; k < traces(); ++k)
      update.own[k] = static_cast<std::uint8_t>(reference_.on_face[k / reference_.face_dofs][k % reference_.face_dofs]);
    device_.launch(problem_.space, block_, update, blocks_);
  }

  [[nodiscard]] DissertationConvolution<S> convolution(const Dispersive& list, const std::vector<Buffer<S>>& own,
                                                       const std::vector<Buffer<S>>& source) const {
    DissertationConvolution<S> all;
    all.matrix = list.matrix.data();
    all.element = list.element.data();
    for (std::size_t k = 0; k < 3; ++k) {
      all.u[k] = own[k].data();
      all.v[k] = source[k].data();
    }
    all.target = own.back().data();
    all.memory = list.memory.data();
    all.length = list.blocks * static_cast<std::int64_t>(threads());
    all.constants = list.constants.data();
    all.own_poles = list.own_poles;
    all.other_poles = list.other_poles;
    all.loss = static_cast<S>(dt_m_ * list.own.loss);
    all.other_loss = static_cast<S>(list.other.loss);
    all.dt = static_cast<S>(dt_m_);
    return all;
  }

  Device device_;
  march::Problem problem_;
  int block_;
  const basis::ReferenceElement& reference_;
  march::StoredShape shape_;
  std::int64_t elements_in_block_;
  std::int64_t blocks_;
  Buffer<std::int32_t> neighbour_;
  march::PerField<Level> levels_;
  std::vector<std::string> parts_;
  double dt_m_ = 0;
};

}  // namespace tetrawave::cuda

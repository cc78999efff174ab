#include "march/loop/step_classes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/scheme.hpp"
#include "basis/physical_element.hpp"
#include "mesh/neighbour_values.hpp"

namespace tetrawave::march {

namespace {

using basis::SymmetricMatrix;

/// Norms |M_e^-1/2 A M_h^-1/2| of one element by powers of M_e^-1 A M_h^-1 A^T; levels need no more digits than
/// `iterations` give.
class ElementNorm {
 public:
  ElementNorm(const Problem& problem, LocalIndex e)
      : reference_(basis::reference_element(problem.space)),
        element_(problem.space, problem.mesh->corners[static_cast<std::size_t>(e)]),
        medium_(problem.medium_of(e)),
        electric_(element_.mass(medium_.eps_axes)),
        magnetic_(medium_.is_isotropic() ? electric_ : element_.mass(medium_.mu_axes)) {
    electric_.factor();
    magnetic_.factor();
  }

  /// `a(i, j)`: entries of A, n x n.
  template <class Entries>
  [[nodiscard]] double operator()(const Entries& a) const {
    constexpr int iterations = 12;
    const std::size_t n = reference_.dofs;
    std::vector<double> v(n), w(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = std::sin(1 + 1.7 * static_cast<double>(i));
    double square = 0;
    for (int k = 0; k < iterations; ++k) {
      for (std::size_t j = 0; j < n; ++j) {
        w[j] = 0;
        for (std::size_t i = 0; i < n; ++i) w[j] += a(i, j) * v[i];
      }
      magnetic_.solve(w.data());
      double before = 0, after = 0;
      for (std::size_t i = 0; i < n; ++i) before += v[i] * v[i];
      for (std::size_t i = 0; i < n; ++i) {
        v[i] = 0;
        for (std::size_t j = 0; j < n; ++j) v[i] += a(i, j) * w[j];
      }
      electric_.solve(v.data());
      for (std::size_t i = 0; i < n; ++i) after += v[i] * v[i];
      square = std::sqrt(after / before);
      if (after == 0) return 0;
      for (double& x : v) x /= std::sqrt(after);
    }
    return std::sqrt(square / (medium_.eps_r * medium_.mu_r));
  }

  /// int over face f, as an n x n matrix.
  [[nodiscard]] basis::DenseMatrix coupling(std::size_t f) const {
    basis::DenseMatrix full(reference_.dofs, reference_.dofs);
    for (std::size_t i = 0; i < reference_.dofs; ++i)
      for (std::size_t k = 0; k < reference_.face_dofs; ++k)
        full(i, reference_.on_face[f][k]) = reference_.face[f](i, k);
    return full;
  }

 private:
  const basis::ReferenceElement& reference_;
  basis::PhysicalElement element_;
  const Medium& medium_;
  SymmetricMatrix electric_;
  SymmetricMatrix magnetic_;
};

double bound_step(const Problem& problem, LocalIndex e) {
  const auto& reference = basis::reference_element(problem.space);
  const bool flux_alone = has_rates(problem.scheme);
  const ElementNorm norm(problem, e);
  std::array<basis::DenseMatrix, 4> couplings;
  double rate = 0;
  for (std::size_t f = 0; f < 4; ++f) {
    couplings[f] = norm.coupling(f);
    rate += (has_central_fluxes(problem.scheme) ? 0.5 : 1) * norm(couplings[f]);
  }
  if (!flux_alone)
    rate += norm([&](std::size_t i, std::size_t j) {
      double sum = reference.curl(i, j);
      for (const auto& coupling : couplings) sum -= coupling(i, j) / 2;
      return sum;
    });
  return 1 / rate;
}

/// Numbers per element while levels are computed.
using Classes = std::vector<std::int32_t>;

class ClassFinder {
 public:
  ClassFinder(const Problem& problem, const comm::Communicator& ranks)
      : problem_(problem), mesh_(*problem.mesh), ranks_(ranks), at_waves_(find_faces(problem, ranks)) {
    for (const PortMemory& memory : problem.memories) with_memory_.push_back(static_cast<std::size_t>(memory.wave));
    for (const ModalTermination& port : problem.terminations)
      with_memory_.push_back(static_cast<std::size_t>(port.wave));
  }

  StepClasses find(const std::vector<double>& bounds, int most, double share) const {
    double smallest = std::numeric_limits<double>::infinity();
    for (const double bound : bounds) smallest = std::min(smallest, bound);
    smallest = ranks_.min(smallest);
    Classes classes;
    for (const double bound : bounds) classes.push_back(class_of(share * bound / smallest, most));
    grade(classes);
    for (int layer = 0; layer < layers_around(problem_.scheme); ++layer) {
      classes = lower_by_a_layer(classes);
      grade(classes);
    }
    join_small(classes);
    return finish(classes);
  }

 private:
  static std::int32_t class_of(double ratio, int most) {
    std::int32_t c = 0;
    for (double power = 3; c + 1 < most && ratio >= power; power *= 3) ++c;
    return c;
  }

  /// Layers of elements that could be coarser around every finer level. Fast modes of the finer level decay in them,
  /// before they can resonate with those of the coarser one (theory/lts); those of DGTD-Upwind are damped.
  static int layers_around(Scheme scheme) { return has_central_fluxes(scheme) ? 3 : has_rates(scheme) ? 2 : 1; }

  /// Per wave the elements at its faces; for dispersive ports all elements involved.
  static std::vector<std::vector<LocalIndex>> find_faces(const Problem& problem, const comm::Communicator& ranks) {
    std::int64_t rows = 0;
    for (const DrivenFace& face : problem.driven) rows = std::max<std::int64_t>(rows, face.wave);
    for (const PortMemory& memory : problem.memories) rows = std::max<std::int64_t>(rows, memory.wave);
    for (const ModalTermination& port : problem.terminations) rows = std::max<std::int64_t>(rows, port.wave);
    std::vector<std::vector<LocalIndex>> elements(static_cast<std::size_t>(ranks.max(rows)) + 1);
    for (const DrivenFace& face : problem.driven) elements[static_cast<std::size_t>(face.wave)].push_back(face.element);
    std::map<std::int32_t, std::size_t> wave_of;  // of the tags of reactances; copies of a port share a tag
    for (const PortMemory& memory : problem.memories) {
      const auto wave = static_cast<std::size_t>(memory.wave);
      for (const auto* all : {&problem.electric, &problem.magnetic})
        for (const Functional::Item& item : (*all)[memory.functional].items) elements[wave].push_back(item.element);
      if (memory.resistance_ohm > 0) wave_of.emplace(memory.tag, wave);
    }
    for (LocalIndex e = 0; !wave_of.empty() && e < problem.mesh->element_count(); ++e)
      for (const std::int32_t tag : problem.mesh->boundary[static_cast<std::size_t>(e)])
        if (const auto found = wave_of.find(tag); found != wave_of.end()) elements[found->second].push_back(e);
    return elements;
  }

  /// The lowest level at each wave, dispersive ports together. Collective.
  [[nodiscard]] std::vector<std::int64_t> classes_of_waves(const Classes& classes) const {
    std::vector<std::int64_t> least;
    for (const auto& elements : at_waves_) {
      std::int64_t own = std::numeric_limits<std::int8_t>::max();
      for (const LocalIndex e : elements) own = std::min<std::int64_t>(own, classes[static_cast<std::size_t>(e)]);
      least.push_back(own);
    }
    ranks_.min_in_place(least);
    std::int64_t together = std::numeric_limits<std::int8_t>::max();
    for (const std::size_t wave : with_memory_) together = std::min(together, least[wave]);
    for (const std::size_t wave : with_memory_) least[wave] = together;
    return least;
  }

  /// Lowers levels to the largest ones below them such that neighbours differ by at most one and the faces of each
  /// wave, and all dispersive ports, are on one level: independent of the order.
  void grade(Classes& classes) const {
    while (true) {
      bool changed = false;
      const auto at_waves = classes_of_waves(classes);
      for (std::size_t wave = 0; wave < at_waves.size(); ++wave)
        for (const LocalIndex e : at_waves_[wave])
          changed = lower(classes[static_cast<std::size_t>(e)], static_cast<std::int32_t>(at_waves[wave])) || changed;
      const NeighbourValues values(mesh_, classes, ranks_);
      for (bool here = true; here;) {
        here = false;
        for (LocalIndex e = 0; e < mesh_.element_count(); ++e)
          for (std::size_t f = 0; f < 4; ++f) {
            const std::int32_t other = values.behind(e, f);
            if (other >= 0) here = lower(classes[static_cast<std::size_t>(e)], other + 1) || here;
          }
        changed = changed || here;
      }
      if (ranks_.max(std::int64_t{changed ? 1 : 0}) == 0) return;
    }
  }
  static bool lower(std::int32_t& value, std::int32_t most) {
    if (value <= most) return false;
    value = most;
    return true;
  }

  /// To the lowest level of the neighbours.
  [[nodiscard]] Classes lower_by_a_layer(const Classes& classes) const {
    const NeighbourValues values(mesh_, classes, ranks_);
    Classes lowered = classes;
    for (LocalIndex e = 0; e < mesh_.element_count(); ++e)
      for (std::size_t f = 0; f < 4; ++f)
        if (const std::int32_t other = values.behind(e, f); other >= 0)
          lower(lowered[static_cast<std::size_t>(e)], other);
    return lowered;
  }

  [[nodiscard]] std::vector<std::int64_t> count(const Classes& classes) const {
    std::vector<std::int64_t> counts(16, 0);
    for (const std::int32_t c : classes) ++counts[static_cast<std::size_t>(c)];
    ranks_.sum_in_place(std::span<std::int64_t>(counts));
    while (counts.size() > 1 && counts.back() == 0) counts.pop_back();
    return counts;
  }

  /// An update of a level costs its elements plus the equivalent of `overhead` elements for its launches and messages.
  /// With a separate coarsest level c of N elements, 3^c smallest steps cost N + overhead for it, without it 3 N more
  /// on level c - 1: it pays if 2 N > overhead.
  void join_small(Classes& classes) const {
    std::vector<std::int64_t> counts = count(classes);
    const std::int64_t overhead = 16 + mesh_.global_element_count / 1000;
    while (counts.size() > 1 && 2 * counts.back() <= overhead) {
      const std::int64_t joined = counts.back();
      counts.pop_back();
      counts.back() += joined;
    }
    for (std::int32_t& c : classes) lower(c, static_cast<std::int32_t>(counts.size()) - 1);
  }

  [[nodiscard]] StepClasses finish(const Classes& classes) const {
    StepClasses result;
    result.count = static_cast<int>(count(classes).size());
    if (result.count == 1) return result;
    for (const std::int64_t c : classes_of_waves(classes)) result.of_waves.push_back(static_cast<int>(c));
    if (!with_memory_.empty()) result.of_memories = result.of_waves[with_memory_.front()];
    for (const std::int32_t c : classes) result.of_element.push_back(static_cast<std::int8_t>(c));
    find_borders(result, mesh_, ranks_);
    return result;
  }

  const Problem& problem_;
  const LocalMesh& mesh_;
  const comm::Communicator& ranks_;
  std::vector<std::vector<LocalIndex>> at_waves_;
  std::vector<std::size_t> with_memory_;  ///< waves of dispersive ports and of ports of one mode
};

}  // namespace

void find_borders(StepClasses& classes, const LocalMesh& mesh, const comm::Communicator& ranks) {
  const Classes own(classes.of_element.begin(), classes.of_element.end());
  const NeighbourValues values(mesh, own, ranks);
  classes.coarser.clear();
  classes.behind.clear();
  for (LocalIndex e = 0; e < mesh.element_count(); ++e) {
    unsigned coarser = 0;
    for (std::size_t f = 0; f < 4; ++f)
      if (values.behind(e, f) > classes.of(e)) coarser |= 1u << f;
    classes.coarser.push_back(static_cast<std::uint8_t>(coarser));
  }
  for (const HaloPeer& peer : mesh.peers) {
    classes.behind.emplace_back();
    for (const HaloFace& face : peer.faces)
      classes.behind.back().push_back(static_cast<std::int8_t>(values.behind(face.element, face.face)));
  }
}

std::vector<double> bound_steps(const Problem& problem, int threads) {
  std::vector<double> bounds(problem.mesh->global_id.size());
  for_each_index(bounds.size(), threads,
                 [&](std::size_t e) { bounds[e] = bound_step(problem, static_cast<LocalIndex>(e)); });
  return bounds;
}

StepClasses assign_classes(const Problem& problem, const std::vector<double>& bounds, int most,
                           const comm::Communicator& ranks, double share) {
  if (most == 1) return {};
  return ClassFinder(problem, ranks).find(bounds, most, share);
}

std::vector<std::int64_t> count_classes(const Problem& problem, const comm::Communicator& ranks) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(problem.classes.count), 0);
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e)
    ++counts[static_cast<std::size_t>(problem.classes.of(e))];
  ranks.sum_in_place(std::span<std::int64_t>(counts));
  return counts;
}

double gain_by_counting(const std::vector<std::int64_t>& elements) {
  double all = 0, updates = 0;
  double part = 1;
  for (const std::int64_t count : elements) {
    all += static_cast<double>(count);
    updates += part * static_cast<double>(count);
    part /= 3;
  }
  return all / updates;
}

}  // namespace tetrawave::march

// Damping in absorbing layers of flat elements, in the leap-frog schemes (theory/pml).
#pragma once

#include <cstdint>
#include <vector>

#include "march/interface/problem.hpp"
#include "mesh/neighbour_values.hpp"

namespace tetrawave::march {

/// Per stretched axis of a layer's element, the damping share from its shape, 0 to 1; 0 elsewhere.
[[nodiscard]] Vec3 brake_shares(const Problem& problem, LocalIndex element);

/// Whether an element of this rank needs damping.
[[nodiscard]] bool asks_for_brakes(const Problem& problem, const std::vector<LocalIndex>& elements);

/// The damping tensors of faces between elements of layers on one LTS level. Construction is collective.
class LayerBrakes {
 public:
  LayerBrakes(const Problem& problem, const comm::Communicator& ranks);
  LayerBrakes(const LayerBrakes&) = delete;
  LayerBrakes& operator=(const LayerBrakes&) = delete;
  ~LayerBrakes() = default;
  /// Whether an element of any rank has damping.
  [[nodiscard]] bool any() const { return strongest_ > 0; }
  /// The largest share of the full damping on any rank.
  [[nodiscard]] double strongest() const { return strongest_; }
  /// kernels::brake_numbers of an element, for the equation of a field and a step of its level.
  [[nodiscard]] std::vector<double> numbers(LocalIndex element, Field field, double dt_m) const;
  /// Share of the full damping along the axes; 0 at walls, sheets and between LTS levels.
  [[nodiscard]] Vec3 shares_at(LocalIndex element, std::size_t face) const;

 private:
  const Problem& problem_;
  double strongest_ = 0;
  std::vector<std::int32_t> shares_;   ///< per element: its shares as one number
  std::vector<std::int32_t> classes_;  ///< of time steps
  NeighbourValues shares_behind_;
  NeighbourValues classes_behind_;
  NeighbourValues regions_behind_;
};

}  // namespace tetrawave::march

// What stands against growth in absorbing layers of flat elements, in the leap-frog schemes (THEORY.md 23).
#pragma once

#include <cstdint>
#include <vector>

#include "march/elements/neighbour_values.hpp"
#include "march/interface/problem.hpp"

namespace tetrawave::march {

/// Per axis along which a layer's element is stretched, how much of the whole strength it asks for by its shape, 0 to
/// 1; 0 elsewhere.
[[nodiscard]] Vec3 brake_shares(const Problem& problem, LocalIndex element);

/// Whether an element of this rank asks for any.
[[nodiscard]] bool asks_for_brakes(const Problem& problem, const std::vector<LocalIndex>& elements);

/// The tensors of faces between elements of layers of one class of time steps. Making it is a collective.
class LayerBrakes {
 public:
  LayerBrakes(const Problem& problem, const comm::Communicator& ranks);
  LayerBrakes(const LayerBrakes&) = delete;
  LayerBrakes& operator=(const LayerBrakes&) = delete;
  ~LayerBrakes() = default;
  /// Whether an element of any rank has some.
  [[nodiscard]] bool any() const { return any_; }
  /// kernels::brake_numbers of an element, for the equation of a field and a step of its class.
  [[nodiscard]] std::vector<double> numbers(LocalIndex element, Field field, double dt_m) const;

 private:
  /// Share of the full damping along the axes; 0 at walls, sheets and between LTS levels.
  [[nodiscard]] Vec3 shares_at(LocalIndex element, std::size_t face) const;

  const Problem& problem_;
  bool any_;
  std::vector<std::int32_t> shares_;   ///< per element: its shares as one number
  std::vector<std::int32_t> classes_;  ///< of time steps
  NeighbourValues shares_behind_;
  NeighbourValues classes_behind_;
  NeighbourValues regions_behind_;
};

}  // namespace tetrawave::march

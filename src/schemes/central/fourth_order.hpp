// What DGTD-Central keeps for steps of fourth order (theory/central): two changes kept apart, and their coefficients.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "march/interface/fourth_order.hpp"
#include "schemes/leap_frog/device_walls.hpp"
#include "terms/dispersion/update_coefficients.hpp"

namespace tetrawave::march {

/// The coefficients of a stage's update.
struct StageCoefficients {
  schemes::UpdateCoefficients first_change;   ///< H' = -2/3 dt M_h^-1 K* e
  schemes::UpdateCoefficients second_change;  ///< M_e^-1 K H'
  schemes::UpdateCoefficients middle;         ///< h - dt^2/24 M_h^-1 K* E'

  static StageCoefficients make(const std::vector<Medium>& media, double dt_m) {
    const auto of_magnetic = schemes::inverse_masses(media, false);
    return {schemes::scaled(of_magnetic, 0, -2 * dt_m / 3), schemes::scaled(schemes::inverse_masses(media, true), 0, 1),
            schemes::scaled(of_magnetic, 1, -dt_m * dt_m / 24)};
  }
};

template <class Backend, class S>
struct FourthOrder {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  struct Tables {
    Buffer<S> decay;
    Buffer<S> gain;
  };
  Buffer<S> first_change;           ///< of H
  Buffer<S> second_change;          ///< of E
  WallsOnDevice<Backend, S> walls;  ///< of `second_change`: rates of incident waves, and what metal holds at zero
  std::optional<std::array<Tables, 3>> tables{};  ///< of these two, and of the stage in the middle

  FourthOrder(Buffer<S> of_magnetic, Buffer<S> of_electric)
      : first_change(std::move(of_magnetic)), second_change(std::move(of_electric)) {}

  /// The coefficients of a stage; null for those of a plain half step.
  [[nodiscard]] const Tables* tables_of(std::int64_t stage) const {
    if (stage == fourth::first_change) return &(*tables)[0];
    if (stage == fourth::second_change) return &(*tables)[1];
    return stage == fourth::middle ? &(*tables)[2] : nullptr;
  }
  /// The arrays that a stage writes and reads: `field`, or one of the changes.
  Buffer<S>& written(std::int64_t stage, Buffer<S>& field) {
    if (stage == fourth::first_change) return first_change;
    return stage == fourth::second_change ? second_change : field;
  }
  const Buffer<S>& read(std::int64_t stage, const Buffer<S>& field) const {
    if (stage == fourth::second_change) return first_change;
    return stage == fourth::middle ? second_change : field;
  }
};

}  // namespace tetrawave::march

// What there is once for E and once for H.
#pragma once

#include <array>

#include "march/interface/problem.hpp"

namespace tetrawave::march {

inline constexpr std::array both_fields{Field::electric, Field::magnetic};

[[nodiscard]] constexpr Field other(Field field) {
  return field == Field::electric ? Field::magnetic : Field::electric;
}

template <class T>
struct PerField {
  T electric;
  T magnetic;
  [[nodiscard]] T& operator[](Field field) { return field == Field::electric ? electric : magnetic; }
  [[nodiscard]] const T& operator[](Field field) const { return field == Field::electric ? electric : magnetic; }
};

/// `make(field)` of each; what it makes is not moved.
template <class Make>
[[nodiscard]] auto per_field(const Make& make) -> PerField<decltype(make(Field::electric))> {
  return {make(Field::electric), make(Field::magnetic)};
}

}  // namespace tetrawave::march

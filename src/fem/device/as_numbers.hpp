// Numbers of the host as devices have them.
#pragma once

#include <span>

#include "fem/device/number.hpp"

namespace tetrawave::fem::device {

template <class T>
std::span<const NumberOf<T>> as_numbers(std::span<const T> values) {
  static_assert(sizeof(T) == sizeof(NumberOf<T>));
  return {reinterpret_cast<const NumberOf<T>*>(values.data()), values.size()};
}

}  // namespace tetrawave::fem::device

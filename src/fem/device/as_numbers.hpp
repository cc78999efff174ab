// Numbers of the host as devices have them.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "fem/device/number.hpp"

namespace tetrawave::fem::device {

template <class T>
std::vector<NumberOf<T>> as_numbers(const std::vector<T>& values) {
  if constexpr (std::is_same_v<T, double>) {
    return values;
  } else {
    static_assert(sizeof(T) == sizeof(NumberOf<T>));
    std::vector<NumberOf<T>> numbers(values.size());
    std::memcpy(static_cast<void*>(numbers.data()), values.data(), values.size() * sizeof(T));
    return numbers;
  }
}

}  // namespace tetrawave::fem::device

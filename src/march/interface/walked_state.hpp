// States of numbers on the host, declared once: the same walk saves and loads them.
#pragma once

#include <functional>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "march/interface/state.hpp"

namespace tetrawave::march {

/// Of numbers on the host, declared by one walk: walk(take) calls take(double&) for all of them in the order in which
/// they are stored. `prepare` is called before they are saved.
template <class State, class Walk>
State walked(State state, const Walk& walk, const std::function<void()>& prepare = {}) {
  state.save = [walk, prepare] {
    if (prepare) prepare();
    std::vector<double> numbers;
    walk([&](double& number) { numbers.push_back(number); });
    return numbers;
  };
  state.load = [walk](const auto& values) {
    const std::vector<double>* numbers = nullptr;
    if constexpr (std::is_same_v<std::decay_t<decltype(values)>, ElementValues>)
      numbers = &std::get<std::vector<double>>(values);
    else
      numbers = &values;
    std::size_t next = 0;
    walk([&](double& number) {
      ensure(next < numbers->size(), "a state is whole");
      number = (*numbers)[next++];
    });
  };
  return state;
}

}  // namespace tetrawave::march

// Laws of dispersive media on a device, with the states of the polarisations of a list of elements.
#pragma once

#include <vector>

#include "march/elements/element_list.hpp"
#include "terms/dispersion/coefficients.hpp"
#include "terms/dispersion/kernel.hpp"
#include "terms/dispersion/regions.hpp"

namespace tetrawave::march {

/// Terms of one law with their states.
template <class Backend, class S>
struct LawOnDevice {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  int terms;
  Buffer<S> constants;
  Buffer<S> memory;

  LawOnDevice(Backend& backend, const ElementList<Backend, S>& list, int dofs,
              const std::vector<schemes::TermConstants>& numbers)
      : terms(static_cast<int>(numbers.size())),
        constants(backend, 6 * numbers.size()),
        memory(backend, list.numbers(2 * terms * dofs)) {
    std::vector<S> all;
    for (const auto& term : numbers)
      for (const double c : term) all.push_back(static_cast<S>(c));
    constants.upload(all);
  }
  kernels::PoleList<S> view(const ElementList<Backend, S>& list) {
    return {list.element.data(), terms, constants.data(), memory.data()};
  }
};

/// Constants of the terms of a law by one of the rules of terms/dispersion/coefficients.hpp.
template <class Rule>
std::vector<schemes::TermConstants> constants_of(const schemes::Law& law, double dt_m, const Rule& rule) {
  std::vector<schemes::TermConstants> list;
  for (const PoleTerm& term : law.terms) list.push_back(rule(term, dt_m));
  return list;
}

}  // namespace tetrawave::march

// A small problem of edge elements with media and walls of every kind.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "fem/edge/edge_element.hpp"
#include "fem/sparse/solver_options.hpp"
#include "unit/fem/edge/edge_matrices.hpp"
#include "unit/fem/edge/kuhn_box.hpp"

namespace tetrawave_tests {

using namespace tetrawave;
using namespace tetrawave::fem;

/// A term factor oint_f N_it . N_jt of a wall; several terms of one face add up.
template <class T>
struct FaceTerm {
  ElementFace face{};
  T factor = 0;  ///< [1/m]
};

inline constexpr std::array<AssemblyMethod, 3> methods{AssemblyMethod::atomic, AssemblyMethod::by_dof,
                                                       AssemblyMethod::by_row};

/// A box with three media and faces with terms of every kind: several of one element, inner ones seen from one side and
/// from both, one face twice, faces beside metal.
template <class T>
struct Problem {
  KuhnBox box;
  std::vector<ElementFace> metal;
  std::vector<EdgeCoefficients<T>> coefficients;
  std::vector<std::int32_t> kind;
  std::vector<FaceTerm<T>> terms;

  explicit Problem(const std::array<int, 3>& cells, double jitter = 0.2) : box(make_kuhn_box(cells, jitter)) {
    Random random(3);
    metal = box.faces_at_x0();
    for (int k = 0; k < 3; ++k) coefficients.push_back({random.triple<T>(), random.triple<T>()});
    for (std::size_t e = 0; e < box.vertices.size(); ++e) kind.push_back(static_cast<std::int32_t>(random.index(3)));
    std::size_t inner = 0;
    for (const auto& [name, at] : box.faces()) {
      if (at.size() == 1 && std::find(metal.begin(), metal.end(), at[0]) == metal.end())
        terms.push_back({at[0], random.any<T>()});
      if (at.size() == 1) continue;
      const std::size_t sides = inner++ % 4 == 0 ? 1 + inner / 4 % 2 : 0;
      for (std::size_t side = 0; side < sides; ++side) terms.push_back({at[side], random.any<T>()});
    }
    terms.push_back({terms.front().face, random.any<T>()});
    std::shuffle(terms.begin(), terms.end(), std::mt19937(5));
  }

  [[nodiscard]] std::vector<ElementFace> walls() const {
    std::vector<ElementFace> result;
    for (const FaceTerm<T>& term : terms) result.push_back(term.face);
    return result;
  }
  [[nodiscard]] std::vector<T> factors() const {
    std::vector<T> result;
    for (const FaceTerm<T>& term : terms) result.push_back(term.factor);
    return result;
  }
  /// Elements of one shape have one number (ElementShapes::copies), where nodes are not displaced.
  [[nodiscard]] std::vector<std::int32_t> copies() const {
    std::map<std::array<std::int64_t, 9>, std::int32_t> numbers;  // by edges from the first corner
    std::vector<std::int32_t> result;
    for (const auto& corners : box.corners) {
      std::array<std::int64_t, 9> key{};
      for (std::size_t k = 0; k < 9; ++k) key[k] = std::llround(1e6 * (corners[1 + k / 3][k % 3] - corners[0][k % 3]));
      result.push_back(numbers.try_emplace(key, static_cast<std::int32_t>(numbers.size())).first->second);
    }
    return result;
  }
};

}  // namespace tetrawave_tests

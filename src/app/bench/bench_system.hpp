// The system that the benches of the finite-element solvers have.
#pragma once

#include <cmath>
#include <optional>
#include <random>
#include <type_traits>
#include <vector>

#include "base/constants.hpp"
#include "base/stopwatch.hpp"
#include "fem/assembly/edge_assembly.hpp"
#include "modes/bench/bench_box.hpp"

namespace tetrawave::app {

/// A = K - k^2 M of mixed-1 on a box of metal with a loss tangent of .02 and 12.6 cubes a wavelength; of double K + k^2
/// M, positive definite.
template <class T>
class BenchSystem {
 public:
  BenchSystem(std::int64_t elements, int threads) : box_(elements, Ordering::blocks, threads) {
    std::vector<fem::ElementFace> metal;
    for (LocalIndex e = 0; e < box_.mesh().element_count(); ++e)
      for (std::uint8_t f = 0; f < 4; ++f)
        if (box_.mesh().boundary[static_cast<std::size_t>(e)][f] >= 0) metal.emplace_back(e, f);
    space_ = fem::number_unknowns(Space::mixed_1, box_.mesh().vertices, metal);
    assembly_.emplace(space_, box_.mesh(), std::span<const fem::ElementFace>(), AssemblyMethod::by_dof, threads);
    constexpr double cubes_of_wavelength = 12.6;
    const double cubes = std::cbrt(static_cast<double>(box_.elements()) / 6);
    const double k = 2 * pi * cubes / cubes_of_wavelength;
    T mass = k * k;
    if constexpr (!std::is_same_v<T, double>) mass = -k * k * T(1, -0.02);
    const std::vector<fem::EdgeCoefficients<T>> coefficients{{{1, 1, 1}, {mass, mass, mass}}};
    const std::vector<std::int32_t> kind(box_.mesh().corners.size(), 0);
    Stopwatch watch;
    assembly_->template assemble<T>(coefficients, kind, {}, matrix_);
    seconds_assembly_ = watch.lap();
  }

  [[nodiscard]] const fem::CsrPattern& pattern() const { return assembly_->pattern(); }
  [[nodiscard]] const fem::CsrMatrix<T>& matrix() const { return matrix_; }
  [[nodiscard]] double seconds_assembly() const { return seconds_assembly_; }
  [[nodiscard]] std::int64_t elements() const { return box_.elements(); }

  /// Random numbers.
  [[nodiscard]] std::vector<T> side(unsigned seed = 1) const {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    std::vector<T> b(static_cast<std::size_t>(pattern().rows()));
    for (T& value : b) {
      if constexpr (std::is_same_v<T, double>)
        value = normal(engine);
      else
        value = {normal(engine), normal(engine)};
    }
    return b;
  }

 private:
  modes::BenchBox box_;
  fem::EdgeSpace space_;
  std::optional<fem::EdgeAssembly> assembly_;
  fem::CsrMatrix<T> matrix_;
  double seconds_assembly_ = 0;
};

}  // namespace tetrawave::app

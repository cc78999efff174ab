// Steps in time of a linear system whose matrices and vectors stay on a device (mode fetd).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "fem/sparse/csr_matrix.hpp"

namespace tetrawave::fem {

/// Solutions of earlier steps of which an iteration's first guess is made, and numbers of each, the latest first.
inline constexpr int earlier_solutions = 4;
using EarlierNumbers = std::array<double, earlier_solutions>;

/// side = M e + G z + what the host adds,   e+ = 2 mid - e,   h+ = keep h - C mid,   h the first numbers of z.
struct StepMatrices {
  const CsrMatrix<double>* system = nullptr;     ///< A, of the pattern of M, where an iteration solves; else null
  const CsrMatrix<double>* mass = nullptr;       ///< it and A may be on the device, and then outlive the steps
  const CsrMatrix<double>* moments = nullptr;    ///< G
  const CsrMatrix<double>* curls = nullptr;      ///< C
  const std::vector<double>* keep = nullptr;     ///< empty: 1
  const std::vector<double>* squares = nullptr;  ///< weights of h^2 in the energy
  std::size_t numbers = 0;                       ///< of z
  /// What the host sees of a step: the places of `side` to which it adds, those of `mid` that it reads, those of e and
  /// z that it reads after the step.
  std::vector<std::int32_t> side_places, mid_places, electric_places, number_places;
  std::vector<const std::vector<double>*> responses;  ///< vectors that are added to mid
};

/// Vectors of the host are whole, and current in the places above.
class ResidentStep {
 public:
  virtual ~ResidentStep() = default;
  virtual void put_fields(const std::vector<double>& electric, const std::vector<double>& numbers) = 0;
  virtual void take_fields(std::vector<double>& electric, std::vector<double>& numbers) = 0;
  /// Solutions x of earlier steps, the latest first; at first zero.
  virtual void put_earlier(const std::vector<std::vector<double>>& x) = 0;
  virtual void take_earlier(std::vector<std::vector<double>>& x) = 0;
  /// mid becomes the latest.
  virtual void keep_mid() = 0;
  /// (x, A x_which) and (x, side) of each.
  [[nodiscard]] virtual EarlierNumbers multiply_earlier(int which) = 0;
  [[nodiscard]] virtual EarlierNumbers multiply_side() = 0;
  /// mid = sum factor x
  virtual void combine_earlier(const EarlierNumbers& factors) = 0;
  /// e . M e, sum of weighted squares of h
  [[nodiscard]] virtual std::array<double, 2> energies() = 0;
  /// With the numbers of z behind h as they are on the host.
  virtual void find_side(const std::vector<double>& added, const std::vector<double>& numbers) = 0;
  /// On the device, for a solver there; work on them is finished.
  [[nodiscard]] virtual const double* side() = 0;
  [[nodiscard]] virtual double* mid() = 0;
  virtual void read_mid(std::vector<double>& mid) = 0;
  virtual void add_response(std::size_t which, double factor) = 0;
  virtual void advance(std::vector<double>& electric, std::vector<double>& numbers) = 0;
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

}  // namespace tetrawave::fem

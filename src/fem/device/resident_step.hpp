// Steps in time of a linear system whose matrices and vectors stay on a device (mode fetd).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fem/sparse/csr_matrix.hpp"

namespace tetrawave::fem {

/// side = M e + G z + what the host adds,   e+ = 2 mid - e,   h+ = keep h - C mid,   h the first numbers of z.
struct StepMatrices {
  const CsrMatrix<double>* mass = nullptr;
  const CsrMatrix<double>* moments = nullptr;  ///< G
  const CsrMatrix<double>* curls = nullptr;    ///< C
  const std::vector<double>* keep = nullptr;   ///< empty: 1
  std::size_t numbers = 0;                     ///< of z
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
  virtual void put_mid(const std::vector<double>& mid) = 0;
  virtual void take_mid(std::vector<double>& mid) = 0;
  /// mid = 2 e - mid: the first guess of an iteration.
  virtual void look_ahead() = 0;
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

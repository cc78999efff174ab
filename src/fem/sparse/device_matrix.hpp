// A sparse matrix on a device, and columns of vectors beside it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fem/sparse/csr_matrix.hpp"

namespace tetrawave::fem {

/// Right-hand sides on a device, column after column, with room for their solutions, and what refines them there. All
/// work is finished when a call returns.
template <class T>
struct ResidentColumns {
  std::int32_t count = 0;
  const T* sides = nullptr;
  T *solutions = nullptr, *residuals = nullptr, *corrections = nullptr;
  std::function<std::vector<double>()> find_residuals;  ///< b - A x; ||b - A x|| / ||b|| of each, 0 for b = 0
  std::function<void()> correct;                        ///< adds the corrections to the solutions
};

/// T: double or Complex. Work is finished when a call returns.
template <class T>
class DeviceMatrix {
 public:
  virtual ~DeviceMatrix() = default;
  /// Places on the device, as in CsrPattern and CsrMatrix.
  [[nodiscard]] virtual const std::int64_t* first() const = 0;
  [[nodiscard]] virtual const std::int32_t* column() const = 0;
  [[nodiscard]] virtual const T* values() const = 0;
  /// Copies the values to the host.
  virtual void read(UnsetVector<T>& values) = 0;
  /// Columns of these vectors, until the next call. `solutions`: as many, to find their residuals; without them there
  /// is room for corrections.
  virtual const ResidentColumns<T>& put(std::span<const std::vector<T>> sides,
                                        std::span<const std::vector<T>> solutions) = 0;
  /// The solutions of all columns, each a vector of as many numbers as there are rows.
  virtual void take(std::span<std::vector<T>> solutions) = 0;
};

/// Brings values that are on a device to the host.
template <class T>
void bring_to_host(CsrMatrix<T>& matrix) {
  if (matrix.on_device == nullptr) return;
  matrix.on_device->read(matrix.values);
  matrix.on_device = nullptr;
}

}  // namespace tetrawave::fem

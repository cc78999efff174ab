// Assembly of edge elements on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "fem/edge/edge_element.hpp"
#include "fem/edge/edge_space.hpp"
#include "fem/edge/element_shapes.hpp"
#include "fem/sparse/device_matrix.hpp"
#include "fem/sparse/solver_options.hpp"

namespace tetrawave::fem {

struct AssemblyFigures {
  double seconds_input = 0;     ///< of lists of elements, walls included, and their copies to a device
  double seconds_pattern = 0;   ///< of contributions to rows, sorted, and columns
  std::int64_t bytes = 0;       ///< now; of a device all that it has, values included
  std::int64_t most_bytes = 0;  ///< so far
};

namespace device {
struct ElementTables;
struct WallLists;
}  // namespace device

/// Assembles matrices of one pattern repeatedly on a device. As EdgeAssembly.
class DeviceAssembly {
 public:
  virtual ~DeviceAssembly() = default;
  /// Copied from the device.
  [[nodiscard]] virtual CsrPattern read_pattern() = 0;
  /// `kind`: per element, the index of its coefficients.
  virtual void set_kinds(std::span<const std::int32_t> kind) = 0;
  /// `factors`: one per wall [1/m]. Finished on return; the next matrix of these numbers takes its place.
  virtual DeviceMatrix<double>& assemble(std::span<const EdgeCoefficients<double>> coefficients,
                                         std::span<const double> factors) = 0;
  virtual DeviceMatrix<Complex>& assemble(std::span<const EdgeCoefficients<Complex>> coefficients,
                                          std::span<const Complex> factors) = 0;
  /// The last real matrix, whose place the next one does not take. This must outlive it.
  [[nodiscard]] virtual std::unique_ptr<DeviceMatrix<double>> take_real() = 0;
  /// Takes the memory of complex matrices before the first of them.
  virtual void reserve_complex() = 0;
  /// Gives back memory that the next assembly takes again.
  virtual void release() = 0;
  /// On the host.
  [[nodiscard]] virtual const device::WallLists& walls() const = 0;
  [[nodiscard]] virtual const device::ElementTables& tables() const = 0;
  [[nodiscard]] virtual const AssemblyFigures& figures() const = 0;
};

/// A device that assembles in place of the host's cores.
class AssemblyDevice {
 public:
  virtual ~AssemblyDevice() = default;
  /// As the constructor of EdgeAssembly; its arguments are copied.
  [[nodiscard]] virtual std::unique_ptr<DeviceAssembly> make(const EdgeSpace& space, const ElementShapes& shapes,
                                                             std::span<const ElementFace> walls,
                                                             AssemblyMethod method) const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
};

}  // namespace tetrawave::fem

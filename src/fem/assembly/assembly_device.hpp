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

/// Assembles matrices of one pattern repeatedly on a device; T: double or Complex. As EdgeAssembly.
template <class T>
class DeviceAssembly {
 public:
  virtual ~DeviceAssembly() = default;
  /// Copied from the device, for tests: its rows and columns are those of the host, in whose order the values are.
  [[nodiscard]] virtual CsrPattern read_pattern() = 0;
  /// `kind`: per element, the index of its coefficients.
  virtual void set_kinds(std::span<const std::int32_t> kind) = 0;
  /// `factors`: one per wall [1/m]. Finished on return.
  virtual void assemble(std::span<const EdgeCoefficients<T>> coefficients, std::span<const T> factors) = 0;
  /// What was assembled last, where it is.
  [[nodiscard]] virtual DeviceMatrix<T>& matrix() = 0;
  /// Gives back memory that the next assembly takes again.
  virtual void release() = 0;
  [[nodiscard]] virtual const AssemblyFigures& figures() const = 0;
};

/// A device that assembles in place of the host's cores.
class AssemblyDevice {
 public:
  virtual ~AssemblyDevice() = default;
  /// As the constructor of EdgeAssembly; its arguments are copied.
  [[nodiscard]] virtual std::unique_ptr<DeviceAssembly<double>> make_real(const EdgeSpace& space,
                                                                          const ElementShapes& shapes,
                                                                          std::span<const ElementFace> walls,
                                                                          AssemblyMethod method) const = 0;
  [[nodiscard]] virtual std::unique_ptr<DeviceAssembly<Complex>> make_complex(const EdgeSpace& space,
                                                                              const ElementShapes& shapes,
                                                                              std::span<const ElementFace> walls,
                                                                              AssemblyMethod method) const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
};

}  // namespace tetrawave::fem

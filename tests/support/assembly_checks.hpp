// Assembly of edge elements on a device against that of the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "catch.hpp"
#include "fem/assembly/edge_assembly.hpp"
#include "unit/fem/assembly/assembly_problem.hpp"

namespace tetrawave_tests {

template <class T>
struct Media {
  std::vector<EdgeCoefficients<T>> coefficients;
  std::vector<std::int32_t> kind;
  std::vector<T> factors;

  void assemble(const EdgeAssembly& assembly, CsrMatrix<T>& matrix) const {
    assembly.assemble<T>(coefficients, kind, factors, matrix);
  }
};

/// max |a - b| / max |b|
template <class T>
[[nodiscard]] double largest_difference(const UnsetVector<T>& a, const UnsetVector<T>& b) {
  REQUIRE(a.size() == b.size());
  double difference = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    difference = std::max(difference, std::abs(a[k] - b[k]));
    size = std::max(size, std::abs(b[k]));
  }
  return difference / size;
}

/// Products and sums of a GPU are rounded once where those of the host are rounded twice: the same bits are expected
/// from one GPU to the next, not from CPU to GPU.
template <class T>
void compare(const AssemblyDevice& device, const EdgeSpace& space, const ElementShapes& shapes,
             const std::vector<ElementFace>& walls, const Media<T>& media) {
  INFO(name_of(space.space));
  const EdgeAssembly on_host(space, shapes, walls, AssemblyMethod::by_row, 2);
  CsrMatrix<T> expected;
  media.assemble(on_host, expected);
  for (const AssemblyMethod method : methods) {
    INFO(name_of(method));
    const EdgeAssembly on_device(space, shapes, walls, method, 2, &device);
    const CsrPattern& pattern = on_device.pattern();
    CHECK(pattern.first == on_host.pattern().first);
    CHECK(pattern.column == on_host.pattern().column);
    CHECK(pattern.group == on_host.pattern().group);
    double apart = 0;
    for (std::size_t r = 0; r < pattern.positions.size(); ++r)
      for (std::size_t x = 0; x < 3; ++x)
        apart = std::max(apart, std::abs(pattern.positions[r][x] - on_host.pattern().positions[r][x]));
    CHECK(apart < 1e-14);
    const Media<T> others{std::vector<EdgeCoefficients<T>>(media.coefficients.size(), {{1, 2, 3}, {4, 5, 6}}),
                          media.kind, std::vector<T>(walls.size(), 1.)};
    CsrMatrix<T> found, again, kept;
    others.assemble(on_device, found);  // nothing of it may stay
    media.assemble(on_device, found);
    bring_to_host(found);
    CHECK(largest_difference(found.values, expected.values) < 1e-13);
    media.assemble(on_device, kept);
    const auto own = on_device.take_real();
    REQUIRE((own != nullptr) == std::is_same_v<T, double>);
    if (own) others.assemble(on_device, again);  // elsewhere
    bring_to_host(kept);
    if (method == AssemblyMethod::atomic)
      CHECK(largest_difference(kept.values, found.values) < 1e-13);
    else
      CHECK(kept.values == found.values);
    CHECK(on_device.figures().bytes > 0);
    CHECK(on_device.figures().most_bytes >= on_device.figures().bytes);
  }
}

}  // namespace tetrawave_tests

// What the assembly of edge elements needs of a GPU beside what iterations need (fem/assembly/assembly_on.hpp). Free of
// CUDA's own headers.
#pragma once

#include <cstdint>

#include "cuda/iteration/iteration_backend.hpp"
#include "cuda/scan.hpp"

namespace tetrawave::cuda {

class AssemblyBackend : public IterationBackend {
 public:
  AssemblyBackend(int device, int threads) : IterationBackend(device, threads, Transport::automatic) {}

  template <class V>
  using Input = Buffer<V>;

  template <class V>
  void clear(V* values, std::size_t count) {
    stream().queue_clear(values, count * sizeof(V));
  }
  void scan(const std::int32_t* counts, std::int64_t* starts, std::int32_t count) {
    cuda::scan(*this, counts, starts, count);
  }
  template <class V>
  [[nodiscard]] V value_at(const V* place) {
    V value{};
    stream().to_host(&value, place, sizeof value);
    return value;
  }
};

}  // namespace tetrawave::cuda

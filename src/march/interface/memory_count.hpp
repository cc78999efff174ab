// What a backend counts of its memory, and the layouts of those that can be counted.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tetrawave::march {

/// Memory layout of a backend.
struct BackendTraits {
  int lanes_double = 8;
  int lanes_single = 16;
  bool on_host = true;  ///< device memory is host memory
};

/// Bytes so far. Peaks and sums may be reset between phases of a run.
struct MemoryCount {
  std::int64_t now = 0;
  std::int64_t peak = 0;
  std::int64_t uploaded = 0;        ///< sum over all uploads
  std::int64_t largest_upload = 0;  ///< the host holds it at least once
  void add(std::int64_t bytes) {
    now += bytes;
    peak = std::max(peak, now);
  }
  void upload(std::int64_t bytes) {
    uploaded += bytes;
    largest_upload = std::max(largest_upload, bytes);
  }
};

}  // namespace tetrawave::march

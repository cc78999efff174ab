#include "results/request/request.hpp"

#include <algorithm>

namespace tetrawave {

std::vector<double> even_frequencies(double start_hz, double stop_hz, std::int64_t points) {
  std::vector<double> frequencies;
  for (std::int64_t k = 0; k < points; ++k) {
    // Multiplied before dividing: 1.8 GHz stays an integer number of hertz. The last is `stop` itself.
    const auto intervals = static_cast<double>(std::max<std::int64_t>(points - 1, 1));
    frequencies.push_back(
        k > 0 && k == points - 1 ? stop_hz : start_hz + (stop_hz - start_hz) * static_cast<double>(k) / intervals);
  }
  return frequencies;
}

}  // namespace tetrawave

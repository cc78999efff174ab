// Tables of the waves at ports for look-up in kernels.
#pragma once

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "march/interface/engine.hpp"

namespace tetrawave::march {

/// The steps of a run whose waves are in a table.
struct WaveSteps {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t last = 0;  ///< of the run; beyond it there are zeros
};

/// Appends a table, `parts` numbers of every wave and step: [wave][step][part], starting with a row of zeros. `at(wave,
/// step, part)` is called on several threads.
template <class S, class At>
void append_waves(std::vector<S>& all, const std::vector<Wave>& waves, const WaveSteps& steps, std::int64_t parts,
                  int threads, const At& at) {
  const std::size_t begin = all.size(), length = static_cast<std::size_t>(steps.count * parts);
  all.resize(begin + (waves.size() + 1) * length, S(0));
  const std::size_t ranges = count_ranges(waves.size(), waves.size() * length, threads);
  for_ranges(waves.size(), ranges, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t w = first; w < last; ++w) {
      S* to = all.data() + begin + (w + 1) * length;
      for (std::int64_t n = steps.first; n < std::min(steps.first + steps.count, steps.last + 1); ++n)
        for (std::int64_t part = 0; part < parts; ++part) *to++ = static_cast<S>(at(waves[w], n, part));
    }
  });
}

}  // namespace tetrawave::march

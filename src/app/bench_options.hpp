// Options of `tetrawave bench`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace tetrawave::app {

/// Empty lists mean the default.
struct BenchOptions {
  std::vector<Scheme> schemes;
  std::vector<Space> spaces;
  std::vector<Layout> layouts;
  std::vector<Precision> precisions;
  std::vector<double> penalties;  ///< of DGTD-Central, factored
  std::vector<Ordering> orderings;
  std::vector<std::int64_t> elements;
  std::vector<std::int64_t> threads;
  std::vector<std::int64_t> faces;  ///< of S and S' in turn, with `pairs`
  double seconds = 1;               ///< measuring time of a row
  bool dissertation = false;        ///< also rows of the dissertation's mapping
  bool split = false;               ///< also rows of unfused kernels
  bool pairs = false;               ///< the sums of mode fe-iiee instead
  bool factors = false;             ///< the direct solver instead
  bool iteration = false;           ///< iterations instead
  bool assembly = false;            ///< the assembly of edge elements instead
  std::optional<std::filesystem::path> json;
};

/// The options as typed: comma lists.
struct BenchTexts {
  std::string schemes, spaces, layouts, precisions, penalties, orderings, elements, threads, faces, seconds, json;
  std::string mapping = "lane";
  bool split = false;
  bool pairs = false;
  bool factors = false;
  bool iteration = false;
  bool assembly = false;
};

/// Throws UserError (usage) for unknown names and for numbers out of range.
BenchOptions parse_bench_options(const BenchTexts& texts);

}  // namespace tetrawave::app

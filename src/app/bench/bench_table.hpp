// The benchmark's table: printed row by row, and stored as JSON.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/backend.hpp"
#include "modes/bench/bench_box.hpp"

namespace tetrawave::app {

/// A row.
struct BenchRow {
  modes::BenchMethod method;
  Ordering ordering = Ordering::blocks;
  std::int64_t elements = 0;
  int threads = 1;
  std::string kernels = "fused";  ///< fused, split, dissertation (480 threads), 512 threads
  modes::StepTime time;
  std::int64_t bytes_per_step = 0;
  std::int64_t memory_bytes = 0;                      ///< 0: not known
  double difference = 0;                              ///< from the fields of the fused kernels
  std::vector<std::pair<std::string, double>> parts;  ///< seconds of each part of a step, timed separately
};

/// Description of the copy benchmark of a backend.
[[nodiscard]] std::string copier(const std::string& backend, int threads);

class BenchTable {
 public:
  /// Measures the copy bandwidth of this rank for each number of threads and prints the header. The JSON file, if
  /// requested, is written at once and after every row. `ranks`: number of ranks that run together, each assumed to
  /// copy as fast as this one. Throws UserError (io).
  BenchTable(const ChosenBackend& backend, const std::vector<int>& threads,
             const std::optional<std::filesystem::path>& json, int ranks, const std::filesystem::path& case_file);
  void add(const BenchRow& row);

 private:
  void save() const;
  void print(const BenchRow& row) const;
  [[nodiscard]] double rate(const BenchRow& row) const;   ///< dof-updates per second
  [[nodiscard]] double share(const BenchRow& row) const;  ///< fraction of the copy bandwidth

  std::optional<std::filesystem::path> file_;
  int ranks_;
  std::map<int, double> copy_;  ///< bytes per second of all ranks, per number of threads
  nlohmann::ordered_json json_;
};

}  // namespace tetrawave::app

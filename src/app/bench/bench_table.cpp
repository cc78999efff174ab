#include "app/bench/bench_table.hpp"

#include <cstdio>

#include "app/version.hpp"
#include "base/names.hpp"
#include "basis/reference_element.hpp"
#include "results/results.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::app {

namespace {

constexpr const char* header_format = "%-12s %-8s %-9s %-9s %-7s %-12s %9s %3s %10s %18s %12s %9s\n";
constexpr const char* row_format = "%-12s %-8s %-9s %-9s %-7s %-12s %9lld %3d %10.5f %18.3f %12lld %7.1f %%\n";

}  // namespace

std::string copier(const std::string& backend, int threads) {
  if (backend == "cuda") return "on the GPU";
  return threads == 1 ? "with 1 CPU thread" : tetrawave::format("with {} CPU threads", threads);
}

BenchTable::BenchTable(const ChosenBackend& backend, const std::vector<int>& threads,
                       const std::optional<std::filesystem::path>& json, int ranks,
                       const std::filesystem::path& case_file)
    : file_(json), ranks_(ranks) {
  json_["program"] = "tetrawave " + version_text();
  json_["revision"] = git_revision();
  json_["date"] = results::time_stamp();
  json_["machine"] = backend.name + ": " + backend.device;
  if (!case_file.empty()) json_["case"] = case_file.string();
  json_["ranks"] = ranks;
  json_["transport"] = backend.transport;
  json_["rows"] = nlohmann::ordered_json::array();
  save();
  std::printf("%s: %s\n", backend.name.c_str(), backend.device.c_str());
  if (ranks > 1) std::printf("%d ranks, transport %s\n", ranks, backend.transport.c_str());
  for (const int count : threads) {
    copy_[count] = ranks * backend.measure_copy(count);
    std::printf("copy %s: %.2f GB/s%s, bytes read plus bytes written\n", copier(backend.name, count).c_str(),
                1e-9 * copy_[count], ranks > 1 ? " on all ranks" : "");
  }
  std::printf(header_format, "scheme", "space", "layout", "precision", "order", "kernels", "elements", "thr", "ms/step",
              "1e9 dof-updates/s", "bytes/step", "of copy");
  std::fflush(stdout);
}

void BenchTable::save() const {
  if (file_) store::write_text_atomically(*file_, json_.dump(1) + "\n");
}

double BenchTable::rate(const BenchRow& row) const {
  return 2.0 * static_cast<double>(basis::reference_element(row.method.space).dofs) *
         static_cast<double>(row.elements) / row.time.seconds;
}

double BenchTable::share(const BenchRow& row) const {
  return static_cast<double>(row.bytes_per_step) / row.time.seconds / copy_.at(row.threads);
}

void BenchTable::print(const BenchRow& row) const {
  std::printf(row_format, name_of(row.method.scheme).c_str(), name_of(row.method.space).c_str(),
              name_of(row.method.layout).c_str(), name_of(row.method.precision).c_str(), name_of(row.ordering).c_str(),
              row.kernels.c_str(), static_cast<long long>(row.elements), row.threads, 1e3 * row.time.seconds,
              1e-9 * rate(row), static_cast<long long>(row.bytes_per_step), 100 * share(row));
  if (!row.parts.empty()) {
    std::printf("  each alone:");
    for (const auto& [part, seconds] : row.parts) std::printf(" %s %.5f ms,", part.c_str(), 1e3 * seconds);
    std::printf(" fields as fused to %.1g\n", row.difference);
  }
  if (ranks_ > 1)
    std::printf("  of a step, traces of other ranks: %.5f ms exposed, %.5f ms hidden\n", 1e3 * row.time.exposed,
                1e3 * row.time.hidden);
  std::fflush(stdout);
}

void BenchTable::add(const BenchRow& row) {
  print(row);
  nlohmann::ordered_json json{{"scheme", name_of(row.method.scheme)},
                              {"basis", name_of(row.method.space)},
                              {"layout", name_of(row.method.layout)},
                              {"precision", name_of(row.method.precision)},
                              {"ordering", name_of(row.ordering)},
                              {"kernels", row.kernels},
                              {"elements", row.elements},
                              {"threads", row.threads},
                              {"seconds_per_step", row.time.seconds},
                              {"fastest_batch", row.time.fastest},
                              {"slowest_batch", row.time.slowest},
                              {"steps", row.time.steps},
                              {"dof_updates_per_second", rate(row)},
                              {"bytes_per_step", row.bytes_per_step},
                              {"copy_bytes_per_second", copy_.at(row.threads)},
                              {"share_of_copy", share(row)}};
  if (ranks_ > 1) {
    json["exchange_exposed_seconds"] = row.time.exposed;
    json["exchange_hidden_seconds"] = row.time.hidden;
  }
  if (row.memory_bytes > 0) json["device_memory_bytes"] = row.memory_bytes;
  for (const auto& [part, seconds] : row.parts) json["parts"][part] = seconds;
  if (!row.parts.empty()) json["difference"] = row.difference;
  json_["rows"].push_back(json);
  save();
}

}  // namespace tetrawave::app

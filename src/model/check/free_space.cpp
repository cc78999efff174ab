#include "model/check/free_space.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "base/text/format.hpp"

namespace tetrawave::modes {

namespace {

namespace fs = std::filesystem;

std::string bytes_text(double bytes) { return describe_bytes(static_cast<std::int64_t>(std::min(bytes, 9e18))); }

}  // namespace

std::vector<std::string> find_shortages(double file_bytes, double result_memory_bytes, const fs::path& folder) {
  std::vector<std::string> warnings;
  std::error_code unknown;
  fs::path place = folder.empty() ? fs::current_path(unknown) : fs::absolute(folder, unknown);
  while (!fs::exists(place, unknown) && place.has_relative_path()) place = place.parent_path();
  const fs::space_info disk = fs::space(place, unknown);
  if (!unknown && file_bytes > static_cast<double>(disk.available))
    warnings.push_back(tetrawave::format("a run writes about {}, and {} are free on the disk of {}",
                                         bytes_text(file_bytes), bytes_text(static_cast<double>(disk.available)),
                                         folder.empty() ? "the working directory" : "'" + folder.string() + "'"));
  const auto memory = available_bytes();
  if (memory && result_memory_bytes > static_cast<double>(*memory))
    warnings.push_back(tetrawave::format("rank 0 needs about {} of memory to write results, and {} are free",
                                         bytes_text(result_memory_bytes), describe_bytes(*memory)));
  return warnings;
}

double total_bytes(const DiskSpace& disk) {
  return static_cast<double>(disk.histories) + static_cast<double>(disk.results) + static_cast<double>(disk.fields) +
         static_cast<double>(disk.checkpoints);
}

}  // namespace tetrawave::modes

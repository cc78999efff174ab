#include "base/error.hpp"
#include "base/memory.hpp"
#include "engines/memory/memory_plan.hpp"

namespace tetrawave::march {

void check_memory(const DevicePlan& plan, const ProblemCounts& counts, Precision precision, std::int64_t free,
                  const std::string& device) {
  if (plan.peak() <= free) return;
  std::string parts;
  if (plan.matrices > 0)
    parts += tetrawave::format(", {} for the matrices of layout: stored", describe_bytes(plan.matrices));
  if (plan.peak() > plan.march())
    parts += tetrawave::format(", {} only during set-up", describe_bytes(plan.peak() - plan.march()));
  fail(ExitCode::out_of_memory,
       "the {} elements of a rank need {}{}, but {} are free on {}: use more ranks{}{} or a coarser mesh",
       counts.elements(), describe_bytes(plan.peak()), parts.empty() ? "" : " (" + parts.substr(2) + ")",
       describe_bytes(free), device, plan.matrices > 0 ? ", method.layout: factored" : "",
       precision == Precision::double_precision ? ", method.precision: single" : "");
}

}  // namespace tetrawave::march

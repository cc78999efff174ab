#include "app/check/implicit.hpp"

#include "app/standard_output.hpp"
#include "base/memory.hpp"
#include "model/check/result_sizes.hpp"

namespace tetrawave::app {

namespace {

using Json = nlohmann::ordered_json;

std::int64_t results_memory(const CheckReport& report) {
  return static_cast<std::int64_t>(modes::size_of_results(report.given, modes::marches_of(report.given), 0).memory);
}

Json to_json(const CheckReport& report, const march::ImplicitFigures& figures, std::int64_t memory_bytes) {
  Json json = fields_to_json(report);
  json["unknowns"] = figures.unknowns;
  json["nonzeros"] = figures.nonzeros;
  json["solver"] = {{"method", name_of(report.given.solver.method)},
                    {"seconds_assembly", figures.seconds_assembly},
                    {"seconds_preprocess", figures.seconds_preprocess},
                    {"solver_bytes", figures.solver_bytes},
                    {"step_bytes", figures.step_bytes}};
  json["newmark_beta"] = report.given.newmark_beta;
  json["explicit_step_s"] = report.setup->stable_step_s;
  json["time_step_s"] = report.setup->dt_s;
  json["steps"] = report.setup->steps;
  if (report.check.steps_per_period > 0) json["steps_per_period"] = report.check.steps_per_period;
  json["memory_bytes_per_rank"] = memory_bytes;
  json["results_memory_bytes"] = results_memory(report);
  add_run(json, report);
  return json;
}

std::string to_text(const CheckReport& report, const march::ImplicitFigures& figures, std::int64_t memory_bytes) {
  std::string text = fields_to_text(report);
  text += tetrawave::format("time: {} steps of {} to {}, Newmark's beta {:g}\n", with_commas(report.setup->steps),
                            with_prefix(report.setup->dt_s, "s"),
                            with_prefix(report.setup->dt_s * static_cast<double>(report.setup->steps), "s"),
                            report.given.newmark_beta);
  text += tetrawave::format("  explicit step  {} at most, of elements by themselves\n",
                            with_prefix(report.setup->stable_step_s, "s"));
  if (report.check.steps_per_period > 0)
    text += tetrawave::format("  resolution     {:.4g} steps per period of {}\n", report.check.steps_per_period,
                              with_prefix(report.check.highest.hz, "Hz"));
  text += tetrawave::format("  system         {} non-zeros, {}, {:.3g} s for its {}\n", with_commas(figures.nonzeros),
                            name_of(report.given.solver.method), figures.seconds_preprocess,
                            report.given.solver.method == SolverMethod::direct ? "factors" : "preconditioner");
  text += tetrawave::format("  memory         {} per rank, {} of it for the solver, {} for other matrices of a step\n",
                            describe_bytes(memory_bytes), describe_bytes(figures.solver_bytes),
                            describe_bytes(figures.step_bytes));
  text += tetrawave::format("  run time       about {:.3g} s on {}\n",
                            report.step_seconds * static_cast<double>(report.setup->steps), report.device);
  text += tetrawave::format(
      "disk: {} of histories and results, {} of fields, {} of checkpoints, if they are "
      "written; rank 0 needs {} of memory to write results\n",
      describe_bytes(report.disk.histories + report.disk.results), describe_bytes(report.disk.fields),
      describe_bytes(report.disk.checkpoints), describe_bytes(results_memory(report)));
  return text + warnings_to_text(report);
}

}  // namespace

std::string check_implicit(CheckReport report, bool as_json, const comm::Communicator& ranks) {
  const march::ImplicitFigures figures = *report.setup->engine->implicit_figures();
  report.unknowns = figures.unknowns;
  const std::int64_t memory_bytes = ranks.max(peak_resident_bytes());
  if (as_json) return json_text(to_json(report, figures, memory_bytes));
  return to_text(report, figures, memory_bytes);
}

}  // namespace tetrawave::app

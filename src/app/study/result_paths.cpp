#include "app/study/result_paths.hpp"

#include <cmath>
#include <initializer_list>

#include "modes/frequency_domain/frequency_domain.hpp"
#include "results/results.hpp"

namespace tetrawave::app {

namespace {

using Names = std::initializer_list<const char*>;

class Paths {
 public:
  explicit Paths(const Case& given)
      : given_(given),
        harmonic_(is_harmonic(given.mode)),
        one_(harmonic_ && modes::wanted_frequencies(given).all_hz.size() == 1) {}

  std::vector<std::string> list() {
    add("", {"ranks", "threads", "elements", "dofs", "complete", "converged"});
    add("/performance", {"setup_seconds", "host_memory_bytes"});
    if (harmonic_)
      add_solutions();
    else
      add_march();
    if (modes::wanted_frequencies(given_).s_parameters_hz.size() == 1) add("/s_parameters", {"frequency"});
    if (given_.outputs.rational_model)
      add("/rational_model", {"error", "rms_error", "passive", "passivity_change", "largest_singular_value",
                              "largest_singular_value_as_fitted", "tolerance"});
    add_group("");
    if (given_.outputs.s_parameters && given_.outputs.s_parameters->drive_each)
      for (const PortDescription& port : given_.ports)
        if (port.excite) add_group("/excitations/" + port.name);
    return std::move(paths_);
  }

 private:
  void add(const std::string& group, Names names) {
    for (const char* name : names) paths_.push_back(group + "/" + name);
  }

  void add_march() {
    const std::string group = "/performance";
    add("", {"time_step", "steps", "steps_done"});
    add(group, {"faces_in_block",
                "faces_in_part",
                "march_seconds",
                "steps_per_second",
                "dof_updates_per_second",
                "smallest_time_step",
                "classes",
                "ideal_gain",
                "predicted_gain",
                "measured_gain",
                "single_time_step",
                "single_step_seconds",
                "seconds_update",
                "seconds_communication",
                "seconds_communication_hidden",
                "seconds_output",
                "mean_nonlinear_iterations",
                "most_nonlinear_iterations",
                "largest_eps_r",
                "bytes_per_step",
                "device_memory_bytes"});
    std::vector<const char*> spreads(results::share_seconds.begin(), results::share_seconds.end());
    for (const char* part : spreads) paths_.push_back(group + "/" + part);
    spreads.insert(spreads.end(), {"elements_per_rank", "border_elements_per_rank", "shared_faces_per_rank",
                                   "peers_per_rank", "seconds_communication", "seconds_communication_hidden"});
    for (const char* spread : spreads)
      for (const char* of : {"_min", "_mean", "_max"}) paths_.push_back(group + "/" + spread + of);
    if (given_.mode == Mode::fetd)
      add(group, {"unknowns", "nonzeros", "mean_solver_iterations", "seconds_assembly", "seconds_preprocess",
                  "seconds_solve", "seconds_right_hand_side", "seconds_fields", "solver_bytes", "step_bytes"});
  }

  void add_solutions() {
    const std::string group = "/frequency_domain";
    add("/performance", {"solve_seconds"});
    if (given_.mode == Mode::eigenmode) return add_resonances();
    if (!given_.planar) {
      add("/performance",
          {"seconds_solver", "seconds_surface", "seconds_systems", "seconds_readings", "seconds_radiation"});
    }
    add(group, {"seconds_assembly", "seconds_preprocess", "seconds_solve", "unknowns", "nonzeros",
                "assembly_device_bytes", "solver_bytes"});
    if (one_) add(group, {"frequency", "iterations", "residual"});
    if (given_.mode != Mode::fe_iiee) return;
    add("/iiee", {"tolerance", "last_error", "seconds_iiee", "seconds_sums", "seconds_solve", "pairs_per_second"});
    if (one_) add("/iiee", {"error", "iterations", "converged"});
  }

  void add_resonances() {
    const std::string group = "/eigenmodes";
    add(group, {"unknowns", "nonzeros", "solutions", "vectors", "solver_bytes", "counted", "found_within"});
    for (std::int64_t k = 0; k < given_.eigenmode.count; ++k)
      for (const char* name : {"frequency_", "q_"}) paths_.push_back(group + "/" + name + std::to_string(k));
  }

  /// Results of an excitation of the time domain, or of a right-hand side.
  void add_group(const std::string& prefix) {
    if (!prefix.empty()) add(prefix, {"steps_done"});
    for (const PortDescription& port : given_.ports) {
      const std::string group = prefix + "/ports/" + port.name;
      add(group, {"impedance", "refractive_index", "cutoff"});
      if (one_) add(group, {"frequency"});
      add(group + "/mode", {"impedance", "eps_effective", "cutoff"});
    }
    for (const ProbePoint& probe : given_.outputs.probes)
      if (one_) add(prefix + "/probes/" + probe.name, {"frequency"});
    if (!given_.outputs.far_field) return;
    const FarFieldRequest& spec = *given_.outputs.far_field;
    for (const double hz : modes::wanted_frequencies(given_).far_field_hz) {
      const std::string group = prefix + "/far_field/" + std::to_string(std::llround(hz));
      add(group, {"frequency", "radiated_power", "surface_power", "accepted_power", "incident_power", "efficiency",
                  "lost_power", "power_balance"});
      if (spec.theta_deg.size() * spec.phi_deg.size() > 1) continue;
      add(group, {"theta", "phi", "directivity", "axial_ratio", "gain", "realised_gain"});
      add(prefix + "/rcs/" + std::to_string(std::llround(hz)), {"theta", "phi", "sigma"});
    }
  }

  const Case& given_;
  bool harmonic_;
  bool one_;  ///< if a single frequency is solved
  std::vector<std::string> paths_;
};

}  // namespace

std::vector<std::string> list_result_paths(const Case& given) { return Paths(given).list(); }

}  // namespace tetrawave::app

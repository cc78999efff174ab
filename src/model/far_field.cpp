#include "model/far_field.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text/suggest.hpp"
#include "host/sums.hpp"
#include "results/far_field/faces_beyond.hpp"

namespace tetrawave::modes {

namespace {

using Complex = std::complex<double>;
using results::FarFieldResult;

/// Faces of a structure beyond the surface would not be included in the radiation.
void check_structure_is_enclosed(const Model& model, const Case& given, const std::vector<std::int32_t>& enclosed,
                                 const std::vector<bool>& absorbing, int threads, const comm::Communicator& ranks) {
  const FarFieldRequest& spec = *given.outputs.far_field;
  const bool is_total_field =
      spec.surface.empty() &&
      std::any_of(given.sources.begin(), given.sources.end(), [](const SourceDescription& source) {
        return source.type == SourceType::plane_wave && !source.regions.empty();
      });
  const bool is_named = !spec.surface.empty() || is_total_field;
  const auto beyond = results::find_faces_beyond(model.problem, spec, is_named, enclosed, absorbing, ranks, threads);
  ranks.agree([&] {
    if (!beyond) return;
    std::vector<std::string> groups;
    for (std::size_t g = 0; g < model.mesh.group_names.size(); ++g)
      if (model.boundaries.tags.of_group[g] == beyond->tag) groups.push_back(model.mesh.group_names[g]);
    const Vec3& at = beyond->centre_m;
    fail(ExitCode::bad_case,
         "{}: error: outputs.far_field: the surface does not enclose the structure: {} faces of "
         "its walls are outside, the first of boundary {} at ({:.4g}, {:.4g}, {:.4g}) m; {}",
         spec.surface_place.text, beyond->count, list_names(groups), at[0], at[1], at[2],
         is_named ? tetrawave::format("{} must hold every element that touches the structure",
                                      is_total_field ? "the total-field region" : "the regions of 'surface'")
                  : std::string("elements there touch an absorbing face or layer, too: mesh two or more layers of "
                                "elements between them, or move the absorbing face away"));
  });
}

}  // namespace

results::DirectionSummation direction_summation(int threads) {
  return {[isa = host::best_isa()](const kernels::DirectionSums& kernel, std::int64_t first, std::int64_t count) {
            host::run_sums(isa, kernel, first, count);
          },
          threads};
}

void set_up_far_field(Model& model, const Case& given, int threads, const comm::Communicator& ranks) {
  if (!given.outputs.far_field) return;
  const FarFieldRequest& spec = *given.outputs.far_field;
  std::vector<bool> absorbing;
  for (std::size_t tag = 0; tag < model.boundaries.walls.size(); ++tag)
    absorbing.push_back(tag >= given.port_tag_count() && march::is_open(model.boundaries.walls[tag]));
  std::vector<std::string> total_field;
  for (const SourceDescription& source : given.sources)
    if (source.type == SourceType::plane_wave)
      total_field.insert(total_field.end(), source.regions.begin(), source.regions.end());
  const auto enclosed = results::choose_enclosed(model.problem, spec, total_field, absorbing, ranks, threads);
  check_structure_is_enclosed(model, given, enclosed, absorbing, threads, ranks);
  model.surface = results::add_radiation_surface(model.problem, spec, enclosed, ranks, threads);
  const auto faces = ranks.sum(static_cast<std::int64_t>(model.surface->faces.size()));
  log::info("far field: {} sampled faces", faces);
  if (!model.surface->is_closed)
    log::warning(
        "far field: the surface is not closed, as it ends at walls; give outputs.far_field.ground or symmetry, or "
        "another surface");
}

void warn_of_powers(const std::vector<FarFieldResult>& results, const std::vector<double>& frequencies,
                    PowerErrors errors) {
  constexpr double limit = 0.1;
  for (std::size_t f = 0; f < results.size(); ++f) {
    const results::FarField& field = results[f].field;
    if (field.power_mismatch() <= limit) continue;
    const std::string what = tetrawave::format(
        "far field at {:.6g} Hz: the pattern radiates {:.4g} W, but {:.4g} W pass through the surface, {:.0f} % apart "
        "(limit 10 %)",
        frequencies[f], field.radiated_power, field.surface_power, 100 * field.power_mismatch());
    if (errors == PowerErrors::of_rough_waves)
      log::warning(
          "{}: dipoles excite waves that the mesh does not resolve; they pass through the surface and hardly radiate: "
          "use radiated_power, that of the pattern, or method.scheme: dgtd-upwind, which damps them (method.penalty "
          "damps them in part)",
          what);
    else
      log::warning(
          "{}, and efficiency and gain are off by as much: open walls reflect, {}; use an absorbing layer (pml), or "
          "move the walls away",
          what,
          errors == PowerErrors::of_march ? "the mesh is coarse, or the run is too short" : "or the mesh is coarse");
  }
}

std::vector<double> to_numbers(const std::vector<FarFieldResult>& results) {
  std::vector<double> numbers;
  for (const FarFieldResult& result : results) {
    numbers.insert(numbers.end(), {result.waveform_spectrum.real(), result.waveform_spectrum.imag(),
                                   result.incident_v_per_m, result.field.radiated_power, result.field.surface_power});
    for (const Complex& e : result.back) numbers.insert(numbers.end(), {e.real(), e.imag()});
    for (const auto* component : {&result.field.e_theta, &result.field.e_phi})
      for (const Complex& e : *component) numbers.insert(numbers.end(), {e.real(), e.imag()});
  }
  return numbers;
}

std::vector<FarFieldResult> from_numbers(const std::vector<double>& numbers, std::size_t count) {
  std::vector<FarFieldResult> results(count);
  const std::size_t width = count == 0 ? 0 : numbers.size() / count;
  for (std::size_t f = 0; f < count; ++f) {
    const double* row = numbers.data() + f * width;
    results[f].waveform_spectrum = {row[0], row[1]};
    results[f].incident_v_per_m = row[2];
    results[f].field.radiated_power = row[3];
    results[f].field.surface_power = row[4];
    results[f].back = {Complex(row[5], row[6]), Complex(row[7], row[8])};
    constexpr std::size_t scalars = 9;
    const std::size_t directions = (width - scalars) / 4;
    for (std::size_t d = 0; d < directions; ++d) {
      results[f].field.e_theta.emplace_back(row[scalars + 2 * d], row[scalars + 1 + 2 * d]);
      results[f].field.e_phi.emplace_back(row[scalars + 2 * (directions + d)], row[scalars + 1 + 2 * (directions + d)]);
    }
  }
  return results;
}

}  // namespace tetrawave::modes

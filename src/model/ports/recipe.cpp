#include "model/ports/recipe.hpp"

#include <cmath>
#include <string>

#include "base/constants.hpp"
#include "sources/ports/port_description.hpp"

namespace tetrawave::modes {

namespace {

results::PortRecipe::Profile profile_of(const TemMode& mode) {
  return [mode](std::size_t t, const std::array<double, 3>& l) { return mode.electric(t, l); };
}

/// Makes recipe and mode field from the kind of fields that a port has.
struct RecipeOf {
  const march::Problem& problem;
  const PortPlace& place;
  const SolvedPort& solved;
  std::int32_t tag;
  const comm::Communicator& ranks;
  MadePort& made;

  void operator()(const TemMode& mode) const {
    const double impedance = solved.medium.impedance();
    keep_mode(solved.of_mode,
              {profile_of(mode), profile_of(mode), mode.norm_squared, eta0_ohm * impedance / mode.norm_squared},
              "coaxial");
    made.recipe = made.summary.takes_one_mode
                      ? results::make_modal_recipe(problem, solved.of_mode.all, mode, 1 / impedance)
                      : results::make_tem_recipe(problem, mode, solved.medium);
    terminate_by_mode();
  }

  void operator()(const TemPort& port) const {
    const TemMode& of_current = port.is_mixed() ? port.vacuum : port.mode;
    keep_mode(solved.of_mode,
              {profile_of(port.mode), profile_of(of_current), of_current.norm_squared, port.mode.impedance_ohm}, "tem");
    if (made.summary.takes_one_mode)
      made.recipe = results::make_modal_recipe(problem, solved.of_mode.all, of_current,
                                               eta0_ohm / (port.mode.impedance_ohm * of_current.norm_squared));
    else
      made.recipe = port.is_mixed() ? results::make_mixed_recipe(problem, port)
                                    : results::make_tem_recipe(problem, port.mode, solved.of_mode.media.front());
    terminate_by_mode();
  }

  void operator()(const WaveguidePort& port) const {
    made.recipe =
        results::make_waveguide_recipe(problem, place.faces, port, solved.medium, made.summary.takes_one_mode, ranks);
    // the mode's is 1 on the whole of the rectangle, whose scales are the root of its parts
    const double norm = std::ldexp(1.0, -magnetic_planes);
    keep_mode(place.faces, {made.recipe.profile, made.recipe.profile, norm, made.summary.impedance_ohm / norm},
              "rectangular-waveguide " + name_of(port.mode));
  }

  void operator()(const LumpedFace& face) const {
    made.recipe = results::make_lumped_recipe(problem, place.faces, face.port, face.spec, tag);
    made.summary.source_share = made.recipe.source_share;
  }

  int magnetic_planes;

 private:
  void keep_mode(const results::PortFaces& faces, const results::ModeProfiles& profiles,
                 const std::string& type) const {
    const PortSummary& summary = made.summary;
    results::PortMode& mode = made.mode.emplace(results::make_port_mode(faces, profiles));
    mode.type = type;
    mode.impedance_ohm = summary.impedance_ohm;
    mode.eps_effective = summary.eps_effective;
    mode.cutoff_hz = summary.mode_cutoff_per_m > 0 ? summary.mode_cutoff_hz() : summary.second_mode_hz;
  }
  /// The wall of a line absorbs its mode, not the wave of a medium with small losses.
  void terminate_by_mode() const {
    results::PortRecipe& recipe = made.recipe;
    if (recipe.admittance.empty() && !recipe.termination && solved.of_mode.media != place.faces.media)
      recipe.admittance.assign(place.faces.all.size(), 1 / solved.of_mode.media.front().impedance());
  }
};

}  // namespace

MadePort make_port_recipe(const march::Problem& problem, const PortDescription& spec, const PortPlace& place,
                          const SolvedPort& solved, std::int32_t tag, const comm::Communicator& ranks) {
  MadePort made;
  made.summary = solved.summary;
  std::visit(RecipeOf{problem, place, solved, tag, ranks, made, spec.magnetic_planes}, solved.mode);
  made.summary.means_waves = made.recipe.termination.has_value() && made.recipe.current != 0;
  return made;
}

}  // namespace tetrawave::modes

#include "modes/fetd/fetd.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "case/spec/frequency_spec.hpp"
#include "modes/frequency_domain/frequency_domain.hpp"
#include "schemes/newmark/march.hpp"

namespace tetrawave::modes {

void make_implicit_march(TimeDomainSetup& setup, const std::vector<FoundPort>& ports, const fem::SolverMachine& machine,
                         const comm::Communicator& ranks) {
  const Case& given = setup.given;
  FetdOptions options{given.solver, given.newmark_beta, ports.size(), given.boundaries_place, {},
                      nullptr,      &setup.plane_waves};
  if (setup.surface) {
    setup.surface->has_currents = true;
    options.surface = &*setup.surface;
  }
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (given.ports[p].type == PortType::lumped) continue;       // its current follows from its source
    results::WallCurrent current{2, setup.problem.electric[p]};  // of a waveguide's mode
    if (given.ports[p].type != PortType::rectangular_waveguide) {
      current = results::make_wall_current(setup.problem, results::place_faces(ports[p].faces), ports[p].recipe);
      current.of_wave = ranks.sum(current.of_wave);  // of this rank's faces
    }
    options.currents.push_back({p, current.of_wave, std::move(current.of_field)});
  }
  auto march = std::make_unique<FetdMarch>(setup.problem, std::move(options), machine, ranks);
  const FetdFigures& figures = march->figures();
  log::info("finite elements: {} unknowns, {} non-zeros, Newmark's beta {:g}, {}", figures.unknowns, figures.nonzeros,
            given.newmark_beta, describe_solver(given.solver, machine));
  if (ranks.rank() == 0) warn_of_idle_keys(given.solver);
  setup.implicit = march.get();
  setup.engine = std::move(march);
}

void check_implicit_step(const TimeDomainSetup& setup, const Case& given) {
  if (given.newmark_beta >= 0.25) return;
  const double limit_s = setup.stable_step_s / std::sqrt(1 - 4 * given.newmark_beta);
  if (setup.dt_s > limit_s)
    fail(ExitCode::bad_case,
         "{}: error: with newmark.beta {:g} the time step {:.6g} s is above the stable limit {:.6g} s of this mesh: "
         "lower "
         "it, or leave beta at 0.25, which has none",
         given.method.step_place.text, given.newmark_beta, setup.dt_s, limit_s);
}

void add_figures(const FetdMarch& march, results::RunFigures& figures) {
  const FetdFigures& of = march.figures();
  figures.implicit = {of.unknowns,
                      of.nonzeros,
                      of.solves == 0 ? 0 : static_cast<double>(of.iterations) / static_cast<double>(of.solves),
                      of.seconds_assembly,
                      of.seconds_preprocess,
                      of.seconds_solve,
                      of.solver_bytes};
  figures.device_memory_bytes += of.solver_bytes;
}

}  // namespace tetrawave::modes

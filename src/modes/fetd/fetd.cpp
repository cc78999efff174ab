#include "modes/fetd/fetd.hpp"

#include <utility>
#include <vector>

#include "base/log.hpp"
#include "case/spec/solver_notes.hpp"
#include "march/loop/march.hpp"
#include "results/ports/ports.hpp"
#include "schemes/newmark/march.hpp"

namespace tetrawave::modes {

namespace {

/// The currents of the ports that are measured at their walls.
std::vector<FetdPortCurrent> wall_currents(const Model& model, const std::vector<FoundPort>& ports,
                                           const comm::Communicator& ranks) {
  std::vector<FetdPortCurrent> currents;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    const PortType type = model.given.ports[p].type;
    if (type == PortType::lumped || model.ports[p].takes_one_mode) continue;  // it follows from its source
    results::WallCurrent current{2, model.problem.electric[p]};               // of a waveguide's mode
    if (type != PortType::rectangular_waveguide) {
      current = results::make_wall_current(model.problem, results::place_faces(ports[p].faces), ports[p].recipe);
      current.of_wave = ranks.sum(current.of_wave);  // of this rank's faces
    }
    currents.push_back({p, current.of_wave, std::move(current.of_field)});
  }
  return currents;
}

std::unique_ptr<march::Engine> make_engine(Model& model, ModelParts& parts, const fem::SolverMachine& machine,
                                           const comm::Communicator& ranks) {
  const Case& given = model.given;
  if (model.surface) model.surface->has_currents = true;
  FetdOptions options{given.solver,
                      given.newmark_beta,
                      parts.ports.size(),
                      given.boundaries_place,
                      wall_currents(model, parts.ports, ranks),
                      model.surface ? &*model.surface : nullptr,
                      std::move(parts.plane_waves)};
  const march::Problem recorded = FetdMarch::recorded(model.problem, options.currents);
  auto march = std::make_unique<march::TimeLoop<FetdMarch>>(host::HostBackend(machine.threads), recorded, ranks,
                                                            model.problem, std::move(options), machine);
  const march::ImplicitFigures figures = *march->implicit_figures();
  log::info(
      "finite elements: {} unknowns, {} non-zeros, Newmark's beta {:g}, {}", figures.unknowns, figures.nonzeros,
      given.newmark_beta,
      describe_solver(given.solver, machine.direct_solver(),
                      ranks.size() > 1 && !fem::is_on_device(given.solver, machine) ? "" : machine.iterates_on()));
  return march;
}

}  // namespace

Stepping implicit_stepping(std::shared_ptr<const fem::FactorDevice> factors,
                           std::shared_ptr<const fem::IterationDevice> iterations,
                           std::shared_ptr<const fem::AssemblyDevice> assembly) {
  return {[factors = std::move(factors), iterations = std::move(iterations), assembly = std::move(assembly)](
              Model& model, ModelParts& parts, const comm::Communicator& ranks) {
            const int threads = march::threads_of_rank({model.given.method.precision, model.given.run.threads}, ranks);
            return make_engine(model, parts, {threads, factors, iterations, assembly}, ranks);
          },
          true};
}

}  // namespace tetrawave::modes

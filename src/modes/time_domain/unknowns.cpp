#include "modes/time_domain/unknowns.hpp"

#include "basis/reference_element.hpp"
#include "march/loop/step_classes.hpp"

namespace tetrawave::modes {

std::int64_t dofs_of(const TimeDomainSetup& setup) {
  if (const auto figures = setup.engine->implicit_figures()) return figures->unknowns;
  return 2 * static_cast<std::int64_t>(basis::reference_element(setup.given.method.basis).dofs) *
         setup.mesh.global_element_count;
}

double updates_of_step(const TimeDomainSetup& setup) {
  return static_cast<double>(dofs_of(setup)) * static_cast<double>(setup.problem.classes.substeps(0)) /
         march::gain_by_counting(setup.class_elements);
}

void add_figures(const march::ImplicitFigures& of, results::RunFigures& figures) {
  figures.implicit = {of.unknowns,
                      of.nonzeros,
                      of.solves == 0 ? 0 : static_cast<double>(of.iterations) / static_cast<double>(of.solves),
                      of.seconds_assembly,
                      of.seconds_preprocess,
                      of.seconds_solve,
                      of.seconds_side,
                      of.seconds_fields,
                      of.solver_bytes,
                      of.step_bytes};
  figures.device_memory_bytes += of.solver_bytes + of.step_bytes;
}

void add_times(const march::Engine& engine, const comm::Communicator& ranks, results::RunFigures& figures) {
  const march::ExchangeSeconds exchange = engine.exchange_seconds();
  figures.exchange_exposed = spread_of(exchange.exposed, ranks);
  figures.exchange_hidden = spread_of(exchange.hidden, ranks);
  const march::ShareSeconds actions = engine.share_seconds();
  for (std::size_t k = 0; k < actions.size(); ++k) figures.actions[k] = spread_of(actions[k], ranks);
}

}  // namespace tetrawave::modes

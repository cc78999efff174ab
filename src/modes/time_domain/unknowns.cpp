#include "modes/time_domain/unknowns.hpp"

#include "basis/reference_element.hpp"
#include "march/loop/step_classes.hpp"
#include "schemes/newmark/march.hpp"

namespace tetrawave::modes {

std::int64_t dofs_of(const Case& given, const TimeDomainSetup& setup) {
  if (setup.implicit != nullptr) return setup.implicit->figures().unknowns;
  return 2 * static_cast<std::int64_t>(basis::reference_element(given.method.basis).dofs) *
         setup.mesh.global_element_count;
}

double updates_of_step(const Case& given, const TimeDomainSetup& setup) {
  return static_cast<double>(dofs_of(given, setup)) * static_cast<double>(setup.problem.classes.substeps(0)) /
         march::gain_by_counting(setup.class_elements);
}

}  // namespace tetrawave::modes

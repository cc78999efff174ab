// The largest stable step of DFDD-ELD (theory/dfdd).
#pragma once

#include <memory>
#include <vector>

#include "schemes/dfdd/update.hpp"
#include "schemes/leap_frog/stable_step.hpp"

namespace tetrawave::march {

/// DFDD-ELD: K = sum_f D_f to the neighbours, without the dofs that walls hold at zero; the elements' own terms are
/// implicit and do not enter (theory/dfdd). c0 dt [m].
template <class Backend, class Buffer>
double find_dfdd_step(StepProblem<Backend>& work, Buffer& electric, Buffer& magnetic) {
  Backend& backend = work.backend();
  const Problem& problem = work.problem();
  const Buffer silence(backend, 1);
  const typename Backend::template Buffer<std::int64_t> first_step(backend, 1);
  auto walls = per_field(
      [&](Field field) { return put_walls<Backend, double>(backend, problem, work.system().layout(), field, 0); });
  const auto hold = [&](Field which, Buffer& field) {
    for (auto& list : walls[which]) list.trace.clear();
    hold_at_zero(backend, problem.space, walls[which], field, silence, first_step.data());
  };
  const auto make = [&](Field target) {
    const auto tables = std::make_shared<ScaledTables<Backend>>(work, target);
    return [&work, hold, tables, target](Buffer& from, Buffer& to, double keep, double amount) {
      tables->set(keep, amount);
      work.system().exchange({&from});
      work.run(kernels::DfddCoupling<double>{work.system().view(target), from.data(), to.data(), tables->decay(),
                                             tables->gain(), false});
      hold(target, to);
    };
  };
  return step_of_all_classes(work, [&] {
    return LanczosStep<Backend>(work, electric, magnetic)
        .find(make(Field::electric), make(Field::magnetic), [&](Buffer& start) { hold(Field::magnetic, start); });
  });
}

}  // namespace tetrawave::march

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
  auto on_electric = put_walls<Backend, double>(backend, problem, work.system().layout(), Field::electric, 0);
  auto on_magnetic = put_walls<Backend, double>(backend, problem, work.system().layout(), Field::magnetic, 0);
  const auto hold = [&](auto& walls, Buffer& field) {
    for (auto& list : walls) list.trace.upload(std::vector<double>(list.trace.size(), 0.0));
    hold_at_zero(backend, problem.space, walls, field, silence, first_step);
  };
  const auto make = [&](const schemes::UpdateCoefficients& c, Field target, auto& walls) {
    const auto tables = std::make_shared<ScaledTables<Backend>>(work, c.gain);
    return [&work, &walls, hold, tables, target](Buffer& from, Buffer& to, double keep, double amount) {
      tables->set(keep, amount);
      work.system().exchange({&from});
      work.run(kernels::DfddCoupling<double>{work.system().view(target), from.data(), to.data(), tables->decay(),
                                             tables->gain(), false});
      hold(walls, to);
    };
  };
  return step_of_all_classes(work, [&] {
    return LanczosStep<Backend>(work, electric, magnetic)
        .find(make(schemes::electric_inverse(problem.media), Field::electric, on_electric),
              make(schemes::magnetic_inverse(problem.media), Field::magnetic, on_magnetic),
              [&](Buffer& start) { hold(on_magnetic, start); });
  });
}

}  // namespace tetrawave::march

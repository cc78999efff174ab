// The largest stable step of DGTD-Central (theory/stable-step).
#pragma once

#include <memory>
#include <vector>

#include "schemes/central/update.hpp"
#include "schemes/leap_frog/stable_step.hpp"

namespace tetrawave::march {

/// Changes by walls in K of DGTD-Central (theory/stable-step), for one field: by walls with another admittance than
/// their medium's, and by metal, which holds dofs at zero.
template <class Backend>
class WallsOfOperator {
 public:
  using Buffer = typename StepProblem<Backend>::Buffer;
  WallsOfOperator(StepProblem<Backend>& work, Field field)
      : work_(work),
        walls_(put_walls<Backend, double>(work.backend(), work.problem(), work.system().layout(), field, 0)),
        silence_(work.backend(), 1),
        first_step_(work.backend(), 1) {}
  /// to <- to - amount M^-1 T from, T as in a time step (h has the other sign there), in two parts, as the kernel
  /// corrects a field by 1 and the integrated field by a factor; then dofs are held at zero.
  void add(Buffer& from, Buffer& to, double amount) {
    for (auto& list : walls_) {
      forget_traces(list);
      if (!list.with_other) continue;
      auto kernel = list.kernel(to, list.matrix);
      kernel.other = from.data();
      kernel.advanced = to.data();
      kernel.advance = amount - 1;
      kernel.waves = silence_.data();
      kernel.wave_length = 1;
      kernel.step = first_step_.data();
      kernels::WallCorrections<double> all;
      all.add(kernel, list.blocks);
      work_.backend().for_blocks(work_.problem().space, all, 0, all.blocks());
      forget_traces(list);
    }
    hold_at_zero(work_.backend(), work_.problem().space, walls_, to, silence_, first_step_.data());
  }

 private:
  static void forget_traces(DeviceWalls<Backend, double>& list) { list.trace.clear(); }

  StepProblem<Backend>& work_;
  WallsOnDevice<Backend, double> walls_;
  Buffer silence_;
  typename Backend::template Buffer<std::int64_t> first_step_;
};

/// DGTD-Central: K = C + sum_f D_f/2 of the lossless operator, at walls with their share of D_f. c0 dt [m].
template <class Backend, class Buffer>
double find_central_step(StepProblem<Backend>& work, Buffer& electric, Buffer& magnetic) {
  const auto make = [&](Field target, std::uint32_t mirror_code) {
    const auto tables = std::make_shared<ScaledTables<Backend>>(work, target);
    const auto walls = std::make_shared<WallsOfOperator<Backend>>(work, target);
    return [&work, tables, walls, target, mirror_code](Buffer& from, Buffer& to, double keep, double amount) {
      tables->set(keep, amount);
      work.system().exchange({&from});
      work.run(kernels::CentralUpdate<double>{work.system().view(target), from.data(), to.data(), tables->decay(),
                                              tables->gain(), mirror_code});
      walls->add(from, to, target == Field::electric ? amount : -amount);
    };
  };
  const double limit = work.problem().time_order == 4 ? std::sqrt(3.0) : 1;  // 2 sqrt 3/sigma_max
  return step_of_all_classes(work, [&] {
    return limit * LanczosStep<Backend>(work, electric, magnetic)
                       .find(make(Field::electric, kernels::mirror_code_of_magnetic),
                             make(Field::magnetic, kernels::mirror_code_of_electric), [](Buffer&) {});
  });
}

}  // namespace tetrawave::march

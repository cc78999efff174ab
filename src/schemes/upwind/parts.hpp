// What DGTD-Upwind has with and without LTS: faces, coefficients of media, and terms, a line each.
#pragma once

#include <optional>

#include "march/loop/scheme_terms.hpp"
#include "schemes/upwind/conductors.hpp"
#include "schemes/upwind/faces_on_device.hpp"
#include "schemes/upwind/held_metal.hpp"
#include "schemes/upwind/jumps.hpp"
#include "schemes/upwind/waves.hpp"
#include "terms/pml/device/on_device.hpp"
#include "terms/ports/device/modal_terminations.hpp"
#include "terms/ports/device/port_memories.hpp"
#include "terms/sources/device/device_sources.hpp"

namespace tetrawave::march {

/// `Poles`: the polarisations of one field.
template <class Backend, class S, class Poles>
class UpwindParts {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using Terms = SchemeTerms<Backend, S,                     //
                            Poles,                          //
                            LayersOnDevice<Backend, S>,     //
                            PortMemories<Backend, S>,       //
                            ModalTerminations<Backend, S>,  //
                            UpwindWaves<Backend, S>,        //
                            UpwindConductors<Backend, S>,   //
                            HeldMetal<Backend, S>,          //
                            DeviceSources<Backend, S>>;

  explicit UpwindParts(Core<Backend, S>& core) : terms(core), core_(core) {
    if (core.problem.layout == Layout::stored && !core.problem.sums_jumps) return;
    const UpwindFaces host = make_upwind_faces(core.problem, core.system.layout(), core.system.ranks());
    faces.emplace(core.backend, host);
    if (!core.problem.sums_jumps) return;
    jumps_.emplace(core.backend, core.system, faces->kinds, host);
    core.declare([this](StateRegistry& registry) { jumps_->register_state(registry); });
  }

  /// Coefficients for the step of a stage or, with LTS, the smallest one.
  void begin() {
    for (const Field field : both_fields) {
      const auto c = schemes::stage_coefficients(core_.problem.media, field == Field::electric, core_.step_of(0));
      media_[field].clear();
      media_[field].push_back(core_.table(c.gain));
      media_[field].push_back(core_.table(c.loss));
    }
    terms.start(core_.start, core_.dt());
    if (jumps_) jumps_->begin(core_.start.dt_m, core_.start.jumps_every);
  }
  void hold_metal(Buffer<S>& electric, std::optional<Part> part = {}) {
    terms.template get<HeldMetal<Backend, S>>().hold(electric, part);
  }

  [[nodiscard]] kernels::UpwindField<S> view(Field field, const Buffer<S>& from, S* to) const {
    const auto& own = media_[field];
    return {core_.system.metric(field), from.data(), to, own[0].data(), own[1].data()};
  }
  /// The coefficients of a stage (schemes/upwind/stage.hpp).
  struct Coefficients {
    double back = 0;
    double b = 1;
    bool adds = false;
  };
  /// Runs a stage: volume terms and fluxes of the fields of `view`.
  void run_stage(const kernels::UpwindField<S>& electric, const kernels::UpwindField<S>& magnetic,
                 const Coefficients& c, BlockRange range, Sweep sweep = Sweep::forwards) {
    kernels::UpwindStage<S> kernel;
    kernel.elements = core_.system.view();
    kernel.electric = electric;
    kernel.magnetic = magnetic;
    kernel.kinds = faces->kinds.data();
    kernel.coefficients = faces->coefficients.data();
    kernel.back = static_cast<S>(c.back);
    kernel.b = static_cast<S>(c.b);
    kernel.adds = c.adds;
    core_.run(kernel, range, sweep);
  }

  [[nodiscard]] bool sums_jumps(std::int64_t n) const { return jumps_->is_due(n); }
  void sum_jumps(const Buffer<S>& electric, const Buffer<S>& magnetic) {
    jumps_->add(electric, magnetic, core_.all_blocks(), core_.problem.space);
  }
  [[nodiscard]] double jump_energy() { return jumps_ ? jumps_->joules() : 0; }
  double law_energy(Field which, const Buffer<S>& values) {
    return terms.template get<Poles>()[which].energy(core_.system, values);
  }

  Terms terms;
  std::optional<UpwindFacesOnDevice<Backend, S>> faces;  ///< of the factored layout, and for the energy of jumps

 private:
  Core<Backend, S>& core_;
  PerField<std::vector<Buffer<S>>> media_;  ///< gain, loss
  std::optional<JumpEnergy<Backend, S>> jumps_;
};

}  // namespace tetrawave::march

// What acts on the fields of DGTD-Upwind besides its fluxes, with and without LTS.
#pragma once

#include <optional>
#include <utility>

#include "march/loop/scheme_terms.hpp"
#include "schemes/upwind/conductors.hpp"
#include "schemes/upwind/faces_on_device.hpp"
#include "schemes/upwind/held_metal.hpp"
#include "schemes/upwind/jumps.hpp"
#include "terms/pml/device/on_device.hpp"
#include "terms/ports/device/modal_terminations.hpp"
#include "terms/ports/device/port_memories.hpp"
#include "terms/sources/device/device_sources.hpp"

namespace tetrawave::march {

/// `Poles`: the polarisations of one field.
template <class Backend, class S, class Poles>
struct UpwindParts {
  SchemeTerms<Backend, S, Poles, LayersOnDevice<Backend, S>> terms;
  PortMemories<Backend, S> memories;
  ModalTerminations<Backend, S> terminations;
  UpwindConductors<Backend, S> conductors;
  HeldMetal<Backend, S> held;
  DeviceSources<Backend, S> sources;
  std::optional<JumpEnergy<Backend, S>> jumps;

  explicit UpwindParts(Core<Backend, S>& core)
      : terms(core),
        memories(core.backend, core.problem, core.system),
        terminations(core.backend, core.problem, core.system),
        conductors(core.backend, core.problem, core.system.layout()),
        held(core.backend, core.problem, core.system.layout()),
        sources(core.backend, core.problem, core.system.layout()) {}

  void register_state(StateRegistry& registry, const LocalMesh& mesh) {
    terms.register_state(registry);
    memories.register_state(registry);
    terminations.register_state(registry);
    conductors.register_state(registry);
    if (jumps) registry.add(jumps->state(mesh));
  }

  void begin(const Start& start, const StepSize& dt) {
    sources.begin(start);
    memories.begin(dt.dt_m);
    terminations.begin(dt.of_ports());
    conductors.begin(dt);
    if (jumps) jumps->begin(dt.dt_m, start.jumps_every);
  }

  [[nodiscard]] double jump_energy() { return jumps ? jumps->joules() : 0; }
};

}  // namespace tetrawave::march

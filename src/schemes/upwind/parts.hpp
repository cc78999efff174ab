// What acts on the fields of DGTD-Upwind besides its fluxes, with and without LTS.
#pragma once

#include <optional>
#include <utility>

#include "march/interface/engine.hpp"
#include "march/interface/per_field.hpp"
#include "schemes/upwind/conductors.hpp"
#include "schemes/upwind/faces.hpp"
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
  PerField<Poles> poles;
  PortMemories<Backend, S> memories;
  ModalTerminations<Backend, S> terminations;
  UpwindConductors<Backend, S> conductors;
  LayersOnDevice<Backend, S> layers;
  HeldMetal<Backend, S> held;
  DeviceSources<Backend, S> sources;
  std::optional<JumpEnergy<Backend, S>> jumps;

  UpwindParts(Backend& backend, const Problem& problem, ElementSystem<Backend, S>& system)
      : poles(per_field([&](Field field) { return Poles(backend, problem, system, field); })),
        memories(backend, problem, system),
        terminations(backend, problem, system),
        conductors(backend, problem, system.layout()),
        layers(backend, problem, system),
        held(backend, problem, system.layout()),
        sources(backend, problem, system.layout()) {}

  void register_state(StateRegistry& registry, const LocalMesh& mesh) {
    poles.electric.register_state(registry, "E_poles");
    poles.magnetic.register_state(registry, "H_poles");
    memories.register_state(registry);
    terminations.register_state(registry);
    conductors.register_state(registry);
    layers.register_state(registry);
    if (jumps) registry.add(jumps->state(mesh));
  }

  /// `ports_dt_m`: the step of the elements at ports.
  void begin(const Start& start, double ports_dt_m) {
    sources.begin(start);
    for (const Field field : both_fields) poles[field].begin(start.dt_m);
    memories.begin(start.dt_m);
    terminations.begin(ports_dt_m);
    conductors.begin(start.dt_m);
    layers.begin(start.dt_m);
    if (jumps) jumps->begin(start.dt_m, start.jumps_every);
  }

  [[nodiscard]] double jump_energy() { return jumps ? jumps->joules() : 0; }
};

}  // namespace tetrawave::march

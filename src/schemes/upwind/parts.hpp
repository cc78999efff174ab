// What acts on the fields of DGTD-Upwind besides its fluxes, with and without LTS.
#pragma once

#include <optional>
#include <utility>

#include "march/interface/engine.hpp"
#include "schemes/upwind/conductors.hpp"
#include "schemes/upwind/faces.hpp"
#include "schemes/upwind/held_metal.hpp"
#include "schemes/upwind/jumps.hpp"
#include "terms/pml/device/on_device.hpp"
#include "terms/ports/device/modal_terminations.hpp"
#include "terms/ports/device/port_memories.hpp"

namespace tetrawave::march {

/// `Poles`: the polarisations of one field.
template <class Backend, class S, class Poles>
struct UpwindParts {
  Poles electric_poles;
  Poles magnetic_poles;
  PortMemories<Backend, S> memories;
  ModalTerminations<Backend, S> terminations;
  UpwindConductors<Backend, S> conductors;
  LayersOnDevice<Backend, S> layers;
  HeldMetal<Backend, S> held;
  std::optional<JumpEnergy<Backend, S>> jumps;

  UpwindParts(Backend& backend, const Problem& problem, ElementSystem<Backend, S>& system)
      : electric_poles(backend, problem, system, Field::electric),
        magnetic_poles(backend, problem, system, Field::magnetic),
        memories(backend, problem, system),
        terminations(backend, problem, system),
        conductors(backend, problem, system.layout()),
        layers(backend, problem, system),
        held(backend, problem, system.layout()) {}

  Poles& poles(Field which) { return which == Field::electric ? electric_poles : magnetic_poles; }

  void register_state(StateRegistry& registry, const LocalMesh& mesh) {
    electric_poles.register_state(registry, "E_poles");
    magnetic_poles.register_state(registry, "H_poles");
    memories.register_state(registry);
    terminations.register_state(registry);
    conductors.register_state(registry);
    layers.register_state(registry);
    if (jumps) registry.add(jumps->state(mesh));
  }

  /// `ports_dt_m`: the step of the elements at ports.
  void begin(const Start& start, double ports_dt_m) {
    electric_poles.begin(start.dt_m);
    magnetic_poles.begin(start.dt_m);
    memories.begin(start.dt_m);
    terminations.begin(ports_dt_m);
    conductors.begin(start.dt_m);
    layers.begin(start.dt_m);
    if (jumps) jumps->begin(start.dt_m, start.jumps_every);
  }

  [[nodiscard]] double jump_energy() { return jumps ? jumps->joules() : 0; }
};

}  // namespace tetrawave::march

// Ports that take and send one mode alone, on the device (theory/ports): their voltages are measured, added up over the
// ranks where a port lies on several, and the currents of their modes put on their faces; in DFDD-ELD the traces of H
// there made those of the mode.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/scheme.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "march/record/recorder.hpp"
#include "schemes/leap_frog/elements/modal_responses.hpp"
#include "terms/ports/device/modal_memory.hpp"
#include "terms/ports/device/port_memories.hpp"
#include "terms/ports/modal_termination.hpp"

namespace tetrawave::march {

/// Of E; of H in DFDD-ELD alone, whose signals are those of rates times dt: what changes in a step.
template <class Backend, class S>
class ModalTerminations {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  ModalTerminations(Backend& backend, const Problem& problem, ElementSystem<Backend, S>& system, Field field)
      : backend_(backend), problem_(problem), system_(system), of_trace_(field == Field::magnetic) {
    if (problem.terminations.empty() || (of_trace_ && !has_rates(problem.scheme))) return;
    const bool has_memory = ModalMemory<Backend, S>::any(problem.terminations);
    ranks_share_ = system.ranks().size() > 1 && (has_memory || are_shared());
    arrays_.emplace(backend, problem, ranks_share_);
    if (!of_trace_) arrays_->voltages.emplace(backend, voltages_of(problem), system.layout());
    if (has_memory)
      memory_.emplace(backend, problem.terminations, has_upwind_fluxes(problem.scheme) && problem.classes.count == 1,
                      of_trace_ ? -1 : 1);
  }

  /// Whether the ranks add up voltages in every step, through the host.
  [[nodiscard]] bool ranks_share() const { return ranks_share_; }

  void register_state(StateRegistry& registry) {
    if (memory_) memory_->register_state(registry, of_trace_ ? "modal_memory_of_H" : "modal_memory");
  }

  /// Nothing in memory.
  void start(const Start& /*start*/, const StepSize& dt) {
    if (memory_) memory_->begin(dt.of_ports());
  }

  /// Leap-frog schemes: the responses for a step dt_m; `walls`: their lists for the field. A collective.
  template <class Walls>
  void prepare(double dt_m, Walls& walls) {
    if (!arrays_) return;
    const bool of_rates = has_rates(problem_.scheme);
    length_ = of_rates ? dt_m : 1;
    const Field field = of_trace_ ? Field::magnetic : Field::electric;
    const std::vector<ModalResponse> own = modal_responses(problem_, field, dt_m, backend_.threads());
    set_responses(own);
    set_items(own);
    set_traces(own, walls);
    if (of_rates) advance_ = static_cast<S>(dt_m);
  }

  /// Of H: `project` makes traces those of the mode, orthogonally in the mass (of a march of steps `border_dt_m`).
  void begin_projection(double border_dt_m) {
    if (!arrays_) return;
    length_ = 1;
    const auto own = modal_responses(problem_, Field::magnetic, 0, backend_.threads(), border_dt_m);
    set_responses(own);
    set_items(own);
    arrays_->admittance.clear();
  }
  void project(Buffer<S>& field, const std::int64_t* step) { settle(field, step); }

  /// A rate that is zero before a step takes what the port leaves of this one.
  void settle(Buffer<S>& field, const std::int64_t* step) {
    if (!arrays_) return;
    clear_signals();
    measure(field, 1, step, length_);
    add_signals();
    put({field}, {nullptr, 0, step});
    backend_.synchronize();
  }

  /// The lists given to `prepare` are about to go.
  void forget_walls() {
    if (!arrays_) return;
    traces_ = 0;
    put<kernels::ModalWallFace<S>>(arrays_->wall_face, {});
    put<std::int32_t>(arrays_->wall_row, {});
  }

  /// DFDD-ELD: the next step sees the given field jump from zero, a rate of 2/dt in its first mean (theory/dfdd).
  void jump() { jumps_ = arrays_.has_value(); }
  [[nodiscard]] bool jumps() const { return jumps_; }

  static bool acts_in(Act act) { return act == Act::one_mode_before || act == Act::one_mode_after; }

  /// Before a field is advanced by a half step, and after that: the field, with its ghosts, gets what the currents of
  /// the half step make of it.
  void act(const Action& action, const LeapStep<Backend, S>& at) {
    if (!arrays_) return;
    if (action.act == Act::one_mode_before) {
      const bool jumps = std::exchange(jumps_, false);
      return measure(jumps ? *at.value : at.coupled, 0, at.waves.step, jumps ? 2 : length_);
    }
    Arrays& on = *arrays_;
    measure(at.coupled, 1, at.waves.step, length_);
    add_signals();
    if (memory_)
      memory_->step({on.signal.data(), on.signal.data() + 2 * count(), on.admittance.data(), on.response.data()},
                    {at.waves});
    put({at.coupled, at.value}, at.waves);
    if (of_trace_ && ranks_share_) system_.exchange({&at.coupled});
  }

  /// Puts 2 w - v for w into the table of the waves that a Runge-Kutta stage reads, [wave][step][stage].
  void act(const Action& /*action*/, const Stage<Backend, S>& at) {
    if (!arrays_) return;
    measure_all(at.fields.electric.old, at.waves.step);
    if (memory_) memory_->stage(arrays_->signal.data(), at.a, at.b, {at.waves, 5, at.stage});
    put_currents({at.waves, 5, at.stage});
  }

  /// Likewise of a step by its integrals: [wave][step][substep].
  void act(const Action& /*action*/, const LevelStep<Backend, S>& at) {
    if (!arrays_) return;
    measure_all(at.fields.electric.seen, at.waves.step);
    const double* signal = arrays_->signal.data();
    if (memory_) memory_->step({signal, signal, nullptr, nullptr, at.length}, {at.waves, at.substeps, at.substep});
    put_currents({at.waves, at.substeps, at.substep});
  }

 private:
  static constexpr std::int64_t chunk = 16;  ///< ports or elements of a team
  /// What a half step advances: a field, or a rate and the field that it advances.
  struct Target {
    Buffer<S>& field;
    Buffer<S>* advanced = nullptr;
  };

  /// The amplitudes of all ports, from the signals before and after the half step, into the elements.
  void put(const Target& target, const WavesNow<Backend, S>& waves) {
    Arrays& on = *arrays_;
    kernels::ModalCurrents<S> currents;
    currents.ports = count();
    currents.chunk = chunk;
    currents.before = on.signal.data();
    currents.after = on.signal.data() + 2 * count();
    currents.current = on.current.data();
    currents.admittance = on.admittance.data();
    currents.response = on.response.data();
    currents.wave = on.wave.data();
    currents.waves = waves.table;
    currents.wave_length = waves.length;
    currents.step = waves.step;
    currents.of_trace = of_trace_;
    backend_.for_teams(currents, teams(count()));
    if (held_ > 0) {
      kernels::NoteModalTraces<S> note;
      note.dofs = system_.dofs();
      note.traces = held_;
      note.chunk = chunk;
      note.slot = on.held_slot->data();
      note.row = on.held_row->data();
      note.field = target.field.data();
      note.noted = on.noted->data();
      backend_.for_teams(note, teams(held_));
    }
    kernels::AddModalAmplitudes<S> add;
    add.dofs = system_.dofs();
    add.elements = items_;
    add.chunk = chunk;
    add.slot = on.slot->data();
    add.port = on.port->data();
    add.of_amplitude = on.of_amplitude->data();
    add.current = on.current.data();
    add.field = target.field.data();
    add.advanced = target.advanced == nullptr ? nullptr : target.advanced->data();
    add.advance = advance_;
    if (held_ > 0) {
      add.first_of = on.held_first->data();
      add.holding = on.holding->data();
      add.noted = on.noted->data();
    }
    if (items_ > 0) backend_.for_teams(add, teams(items_));
    if (traces_ > 0) keep_traces(target.field);
  }

  void keep_traces(const Buffer<S>& field) {
    Arrays& on = *arrays_;
    kernels::KeepModalTraces<S> keep;
    keep.dofs = system_.dofs();
    keep.face_dofs = static_cast<int>(basis::reference_element(problem_.space).face_dofs);
    keep.faces = traces_;
    keep.chunk = chunk;
    keep.face = on.wall_face->data();
    keep.row = on.wall_row->data();
    keep.field = field.data();
    backend_.for_teams(keep, teams(traces_));
  }

  void measure_all(const Buffer<S>& electric, const std::int64_t* step) {
    measure(electric, 0, step, 1);
    add_signals();
  }
  void add_signals() {
    if (arrays_->staging) add_over_ranks(backend_, system_.ranks(), arrays_->signal, *arrays_->staging);
  }
  void clear_signals() { arrays_->signal.clear(); }

  void put_currents(const typename ModalMemory<Backend, S>::Waves& waves) {
    Arrays& on = *arrays_;
    kernels::ModalWaves<S> kernel;
    kernel.ports = count();
    kernel.chunk = chunk;
    kernel.signal = on.signal.data();
    kernel.wave = on.wave.data();
    kernel.waves = waves.now.table;
    kernel.wave_length = waves.now.length;
    kernel.step = waves.now.step;
    kernel.times = waves.times;
    kernel.time = waves.time;
    backend_.for_teams(kernel, teams(count()));
  }

  struct Arrays {
    std::optional<DeviceFunctionals<Backend>> voltages{};  ///< of E from the beginning, of H by what a step makes of it
    Buffer<double> signal;  ///< per port (high, low): before, then after the half step; of stages the first half
    Buffer<double> current;
    Buffer<double> admittance;
    Buffer<double> response;
    Buffer<std::int32_t> wave;
    std::optional<Buffer<std::int32_t>> slot{};
    std::optional<Buffer<std::int32_t>> port{};
    std::optional<Buffer<S>> of_amplitude{};
    std::optional<Buffer<std::int32_t>> held_first{};
    std::optional<Buffer<std::int32_t>> held_slot{};
    std::optional<Buffer<std::int32_t>> held_row{};
    std::optional<Buffer<S>> holding{};
    std::optional<Buffer<S>> noted{};
    std::optional<Buffer<kernels::ModalWallFace<S>>> wall_face{};
    std::optional<Buffer<std::int32_t>> wall_row{};
    std::optional<typename Backend::template Staging<double>> staging{};

    Arrays(Backend& backend, const Problem& problem, bool shared)
        : signal(backend, 4 * problem.terminations.size()),
          current(backend, problem.terminations.size()),
          admittance(backend, problem.terminations.size()),
          response(backend, problem.terminations.size()),
          wave(backend, problem.terminations.size()) {
      std::vector<double> admittances;
      std::vector<std::int32_t> waves;
      for (const ModalTermination& termination : problem.terminations) {
        admittances.push_back(termination.admittance);
        waves.push_back(termination.wave);
      }
      admittance.upload(admittances);
      wave.upload(waves);
      if (shared) staging.emplace(backend, signal.size());
    }
  };

  static std::vector<Functional> voltages_of(const Problem& problem) {
    std::vector<Functional> list;
    for (const ModalTermination& termination : problem.terminations)
      list.push_back(problem.electric[termination.functional]);
    return list;
  }

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(problem_.terminations.size()); }
  static std::int64_t teams(std::int64_t items) { return (items + chunk - 1) / chunk; }

  /// Whether elements at some port lie on several ranks or at the border of one. A collective.
  bool are_shared() const {
    struct Found {
      std::int32_t wave;
      std::int32_t rank;
      std::int32_t at_border;
    };
    std::set<std::int32_t> modal;
    for (const ModalTermination& port : problem_.terminations) modal.insert(port.wave);
    std::map<std::int32_t, bool> mine;
    for (const DrivenFace& face : problem_.driven)
      if (modal.count(face.wave) != 0) {
        bool& at_border = mine[face.wave];
        at_border = at_border || face.element < problem_.mesh->border_count;
      }
    std::vector<Found> sent;
    for (const auto& [wave, at_border] : mine) sent.push_back({wave, system_.ranks().rank(), at_border ? 1 : 0});
    std::map<std::int32_t, std::int32_t> rank_of;
    for (const Found& found : system_.ranks().all_gather(std::span<const Found>(sent)))
      if (found.at_border != 0 || rank_of.try_emplace(found.wave, found.rank).first->second != found.rank) return true;
    return false;
  }

  /// Responses of all ports, the same on any number of ranks. A collective.
  void set_responses(const std::vector<ModalResponse>& own) {
    struct Share {
      GlobalIndex element;
      std::int32_t port;
      double share;
      double norm;
    };
    std::vector<Share> sent;
    for (const ModalResponse& item : own)
      sent.push_back(
          {problem_.mesh->global_id[static_cast<std::size_t>(item.element)], item.port, item.share, item.norm});
    std::vector<Share> all = system_.ranks().all_gather(std::span<const Share>(sent));
    std::sort(all.begin(), all.end(), [](const Share& a, const Share& b) { return a.element < b.element; });
    std::vector<double> shares(problem_.terminations.size(), 0.0), norms(problem_.terminations.size(), 0.0);
    for (const Share& item : all) {
      shares[static_cast<std::size_t>(item.port)] += item.share;
      norms[static_cast<std::size_t>(item.port)] += item.norm;
    }
    std::vector<double> responses;
    for (const double share : shares) responses.push_back(of_trace_ && share > 0 ? length_ / share : length_ * share);
    arrays_->response.upload(responses);
    if (!of_trace_) return;
    arrays_->admittance.upload(norms);
    std::vector<Functional> functionals(shares.size());
    for (const ModalResponse& item : own) {
      const auto p = static_cast<std::size_t>(item.port);
      std::vector<double> weight = item.weight;
      for (double& x : weight) x /= shares[p];
      functionals[p].items.push_back({item.element, std::move(weight)});
    }
    arrays_->voltages.reset();
    arrays_->voltages.emplace(backend_, functionals, system_.layout());
  }

  /// Own elements at ports and, of E, the ghosts of others': their traces come by an exchange as those of fields do.
  void set_items(const std::vector<ModalResponse>& own) {
    Items items;
    for (const ModalResponse& item : own) {
      items.slots.push_back(system_.layout().slot(item.element));
      items.ports.push_back(item.port);
      for (const double x : item.of_amplitude) items.values.push_back(static_cast<S>(of_trace_ ? x / length_ : x));
    }
    if (ranks_share_ && !of_trace_) add_ghosts(items);
    items_ = static_cast<std::int64_t>(items.slots.size());
    put(arrays_->slot, items.slots);
    put(arrays_->port, items.ports);
    put(arrays_->of_amplitude, items.values);
    if (of_trace_) set_held(own);
  }

  struct Items {
    std::vector<std::int32_t> slots;
    std::vector<std::int32_t> ports;
    std::vector<S> values;  ///< dofs of each
  };
  void add_ghosts(Items& items) {
    const ElementLayout<S>& layout = system_.layout();
    const int n = system_.dofs();
    Buffer<S> carrier = system_.make_field();
    std::vector<S> response(carrier.size(), S(0)), port(carrier.size(), S(0));
    for (std::size_t k = 0; k < items.slots.size(); ++k)
      for (int row = 0; row < n; ++row) {
        const std::size_t at = layout.at(items.slots[k], n, row);
        response[at] = items.values[k * static_cast<std::size_t>(n) + static_cast<std::size_t>(row)];
        port[at] = static_cast<S>(items.ports[k] + 1);
      }
    for (auto* numbers : {&response, &port}) {
      carrier.upload(*numbers);
      system_.exchange({&carrier});
      *numbers = carrier.download();
    }
    for (const HaloLayout& halo : layout.halo)
      for (auto slot = static_cast<std::int32_t>(halo.ghosts.first * layout.lanes);
           slot < (halo.ghosts.first + halo.ghosts.count) * layout.lanes; ++slot) {
        std::set<S> at_slot;  // a ghost holds the traces of two faces
        for (int row = 0; row < n; ++row) at_slot.insert(port[layout.at(slot, n, row)]);
        at_slot.erase(S(0));
        for (const S number : at_slot) {
          items.slots.push_back(slot);
          items.ports.push_back(static_cast<std::int32_t>(number) - 1);
          for (int row = 0; row < n; ++row) {
            const std::size_t at = layout.at(slot, n, row);
            items.values.push_back(port[at] == number ? response[at] : S(0));
          }
        }
      }
  }

  /// What takes the traces off the elements.
  void set_held(const std::vector<ModalResponse>& own) {
    std::vector<std::int32_t> first{0}, slots, rows;
    std::vector<S> columns;
    for (const ModalResponse& item : own) {
      for (const std::size_t dof : item.held) {
        slots.push_back(system_.layout().slot(item.element));
        rows.push_back(static_cast<std::int32_t>(dof));
      }
      for (const double x : item.holding) columns.push_back(static_cast<S>(x));
      first.push_back(static_cast<std::int32_t>(rows.size()));
    }
    held_ = static_cast<std::int64_t>(rows.size());
    put(arrays_->held_first, first);
    put(arrays_->held_slot, slots);
    put(arrays_->held_row, rows);
    put(arrays_->holding, columns);
    put(arrays_->noted, std::vector<S>(rows.size(), S(0)));
  }

  /// Wall faces of elements at ports, whose lists remember what a step leaves.
  template <class Walls>
  void set_traces(const std::vector<ModalResponse>& own, Walls& walls) {
    const auto& reference = basis::reference_element(problem_.space);
    const auto lanes = static_cast<std::size_t>(system_.layout().lanes);
    const std::size_t functions = reference.face_dofs;
    std::map<LocalIndex, kernels::ModalWallFace<S>> first_of;  // the first wall face of an element
    for (auto& list : walls)
      for (std::size_t k = 0; k < list.owner.size(); ++k) {
        const auto first_row = [&](auto& buffer, std::size_t rows) {
          return buffer.data() + static_cast<std::ptrdiff_t>(k / lanes * rows * lanes + k % lanes);
        };
        const auto faces = static_cast<std::size_t>(list.faces), branches = static_cast<std::size_t>(list.branches);
        kernels::ModalWallFace<S>& face = first_of[list.owner[k]];
        face.trace = first_row(list.trace, faces * functions);
        face.slot = system_.layout().slot(list.owner[k]);
        if (!has_rates(problem_.scheme) || branches == 0) continue;
        face.branches = list.branches;
        face.memory = first_row(list.memory, faces * branches * functions);
        face.branch = first_row(list.branch, faces * branches * kernels::ModalWallFace<S>::constants);
      }
    std::vector<kernels::ModalWallFace<S>> found;
    std::vector<std::int32_t> rows;
    for (const ModalResponse& item : own) {
      const auto first = first_of.find(item.element);
      if (first == first_of.end()) continue;
      for (std::size_t j = 0; j < item.wall_faces.size(); ++j) {
        kernels::ModalWallFace<S>& face = found.emplace_back(first->second);
        const std::size_t before = j * lanes, branches = static_cast<std::size_t>(face.branches);
        face.trace += static_cast<std::ptrdiff_t>(before * functions);
        face.memory += static_cast<std::ptrdiff_t>(before * branches * functions);
        face.branch += static_cast<std::ptrdiff_t>(before * branches * kernels::ModalWallFace<S>::constants);
        for (const std::size_t dof : reference.on_face[item.wall_faces[j]])
          rows.push_back(static_cast<std::int32_t>(dof));
      }
    }
    traces_ = static_cast<std::int64_t>(found.size());
    put(arrays_->wall_face, found);
    put(arrays_->wall_row, rows);
  }

  template <class T>
  void put(std::optional<Buffer<T>>& buffer, const std::vector<T>& values) {
    buffer.reset();
    buffer.emplace(backend_, values);
  }

  /// Into the first or second half of the signals, times `length`.
  void measure(const Buffer<S>& field, std::int64_t half, const std::int64_t* step, double length) {
    sample_functionals<S>(backend_, *arrays_->voltages, field.data(), system_.dofs(),
                          arrays_->signal.data() + 2 * half * count(), step, length);
  }

  Backend& backend_;
  const Problem& problem_;
  ElementSystem<Backend, S>& system_;
  bool of_trace_;
  bool ranks_share_ = false;
  bool jumps_ = false;
  double length_ = 1;  ///< of a step whose changes the signals are
  S advance_ = 0;
  std::int64_t items_ = 0;
  std::int64_t traces_ = 0;
  std::int64_t held_ = 0;  ///< dofs of traces
  std::optional<Arrays> arrays_;
  std::optional<ModalMemory<Backend, S>> memory_;
};

}  // namespace tetrawave::march

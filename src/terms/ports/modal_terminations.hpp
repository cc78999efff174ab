// Ports that take and send one mode alone, on the device (theory/ports): their voltages are measured, added up over the
// ranks where a port lies on several, and the currents of their modes put on their faces.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "march/record/recorder.hpp"
#include "schemes/leap_frog/wall_corrections.hpp"
#include "terms/ports/modal_memory.hpp"
#include "terms/ports/port_memories.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class ModalTerminations {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  ModalTerminations(Backend& backend, const Problem& problem, ElementSystem<Backend, S>& system)
      : backend_(backend), problem_(problem), system_(system) {
    if (problem.terminations.empty()) return;
    const bool has_memory = ModalMemory<Backend, S>::any(problem.terminations);
    ranks_share_ = system.ranks().size() > 1 && (has_memory || are_shared());
    arrays_.emplace(backend, problem, system.layout(), ranks_share_);
    if (has_memory)
      memory_.emplace(backend, problem.terminations,
                      problem.scheme == Scheme::dgtd_upwind && problem.classes.count == 1);
  }

  /// Whether the ranks add up voltages in every step, through the host.
  [[nodiscard]] bool ranks_share() const { return ranks_share_; }

  void register_state(StateRegistry& registry) {
    if (memory_) memory_->register_state(registry);
  }

  /// Start for schemes without half steps; dt_m: time step of the ports' LTS level.
  void begin(double dt_m) {
    if (memory_) memory_->begin(dt_m);
  }

  /// Start for leap-frog schemes; `walls`: their lists for E. A collective.
  template <class Walls>
  void begin(double dt_m, Walls& walls) {
    if (!arrays_) return;
    begin(dt_m);
    const std::vector<ModalResponse> own = modal_responses(problem_, dt_m, backend_.threads());
    arrays_->response.upload(add_up_responses(own));
    set_items(own);
    set_traces(own, walls);
  }

  /// Before E is advanced by a half step.
  void before(const Buffer<S>& electric, const Buffer<std::int64_t>& step) {
    if (arrays_) measure(electric, 0, step);
  }

  /// After that: E, with its ghosts, gets what the currents of the half step make of it.
  void after(Buffer<S>& electric, S* waves, std::int64_t wave_length, const Buffer<std::int64_t>& step) {
    if (!arrays_) return;
    Arrays& on = *arrays_;
    measure(electric, 1, step);
    if (on.staging) add_over_ranks(backend_, system_.ranks(), on.signal, *on.staging);
    if (memory_)
      memory_->step({on.signal.data(), on.signal.data() + 2 * count(), on.admittance.data(), on.response.data()},
                    {waves, wave_length, step.data()});
    kernels::ModalCurrents<S> currents;
    currents.ports = count();
    currents.chunk = chunk;
    currents.before = on.signal.data();
    currents.after = on.signal.data() + 2 * count();
    currents.current = on.current.data();
    currents.admittance = on.admittance.data();
    currents.response = on.response.data();
    currents.wave = on.wave.data();
    currents.waves = waves;
    currents.wave_length = wave_length;
    currents.step = step.data();
    backend_.for_teams(currents, teams(count()));
    kernels::AddModalCurrents<S> add;
    add.dofs = system_.dofs();
    add.elements = items_;
    add.chunk = chunk;
    add.slot = on.slot->data();
    add.port = on.port->data();
    add.of_current = on.of_current->data();
    add.current = on.current.data();
    add.field = electric.data();
    if (items_ > 0) backend_.for_teams(add, teams(items_));
    kernels::AddModalTraces<S> remember;
    remember.face_dofs = static_cast<int>(basis::reference_element(problem_.space).face_dofs);
    remember.faces = traces_;
    remember.chunk = chunk;
    remember.trace = on.trace->data();
    remember.port = on.trace_port->data();
    remember.of_current = on.of_trace->data();
    remember.current = on.current.data();
    if (traces_ > 0) backend_.for_teams(remember, teams(traces_));
  }

  /// Puts 2 w - v for w into the table of the waves that a Runge-Kutta stage reads, [wave][step][stage].
  void before_stage(const Buffer<S>& electric, S* waves, std::int64_t wave_length, const Buffer<std::int64_t>& step,
                    int stage, double a, double b) {
    if (!arrays_) return;
    measure_all(electric, step);
    if (memory_) memory_->stage(arrays_->signal.data(), a, b, {waves, wave_length, step.data(), 5, stage});
    put_currents(waves, wave_length, step, 5, stage);
  }

  /// Likewise of a step by its integrals, each of `length` smallest steps: [wave][step][times].
  void before_step(const Buffer<S>& electric, S* waves, std::int64_t wave_length, const Buffer<std::int64_t>& step,
                   std::int64_t times, std::int64_t time, double length) {
    if (!arrays_) return;
    measure_all(electric, step);
    const double* signal = arrays_->signal.data();
    if (memory_)
      memory_->step({signal, signal, nullptr, nullptr, length}, {waves, wave_length, step.data(), times, time});
    put_currents(waves, wave_length, step, times, time);
  }

 private:
  static constexpr std::int64_t chunk = 16;  ///< ports or elements of a team

  void measure_all(const Buffer<S>& electric, const Buffer<std::int64_t>& step) {
    measure(electric, 0, step);
    if (arrays_->staging) add_over_ranks(backend_, system_.ranks(), arrays_->signal, *arrays_->staging);
  }

  void put_currents(S* waves, std::int64_t wave_length, const Buffer<std::int64_t>& step, std::int64_t times,
                    std::int64_t time) {
    Arrays& on = *arrays_;
    kernels::ModalWaves<S> kernel;
    kernel.ports = count();
    kernel.chunk = chunk;
    kernel.signal = on.signal.data();
    kernel.wave = on.wave.data();
    kernel.waves = waves;
    kernel.wave_length = wave_length;
    kernel.step = step.data();
    kernel.times = times;
    kernel.time = time;
    backend_.for_teams(kernel, teams(count()));
  }

  struct Arrays {
    DeviceFunctionals<Backend> voltages;
    Buffer<double> signal;  ///< per port (high, low): before, then after the half step; of stages the first half
    Buffer<double> current;
    Buffer<double> admittance;
    Buffer<double> response;
    Buffer<std::int32_t> wave;
    std::optional<Buffer<std::int32_t>> slot{};
    std::optional<Buffer<std::int32_t>> port{};
    std::optional<Buffer<S>> of_current{};
    std::optional<Buffer<S*>> trace{};
    std::optional<Buffer<std::int32_t>> trace_port{};
    std::optional<Buffer<S>> of_trace{};
    std::optional<typename Backend::template Staging<double>> staging{};

    Arrays(Backend& backend, const Problem& problem, const ElementLayout<S>& layout, bool shared)
        : voltages(backend, voltages_of(problem), layout),
          signal(backend, 4 * problem.terminations.size()),
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
      signal.upload(std::vector<double>(signal.size(), 0.0));
      admittance.upload(admittances);
      wave.upload(waves);
      if (shared) staging.emplace(backend, signal.size());
    }

    static std::vector<Functional> voltages_of(const Problem& problem) {
      std::vector<Functional> list;
      for (const ModalTermination& termination : problem.terminations)
        list.push_back(problem.electric[termination.functional]);
      return list;
    }
  };

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

  /// The voltage of every port with a current of 1, the same on any number of ranks. A collective.
  std::vector<double> add_up_responses(const std::vector<ModalResponse>& own) const {
    struct Share {
      GlobalIndex element;
      std::int32_t port;
      double voltage;
    };
    std::vector<Share> sent;
    for (const ModalResponse& item : own)
      sent.push_back({problem_.mesh->global_id[static_cast<std::size_t>(item.element)], item.port, item.voltage});
    std::vector<Share> all = system_.ranks().all_gather(std::span<const Share>(sent));
    std::sort(all.begin(), all.end(), [](const Share& a, const Share& b) { return a.element < b.element; });
    std::vector<double> sums(problem_.terminations.size(), 0.0);
    for (const Share& share : all) sums[static_cast<std::size_t>(share.port)] += share.voltage;
    return sums;
  }

  /// Own elements at ports, and the ghosts of others': their traces come by an exchange as those of fields do.
  void set_items(const std::vector<ModalResponse>& own) {
    const ElementLayout<S>& layout = system_.layout();
    const int n = system_.dofs();
    std::vector<std::int32_t> slots, ports;
    std::vector<S> values;
    for (const ModalResponse& item : own) {
      slots.push_back(layout.slot(item.element));
      ports.push_back(item.port);
      for (const double x : item.of_current) values.push_back(static_cast<S>(x));
    }
    if (ranks_share_) {
      Buffer<S> carrier = system_.make_field();
      std::vector<S> response(carrier.size(), S(0)), port(carrier.size(), S(0));
      for (std::size_t k = 0; k < slots.size(); ++k)
        for (int row = 0; row < n; ++row) {
          const std::size_t at = layout.at(slots[k], n, row);
          response[at] = values[k * static_cast<std::size_t>(n) + static_cast<std::size_t>(row)];
          port[at] = static_cast<S>(ports[k] + 1);
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
            slots.push_back(slot);
            ports.push_back(static_cast<std::int32_t>(number) - 1);
            for (int row = 0; row < n; ++row) {
              const std::size_t at = layout.at(slot, n, row);
              values.push_back(port[at] == number ? response[at] : S(0));
            }
          }
        }
    }
    items_ = static_cast<std::int64_t>(slots.size());
    put(arrays_->slot, slots);
    put(arrays_->port, ports);
    put(arrays_->of_current, values);
  }

  /// Wall faces of elements at ports, whose lists remember the traces of E that a step leaves.
  template <class Walls>
  void set_traces(const std::vector<ModalResponse>& own, Walls& walls) {
    const auto& reference = basis::reference_element(problem_.space);
    const int lanes = system_.layout().lanes;
    std::map<LocalIndex, S*> first_of;  // row of the first wall face of an element
    for (auto& list : walls)
      for (std::size_t k = 0; k < list.owner.size(); ++k)
        first_of[list.owner[k]] = list.trace.data() +
                                  static_cast<std::ptrdiff_t>(k / static_cast<std::size_t>(lanes)) * list.faces *
                                      static_cast<std::ptrdiff_t>(reference.face_dofs) * lanes +
                                  static_cast<std::ptrdiff_t>(k % static_cast<std::size_t>(lanes));
    std::vector<S*> traces;
    std::vector<std::int32_t> ports;
    std::vector<S> values;
    for (const ModalResponse& item : own) {
      const auto found = first_of.find(item.element);
      if (found == first_of.end()) continue;
      for (std::size_t j = 0; j < item.wall_faces.size(); ++j) {
        traces.push_back(found->second + static_cast<std::ptrdiff_t>(j * reference.face_dofs) * lanes);
        ports.push_back(item.port);
        for (const std::size_t dof : reference.on_face[item.wall_faces[j]])
          values.push_back(static_cast<S>(item.of_current[dof]));
      }
    }
    traces_ = static_cast<std::int64_t>(traces.size());
    put(arrays_->trace, traces);
    put(arrays_->trace_port, ports);
    put(arrays_->of_trace, values);
  }

  template <class T>
  void put(std::optional<Buffer<T>>& buffer, const std::vector<T>& values) {
    buffer.reset();
    buffer.emplace(backend_, values.size());
    buffer->upload(values);
  }

  /// Into the first or second half of the signals.
  void measure(const Buffer<S>& electric, std::int64_t half, const Buffer<std::int64_t>& step) {
    sample_functionals<S>(backend_, arrays_->voltages, electric.data(), system_.dofs(),
                          arrays_->signal.data() + 2 * half * count(), step);
  }

  Backend& backend_;
  const Problem& problem_;
  ElementSystem<Backend, S>& system_;
  bool ranks_share_ = false;
  std::int64_t items_ = 0;
  std::int64_t traces_ = 0;
  std::optional<Arrays> arrays_;
  std::optional<ModalMemory<Backend, S>> memory_;
};

}  // namespace tetrawave::march

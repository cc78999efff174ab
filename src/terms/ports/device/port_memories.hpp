// Ports with memory on the device (theory/ports): before each half step, or stage, the modal signals of all ports are
// measured, added up over the ranks, and the waves of their faces made from them. All ranks hold the same memory.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "base/scheme.hpp"
#include "march/elements/step_fields.hpp"
#include "march/interface/action.hpp"
#include "march/interface/engine.hpp"
#include "march/interface/state.hpp"
#include "march/record/recorder.hpp"
#include "terms/ports/kernel.hpp"
#include "terms/ports/port_memory.hpp"

namespace tetrawave::march {

/// Adds up signals (high, low) over the ranks, in their order: the same on all of them.
template <class Backend>
void add_over_ranks(Backend& backend, const comm::Communicator& ranks,
                    typename Backend::template Buffer<double>& signal,
                    typename Backend::template Staging<double>& staging) {
  backend.to_staging(signal, staging);
  backend.mark();
  backend.wait_for_mark();
  const std::vector<double> all = ranks.all_gather(std::span<const double>(staging.data(), staging.size()));
  for (std::size_t p = 0; 2 * p < staging.size(); ++p) {
    kernels::TwoSum sum;
    for (std::size_t at = 2 * p; at < all.size(); at += staging.size()) sum.add(kernels::TwoSum{all[at], all[at + 1]});
    staging.data()[2 * p] = sum.high;
    staging.data()[2 * p + 1] = sum.low;
  }
  backend.from_staging(staging, signal, 0);
}

template <class Backend, class S>
class PortMemories {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  PortMemories(Backend& backend, const Problem& problem, const ElementSystem<Backend, S>& system)
      : backend_(backend), ranks_(system.ranks()), dofs_(system.dofs()), ports_(problem.memories) {
    if (ports_.empty()) return;
    scheme_ = problem.scheme;
    of_classes_ = problem.classes.count > 1;
    staged_ = has_upwind_fluxes(scheme_);
    for (const PortMemory& port : ports_) terms_ = std::max(terms_, memory_terms(port));
    arrays_.emplace(backend_, problem, system.layout(), ports_, terms_, staged_, ranks_.size() > 1);
  }

  /// Sets everything for the step, with nothing in memory.
  void start(const Start& /*start*/, const StepSize& dt) {
    if (!arrays_) return;
    Arrays& on = *arrays_;
    for (Buffer<double>* buffer : {&on.state, &on.before[0], &on.before[1], &on.held}) buffer->clear();
    if (staged_) on.tables[0].clear();
    Tables tables;
    std::map<std::tuple<PortMemory::Kind, double, double, double>, Tables> known;  // by what the numbers follow from
    for (const PortMemory& port : ports_) {
      const auto [own, is_new] = known.try_emplace({port.kind, port.cutoff_per_m, port.resistance_ohm, port.reactance});
      if (is_new) own->second = tables_of(port, dt.of_ports());
      for (std::size_t k = 0; k < tables.size(); ++k)
        tables[k].insert(tables[k].end(), own->second[k].begin(), own->second[k].end());
    }
    for (std::size_t k = 0; k < on.tables.size(); ++k)
      if (!tables[k].empty()) on.tables[k].upload(tables[k]);
  }

  /// After `begin`, of DFDD-ELD, whose signals are rates: a field that is given jumps from zero before the march, a
  /// rate of value/dt in the first mean. `seen`: its present rate is measured before it is advanced, and is no part of
  /// that.
  void jump(Field which, const Buffer<S>& value, const Buffer<S>& rate, double dt_m, bool seen,
            const std::int64_t* step) {
    if (!arrays_) return;
    const std::size_t f = which == Field::electric ? 0 : 1;
    const auto signals_of = [&](const Buffer<S>& field) {
      measure(f, field, step);
      return arrays_->signal[f].download();
    };
    const std::vector<double> values = signals_of(value);
    const std::vector<double> rates = signals_of(rate);
    std::vector<double> before;
    for (std::size_t at = 0; at < values.size(); at += 2)
      before.push_back(2 * (values[at] + values[at + 1]) / dt_m - (seen ? 2 * (rates[at] + rates[at + 1]) : 0));
    arrays_->before[f].upload(before);
  }

  static bool acts_in(Act act) { return act == Act::dispersive_ports; }

  /// The field that is not advanced has reached its level: makes the waves that the half step of the other one reads.
  void act(const Action& /*action*/, const LeapStep<Backend, S>& at) {
    if (!arrays_) return;
    Arrays& on = *arrays_;
    const std::size_t f = at.field == Field::electric ? 1 : 0;
    measure(f, at.other, at.waves.step);
    kernels::PortMemoryStep<S> kernel;
    kernel.port = view(at.waves);
    kernel.signal = on.signal[f].data();
    kernel.before = on.before[f].data();
    kernel.held = on.held.data();
    kernel.holds = at.field == Field::electric;
    kernel.weight = on.tables[3 * f].data();
    kernel.decay = on.tables[3 * f + 1].data();
    kernel.gain = on.tables[3 * f + 2].data();
    backend_.for_teams(kernel, count());
  }

  /// Makes the waves of a Runge-Kutta stage from the fields that it reads.
  void act(const Action& /*action*/, const Stage<Backend, S>& at) {
    if (!arrays_) return;
    measure_both(at.fields.electric.old, at.fields.magnetic.old, at.waves.step);
    auto kernel = of_both<kernels::PortMemoryStage<S>>(at.waves);
    kernel.change = arrays_->tables[0].data();
    kernel.pole = arrays_->tables[1].data();
    kernel.residue = arrays_->tables[2].data();
    kernel.stage = static_cast<int>(at.stage);
    kernel.a = at.a;
    kernel.b = at.b;
    backend_.for_teams(kernel, count());
  }

  /// Makes the waves of a step of the level of the ports from the integrals of the fields over it.
  void act(const Action& /*action*/, const LevelStep<Backend, S>& at) {
    if (!arrays_) return;
    measure_both(at.fields.electric.seen, at.fields.magnetic.seen, at.waves.step);
    auto kernel = of_both<kernels::PortMemoryOverStep<S>>(at.waves);
    kernel.decay = arrays_->tables[1].data();
    kernel.gain = arrays_->tables[2].data();
    kernel.length = at.length;
    kernel.substeps = at.substeps;
    kernel.substep = at.substep;
    backend_.for_teams(kernel, count());
  }

  void register_state(StateRegistry& registry) {
    if (!arrays_) return;
    registry.add(SharedState{"port_memory",
                             [this] {
                               std::vector<double> all;
                               for (Buffer<double>* part : parts()) {
                                 const std::vector<double> values = part->download();
                                 all.insert(all.end(), values.begin(), values.end());
                               }
                               return all;
                             },
                             [this](const std::vector<double>& all) {
                               auto next = all.begin();
                               for (Buffer<double>* part : parts()) {
                                 const auto size = static_cast<std::ptrdiff_t>(part->size());
                                 ensure(all.end() - next >= size, "the memory of ports is whole");
                                 part->upload(std::vector<double>(next, next + size));
                                 next += size;
                               }
                             }});
  }

 private:
  /// Weight, decay, gain of the two events; or -, pole, residue.
  using Tables = std::array<std::vector<double>, 6>;

  /// The numbers of one port.
  [[nodiscard]] Tables tables_of(const PortMemory& port, double dt_m) const {
    Tables tables;
    if (staged_) {
      const MemoryRates rates = of_classes_ ? over_step(memory_rates(port, dt_m)) : memory_rates(port, dt_m);
      add(tables[1], rates.pole);
      add(tables[2], rates.residue);
      return tables;
    }
    const MemoryEvents events = memory_events(port, dt_m, scheme_);
    std::size_t next = 0;
    for (const MemoryEvent* event : {&events.after_electric, &events.after_magnetic}) {
      tables[next].assign(event->weight.begin(), event->weight.end());
      add(tables[next + 1], event->decay);
      add(tables[next + 2], event->gain);
      next += 3;
    }
    return tables;
  }

  struct Arrays {
    std::array<DeviceFunctionals<Backend>, 2> functionals;  ///< voltages, currents
    std::array<Buffer<double>, 2> signal;                   ///< per port: (high, low)
    std::array<Buffer<double>, 2> before;
    Buffer<double> held;
    Buffer<double> state;
    Buffer<std::int32_t> row;
    std::vector<Buffer<double>> tables;
    std::optional<typename Backend::template Staging<double>> staging;  ///< with several ranks

    template <class Layout>
    Arrays(Backend& backend, const Problem& problem, const Layout& layout, const std::vector<PortMemory>& ports,
           int terms, bool staged, bool shared)
        : functionals{DeviceFunctionals<Backend>(backend, chosen(problem.electric, ports), layout),
                      DeviceFunctionals<Backend>(backend, chosen(problem.magnetic, ports), layout)},
          signal{Buffer<double>(backend, 2 * ports.size()), Buffer<double>(backend, 2 * ports.size())},
          before{Buffer<double>(backend, ports.size()), Buffer<double>(backend, ports.size())},
          held(backend, ports.size()),
          state(backend, 2 * ports.size() * static_cast<std::size_t>(terms)),
          row(backend, ports.size()) {
      std::vector<std::int32_t> rows;
      for (const PortMemory& port : ports) rows.push_back(port.wave);
      row.upload(rows);
      for (int k = 0; k < (staged ? 3 : 6); ++k)
        tables.emplace_back(backend, !staged && k % 3 == 0 ? 4 * ports.size() : state.size());
      if (shared) staging.emplace(backend, 2 * ports.size());
    }

    static std::vector<Functional> chosen(const std::vector<Functional>& all, const std::vector<PortMemory>& ports) {
      std::vector<Functional> list;
      for (const PortMemory& port : ports) list.push_back(all[port.functional]);
      return list;
    }
  };

  /// From p dt and r dt what the trapezoidal rule makes of them: (1 + p dt/2)/(1 - p dt/2) and r dt/(1 - p dt/2).
  static MemoryRates over_step(MemoryRates rates) {
    for (std::size_t k = 0; k + 1 < rates.pole.size(); k += 2) {
      const std::complex<double> half(rates.pole[k] / 2, rates.pole[k + 1] / 2);
      const std::complex<double> decay = (1.0 + half) / (1.0 - half);
      const std::complex<double> gain = std::complex<double>(rates.residue[k], rates.residue[k + 1]) / (1.0 - half);
      rates.pole[k] = decay.real();
      rates.pole[k + 1] = decay.imag();
      rates.residue[k] = gain.real();
      rates.residue[k + 1] = gain.imag();
    }
    return rates;
  }

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(ports_.size()); }
  std::array<Buffer<double>*, 4> parts() {
    return {&arrays_->state, &arrays_->before[0], &arrays_->before[1], &arrays_->held};
  }

  /// The terms of one port, those that it has not as zeros.
  void add(std::vector<double>& table, const std::vector<double>& terms) const {
    table.insert(table.end(), terms.begin(), terms.end());
    table.insert(table.end(), 2 * static_cast<std::size_t>(terms_) - terms.size(), 0.0);
  }

  kernels::PortMemoryView<S> view(const WavesNow<Backend, S>& waves) {
    return {terms_, arrays_->state.data(), arrays_->row.data(), waves.table, waves.length, waves.step};
  }
  void measure_both(const Buffer<S>& electric, const Buffer<S>& magnetic, const std::int64_t* step) {
    measure(0, electric, step);
    measure(1, magnetic, step);
  }
  template <class Kernel>
  Kernel of_both(const WavesNow<Backend, S>& waves) {
    Kernel kernel;
    kernel.port = view(waves);
    kernel.voltage = arrays_->signal[0].data();
    kernel.current = arrays_->signal[1].data();
    return kernel;
  }

  void measure(std::size_t f, const Buffer<S>& field, const std::int64_t* step) {
    sample_functionals<S>(backend_, arrays_->functionals[f], field.data(), dofs_, arrays_->signal[f].data(), step);
    if (arrays_->staging) add_over_ranks(backend_, ranks_, arrays_->signal[f], *arrays_->staging);
  }

  Backend& backend_;
  comm::Communicator ranks_;
  int dofs_;
  std::vector<PortMemory> ports_;
  Scheme scheme_ = Scheme::dgtd_central;
  bool staged_ = false;
  bool of_classes_ = false;
  int terms_ = 0;
  std::optional<Arrays> arrays_;
};

}  // namespace tetrawave::march

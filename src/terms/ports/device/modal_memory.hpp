// The memories of ports of one mode with dispersion, on the device (theory/ports). All ranks hold the same.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "march/elements/step_fields.hpp"
#include "march/interface/state.hpp"
#include "terms/ports/modal_memory_kernel.hpp"
#include "terms/ports/port_memory.hpp"

namespace tetrawave::march {

template <class Backend, class S>
class ModalMemory {
 public:
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  /// The table of waves that is read and written, [wave][step][times], entry `time` of a step.
  struct Waves {
    WavesNow<Backend, S> now;
    std::int64_t times = 1;
    std::int64_t time = 0;
  };
  /// Signals of a step whose voltage is the mean of two values (terms/ports/modal_memory_kernel.hpp).
  struct Signals {
    const double* before;
    const double* after;
    const double* admittance = nullptr;
    const double* response = nullptr;
    double length = 1;
  };

  /// For the dispersive ports among `ports`, at least one; `staged`: Runge-Kutta stages; `sign`: -1 where the signals
  /// are j, with which w - j leaves.
  ModalMemory(Backend& backend, const std::vector<ModalTermination>& ports, bool staged, double sign = 1)
      : backend_(backend),
        ports_(with_memory(ports)),
        staged_(staged),
        sign_(sign),
        terms_(memory_terms(*ports[static_cast<std::size_t>(ports_.front())].memory)),
        port_(backend, ports_),
        row_(backend, ports_.size()),
        state_(backend, numbers()),
        change_(backend, staged ? numbers() : 0),
        decay_(backend, numbers()),
        gain_(backend, numbers()) {
    std::vector<std::int32_t> rows;
    for (const std::int32_t p : ports_) {
      memories_.push_back(*ports[static_cast<std::size_t>(p)].memory);
      rows.push_back(ports[static_cast<std::size_t>(p)].wave);
    }
    row_.upload(rows);
  }

  [[nodiscard]] static bool any(const std::vector<ModalTermination>& ports) { return !with_memory(ports).empty(); }

  /// Sets everything for a step dt_m of the class of the ports, with nothing in memory.
  void begin(double dt_m) {
    std::vector<double> decay, gain;
    for (const PortMemory& memory : memories_) {
      if (staged_) {
        const MemoryRates rates = memory_rates(memory, dt_m);
        decay.insert(decay.end(), rates.pole.begin(), rates.pole.end());
        gain.insert(gain.end(), rates.residue.begin(), rates.residue.end());
      } else {
        const MemoryRecursion recursion = memory_recursion(memory, dt_m);
        decay.insert(decay.end(), recursion.decay.begin(), recursion.decay.end());
        gain.insert(gain.end(), recursion.gain.begin(), recursion.gain.end());
      }
    }
    for (double& x : gain) x *= sign_;
    decay_.upload(decay);
    gain_.upload(gain);
    state_.clear();
    change_.clear();
  }

  /// Adds to the waves what returns, and remembers what leaves in this step.
  void step(const Signals& signals, const Waves& waves) {
    kernels::ModalMemoryStep<S> kernel;
    kernel.memory = view(waves);
    kernel.before = signals.before;
    kernel.after = signals.after;
    kernel.admittance = signals.admittance;
    kernel.response = signals.response;
    kernel.decay = decay_.data();
    kernel.gain = gain_.data();
    kernel.length = signals.length;
    backend_.for_teams(kernel, static_cast<std::int64_t>(ports_.size()));
  }

  /// The same in a Runge-Kutta stage with these coefficients.
  void stage(const double* voltage, double a, double b, const Waves& waves) {
    kernels::ModalMemoryStage<S> kernel;
    kernel.memory = view(waves);
    kernel.voltage = voltage;
    kernel.change = change_.data();
    kernel.pole = decay_.data();
    kernel.residue = gain_.data();
    kernel.a = a;
    kernel.b = b;
    backend_.for_teams(kernel, static_cast<std::int64_t>(ports_.size()));
  }

  void register_state(StateRegistry& registry, const std::string& name) {
    registry.add(SharedState{name, [this] { return state_.download(); },
                             [this](const std::vector<double>& all) {
                               ensure(all.size() == state_.size(), "the memory of ports is whole");
                               state_.upload(all);
                             }});
  }

 private:
  [[nodiscard]] static std::vector<std::int32_t> with_memory(const std::vector<ModalTermination>& ports) {
    std::vector<std::int32_t> list;
    for (std::size_t p = 0; p < ports.size(); ++p)
      if (ports[p].memory) list.push_back(static_cast<std::int32_t>(p));
    return list;
  }
  [[nodiscard]] std::size_t numbers() const { return 2 * ports_.size() * static_cast<std::size_t>(terms_); }
  kernels::ModalMemoryView<S> view(const Waves& waves) {
    return {terms_,           state_.data(),  port_.data(), row_.data(), waves.now.table,
            waves.now.length, waves.now.step, waves.times,  waves.time};
  }

  Backend& backend_;
  std::vector<std::int32_t> ports_;  ///< numbers among the ports of one mode
  bool staged_;
  double sign_;
  int terms_;
  std::vector<PortMemory> memories_{};
  Buffer<std::int32_t> port_;
  Buffer<std::int32_t> row_;
  Buffer<double> state_;
  Buffer<double> change_;
  Buffer<double> decay_;  ///< or the poles, times dt
  Buffer<double> gain_;   ///< or the residues, times dt
};

}  // namespace tetrawave::march

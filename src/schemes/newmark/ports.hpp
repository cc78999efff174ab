// What ports drive in mode fetd: waves at the middle of a step, where they depend on the outgoing wave of a waveguide
// or on the reactance of a lumped port, and currents of ports of one mode (theory/ports, theory/fetd).
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "march/interface/engine.hpp"
#include "march/interface/state.hpp"
#include "terms/ports/port_memory.hpp"

namespace tetrawave::modes {

/// Amplitudes: in row p at a mid step the wave w, or w - v/2 at a port of one mode, whose current is 2 y of that. It
/// follows from own amplitude = known + share v.
class FetdPorts {
 public:
  /// `count` ports, whose waves are the first rows.
  FetdPorts(const march::Problem& problem, std::size_t count);

  /// Numbers for a run with these waves; states of zero.
  void begin(double dt_m, std::vector<march::Wave> waves);

  [[nodiscard]] std::size_t count() const { return memory_.size(); }
  /// Rows whose amplitudes depend on v in the same step: those of waveguides and of ports of one mode.
  [[nodiscard]] bool is_modal(std::size_t p) const { return !poles_[p].empty() || takes_one_mode(p); }
  [[nodiscard]] bool has_memory(std::size_t p) const { return memory_[p] != nullptr; }
  [[nodiscard]] bool takes_one_mode(std::size_t p) const { return termination_[p] != nullptr; }
  /// y times eta0 of a port of one mode.
  [[nodiscard]] double admittance(std::size_t p) const { return termination_[p]->admittance; }
  /// The electric functional of its voltage, where that is needed.
  [[nodiscard]] std::optional<std::size_t> functional(std::size_t p) const {
    if (takes_one_mode(p)) return termination_[p]->functional;
    return has_memory(p) ? std::optional(memory_[p]->functional) : std::nullopt;
  }
  /// Factor by which a reactance increases a lumped port's resistance per square; else 1.
  [[nodiscard]] double resistance_factor(std::size_t p, double dt_m) const;

  /// In the step from n to n + 1.
  [[nodiscard]] double known(std::size_t p, std::int64_t n) const;
  [[nodiscard]] double share(std::size_t p) const { return share_[p]; }
  [[nodiscard]] double own(std::size_t p) const { return own_[p]; }
  /// Accepts the voltage and the amplitude of the middle of the step from n.
  void advance(std::size_t p, std::int64_t n, double voltage, double amplitude);
  /// At the start from given fields.
  void set_voltage(std::size_t p, double voltage);
  /// w at step n, at the time of the fields.
  [[nodiscard]] double at_step(std::size_t p, std::int64_t n) const;

  void register_state(march::StateRegistry& registry);

 private:
  using Complex = std::complex<double>;
  /// The mean of a wave over the ends of a step, as in all equations.
  [[nodiscard]] double sent_over(std::size_t p, std::int64_t n) const;
  void set_memory(std::size_t p, double dt_m);
  struct Pole {
    Complex decay;
    Complex gain;
    Complex state{};
  };

  std::vector<march::PortMemory> memories_;
  std::vector<const march::PortMemory*> memory_;             ///< per row; null without
  std::vector<march::ModalTermination> terminations_;        ///< of ports of one mode
  std::vector<const march::ModalTermination*> termination_;  ///< per row; null without
  std::vector<march::Wave> waves_;
  std::vector<std::vector<Pole>> poles_;  ///< per row, of modal ones
  std::vector<double> share_, own_;
  std::vector<double> held_;  ///< per row: I of an inductance [V/ohm], v of a capacitance
  std::vector<double> rate_;  ///< reactance over the step
  std::vector<double> ohms_;  ///< R' of the companion
};

}  // namespace tetrawave::modes

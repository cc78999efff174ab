// Incident waves of ports in mode fetd: at the middle of a step, where they depend on the outgoing wave of a waveguide
// or on the reactance of a lumped port (theory/ports, theory/fetd).
#pragma once

#include <complex>
#include <vector>

#include "march/interface/engine.hpp"
#include "march/interface/state.hpp"
#include "terms/ports/port_memory.hpp"

namespace tetrawave::modes {

/// Waves of ports: in row p, w at a mid step is known + share g, with g = v - w the outgoing part of the voltage.
class FetdPorts {
 public:
  /// `count` ports, whose waves are the first rows.
  FetdPorts(const march::Problem& problem, std::size_t count);

  /// Numbers for a run with these waves; states of zero.
  void begin(double dt_m, std::vector<march::Wave> waves);

  [[nodiscard]] std::size_t count() const { return memory_.size(); }
  /// Rows whose waves depend on the outgoing wave: those of waveguides.
  [[nodiscard]] bool is_modal(std::size_t p) const { return !poles_[p].empty(); }
  [[nodiscard]] bool has_memory(std::size_t p) const { return memory_[p] != nullptr; }
  /// The electric functional of its voltage, for a dispersive port.
  [[nodiscard]] std::size_t functional(std::size_t p) const { return memory_[p]->functional; }
  /// Factor by which a reactance increases a lumped port's resistance per square; else 1.
  [[nodiscard]] double resistance_factor(std::size_t p, double dt_m) const;

  /// The known part of w in the step from n to n + 1.
  [[nodiscard]] double known(std::size_t p, std::int64_t n) const;
  [[nodiscard]] double share(std::size_t p) const { return share_[p]; }
  /// Accepts the voltage and the wave of the middle of the step from n.
  void advance(std::size_t p, std::int64_t n, double voltage, double wave);
  /// At the start from given fields.
  void set_voltage(std::size_t p, double voltage);
  /// w at step n, at the time of the fields.
  [[nodiscard]] double at_step(std::size_t p, std::int64_t n) const;

  void register_state(march::StateRegistry& registry);

 private:
  using Complex = std::complex<double>;
  /// The mean of a wave over the ends of a step, as in all equations.
  [[nodiscard]] double sent_over(std::size_t p, std::int64_t n) const;
  struct Pole {
    Complex decay;
    Complex gain;
    Complex state{};
  };

  std::vector<march::PortMemory> memories_;
  std::vector<const march::PortMemory*> memory_;  ///< per row; null without
  std::vector<march::Wave> waves_;
  std::vector<std::vector<Pole>> poles_;  ///< per row, of modal ones
  std::vector<double> share_;
  std::vector<double> held_;  ///< per row: I of an inductance [V/ohm], v of a capacitance
  std::vector<double> rate_;  ///< reactance over the step
  std::vector<double> ohms_;  ///< R' of the companion
};

}  // namespace tetrawave::modes

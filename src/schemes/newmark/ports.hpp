// The incident waves of ports in implicit marches: at the middle of a step, where what has left through a port, or the
// reactance of a lumped one, has a part in them (THEORY.md 22, 33).
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

  /// Numbers for a march with these waves; nothing in memory.
  void begin(double dt_m, std::vector<march::Wave> waves);

  [[nodiscard]] std::size_t count() const { return memory_.size(); }
  /// Rows whose waves have a share of what leaves: of waveguides.
  [[nodiscard]] bool is_modal(std::size_t p) const { return !poles_[p].empty(); }
  [[nodiscard]] bool has_memory(std::size_t p) const { return memory_[p] != nullptr; }
  /// The electric functional of its voltage; of a port with memory.
  [[nodiscard]] std::size_t functional(std::size_t p) const { return memory_[p]->functional; }
  /// By what a lumped port's resistance per square grows with its reactance; else 1.
  [[nodiscard]] double resistance_factor(std::size_t p, double dt_m) const;

  /// The known part of w in the step from n to n + 1.
  [[nodiscard]] double known(std::size_t p, std::int64_t n) const;
  [[nodiscard]] double share(std::size_t p) const { return share_[p]; }
  /// Takes the voltage and the wave of the middle of the step from n.
  void advance(std::size_t p, std::int64_t n, double voltage, double wave);
  /// At the beginning of a march from given fields.
  void set_voltage(std::size_t p, double voltage);
  /// w at step n, where the fields are.
  [[nodiscard]] double at_step(std::size_t p, std::int64_t n) const;

  void register_state(march::StateRegistry& registry);

 private:
  using Complex = std::complex<double>;
  /// The mean of a wave at the ends of a step, as the rule has it of all that is in the equations.
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

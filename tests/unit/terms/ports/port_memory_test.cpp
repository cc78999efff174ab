// The recursions of ports with memory, driven by given signals.
#include "terms/ports/port_memory.hpp"

#include <cmath>
#include <complex>

#include "base/constants.hpp"
#include "catch.hpp"
#include "schemes/leap_frog/elements/wall_corrections.hpp"
#include "terms/walls/wall_at.hpp"

using namespace tetrawave;
using namespace tetrawave::march;
using tetrawave_tests::Approx;
using Complex = std::complex<double>;

namespace {

/// What kernels::PortMemoryStep does, of one port.
class Port {
 public:
  explicit Port(const MemoryEvents& events) : events_(events), state_(events.after_electric.decay.size() / 2) {}

  double after(bool electric, double signal, double source) {
    const MemoryEvent& e = electric ? events_.after_electric : events_.after_magnetic;
    double& before = before_[electric ? 0 : 1];
    const double in = e.weight[0] * signal + e.weight[1] * before + e.weight[2] * held_;
    double wave = e.weight[3] * source;
    for (std::size_t k = 0; k < state_.size(); ++k) {
      state_[k] =
          Complex(e.decay[2 * k], e.decay[2 * k + 1]) * state_[k] + Complex(e.gain[2 * k], e.gain[2 * k + 1]) * in;
      wave += state_[k].real();
    }
    before = signal;
    if (!electric) held_ = source;
    return wave;
  }

 private:
  MemoryEvents events_;
  std::vector<Complex> state_;
  double before_[2] = {0, 0};
  double held_ = 0;
};

}  // namespace

TEST_CASE("the wave that a modal port sends back is R times the one that leaves, at both levels of the step") {
  PortMemory memory;
  memory.kind = GENERATE(PortMemory::Kind::te, PortMemory::Kind::tm);
  memory.cutoff_per_m = 137.43;
  const double dt = 3e-4;
  const double sign = memory.kind == PortMemory::Kind::te ? 1 : -1;
  for (const double w : {0.6, 1.1, 1.5, 2.5}) {
    const double k = w * memory.cutoff_per_m;
    const auto ramp = [&](double n) { return std::min(1., n * dt * k / 400); };
    // v = g, Z i = -g: a wave that leaves
    const auto leaving = [&](double n) { return ramp(n) * std::cos(k * n * dt); };
    Port port(memory_events(memory, dt));
    double worst = 0;
    const int steps = static_cast<int>(3000 / (k * dt));
    const Complex r = sign * exact_modal_reflection(w);
    for (int n = 0; n < steps; ++n) {
      const double at_n = port.after(true, leaving(n), 0);
      const double later = port.after(false, -leaving(n + 0.5), 0);
      if (n < 0.9 * steps) continue;
      worst = std::max(worst, std::abs(at_n - (r * std::polar(1., k * n * dt)).real()));
      worst = std::max(worst, std::abs(later - (r * std::polar(1., k * (n + 0.5) * dt)).real()));
    }
    INFO("frequency over cutoff " << w << ", error " << worst);
    CHECK(worst < 2e-3);  // (k dt)^2 / 8 and what the ramp has left near the cutoff
  }
}

TEST_CASE("what returns into a port of one mode is R times what has left, and never larger") {
  PortMemory memory;
  memory.kind = GENERATE(PortMemory::Kind::te, PortMemory::Kind::tm);
  memory.cutoff_per_m = 137.43;
  const double dt = 3e-4;
  const MemoryRecursion recursion = memory_recursion(memory, dt);
  const double sign = memory.kind == PortMemory::Kind::te ? 1 : -1;
  for (const double w : {0.6, 1.1, 1.5, 2.5}) {
    const double k = w * memory.cutoff_per_m;
    Complex returned = 0;  // the transform of the recursion
    for (std::size_t i = 0; i < recursion.decay.size(); i += 2) {
      const Complex decay(recursion.decay[i], recursion.decay[i + 1]), gain(recursion.gain[i], recursion.gain[i + 1]);
      const Complex z = std::polar(1., k * dt);
      returned += 0.5 * (gain / (z - decay) + std::conj(gain) / (z - std::conj(decay)));
    }
    INFO("frequency over cutoff " << w << ", " << returned);
    CHECK(std::abs(returned - sign * exact_modal_reflection(w)) < 2e-3);
    CHECK(std::abs(returned) <= 1);
  }
  CHECK(largest_return_of_steps(modal_reflection(), memory.cutoff_per_m, dt) < 1.001);
}

TEST_CASE("no frequency of the march comes back larger than it left") {
  // Before it is lowered the kernel exceeds 1 by its error; steps from next to nothing to a tenth of the cutoff's
  // period.
  for (const double step : {1e-5, 1e-3, 0.05, 0.6}) {
    const double largest = largest_return(modal_reflection(), 1, step);
    INFO(step << " " << largest);
    CHECK(largest > 0.999);
    CHECK(largest < 1.001 + 0.03 * step * step);
    PortMemory memory;
    memory.cutoff_per_m = 1;
    const MemoryEvents events = memory_events(memory, step);
    ExponentialSum lowered = modal_reflection();
    const double scale =
        events.after_electric.gain[0] / (step * (std::exp(step / 2 * lowered.pole[0]) * lowered.residue[0]).real());
    for (auto& residue : lowered.residue) residue *= scale;
    CHECK(scale <= 1);
    CHECK(scale > 0.999 - 0.03 * step * step);
    CHECK(largest_return(lowered, 1, step) <= 1);
  }
}

TEST_CASE("a resistor with an inductance, and one with a capacitance, take the current of the circuit") {
  const double dt = 1e-3, hz_m = 20;  // c0 dt [m], omega/c0 [1/m]
  PortMemory memory;
  memory.resistance_ohm = 50;
  const bool coil = GENERATE(true, false);
  memory.kind = coil ? PortMemory::Kind::inductance : PortMemory::Kind::capacitance;
  memory.reactance = coil ? 3 : 1e-3;  // ohm m, m/ohm
  const Complex s(0, hz_m);
  const Complex impedance = coil ? 50. + s * 3. : 1. / (1 / 50. + s * 1e-3);
  Port port(memory_events(memory, dt));
  const auto voltage = [&](double n) { return std::cos(hz_m * n * dt) * (1 - std::exp(-n * dt * 4)); };
  double worst = 0;
  for (int n = 0; n < 6000; ++n) {
    (void)port.after(true, voltage(n), 0);
    const double wave = port.after(false, 0, 0);
    const double mean = (voltage(n) + voltage(n + 1)) / 2;
    const double current = (mean - 2 * wave) / companion_ohms(memory, dt);
    if (n > 4000)
      worst = std::max(worst, std::abs(current - (std::polar(1., hz_m * (n + 0.5) * dt) / impedance).real()));
  }
  CHECK(worst < 1e-4 / std::abs(impedance));
}

TEST_CASE("copies of a reactive port share a wall, whose resistance is that of one of them") {
  LocalMesh mesh;
  mesh.neighbour = {{no_neighbour, no_neighbour, no_neighbour, no_neighbour}};
  mesh.boundary = {{0, -1, -1, -1}};
  Problem problem;
  problem.mesh = &mesh;
  problem.walls = {Wall::impedance};
  problem.wall_ohms = {100};  // per square
  PortMemory memory;
  memory.kind = PortMemory::Kind::inductance;
  memory.resistance_ohm = 50;
  memory.reactance = 2e-3;
  const double dt = 1e-4;
  for (std::int32_t wave = 1; wave <= 3; ++wave) {
    memory.wave = wave;
    problem.memories.push_back(memory);
    const auto wall = wall_at(problem, 0, 0, dt);
    REQUIRE(wall.has_value());
    CHECK(wall->admittance == Approx(eta0_ohm / (100 * (50 + 2 * 2e-3 / dt) / 50)));
  }
}

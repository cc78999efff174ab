#include "schemes/newmark/ports.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "march/interface/walked_state.hpp"

namespace tetrawave::modes {

namespace {

using Kind = march::PortMemory::Kind;

}  // namespace

FetdPorts::FetdPorts(const march::Problem& problem, std::size_t count)
    : memories_(problem.memories),
      memory_(count, nullptr),
      terminations_(problem.terminations),
      termination_(count, nullptr),
      poles_(count) {
  for (const march::PortMemory& memory : memories_) memory_[static_cast<std::size_t>(memory.wave - 1)] = &memory;
  for (const march::ModalTermination& port : terminations_) {
    const auto p = static_cast<std::size_t>(port.wave - 1);
    termination_[p] = &port;
    if (port.memory) memory_[p] = &*port.memory;
  }
}

void FetdPorts::begin(double dt_m, std::vector<march::Wave> waves) {
  ensure(waves.size() >= count(), "there is a wave for every port");
  waves_ = std::move(waves);
  for (std::vector<double>* numbers : {&share_, &held_, &rate_, &ohms_}) numbers->assign(count(), 0.0);
  own_.assign(count(), 1.0);
  for (std::size_t p = 0; p < count(); ++p) {
    poles_[p].clear();
    if (has_memory(p)) set_memory(p, dt_m);
    // w = known + s (v - w), s the share of the poles
    const double s = share_[p];
    if (takes_one_mode(p))
      share_[p] = s / (1 + s) - 0.5;
    else
      own_[p] += s;
  }
}

void FetdPorts::set_memory(std::size_t p, double dt_m) {
  const march::PortMemory& memory = *memory_[p];
  if (memory.kind == Kind::inductance || memory.kind == Kind::capacitance) {
    rate_[p] = memory.reactance / dt_m;
    ohms_[p] = march::companion_ohms(memory, dt_m);
    return;
  }
  const march::MemoryRates rates = march::memory_rates(memory, dt_m);
  for (std::size_t k = 0; k + 1 < rates.pole.size(); k += 2) {
    const Complex half(rates.pole[k] / 2, rates.pole[k + 1] / 2);
    const Complex residue(rates.residue[k], rates.residue[k + 1]);
    poles_[p].push_back({(1.0 + half) / (1.0 - half), residue / (1.0 - half)});
    share_[p] += poles_[p].back().gain.real() / 2;
  }
}

double FetdPorts::resistance_factor(std::size_t p, double dt_m) const {
  if (p >= count() || !has_memory(p)) return 1;
  const march::PortMemory& memory = *memory_[p];
  if (memory.kind != Kind::inductance && memory.kind != Kind::capacitance) return 1;
  return march::companion_ohms(memory, dt_m) / memory.resistance_ohm;
}

double FetdPorts::sent_over(std::size_t p, std::int64_t n) const {
  return (waves_[p](static_cast<double>(n)) + waves_[p](static_cast<double>(n + 1))) / 2;
}

double FetdPorts::known(std::size_t p, std::int64_t n) const {
  const double sent = sent_over(p, n);
  if (!has_memory(p)) return sent;
  const march::PortMemory& memory = *memory_[p];
  if (memory.kind == Kind::inductance) return sent - rate_[p] * held_[p];
  if (memory.kind == Kind::capacitance) return ohms_[p] * (sent / memory.resistance_ohm + rate_[p] * held_[p]);
  double sum = sent;
  for (const Pole& pole : poles_[p]) sum += ((1.0 + pole.decay) * pole.state).real() / 2;
  return takes_one_mode(p) ? sum * (0.5 - share_[p]) : sum;  // 1/(1 + s)
}

void FetdPorts::advance(std::size_t p, std::int64_t n, double voltage, double amplitude) {
  if (!has_memory(p)) return;
  const march::PortMemory& memory = *memory_[p];
  if (memory.kind == Kind::inductance) {
    const double sent = sent_over(p, n);
    const double current = (voltage - 2 * sent + 2 * rate_[p] * held_[p]) / ohms_[p];
    held_[p] = 2 * current - held_[p];
  } else if (memory.kind == Kind::capacitance) {
    held_[p] = 2 * voltage - held_[p];
  } else {
    const double outgoing = voltage / (takes_one_mode(p) ? 2 : 1) - amplitude;
    for (Pole& pole : poles_[p]) pole.state = pole.decay * pole.state + pole.gain * outgoing;
  }
}

void FetdPorts::set_voltage(std::size_t p, double voltage) {
  if (has_memory(p) && memory_[p]->kind == Kind::capacitance) held_[p] = voltage;
}

double FetdPorts::at_step(std::size_t p, std::int64_t n) const {
  double sum = waves_[p](static_cast<double>(n));
  for (const Pole& pole : poles_[p]) sum += pole.state.real();
  return sum;
}

void FetdPorts::register_state(march::StateRegistry& registry) {
  if (std::all_of(memory_.begin(), memory_.end(), [](const auto* memory) { return memory == nullptr; })) return;
  registry.add(march::walked(march::SharedState{"port_memory", {}, {}}, [this](const auto& take) {
    for (double& held : held_) take(held);
    for (auto& poles : poles_)
      for (Pole& pole : poles)
        for (double& part : reinterpret_cast<double(&)[2]>(pole.state)) take(part);
  }));
}

}  // namespace tetrawave::modes

// Ports with memory: incident waves that depend on what has left through a port (theory/ports). One team per port; the
// memory is a sum of decaying exponentials, x_k' = p_k x_k + r_k g.
#pragma once

#include <cstdint>

#include "kernels/sample.hpp"

namespace tetrawave::kernels {

/// What the kernels have of all ports with memory; `terms` exponentials each, unused ones zero.
template <class S>
struct PortMemoryView {
  int terms = 0;
  double* state = nullptr;            ///< [port][term] (re, im)
  const std::int32_t* row = nullptr;  ///< per port: of `waves`
  S* waves = nullptr;                 ///< [wave][time]: what the source sends, then with what the memory adds
  std::int64_t wave_length = 0;
  const std::int64_t* step = nullptr;  ///< the current step

  TW_FN S* wave_at(std::int64_t port, std::int64_t time) const { return waves + row[port] * wave_length + time; }
};

/// One event of a leap-frog step: a field has reached its level, whose modal signal is `signal`.
///   in = now signal + before signal_before + source held,   x_k <- decay_k x_k + gain_k in,
///   w = scale w_source + sum Re x_k     goes into the row that the next half step reads.
template <class S>
struct PortMemoryStep {
  PortMemoryView<S> port;
  const double* signal = nullptr;  ///< per port: (high, low)
  double* before = nullptr;        ///< per port: the signal of the event before
  double* held = nullptr;          ///< per port: what the source sent at the last half step of E
  bool holds = false;              ///< whether this event prepares a half step of E
  const double* weight = nullptr;  ///< per port: now, before, source, scale
  const double* decay = nullptr;   ///< [port][term] (re, im)
  const double* gain = nullptr;    ///< [port][term] (re, im)

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t p = team.index();
    const double now = signal[2 * p] + signal[2 * p + 1];
    const double* w = weight + 4 * p;
    const double in = w[0] * now + w[1] * before[p] + w[2] * held[p];
    TwoSum sum;
    for (std::int64_t k = team.rank(); k < port.terms; k += team.size()) {
      const std::int64_t at = 2 * (p * port.terms + k);
      const double re = decay[at] * port.state[at] - decay[at + 1] * port.state[at + 1] + gain[at] * in;
      const double im = decay[at] * port.state[at + 1] + decay[at + 1] * port.state[at] + gain[at + 1] * in;
      port.state[at] = re;
      port.state[at + 1] = im;
      sum.add(re);
    }
    sum = team.sum(sum);
    if (!team.leads()) return;
    S* wave = port.wave_at(p, *port.step);
    const double source = static_cast<double>(*wave);
    *wave = static_cast<S>(w[3] * source + sum.high + sum.low);
    before[p] = now;
    if (holds) held[p] = source;
  }
};

/// One stage of a Runge-Kutta step: w takes sum Re x_k, then g = (v - Z i)/2, y_k <- a y_k + dt (p_k x_k + r_k g),
/// x_k <- x_k + b y_k.
template <class S>
struct PortMemoryStage {
  PortMemoryView<S> port;
  const double* voltage = nullptr;  ///< per port: (high, low)
  const double* current = nullptr;  ///< per port: (high, low), times the impedance
  double* change = nullptr;         ///< [port][term] (re, im): the register y
  const double* pole = nullptr;     ///< [port][term] (re, im), times dt
  const double* residue = nullptr;  ///< [port][term] (re, im), times dt
  int stage = 0;
  double a = 0;
  double b = 0;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t p = team.index();
    const double v = voltage[2 * p] + voltage[2 * p + 1];
    const double zi = current[2 * p] + current[2 * p + 1];
    const double leaving = (v - zi) / 2;
    TwoSum sum;
    for (std::int64_t k = team.rank(); k < port.terms; k += team.size()) {
      const std::int64_t at = 2 * (p * port.terms + k);
      const double re = port.state[at];
      const double im = port.state[at + 1];
      sum.add(re);
      change[at] = a * change[at] + pole[at] * re - pole[at + 1] * im + residue[at] * leaving;
      change[at + 1] = a * change[at + 1] + pole[at] * im + pole[at + 1] * re + residue[at + 1] * leaving;
      port.state[at] = re + b * change[at];
      port.state[at + 1] = im + b * change[at + 1];
    }
    sum = team.sum(sum);
    if (!team.leads()) return;
    S* wave = port.wave_at(p, *port.step * 5 + stage);
    *wave = static_cast<S>(static_cast<double>(*wave) + sum.high + sum.low);
  }
};

/// One step of DGTD-Upwind with classes of time steps, by the trapezoidal rule: g = (v - Z i)/2 from the integrals of
/// the signals over the step, which is `length` smallest ones,   x_k+ = decay_k x_k + gain_k g/length,   and w takes
/// length sum Re (x_k + x_k+)/2.
template <class S>
struct PortMemoryOverStep {
  PortMemoryView<S> port;
  const double* voltage = nullptr;  ///< as of PortMemoryStage
  const double* current = nullptr;
  const double* decay = nullptr;  ///< [port][term] (re, im)
  const double* gain = nullptr;   ///< [port][term] (re, im)
  double length = 1;
  std::int64_t substeps = 1;  ///< of the class in a step of the march
  std::int64_t substep = 0;

  template <class Team>
  TW_FN void operator()(const Team& team) const {
    const std::int64_t p = team.index();
    const double v = voltage[2 * p] + voltage[2 * p + 1];
    const double zi = current[2 * p] + current[2 * p + 1];
    const double leaving = (v - zi) / (2 * length);
    TwoSum sum;
    for (std::int64_t k = team.rank(); k < port.terms; k += team.size()) {
      const std::int64_t at = 2 * (p * port.terms + k);
      const double re = port.state[at];
      const double im = port.state[at + 1];
      const double next = decay[at] * re - decay[at + 1] * im + gain[at] * leaving;
      sum.add((re + next) / 2);
      port.state[at] = next;
      port.state[at + 1] = decay[at] * im + decay[at + 1] * re + gain[at + 1] * leaving;
    }
    sum = team.sum(sum);
    if (!team.leads()) return;
    S* wave = port.wave_at(p, *port.step * substeps + substep);
    *wave = static_cast<S>(static_cast<double>(*wave) + length * (sum.high + sum.low));
  }
};

}  // namespace tetrawave::kernels

// Time dependence of sources.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sources/description.hpp"

namespace tetrawave {

/// w(t), dimensionless, 0 for t < 0. Safe to call from several threads; copies share their data, and waveforms of one
/// file its table.
class Waveform {
 public:
  /// Throws UserError: bad_case with the place of an invalid expression or the line of an invalid table, missing_input
  /// for a table that cannot be read.
  explicit Waveform(const WaveformShape& spec);

  /// Throws UserError (bad_case) if an expression is not finite.
  [[nodiscard]] double operator()(double t_s) const { return t_s < 0 ? 0.0 : shape_(t_s); }
  /// From here on w(t) is exactly 0; infinite for sines and expressions.
  [[nodiscard]] double end_s() const { return end_s_; }

 private:
  std::function<double(double)> shape_;  ///< for t >= 0
  double end_s_;
};

/// Excitation of a port or source: amplitude w(t - delay).
class Excitation {
 public:
  Excitation(Waveform waveform, double amplitude, double delay_s)
      : waveform_(std::move(waveform)), amplitude_(amplitude), delay_s_(delay_s) {}

  [[nodiscard]] double operator()(double t_s) const { return amplitude_ * waveform_(t_s - delay_s_); }
  [[nodiscard]] double end_s() const { return waveform_.end_s() + delay_s_; }

 private:
  Waveform waveform_;
  double amplitude_;
  double delay_s_;
};

/// With the waveform that it names. Throws like Waveform, and for an unknown name (bad_case).
[[nodiscard]] Excitation make_excitation(const std::vector<WaveformShape>& waveforms,
                                         const NamedExcitation& excitation);

}  // namespace tetrawave

// The runs of a session in sequence: pieces of about half a second, and the work between them.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "march/interface/state.hpp"
#include "modes/time_domain/checkpoints.hpp"
#include "modes/time_domain/health_watch.hpp"
#include "modes/time_domain/stop_rule.hpp"
#include "modes/time_domain/time_domain.hpp"
#include "results/fields/field_series.hpp"

namespace tetrawave::modes {

/// Data common to the runs of a session.
class Run {
 public:
  Run(const TimeDomainOptions& options, TimeDomainSetup& setup, Checkpoints& checkpoints,
      const comm::Communicator& ranks);

  /// All unfinished runs, the first one from `resumed` if given; then the results. `begin`: of the set-up.
  void march_all(const store::Commit* resumed, std::chrono::steady_clock::time_point begin);

 private:
  friend class MarchRun;
  /// Results so far: of the runs [0, last].
  void write_results(std::size_t last, double seconds, const std::optional<KerrReport>& kerr, bool complete) const;
  /// Steps of all runs so far.
  [[nodiscard]] std::int64_t steps_done() const;
  /// Speed-up by local time stepping over the `seconds` so far: the time that steps of all elements would have taken,
  /// with the same output, over that.
  [[nodiscard]] double measured_gain(double seconds) const;
  const TimeDomainOptions& options_;
  TimeDomainSetup& setup_;
  Checkpoints& checkpoints_;
  double setup_seconds_ = 0;
  std::vector<std::pair<std::string, double>> setup_phases_;
  const comm::Communicator& ranks_;
  std::vector<results::MarchResult> marches_;
  std::vector<store::FileMark> finished_streams_;  ///< of finished runs (rank 0)
  std::optional<KerrReport> kerr_;                 ///< before the present run started or resumed, in all sessions
  double march_seconds_ = 0;                       ///< before the present run started or resumed, in all sessions
  double output_seconds_ = 0;                      ///< of these, spent on histories and checkpoints
  double health_seconds_ = 0;                      ///< in this session
  std::chrono::steady_clock::time_point last_checkpoint_;
};

/// One march.
class MarchRun {
 public:
  /// `resumed`: the state to continue from.
  MarchRun(Run& run, std::size_t index, march::Start start, const store::Commit* resumed);
  /// To the end. Throws UserError, including stopped.
  void march();

 private:
  enum class Wish : std::int64_t { none, checkpoint, stop };
  void open_histories(const store::Commit* resumed);
  /// If the case requests fields: their files, and output by the engine.
  void open_fields(march::Start& start, const store::Commit* resumed);
  /// On rank 0: histories and fields are durable; their marks.
  std::vector<store::FileMark> sync_output();
  void register_state();
  void register_far_field();
  void register_kerr();
  void march_piece();
  /// At the steps that need it; returns whether time.energy_decay ends the run here.
  bool sample_energy();
  /// Advances; stops if time.energy_decay requires it.
  void advance(std::int64_t steps);
  void finish();
  void record();
  /// Logs the sampling of Fourier sums, and their memory traffic. Collective.
  void report_sampling() const;
  [[nodiscard]] Wish agree_on_wish(const std::string& reason) const;
  [[nodiscard]] std::string common_reason(const std::string& reason) const;
  /// And the results so far; with a reason to stop, throws UserError (stopped).
  void write_checkpoint(const std::string& stop_reason);
  void report() const;
  /// Kerr figures of this run and all before it, in all sessions.
  [[nodiscard]] std::optional<KerrReport> kerr_so_far() const;
  /// Seconds of this run and all before it, in all sessions.
  [[nodiscard]] double seconds_so_far() const;
  [[nodiscard]] double time_s() const { return static_cast<double>(done_) * run_.setup_.dt_s; }

  Run& run_;
  std::size_t index_;
  march::StateRegistry state_;
  HealthWatch health_;
  StopRule stop_rule_;
  std::unique_ptr<results::Histories> histories_;  ///< on rank 0
  std::unique_ptr<results::FieldSeries> fields_;   ///< if requested by the case
  std::chrono::steady_clock::time_point begin_;
  std::int64_t first_ = 0;  ///< first step of this session
  std::int64_t done_ = 0;
  std::int64_t end_ = 0;  ///< last step: that of the case unless energy_decay sets an earlier one
  std::int64_t piece_ = 1;
  std::optional<KerrReport> kerr_;  ///< of this run in this session
  std::vector<double> spectra_;     ///< of all ranks, as stored in a checkpoint (rank 0)
  double piece_seconds_ = 0;        ///< of the last piece, on the slowest rank
};

}  // namespace tetrawave::modes

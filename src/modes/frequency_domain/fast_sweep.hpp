// A frequency sweep from solutions at a few frequencies: a reduced model of the finite-element systems, grown where its
// error is largest (theory/fast-sweep).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "comm/communicator.hpp"
#include "fem/solvers/reduced_model.hpp"
#include "modes/frequency_domain/system.hpp"
#include "results/rational/rational_interpolation.hpp"

namespace tetrawave::modes {

/// The course of a sweep.
struct SweepReport {
  std::vector<double> solved_hz;  ///< in the order in which they were solved
  double check_hz = 0;            ///< solved last, not a part of the model; 0: every frequency was solved
  double check_error = 0;         ///< of the model there
  bool within_tolerance = true;   ///< of the last two frequencies solved
  std::int64_t terms = 0;         ///< fixed matrices whose combinations the systems are
  std::int64_t vectors = 0;       ///< of the basis
  std::int64_t bytes = 0;
};

/// The terms of an integral equation in the systems: applied terms of the model with their weights, and a function that
/// adds its part to right-hand sides.
struct SweepBoundary {
  fem::AppliedTerms terms;
  std::function<std::vector<Complex>(double hz)> weights;
  std::function<void(std::size_t set, double hz, std::vector<Complex>& side)> add_side;
};

class FastSweep {
 public:
  /// Solves set by set at frequency number f, starting from these unknowns.
  using Unknowns = std::vector<std::vector<Complex>>;
  using SolveAt = std::function<Unknowns(std::size_t f, Unknowns start)>;

  /// `hz` ascends. `fields_count`: errors are those of fields too, where ports are driven. `only_ports`: nothing else
  /// is read where whole fields are not asked for. Everything but `boundary` must outlive it.
  FastSweep(const FrequencySystem& system, const std::vector<double>& hz, const std::vector<DrivenSet>& sets,
            bool fields_count, bool only_ports, std::optional<SweepBoundary> boundary, int threads);

  /// Solves the frequencies `first`, then, as many at a time as there are ranks, where the error of the model is
  /// estimated to be largest, until it is below `tolerance` at two of them in turn and so are all estimates, or at five
  /// in turn. The error is that of S for sets with driven ports, and that of E over its norm for the others, and where
  /// fields count. Collective on `ranks`; `solve_at` is called for a rank's own share. If ranks share out the system,
  /// `ranks` is this one alone, and all calls are collective on those of the system.
  SweepReport run(std::vector<std::size_t> first, double tolerance, const SolveAt& solve_at,
                  const comm::Communicator& ranks);

  [[nodiscard]] bool is_solved(std::size_t f) const { return is_solved_[f]; }
  struct Estimate {
    std::vector<double> residual;  ///< per set
    double error = 0;              ///< as of `run`
  };
  /// The model at a frequency: fields in the unknowns that ports and probes read, or in all of them.
  struct Point {
    std::vector<FieldSolution> fields;            ///< per set; none where ports are all there is to read
    std::vector<std::vector<PortPhasors>> ports;  ///< per set, then
    Estimate estimate;
  };
  [[nodiscard]] Point at(std::size_t f, bool whole_fields) const;

 private:
  struct Evaluation {
    Estimate estimate;
    std::vector<Complex> numbers;  ///< of all sets: what ports read, or coefficients of the basis
  };

  void read_basis();
  void fit_points();
  void scale(std::vector<std::vector<Complex>>& values);
  [[nodiscard]] fem::ReducedModel::Solution solution(std::size_t f) const;
  [[nodiscard]] std::vector<Complex> numbers_of(const fem::ReducedModel::Solution& solution) const;
  [[nodiscard]] Estimate estimate_of(const fem::ReducedModel::Solution& solution) const;
  [[nodiscard]] Evaluation evaluate(std::size_t f) const;
  [[nodiscard]] Estimate estimate_near(std::size_t f) const;
  [[nodiscard]] double indicator(std::size_t f) const;
  [[nodiscard]] double agreed(double value) const;
  [[nodiscard]] double norm_of(const std::vector<Complex>& values) const;
  [[nodiscard]] std::pair<double, std::size_t> climb(std::pair<double, std::size_t> from, std::size_t stride) const;
  [[nodiscard]] std::vector<std::size_t> next_frequencies(std::size_t count) const;
  [[nodiscard]] bool is_done(int good, double tolerance) const;
  [[nodiscard]] double deviation(std::size_t f, const Unknowns& solutions) const;
  [[nodiscard]] Unknowns start_at(std::size_t f) const;

  const FrequencySystem& system_;
  const std::vector<double>& hz_;
  const std::vector<DrivenSet>& sets_;
  std::shared_ptr<const fem::RankRows> rows_;
  bool fields_count_;
  std::optional<SweepBoundary> boundary_;
  bool only_ports_;  ///< and there are no plane waves, whose fields are more than the unknowns
  std::vector<std::vector<PortReading>> readings_;  ///< [vector of the basis][port], with only_ports
  std::vector<std::int32_t> recorded_;
  fem::EdgeSpace driven_;                  ///< what ports and sources drive
  std::vector<std::int32_t> driven_rows_;  ///< of the space
  mutable std::vector<bool> has_sides_;    ///< the model has them: they are found where it is evaluated
  std::vector<bool> is_solved_;
  std::vector<double> ratios_;  ///< error over indicator where the model was tried, the latest last
  std::int64_t terms_ = 0;
  std::unique_ptr<fem::ReducedModel> model_;
  std::optional<results::RationalInterpolation> fit_;  ///< of numbers_of over scales_
  std::vector<double> scales_;                         ///< per set
  std::map<std::size_t, Evaluation> evaluations_;      ///< for the fit, by frequency number
};

}  // namespace tetrawave::modes

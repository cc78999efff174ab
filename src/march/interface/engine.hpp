// The only virtual interface between a mode and the time loop: one engine per rank.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/transport.hpp"
#include "comm/communicator.hpp"
#include "march/exchange/exchange_clock.hpp"
#include "march/interface/action.hpp"
#include "march/interface/health.hpp"
#include "march/interface/problem.hpp"
#include "march/interface/state.hpp"
#include "march/interface/wave_window.hpp"

namespace tetrawave::march {

/// Stored energy at one step [J]; conserved form: magnetic = 1/2 H^{n-1/2} M H^{n+1/2}.
struct EnergyRow {
  std::int64_t step = 0;
  double electric = 0;
  double magnetic = 0;
  double nonlinear = 0;   ///< 3/4 chi3 |E|^4 of Kerr media
  double dispersive = 0;  ///< of terms of dispersion
  double of_rates = 0;    ///< DFDD-ELD: of dE/dt and dH/dt, which it conserves [W/s]
  double jumps = 0;       ///< DGTD-Upwind: taken from jumps since the start
  [[nodiscard]] double total() const { return electric + magnetic + nonlinear + dispersive; }
};

/// Statistics of the nonlinear updates so far.
struct KerrFigures {
  double updates = 0;              ///< of nonlinear elements in a step
  double iterations = 0;           ///< of all elements and steps
  double most = 0;                 ///< in one element and step
  double largest_eps_r = 0;        ///< eps_r + chi3 |E|^2 at any point of the quadrature
  std::int64_t failed_step = -1;   ///< the first in which an element did not converge
  LocalIndex failed_element = -1;  ///< on this rank
  double failed_field = 0;         ///< the largest |E| of that element so far [V/m]
};

/// Statistics of the linear systems of an implicit scheme so far.
struct ImplicitFigures {
  std::int64_t unknowns = 0;  ///< of all ranks
  std::int64_t nonzeros = 0;
  std::int64_t solves = 0;
  std::int64_t iterations = 0;  ///< over all solves; 0 with the direct solver
  double seconds_assembly = 0;
  double seconds_preprocess = 0;
  double seconds_solve = 0;
  double seconds_side = 0;    ///< right-hand sides of steps
  double seconds_fields = 0;  ///< what follows from the solutions of steps
  std::int64_t solver_bytes = 0;
  std::int64_t step_bytes = 0;  ///< matrices and vectors of a step but the solver's
};

/// Recorded functionals of steps [first, first + rows): E at n, H at n + 1/2 (row by row, electric then magnetic).
struct Record {
  std::int64_t first = 0;
  std::int64_t rows = 0;
  std::vector<double> values;
};

/// w at the time `steps` dt; steps need not be whole.
using Wave = std::function<double(double steps)>;

/// Dofs of E [V] or of eta0 H, in internal form, of the elements [first, first + count) of Problem::fields: element by
/// element, n each.
using FieldDofs = std::function<std::vector<double>(Field, std::int64_t first, std::int64_t count)>;

/// Input to the start of a run.
struct Start {
  double dt_m = 0;                              ///< c0 dt; with LTS of the coarsest level
  std::int64_t steps = 0;                       ///< the whole march
  std::vector<Wave> waves;                      ///< row 1.. of the driven faces
  std::optional<std::vector<double>> electric;  ///< initial dofs at t = 0, element by element, n each [V]
  std::optional<std::vector<double>> magnetic;  ///< the same for eta0 H
  /// Called on every rank with the fields at t = step dt (H too) at the steps of Problem::fields, including the last;
  /// the dofs are valid only during the call.
  std::function<void(std::int64_t step, const FieldDofs& dofs)> take_fields{};
  std::vector<Wave> source_waves{};  ///< of the problem's sources
  std::int64_t spectra_every =
      1;  ///< steps between samples of Fourier sums, of faces and of Problem::fields: 1, 2, 4, 8 or 16
  std::int64_t wave_numbers = most_wave_numbers;  ///< of a table of waves at once
  std::int64_t jumps_every = 0;  ///< steps between samples of the energy of jumps: 2, 4, 8 or 16; 0: none
};

/// The time stepping of one rank. Collective, except for const queries.
class Engine {
 public:
  virtual ~Engine() = default;
  /// The largest stable c0 dt [m] of the lossless operator, by Lanczos iteration; the same on any number of ranks. With
  /// LTS that of the coarsest level, which is the step of the time loop. Before `start`: it uses the memory of the
  /// fields. Where that is below `useful_m`, any step below it, which can be found sooner.
  virtual double find_stable_step(double useful_m = 0) = 0;
  /// Sets the initial state; may be called again for another run.
  virtual void start(const Start& start) = 0;
  /// Adds the state needed to resume to the registry; valid as long as the engine.
  virtual void register_state(StateRegistry& registry) = 0;
  /// After `start` (without initial fields) and loading of a state: the run continues from there.
  virtual void resume() = 0;
  /// Advances by `steps`; records functionals of every step and energies as requested by the problem.
  virtual void advance(std::int64_t steps) = 0;
  /// Waits until all queued work is done: for timing.
  virtual void synchronize() = 0;
  /// Records the last row (a half step of H beyond the end).
  virtual void finish() = 0;
  /// Recorded rows since the last call, summed over the ranks; on rank 0 only (empty elsewhere).
  virtual Record take_record() = 0;
  /// Whether H is recorded at n + 1/2 (leap-frog), or at n as E is.
  [[nodiscard]] virtual bool is_staggered() const = 0;
  /// Magnetic functionals at -1/2, when staggered (rank 0; empty elsewhere).
  [[nodiscard]] virtual std::vector<double> magnetic_before_start() const = 0;
  /// Fourier sums of the spectral faces of this rank, sum_n u_n exp(-j 2 pi f t_n) over the steps n = 0, spectra_every,
  /// .., E and H each at its own times: [face][frequency][E re, E im, H re, H im][face_dofs].
  virtual std::vector<double> spectra() = 0;
  /// After `start`: sums to continue from.
  virtual void set_spectra(const std::vector<double>& sums) = 0;
  /// Energies since the last call; the same on all ranks.
  virtual std::vector<EnergyRow> take_energy() = 0;
  /// DGTD-Upwind with Problem::sums_jumps: energy that the flux has taken from jumps since the start [J].
  [[nodiscard]] virtual double jump_energy() { return 0; }
  /// Energy of the present levels, both squared [J]: for progress and stability checks. NaN if a field is not finite.
  virtual double present_energy() = 0;
  /// Kerr iteration counts of this rank; none if no element is nonlinear.
  [[nodiscard]] virtual std::optional<KerrFigures> kerr_figures() const { return {}; }
  /// Figures of the systems solved in steps; none for explicit schemes.
  [[nodiscard]] virtual std::optional<ImplicitFigures> implicit_figures() const { return {}; }
  /// The element with the largest energy of the present levels, or the first whose energy is not finite.
  virtual WorstElement find_worst_element() = 0;
  /// Dofs of E or H, element by element, in internal form (tests, snapshots).
  virtual std::vector<double> field(Field which) = 0;
  /// Real or imaginary part of sum_n u(t_n) exp(-j 2 pi f t_n) spectra_every dt over the steps n = 0, spectra_every, ..
  /// so far, at a frequency of Problem::fields; H at its own times.
  [[nodiscard]] virtual FieldDofs field_sums(std::size_t frequency, bool imaginary) = 0;
  /// Steps between samples of Fourier sums: as given at the start, or in the resumed state.
  [[nodiscard]] virtual std::int64_t spectra_every() const = 0;
  /// Minimum of bytes moved by a sample of the Fourier sums on this rank.
  [[nodiscard]] virtual std::int64_t bytes_of_sample() const = 0;
  [[nodiscard]] virtual std::int64_t device_memory_bytes() const = 0;
  /// Minimum of bytes that a step must move through memory on this rank (fields, metric, connections).
  [[nodiscard]] virtual std::int64_t bytes_per_step() const = 0;
  /// Durations of the exchange of traces on this rank.
  [[nodiscard]] virtual ExchangeSeconds exchange_seconds() const = 0;
  /// Durations of the actions of all steps on this rank, by what they are for; negative if no step was timed.
  [[nodiscard]] virtual ShareSeconds share_seconds() const = 0;
  /// The actions of a step on this rank, in their order.
  [[nodiscard]] virtual const StepPlan& step_plan() const = 0;
  [[nodiscard]] virtual std::string device() const = 0;
  /// CPU threads of this rank, also for set-up.
  [[nodiscard]] virtual int threads() const = 0;
};

/// Options for constructing an engine.
struct EngineOptions {
  Precision precision = Precision::double_precision;
  int threads = 0;  ///< CPU: per rank, 0 for a share of the node
  Transport transport = Transport::automatic;
};

/// Threads as given, else OMP_NUM_THREADS, else the cores that this process may use over the ranks of its node.
int threads_of_rank(const EngineOptions& options, const comm::Communicator& ranks);

}  // namespace tetrawave::march

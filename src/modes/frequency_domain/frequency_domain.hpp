// Mode frequency-domain: edge elements on the tetrahedra of a case, one linear system per frequency
// (theory/frequency-domain).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "fem/shared/shared_solver.hpp"
#include "model/check/case_check.hpp"
#include "model/check/result_sizes.hpp"
#include "modes/frequency_domain/fast_sweep.hpp"
#include "modes/frequency_domain/near_fields.hpp"
#include "modes/frequency_domain/outer_boundary.hpp"
#include "modes/frequency_domain/record.hpp"
#include "modes/frequency_domain/shared_pair_sums.hpp"
#include "modes/frequency_domain/system.hpp"
#include "results/far_field/far_field_output.hpp"
#include "results/results.hpp"

namespace tetrawave::modes {

/// Makes the sums over pairs of points of a rank, for an outer boundary or near fields.
using PairSumsFactory = std::function<std::unique_ptr<kernels::PairSums>(
    int threads, const kernels::PairMapping& mapping, const comm::Communicator& ranks)>;

/// The devices and libraries that a rank computes with.
struct FrequencyMachine {
  PairSumsFactory make_pair_sums;
  std::shared_ptr<const fem::FactorDevice> factor_device;          ///< nullptr: MUMPS
  OuterBoundaryMaker make_outer_boundary{};                        ///< of mode fe-iiee, else none
  std::shared_ptr<const fem::IterationDevice> iteration_device{};  ///< nullptr: threads of the host
  std::shared_ptr<const fem::AssemblyDevice> assembly_device{};    ///< the same

  [[nodiscard]] fem::SolverMachine solver_machine(int threads) const {
    return {threads, factor_device, iteration_device};
  }
};

struct FrequencyDomainOptions {
  std::filesystem::path directory;  ///< of results.h5
  std::filesystem::path mesh_file;  ///< where the mesh of a geometry is written
  std::function<void()> begin;      ///< called on rank 0 when nothing of the case can be wrong any more
  results::RunIdentity identity;
  std::string device;  ///< of this rank, for the results
  FrequencyMachine machine;
};

/// The frequencies that a case asks for, each list ascending.
struct WantedFrequencies {
  std::vector<double> all_hz;           ///< that are solved
  std::vector<double> s_parameters_hz;  ///< some of these, as the rest
  std::vector<double> fields_hz;
  std::vector<double> far_field_hz;
  std::vector<double> near_field_hz;
};
[[nodiscard]] WantedFrequencies wanted_frequencies(const Case& given);
/// The index of a frequency in a list, if it is in it.
[[nodiscard]] std::optional<std::size_t> place_of(const std::vector<double>& list, double hz);
/// Whether only some frequencies are solved, and the others come from a reduced model (`frequency.sweep`).
[[nodiscard]] bool is_fast(const Case& given);

/// Everything that a run has found (rank 0).
struct FrequencyOutcome {
  std::vector<DrivenSet> sets;
  std::vector<results::PortModel> ports;
  std::vector<FrequencyRecord> records;                          ///< of all frequencies, ascending
  std::vector<std::vector<results::FarFieldResult>> far_fields;  ///< per set and frequency of the far field
  std::vector<NearFieldResult> near_fields;                      ///< as the case has them
  std::optional<SweepReport> sweep;                              ///< of a fast one
  std::optional<SharedReport> shared;                            ///< with solver.ranks: system
  double surface_impedance = 1;
  std::array<std::int64_t, 2> boundary_faces{};  ///< fe-iiee: of S, of S' with its images
  std::int64_t elements = 0;
  std::int64_t unknowns = 0;
  std::int64_t nonzeros = 0;
  std::int64_t solver_bytes = 0;    ///< largest over the frequencies, of one rank
  std::int64_t assembly_bytes = 0;  ///< of a device that assembles, with its largest need; or 0
  std::int64_t host_memory_bytes = 0;
  int ranks = 1;
  int threads = 1;
  double setup_seconds = 0;
  double solve_seconds = 0;                             ///< all frequencies, by the clock
  std::vector<std::pair<std::string, double>> seconds;  ///< of phases of the first rank, by name
};

/// A case ready to be solved: every rank has the whole mesh, or its part with solver.ranks: system.
struct FrequencySetup {
  std::vector<FoundPort> ports;
  std::unique_ptr<Model> base;
  std::unique_ptr<FrequencySystem> system;
  std::unique_ptr<SharedPairSums> sums;          ///< fe-iiee: with the other ranks of this one's frequencies
  std::unique_ptr<kernels::PairSums> near_sums;  ///< of this rank alone, with near fields
  std::unique_ptr<OuterBoundary> boundary;       ///< fe-iiee
  std::unique_ptr<fem::SharedSolver<Complex>> shared_solver;  ///< with solver.ranks: system
  std::optional<fem::LinearSolver<Complex>> begun_solver;     ///< of a run that solves directly, until it solves
  int threads = 1;
  FrequencyMachine machine;

  [[nodiscard]] fem::SolverMachine solver_machine() const { return machine.solver_machine(threads); }
  /// Nonzeros of the whole matrix. Collective on the ranks of the system.
  [[nodiscard]] std::int64_t nonzeros() const {
    return shared_solver ? shared_solver->nonzeros() : system->pattern().nonzeros();
  }
};
/// Collective; errors are the same on all ranks. `see_system`: called when a rank with the whole mesh has the system,
/// before the outer boundary is placed.
[[nodiscard]] FrequencySetup set_up_frequency_domain(const Case& given, const std::filesystem::path& mesh_file,
                                                     const FrequencyMachine& machine, const comm::Communicator& ranks,
                                                     const std::function<void(FrequencySetup&)>& see_system = {});

/// Of a rank that solves by itself.
[[nodiscard]] fem::LinearSolver<Complex> make_solver(const FrequencySetup& setup);
/// The same, none on other ranks; the analysis of its pattern goes on beside what comes before the first solution.
[[nodiscard]] std::optional<fem::LinearSolver<Complex>> begin_solver(const FrequencySetup& setup,
                                                                     const comm::Communicator& ranks);

/// What `check` finds before anything is solved, and a run warns of.
struct FrequencyCheck {
  CaseCheck fields;  ///< with all warnings
  ResultSizes results;
  std::int64_t field_bytes = 0;
  std::optional<OuterForecast> outer;  ///< fe-iiee, at the highest frequency
};
/// `drives`: right-hand sides of a frequency, 1 in mode eigenmode; `folder`: of the files, empty: the working
/// directory. Collective.
[[nodiscard]] FrequencyCheck examine_frequencies(const FrequencySetup& setup, std::int64_t drives,
                                                 const std::filesystem::path& folder, const comm::Communicator& ranks);

/// The system of the highest frequency, solved on this rank, or on all that share it.
struct TrialSolution {
  FrequencyRecord record;  ///< without what is read off
  std::int64_t solver_bytes = 0;
};
[[nodiscard]] TrialSolution try_highest_frequency(const Case& given, const FrequencySetup& setup);

/// The system of the highest frequency, assembled, and the expected cost of its solution.
struct SolutionEstimate {
  double hz = 0;
  double seconds_assembly = 0;
  fem::LinearEstimate solution;
};
[[nodiscard]] SolutionEstimate estimate_highest_frequency(const Case& given, const FrequencySetup& setup);

/// Runs the case: ranks share out the frequencies, each with the whole mesh, or every system. Throws UserError:
/// bad_case; unstable (76) where an iteration does not converge: of the solver without results, of the integral
/// equation when they are written.
void run_frequency_domain(const Case& spec, const FrequencyDomainOptions& options, const comm::Communicator& ranks);

}  // namespace tetrawave::modes

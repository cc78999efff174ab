// Mode assembly-2d: static problems on triangles, with assembly algorithms timed phase by phase.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "comm/communicator.hpp"
#include "modes/assembly_2d/run.hpp"
#include "results/results.hpp"

namespace tetrawave::modes {

struct Assembly2DOptions {
  std::filesystem::path directory;  ///< of results.h5
  std::filesystem::path mesh_file;  ///< file for the mesh of a geometry
  StaticSolver solver;
  std::string backend;          ///< cpu or cuda: of `solver`
  std::function<void()> begin;  ///< called when the case has been completely checked
  results::RunIdentity identity;
};

/// Runs the case on this one rank. Throws UserError: usage (64) on more ranks; unstable (76) if it does not converge.
void run_assembly_2d(const Case& given, const Assembly2DOptions& options, const comm::Communicator& ranks);

/// All results of one run.
struct StaticOutcome {
  TriangleMesh mesh;
  StaticSetup setup;
  StaticRun run;
  StaticQuantities quantities;
  double seconds_mesh = 0;
};

/// Solves; `begin`, if any, is called when the case has been completely checked. `serial` runs on the CPU whatever the
/// solver.
[[nodiscard]] StaticOutcome solve_on_mesh(const Case& given, TriangleMesh mesh, const StaticSolver& solver,
                                          const std::function<void()>& begin, SerialReference& reference);

/// Times and results as lines of the log.
void log_outcome(const Case& given, const StaticOutcome& outcome);

/// The backend used: `serial` is the CPU's.
[[nodiscard]] std::string backend_of(const Case& given, const std::string& backend);

/// Throws UserError (usage) if there is more than one rank.
void refuse_ranks(const comm::Communicator& ranks);

}  // namespace tetrawave::modes

// Mode assembly-2d: static problems on triangles, by assembly algorithms that are measured phase by phase.
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
  std::filesystem::path mesh_file;  ///< where the mesh of a geometry is written
  StaticSolver solver;
  std::string backend;          ///< cpu or cuda: of `solver`
  std::function<void()> begin;  ///< called when nothing of the case can be wrong any more
  results::RunIdentity identity;
};

/// Runs the case on this one rank. Throws UserError: usage (64) on more ranks; unstable (76) without convergence.
void run_assembly_2d(const Case& given, const Assembly2DOptions& options, const comm::Communicator& ranks);

/// Everything that one run has found.
struct StaticOutcome {
  TriangleMesh mesh;
  StaticSetup setup;
  StaticRun run;
  StaticQuantities quantities;
  double seconds_mesh = 0;
};

/// Solves; `begin`, if any, is called when nothing of the case can be wrong any more. `serial` runs on the CPU whatever
/// the solver is.
[[nodiscard]] StaticOutcome solve_on_mesh(const Case& given, TriangleMesh mesh, const StaticSolver& solver,
                                          const std::function<void()>& begin, SerialReference& reference);

/// Times and answers as lines of the log.
void log_outcome(const Case& given, const StaticOutcome& outcome);

/// The backend that solves: `serial` is the CPU's.
[[nodiscard]] std::string backend_of(const Case& given, const std::string& backend);

/// Throws UserError (usage) when there is more than one rank.
void refuse_ranks(const comm::Communicator& ranks);

}  // namespace tetrawave::modes

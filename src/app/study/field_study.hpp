// `tetrawave study` of marches and of the frequency domain.
#pragma once

#include <filesystem>
#include <vector>

#include "app/command_line.hpp"
#include "app/study/study_results.hpp"
#include "comm/communicator.hpp"
#include "modes/study/study.hpp"

namespace tetrawave::app {

struct FieldStudyOptions {
  std::filesystem::path directory;  ///< of study.csv, study.h5 and the folder runs
  results::RunIdentity identity;
  std::vector<WantedResult> results;  ///< columns that the user asks for
};

/// Throws UserError (usage) for results that a run will not have or that the table has as a column already.
void check_results(const std::vector<WantedResult>& results, const Case& given,
                   const std::vector<modes::StudyRun>& runs);

/// Runs them one after the other as `tetrawave run` does, number k into runs/k. study.csv grows with every run,
/// study.h5 is written at the end. A mesh that is made from a geometry is made once for all runs that have it in
/// common. Throws UserError (unstable) at the end when some ended in an instability, without convergence or for want of
/// memory; their rows say so. A collective.
void run_field_study(const CommandLine& line, const Case& given, const std::vector<modes::StudyRun>& runs,
                     const FieldStudyOptions& options, const comm::Communicator& ranks);

}  // namespace tetrawave::app

// `tetrawave study` for the time and frequency domain.
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
  std::vector<WantedResult> results;  ///< columns requested by the user
};

/// Throws UserError (usage) for results that a run will not have or that are already a column of the table.
void check_results(const std::vector<WantedResult>& results, const Case& given,
                   const std::vector<modes::StudyRun>& runs);

/// Runs all combinations in sequence as `tetrawave run` does, number k in runs/k. study.csv grows with every run,
/// study.h5 is written at the end. A mesh made from a geometry is shared by all runs that have it in common. Throws
/// UserError (unstable) at the end if some runs were unstable, did not converge or ran out of memory; their rows say
/// so. Collective.
void run_field_study(const CommandLine& line, const Case& given, const std::vector<modes::StudyRun>& runs,
                     const FieldStudyOptions& options, const comm::Communicator& ranks);

}  // namespace tetrawave::app

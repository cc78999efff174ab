// `tetrawave study`: a case over a matrix of settings, with one table.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/spec/case.hpp"
#include "modes/assembly_2d/run.hpp"
#include "modes/study/study_table.hpp"
#include "results/results.hpp"

namespace tetrawave::modes {

/// One combination: the varied settings, as in --set, and the resulting case.
struct StudyRun {
  std::vector<std::string> values;  ///< one per axis, YAML text
  Case given;
};

/// All combinations of the case's `study.vary`, the last key varying first, each read and checked as a separate case.
/// `overrides`: those of the command line. Throws UserError (bad_case) for a case without `study`, more than 10000
/// combinations, an invalid one, or one of another mode.
[[nodiscard]] std::vector<StudyRun> list_study_runs(const std::filesystem::path& case_file,
                                                    const std::vector<std::string>& overrides, const Case& given);

struct StudyOptions {
  std::filesystem::path directory;  ///< of study.csv, study.h5 and the folder meshes
  StaticSolver solver;
  std::string backend;  ///< cpu or cuda: of `solver`
  results::RunIdentity identity;
};

/// study.h5 of a table. `results`: the columns requested by the user.
void write_study(const std::filesystem::path& directory, const Case& given, const results::RunIdentity& identity,
                 const StudyTable& table, const std::vector<std::string>& results = {});

/// Runs those of mode assembly-2d in sequence. study.csv grows with every run, study.h5 is written at the end. Throws
/// UserError (unstable) at the end if some did not converge; their rows say so.
void run_study(const Case& given, const std::vector<StudyRun>& runs, const StudyOptions& options);

}  // namespace tetrawave::modes

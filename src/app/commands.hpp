// The commands of the program. All ranks call them together.
#pragma once

#include "app/command_line.hpp"
#include "case/spec/case.hpp"
#include "comm/communicator.hpp"

namespace tetrawave::app {

/// `tetrawave run`: marches the case into its run directory.
void run_case(const CommandLine& line, const comm::Communicator& ranks);
/// The same with a case that has been read.
void run_read_case(const CommandLine& line, const Case& given, const comm::Communicator& ranks);
/// `tetrawave check`: check without running.
void check_case(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave mesh`: the case's geometry as Tetrawave's mesh.
void make_mesh(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave bench`: the table of kernels.
void run_bench(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave study`: the case over a matrix of settings.
void run_study(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave selftest`: a table of checks of this machine. Throws the error of the first that fails.
void run_selftest(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave info`.
void print_info(const comm::Communicator& ranks);

}  // namespace tetrawave::app

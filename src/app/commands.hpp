// The commands of the program, called by all ranks together.
#pragma once

#include "app/command_line.hpp"
#include "case/spec/case.hpp"
#include "comm/communicator.hpp"

namespace tetrawave::app {

/// `tetrawave run`: runs the case in its run directory.
void run_case(const CommandLine& line, const comm::Communicator& ranks);
/// The same with a case already read.
void run_read_case(const CommandLine& line, const Case& given, const comm::Communicator& ranks);
/// `tetrawave check`: check without running.
void check_case(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave mesh`: converts the case's geometry to a Tetrawave mesh.
void make_mesh(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave bench`: the table of kernels.
void run_bench(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave study`: runs the case over a matrix of settings.
void run_study(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave selftest`: a table of checks of this machine. Throws the error of the first check that fails.
void run_selftest(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave new`: a commented case of a kind, with its geometry and the schema for editors.
void write_new_case(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave report`: a page of one run or of several side by side, written by tetrawave-report.
void write_report(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave inspect`: a page of a case's geometry and mesh.
void inspect_case(const CommandLine& line, const comm::Communicator& ranks);
/// `tetrawave info`, and with --support what works with what.
void print_info(const CommandLine& line, const comm::Communicator& ranks);

}  // namespace tetrawave::app

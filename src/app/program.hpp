// From the command line to an exit code.
#pragma once

namespace tetrawave::app {

/// Starts MPI, runs the command, and turns every failure into its message and exit code: on all ranks together if they
/// agreed on it, else by aborting the other ranks.
int run_program(int argc, char** argv);

}  // namespace tetrawave::app

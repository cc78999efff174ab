// From the command line to an exit code.
#pragma once

namespace tetrawave::app {

/// Starts MPI, runs the command, and turns every failure into its message and exit code: on all ranks alike where they
/// agreed on it, else by ending the other ranks too.
int run_program(int argc, char** argv);

}  // namespace tetrawave::app

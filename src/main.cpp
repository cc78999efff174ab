// Tetrawave: Maxwell's equations on tetrahedra, in the time domain, on many GPUs.
#include "app/program.hpp"

int main(int argc, char** argv) { return tetrawave::app::run_program(argc, argv); }

// The main program of every test executable: MPI round Catch2's session; only rank 0 reports success.
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include "base/log.hpp"
#include "comm/communicator.hpp"

int main(int argc, char** argv) {
  tetrawave::comm::Scope mpi(argc, argv);
  tetrawave::log::start(tetrawave::log::Verbosity::quiet, false);
  const int failed = Catch::Session().run(argc, argv);
  if (failed != 0 && tetrawave::comm::Communicator::world().size() > 1) tetrawave::comm::abort_all(1);
  return failed == 0 ? 0 : 1;
}

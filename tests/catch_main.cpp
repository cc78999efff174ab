// The main program of every test executable: MPI round Catch2's session; only rank 0 reports success.
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
namespace {
using ListenerBase = Catch::EventListenerBase;
}
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
namespace {
using ListenerBase = Catch::TestEventListenerBase;
}
#endif

#include <cstdlib>
#include <ctime>
#include <fstream>

#include "base/log.hpp"
#include "comm/communicator.hpp"

namespace {

/// Writes `PASSED FAILED SECONDS`, the first two counted in test cases, to the file that the environment variable
/// TETRAWAVE_TEST_COUNTS names: scripts/test.sh adds them up. On several ranks the cases are counted once, and the CPU
/// seconds are those of rank 0 on each.
class CaseCounter : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testRunEnded(const Catch::TestRunStats& stats) override {
    const char* path = std::getenv("TETRAWAVE_TEST_COUNTS");
    const auto ranks = tetrawave::comm::Communicator::world();
    if (path == nullptr || ranks.rank() != 0) return;
    const auto& cases = stats.totals.testCases;
    const double seconds = ranks.size() * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    std::ofstream(path) << cases.passed + cases.failedButOk << ' ' << cases.failed << ' ' << seconds << '\n';
  }
};

CATCH_REGISTER_LISTENER(CaseCounter)

}  // namespace

int main(int argc, char** argv) {
  tetrawave::comm::Scope mpi(argc, argv);
  tetrawave::log::start(tetrawave::log::Verbosity::quiet, false);
  const int failed = Catch::Session().run(argc, argv);
  if (failed != 0 && tetrawave::comm::Communicator::world().size() > 1) tetrawave::comm::abort_all(1);
  return failed == 0 ? 0 : 1;
}

#include <cstdio>
#include <thread>

#include "app/backend.hpp"
#include "app/commands.hpp"
#include "app/standard_output.hpp"
#include "app/support.hpp"
#include "app/version.hpp"
#include "base/error.hpp"
#include "fem/solvers/direct_solver.hpp"
#include "mesh/make/run_mesher.hpp"
#include "version_data.hpp"

namespace tetrawave::app {

namespace {

std::string mesher_line() {
  try {
    return find_mesher().string();
  } catch (const UserError& error) {
    return std::string("not found (") + error.what() + ")";
  }
}

}  // namespace

void print_info(const CommandLine& line, const comm::Communicator& ranks) {
  if (ranks.rank() != 0) return;
  if (line.support) {
    print(line.json ? support_as_json() : support_as_text());
    return;
  }
  std::printf("tetrawave %s, revision %s, %s build, %s\n", version_text().c_str(), git_revision().c_str(),
              TETRAWAVE_BUILD_TYPE, TETRAWAVE_COMPILER);
  std::printf("case files: version %s\n", TETRAWAVE_CASE_VERSION);
  for (const auto& text : describe_backends()) std::printf("%s\n", text.c_str());
  std::printf("cores: %u; ranks: %d, of which %d on this node\n", std::thread::hardware_concurrency(), ranks.size(),
              ranks.node_size());
  std::printf("mesher: %s\n", mesher_line().c_str());
  std::printf("libraries: %s, %s\n", TETRAWAVE_LIBRARIES, fem::describe_direct_solver().c_str());
}

}  // namespace tetrawave::app

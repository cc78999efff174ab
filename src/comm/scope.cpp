// Start and end of MPI.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "comm/communicator.hpp"
#include "comm/launch.hpp"
#include "comm/mpi_check.hpp"
#include "comm/node_place.hpp"

namespace tetrawave::comm {

NodePlace& node_place() {
  static NodePlace place;
  return place;
}

namespace {

/// A separate communicator for the end, so that no collective in flight is mistaken for it.
MPI_Comm& last_words() {
  static MPI_Comm all = MPI_COMM_NULL;
  return all;
}

void find_node_place() {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  check_mpi(MPI_Comm_rank(node, &node_place().rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(node, &node_place().size), "MPI_Comm_size");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
}

/// A single process does not need OpenMPI's daemon, which requires ssh and a place for its files, or a network, whose
/// libraries take most of the start-up time of MPI. Existing environment variables are kept.
void keep_alone() {
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self", 0);
}

}  // namespace

bool is_launched() {
  constexpr std::array variables{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"};
  return std::any_of(variables.begin(), variables.end(), [](const char* name) { return std::getenv(name) != nullptr; });
}

Scope::Scope(int& argc, char**& argv) {
  if (!is_launched()) keep_alone();
  int provided = MPI_THREAD_SINGLE;
  const int code = MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (code != MPI_SUCCESS) {
    fail(ExitCode::unavailable, "MPI does not start (error {}): check its installation and the launcher", code);
  }
  if (provided < MPI_THREAD_FUNNELED) {
    MPI_Finalize();
    fail(ExitCode::unavailable, "this MPI does not support threads (MPI_THREAD_FUNNELED): install one that does");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  find_node_place();
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &last_words()), "MPI_Comm_dup");
}

Scope::~Scope() {
  MPI_Comm_free(&last_words());
  MPI_Finalize();
}

bool all_arrive_within(double seconds) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (MPI_Ibarrier(last_words(), &request) != MPI_SUCCESS) return false;
  const auto begin = std::chrono::steady_clock::now();
  int arrived = 0;
  while (MPI_Test(&request, &arrived, MPI_STATUS_IGNORE) == MPI_SUCCESS && arrived == 0) {
    if (std::chrono::steady_clock::now() - begin > std::chrono::duration<double>(seconds)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return arrived != 0;
}

bool takes_gpu_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

void abort_all(int exit_code) {
  std::fflush(nullptr);
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace tetrawave::comm

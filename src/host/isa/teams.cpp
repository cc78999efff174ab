// The team kernels of the CPU backend, compiled for the baseline instruction set.
#include "engines/lists/teams.hpp"
#include "engines/lists/ports.hpp"
#include "host/host_backend.hpp"
#include "kernels/exchange/exchange_list.hpp"

namespace tetrawave::host {

template <class Kernel>
void run_teams(const Kernel& kernel, std::int64_t teams) {
#pragma omp parallel for schedule(static) if (teams > 8)
  for (std::int64_t t = 0; t < teams; ++t) kernel(HostTeam(t));
}

#define TW_INSTANTIATE(...) template void run_teams(const __VA_ARGS__&, std::int64_t);
TW_TEAM_KERNELS(TW_INSTANTIATE)
TW_EXCHANGE_KERNELS(TW_INSTANTIATE)
TW_PORT_KERNELS(TW_INSTANTIATE)
}  // namespace tetrawave::host

// Instruction sets of the CPU backend: a build may contain several, and the best one supported by the machine is used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace tetrawave::host {

/// x86-64-v2 (SSE4.2), v3 (AVX2, FMA), v4 (AVX-512).
enum class Isa { v2, v3, v4 };

/// The best instruction set of this machine and this build, or the one named by TETRAWAVE_ISA=v2|v3|v4 in the
/// environment. Throws UserError (69) if the build has none that runs here, or not the named one.
Isa best_isa();
/// Those supported by this machine and this build, the best first.
std::vector<Isa> usable_isas();
/// "x86-64-v3", say.
std::string name_of(Isa isa);
/// Those of this build, the best first: "x86-64-v4, x86-64-v2".
std::string isas_in_build();

/// "AMD EPYC 9654 96-Core Processor", or "unknown processor".
std::string name_of_processor();

#define TW_DECLARE_ISA(name)                                                                  \
  namespace name {                                                                            \
  template <class Kernel>                                                                     \
  void run_blocks(Space space, const Kernel& kernel, std::int64_t first, std::int64_t count); \
  }
TW_DECLARE_ISA(isa_v2)
TW_DECLARE_ISA(isa_v3)
TW_DECLARE_ISA(isa_v4)
#undef TW_DECLARE_ISA

/// Runs the kernel for a space on the element blocks [first, first + count) with all threads.
template <class Kernel>
void run_blocks(Isa isa, Space space, const Kernel& kernel, std::int64_t first, std::int64_t count) {
  if (count <= 0) return;
  switch (isa) {
#ifdef TW_HAS_ISA_v2
    case Isa::v2:
      return isa_v2::run_blocks(space, kernel, first, count);
#endif
#ifdef TW_HAS_ISA_v3
    case Isa::v3:
      return isa_v3::run_blocks(space, kernel, first, count);
#endif
#ifdef TW_HAS_ISA_v4
    case Isa::v4:
      return isa_v4::run_blocks(space, kernel, first, count);
#endif
    default:
      return;
  }
}

}  // namespace tetrawave::host

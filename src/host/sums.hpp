// Sums over pairs of points (kernels/pairs/sums.hpp) on the CPU.
#pragma once

#include <cstdint>

#include "host/isa.hpp"

namespace tetrawave::host {

#define TW_DECLARE_SUMS(name)                                                  \
  namespace name {                                                             \
  template <class Kernel>                                                      \
  void run_sums(const Kernel& kernel, std::int64_t first, std::int64_t count); \
  }
TW_DECLARE_SUMS(isa_v2)
TW_DECLARE_SUMS(isa_v3)
TW_DECLARE_SUMS(isa_v4)
#undef TW_DECLARE_SUMS

/// Runs the kernel on the blocks [first, first + count) of kernels::PointBlocks, on this thread.
template <class Kernel>
void run_sums(Isa isa, const Kernel& kernel, std::int64_t first, std::int64_t count) {
  switch (isa) {
#ifdef TW_HAS_ISA_v2
    case Isa::v2:
      return isa_v2::run_sums(kernel, first, count);
#endif
#ifdef TW_HAS_ISA_v3
    case Isa::v3:
      return isa_v3::run_sums(kernel, first, count);
#endif
#ifdef TW_HAS_ISA_v4
    case Isa::v4:
      return isa_v4::run_sums(kernel, first, count);
#endif
    default:
      return;
  }
}

}  // namespace tetrawave::host

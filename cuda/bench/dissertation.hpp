// The stored layout as the dissertation maps it to a GPU (sections 4.3.2, 4.3.3), to compare with: a thread is a dof.
//
// A thread block holds whole elements: of 480 threads 80, 40, 24, 16 and 8 elements of 6, 12, 20, 30 and 60 dofs, 450
// for 10 elements of 45 dofs; of 512, which its tables 4.1 to 4.3 compare, 510 for 85 elements of 6 dofs, 504 for 42 of
// 12, so that columns of matrices do not begin where warps do. Matrices are multiplied by columns: the multiplier
// vector is fetched into shared memory, from where it is broadcast, and the products are added up in shared memory. The
// volume (A2 u + A1 v) and the surface (P (v+ - v)) are kernels of their own. Matrices lie as [thread
// block][column][thread], so that every access to them is coalesced; what the neighbours' dofs are is an index array.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"
#include "cuda/cuda_backend.hpp"

namespace tetrawave::cuda {

constexpr int dissertation_threads(int block, int dofs) { return block / dofs * dofs; }

/// One half step; fields are element by element, n dofs each, padded to whole thread blocks.
template <class S>
struct DissertationUpdate {
  const S* matrix = nullptr;  ///< [thread block][2 n + 4 nf columns][thread]
  /// [element][4 nf]: 4 * (place of the neighbour's dof in the field) + FaceMirror; own place behind walls.
  const std::int32_t* neighbour = nullptr;
  const S* source = nullptr;
  S* target = nullptr;
  std::uint32_t mirror_code = 0;
  std::array<std::uint8_t, 80> own{};  ///< dof number of each of the 4 nf traces
};

/// `block`: 480 or 512 threads.
template <class S>
void launch_volume(Stream& stream, Space space, int block, const DissertationUpdate<S>& update,
                   std::int64_t thread_blocks);
template <class S>
void launch_surface(Stream& stream, Space space, int block, const DissertationUpdate<S>& update,
                    std::int64_t thread_blocks);

}  // namespace tetrawave::cuda

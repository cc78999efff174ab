// The stored layout as the dissertation maps it to a GPU (sections 4.3.2, 4.3.3), to compare with: a thread is a dof.
//
// A thread block holds whole elements: of 480 threads 80, 40, 24, 16 and 8 elements of 6, 12, 20, 30 and 60 dofs, 450
// for 10 elements of 45 dofs; of 512, which its tables 4.1 to 4.3 compare, 510 for 85 elements of 6 dofs, 504 for 42 of
// 12, so that columns of matrices do not begin where warps do. Matrices are multiplied by columns: the multiplier
// vector is fetched into shared memory, from where it is broadcast, and the products are added up in shared memory. The
// volume and the surface are kernels of their own, and so are dispersive elements (its figure 4.3): their derivatives
// and recursive convolutions are computed into shared memory, where they multiply [U] and [T]. Matrices lie as [thread
// block][column][thread], so that every access to them is coalesced; what the neighbours' dofs are is an index array.
//
//   DGTD-Central  u <- A2 u + A1 v, u += P (v+ - v)
//   DFDD-ELD      u^{n+1} = A1 u^n - A2 u^{n-1} + P (v+^{n+1/2} - v+^{n-1/2}) + U g^n + T q^n   (4.26)
//
// The kernels are templates over the team of threads that runs them: a thread block, or an emulated one
// (tests/backends/dissertation_test.cpp).
#pragma once

#include <array>
#include <cstdint>

#include "base/target.hpp"
#include "base/types.hpp"
#include "kernels/spaces.hpp"
#include "schemes/leap_frog/recursions.hpp"

namespace tetrawave::cuda {

constexpr int dissertation_threads(int block, int dofs) { return block / dofs * dofs; }

enum class DissertationPart { volume, jumps, changes };

/// One half step; fields are element by element, n dofs each, padded to whole thread blocks.
template <class S>
struct DissertationUpdate {
  using Scalar = S;
  DissertationPart part = DissertationPart::volume;  ///< `jumps` of DGTD-Central, `changes` of DFDD-ELD
  const S* matrix = nullptr;                         ///< [thread block][2 n + 4 nf columns][thread]
  /// [element][4 nf]: 4 * (place of the neighbour's dof in the field) + FaceMirror; own place behind walls.
  const std::int32_t* neighbour = nullptr;
  const S* first = nullptr;   ///< multiplies the first n columns
  const S* second = nullptr;  ///< the next n
  S* target = nullptr;        ///< may be `first`
  const S* trace = nullptr;   ///< v: multiplies the other columns, as jump or as change
  const S* before = nullptr;  ///< changes: v a step before
  std::uint32_t mirror_code = 0;
  std::array<std::uint8_t, 80> own{};  ///< dof number of each of the 4 nf traces
};

/// target += dt (U g + T q) on elements of one dispersive medium (4.10 to 4.17, with sigma as theory/dispersion has
/// it): with x and y the rates of u and v over the last step,
///   g = sum Re(a d phi) + dt sigma x,   q = sum (Re(a c) y + Re(a d psi)) + sigma' v.
template <class S>
struct DissertationConvolution {
  using Scalar = S;
  const S* matrix = nullptr;              ///< [thread block][2 n columns][thread]: dt U | dt T
  const std::int32_t* element = nullptr;  ///< [thread block][elements in it]; -1: none
  std::array<const S*, 3> u{};            ///< at n, n - 1, n - 2
  std::array<const S*, 3> v{};            ///< at n + 1/2, n - 1/2, n - 3/2
  S* target = nullptr;                    ///< u at n + 1
  S* memory = nullptr;                    ///< [row][thread block][thread]: Re, Im of phi of each pole, then of psi
  std::int64_t length = 0;                ///< of a row
  const S* constants = nullptr;           ///< kernels::pole_constants per pole of u, then of v
  int own_poles = 0;
  int other_poles = 0;
  S loss = 0;        ///< dt sigma
  S other_loss = 0;  ///< sigma'
  S dt = 0;
};

/// target = first n columns times `first` + the next n times `second`.
template <class Basis, int Block, class S>
struct DissertationVolume {
  static constexpr int n = Basis::dofs;
  static constexpr int threads = dissertation_threads(Block, n);
  struct Shared {
    S multiplier[threads];
    S sum[threads];
  };

  template <class Team>
  TW_FN static void run(const DissertationUpdate<S>& update, const Team& team, Shared& shared) {
    const int thread = team.thread();
    const std::int64_t place = team.block() * threads + thread;
    const S* column = update.matrix + team.block() * (2 * n + 4 * Basis::face_dofs) * threads + thread;
    shared.sum[thread] = 0;
    for (int k = 0; k < 2; ++k) {
      team.sync();
      shared.multiplier[thread] = (k == 0 ? update.first : update.second)[place];
      team.sync();
      const S* own = shared.multiplier + thread / n * n;
      for (int j = 0; j < n; ++j, column += threads) shared.sum[thread] += *column * own[j];
    }
    update.target[place] = shared.sum[thread];
  }
};

/// target += sum_f P_f (factor v+ - v), or the change of v+ in a step.
template <class Basis, int Block, bool of_jumps, class S>
struct DissertationSurface {
  static constexpr int n = Basis::dofs;
  static constexpr int threads = dissertation_threads(Block, n);
  static constexpr int columns = 4 * Basis::face_dofs;
  static constexpr int traces = threads / n * columns;
  struct Shared {
    S own[of_jumps ? threads : 1];
    S trace[traces];
    S sum[threads];
    int row[columns];
  };

  template <class Team>
  TW_FN static void run(const DissertationUpdate<S>& update, const Team& team, Shared& shared) {
    const int thread = team.thread();
    const std::int64_t block = team.block();
    const std::int64_t place = block * threads + thread;
    if constexpr (of_jumps) {
      shared.own[thread] = update.trace[place];
      if (thread < columns) shared.row[thread] = update.own[thread];
    }
    shared.sum[thread] = update.target[place];
    team.sync();
    for (int i = thread; i < traces; i += threads) {
      const std::int32_t code = update.neighbour[block * traces + i];
      if constexpr (of_jumps) {
        const S factor = S(1) - S((update.mirror_code >> (2 * (code & 3))) & 3);
        shared.trace[i] = factor * update.trace[code >> 2] - shared.own[i / columns * n + shared.row[i % columns]];
      } else {
        shared.trace[i] = update.trace[code >> 2] - update.before[code >> 2];
      }
    }
    team.sync();
    const S* column = update.matrix + (block * (2 * n + columns) + 2 * n) * threads + thread;
    const S* multiplier = shared.trace + thread / n * columns;
    for (int j = 0; j < columns; ++j, column += threads) shared.sum[thread] += *column * multiplier[j];
    update.target[place] = shared.sum[thread];
  }
};

template <class Basis, int Block, class S>
struct DissertationDispersion {
  static constexpr int n = Basis::dofs;
  static constexpr int threads = dissertation_threads(Block, n);
  struct Shared {
    S multiplier[2][threads];
    S sum[threads];
  };

  template <class Team>
  TW_FN static void run(const DissertationConvolution<S>& all, const Team& team, Shared& shared) {
    const int thread = team.thread();
    const std::int32_t element = all.element[team.block() * (threads / n) + thread / n];
    const std::int64_t place = std::int64_t{element < 0 ? 0 : element} * n + thread % n;
    const S x = (all.u[0][place] - all.u[1][place]) / all.dt;
    const S y = (all.v[0][place] - all.v[1][place]) / all.dt;
    const S change = x - (all.u[1][place] - all.u[2][place]) / all.dt;
    const S earlier = (all.v[1][place] - all.v[2][place]) / all.dt;
    S* memory = all.memory + team.block() * threads + thread;
    S g = all.loss * x;
    S q = all.other_loss * (all.v[0][place] - all.dt / 2 * y);
    for (int p = 0; p < all.own_poles + all.other_poles; ++p) {
      const bool is_own = p < all.own_poles;
      const S* c = all.constants + kernels::pole_constants * p;
      const S re = memory[2 * p * all.length];
      const S im = memory[(2 * p + 1) * all.length];
      const S next_re = c[0] * re - c[1] * im + (is_own ? change : earlier);
      const S next_im = c[0] * im + c[1] * re;
      (is_own ? g : q) += c[2] * next_re - c[3] * next_im + (is_own ? 0 : c[4] * y);
      memory[2 * p * all.length] = next_re;
      memory[(2 * p + 1) * all.length] = next_im;
    }
    shared.multiplier[0][thread] = g;
    shared.multiplier[1][thread] = q;
    shared.sum[thread] = 0;
    team.sync();
    const S* column = all.matrix + team.block() * 2 * n * threads + thread;
    for (int k = 0; k < 2; ++k) {
      const S* own = shared.multiplier[k] + thread / n * n;
      for (int j = 0; j < n; ++j, column += threads) shared.sum[thread] += *column * own[j];
    }
    if (element >= 0) all.target[place] += shared.sum[thread];
  }
};

/// work.template operator()<Kernel>() with the kernel of a space and of thread blocks of up to 480 or 512 threads.
template <class S, class Work>
void with_dissertation_kernel(Space space, int block, const DissertationUpdate<S>& update, const Work& work) {
  kernels::with_basis<3>(space, [&]<class Basis>() {
    const auto of_block = [&]<int Block>() {
      switch (update.part) {
        case DissertationPart::volume:
          return work.template operator()<DissertationVolume<Basis, Block, S>>();
        case DissertationPart::jumps:
          return work.template operator()<DissertationSurface<Basis, Block, true, S>>();
        case DissertationPart::changes:
          return work.template operator()<DissertationSurface<Basis, Block, false, S>>();
      }
    };
    block == 480 ? of_block.template operator()<480>() : of_block.template operator()<512>();
  });
}
template <class S, class Work>
void with_dissertation_kernel(Space space, int block, const DissertationConvolution<S>& /*all*/, const Work& work) {
  kernels::with_basis<3>(space, [&]<class Basis>() {
    block == 480 ? work.template operator()<DissertationDispersion<Basis, 480, S>>()
                 : work.template operator()<DissertationDispersion<Basis, 512, S>>();
  });
}

}  // namespace tetrawave::cuda

#include "cuda/bench/dissertation.hpp"
#include "cuda/check.hpp"
#include "kernels/spaces.hpp"

namespace tetrawave::cuda {

namespace {

template <class Basis, int Block>
constexpr int threads_of = dissertation_threads(Block, Basis::dofs);

/// u <- A2 u + A1 v.
template <class Basis, int Block, class S>
__global__ void __launch_bounds__(threads_of<Basis, Block>) run_volume(const DissertationUpdate<S> update) {
  constexpr int n = Basis::dofs;
  constexpr int threads = threads_of<Basis, Block>;
  __shared__ S multiplier[threads];
  __shared__ S sum[threads];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t block = blockIdx.x;
  const std::int64_t place = block * threads + thread;
  const S* column = update.matrix + block * (2 * n + 4 * Basis::face_dofs) * threads + thread;
  sum[thread] = 0;
  for (const S* field : {static_cast<const S*>(update.target), update.source}) {
    __syncthreads();
    multiplier[thread] = field[place];
    __syncthreads();
    const S* own = multiplier + thread / n * n;
    for (int j = 0; j < n; ++j, column += threads) sum[thread] += *column * own[j];
  }
  update.target[place] = sum[thread];
}

/// u += sum_f P_f (factor v+ - v).
template <class Basis, int Block, class S>
__global__ void __launch_bounds__(threads_of<Basis, Block>) run_surface(const DissertationUpdate<S> update) {
  constexpr int n = Basis::dofs;
  constexpr int threads = threads_of<Basis, Block>;
  constexpr int columns = 4 * Basis::face_dofs;
  constexpr int jumps = threads / n * columns;
  __shared__ S own[threads];
  __shared__ S jump[jumps];
  __shared__ S sum[threads];
  __shared__ int row[columns];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t block = blockIdx.x;
  const std::int64_t place = block * threads + thread;
  own[thread] = update.source[place];
  sum[thread] = update.target[place];
  if (thread < columns) row[thread] = update.own[thread];
  __syncthreads();
  for (int i = thread; i < jumps; i += threads) {
    const std::int32_t code = update.neighbour[block * jumps + i];
    const S factor = S(1) - S((update.mirror_code >> (2 * (code & 3))) & 3);
    jump[i] = factor * update.source[code >> 2] - own[i / columns * n + row[i % columns]];
  }
  __syncthreads();
  const S* column = update.matrix + (block * (2 * n + columns) + 2 * n) * threads + thread;
  const S* multiplier = jump + thread / n * columns;
  for (int j = 0; j < columns; ++j, column += threads) sum[thread] += *column * multiplier[j];
  update.target[place] = sum[thread];
}

template <class Work>
void with_block(Space space, int block, const Work& work) {
  kernels::with_basis(space, [&]<class Basis>() {
    if (block == 480)
      work.template operator()<Basis, 480>();
    else
      work.template operator()<Basis, 512>();
  });
}

}  // namespace

template <class S>
void launch_volume(Stream& stream, Space space, int block, const DissertationUpdate<S>& update,
                   std::int64_t thread_blocks) {
  const auto queue = static_cast<cudaStream_t>(stream.handle());
  const auto grid = static_cast<unsigned>(thread_blocks);
  with_block(space, block, [&]<class Basis, int Block>() {
    run_volume<Basis, Block><<<grid, threads_of<Basis, Block>, 0, queue>>>(update);
  });
  check(cudaGetLastError(), "the launch of a volume kernel");
}

template <class S>
void launch_surface(Stream& stream, Space space, int block, const DissertationUpdate<S>& update,
                    std::int64_t thread_blocks) {
  const auto queue = static_cast<cudaStream_t>(stream.handle());
  const auto grid = static_cast<unsigned>(thread_blocks);
  with_block(space, block, [&]<class Basis, int Block>() {
    run_surface<Basis, Block><<<grid, threads_of<Basis, Block>, 0, queue>>>(update);
  });
  check(cudaGetLastError(), "the launch of a surface kernel");
}

template void launch_volume(Stream&, Space, int, const DissertationUpdate<double>&, std::int64_t);
template void launch_volume(Stream&, Space, int, const DissertationUpdate<float>&, std::int64_t);
template void launch_surface(Stream&, Space, int, const DissertationUpdate<double>&, std::int64_t);
template void launch_surface(Stream&, Space, int, const DissertationUpdate<float>&, std::int64_t);

}  // namespace tetrawave::cuda

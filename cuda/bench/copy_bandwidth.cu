#include "cuda/bench/copy_bandwidth.hpp"

#include <algorithm>
#include <functional>

#include "cuda/check.hpp"
#include "cuda/cuda_backend.hpp"

namespace tetrawave::cuda {

namespace {

constexpr int threads = 256;
constexpr int words_a_thread = 4;

/// Every thread copies four words of 16 bytes, a block of threads neighbouring ones.
__global__ void __launch_bounds__(threads) copy_words(const double2* from, double2* to) {
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * threads * words_a_thread + threadIdx.x;
  double2 word[words_a_thread];
#pragma unroll
  for (int k = 0; k < words_a_thread; ++k) word[k] = __ldcs(from + first + k * threads);
#pragma unroll
  for (int k = 0; k < words_a_thread; ++k) __stcs(to + first + k * threads, word[k]);
}

class Timer {
 public:
  explicit Timer(cudaStream_t stream) : stream_(stream) {
    check(cudaEventCreate(&begin_), "cudaEventCreate");
    check(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~Timer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  double seconds(const std::function<void()>& work) {
    check(cudaEventRecord(begin_, stream_), "cudaEventRecord");
    work();
    check(cudaEventRecord(end_, stream_), "cudaEventRecord");
    check(cudaEventSynchronize(end_), "a copy on the GPU");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return 1e-3 * milliseconds;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace

double measure_copy() {
  Stream stream(0);
  constexpr std::size_t unit = sizeof(double2) * threads * words_a_thread;
  const auto available = static_cast<std::size_t>(stream.free_bytes());
  const std::size_t bytes = std::min<std::size_t>(std::size_t{1} << 30, available / 4) / unit * unit;
  void* from = stream.allocate(bytes);
  void* to = stream.allocate(bytes);
  const auto queue = static_cast<cudaStream_t>(stream.handle());
  double best = 0;
  {
    Timer timer(queue);
    const auto by_kernel = [&] {
      copy_words<<<static_cast<unsigned>(bytes / unit), threads, 0, queue>>>(static_cast<const double2*>(from),
                                                                             static_cast<double2*>(to));
      check(cudaGetLastError(), "the launch of a copy");
    };
    const auto by_memcpy = [&] { stream.queue_copy(to, from, bytes); };
    for (int k = 0; k < 20; ++k)
      for (const std::function<void()>& work : {std::function<void()>(by_kernel), std::function<void()>(by_memcpy)})
        best = std::max(best, 2.0 * static_cast<double>(bytes) / timer.seconds(work));
  }
  stream.release(to, bytes);
  stream.release(from, bytes);
  return best;
}

std::int64_t free_bytes() { return Stream(0).free_bytes(); }

}  // namespace tetrawave::cuda

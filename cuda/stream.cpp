#include <cuda_runtime.h>

#include <array>

#include "base/error.hpp"
#include "cuda/check.hpp"
#include "cuda/cuda_backend.hpp"

namespace tetrawave::cuda {

void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  const std::string text =
      tetrawave::format("{} failed: {} ({})", call, cudaGetErrorString(code), cudaGetErrorName(code));
  if (code == cudaErrorMemoryAllocation)
    fail(ExitCode::out_of_memory,
         "the GPU has not enough memory for this case: {}. Use more ranks, a coarser mesh or method.precision: single",
         text);
  throw InternalError(text);
}

#define TW_CHECK(call) check(call, #call)

Stream::Stream(int device) : device_(device) {
  TW_CHECK(cudaSetDevice(device));
  cudaStream_t stream = nullptr;
  TW_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  stream_ = stream;
  int least = 0;
  int greatest = 0;
  TW_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t front = nullptr;
  TW_CHECK(cudaStreamCreateWithPriority(&front, cudaStreamNonBlocking, greatest));
  front_ = front;
  for (void** event : {&mark_, &forked_, &joined_}) {
    cudaEvent_t made = nullptr;
    TW_CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    *event = made;
  }
}

Stream::~Stream() {
  for (void* event : {mark_, forked_, joined_}) cudaEventDestroy(static_cast<cudaEvent_t>(event));
  cudaStreamDestroy(static_cast<cudaStream_t>(front_));
  cudaStreamDestroy(static_cast<cudaStream_t>(stream_));
}

void Stream::fork() {
  TW_CHECK(cudaEventRecord(static_cast<cudaEvent_t>(forked_), static_cast<cudaStream_t>(stream_)));
  TW_CHECK(cudaStreamWaitEvent(static_cast<cudaStream_t>(front_), static_cast<cudaEvent_t>(forked_), 0));
}

void Stream::join() {
  after_kernel_ = false;
  TW_CHECK(cudaEventRecord(static_cast<cudaEvent_t>(joined_), static_cast<cudaStream_t>(front_)));
  TW_CHECK(cudaStreamWaitEvent(static_cast<cudaStream_t>(stream_), static_cast<cudaEvent_t>(joined_), 0));
}

void* Stream::allocate(std::size_t bytes) {
  void* memory = nullptr;
  const std::size_t size = bytes > 0 ? bytes : 1;
  TW_CHECK(cudaMalloc(&memory, size));
  allocated_ += static_cast<std::int64_t>(bytes);
  TW_CHECK(cudaMemsetAsync(memory, 0, size, static_cast<cudaStream_t>(stream_)));
  synchronize();
  return memory;
}

void Stream::release(void* memory, std::size_t bytes) noexcept {
  allocated_ -= static_cast<std::int64_t>(bytes);
  cudaStreamSynchronize(static_cast<cudaStream_t>(stream_));
  cudaFree(memory);
}

void* Stream::allocate_locked(std::size_t bytes) {
  void* memory = nullptr;
  TW_CHECK(cudaMallocHost(&memory, bytes > 0 ? bytes : 1));
  return memory;
}

void Stream::release_locked(void* memory) noexcept { cudaFreeHost(memory); }

void Stream::to_device(void* to, const void* from, std::size_t bytes) {
  queue_copy(to, from, bytes);
  synchronize();
}

void Stream::to_host(void* to, const void* from, std::size_t bytes) {
  queue_copy(to, from, bytes);
  synchronize();
}

void Stream::queue_copy(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) TW_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(handle())));
}

void Stream::queue_clear(void* memory, std::size_t bytes) {
  if (bytes > 0) TW_CHECK(cudaMemsetAsync(memory, 0, bytes, static_cast<cudaStream_t>(handle())));
}

void Stream::mark() { TW_CHECK(cudaEventRecord(static_cast<cudaEvent_t>(mark_), static_cast<cudaStream_t>(handle()))); }
void Stream::wait_for_mark() { TW_CHECK(cudaEventSynchronize(static_cast<cudaEvent_t>(mark_))); }
void Stream::synchronize() { TW_CHECK(cudaStreamSynchronize(static_cast<cudaStream_t>(stream_))); }

std::shared_ptr<void> Stream::record(const std::function<void()>& work) {
  after_kernel_ = false;
  const auto stream = static_cast<cudaStream_t>(stream_);
  TW_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  work();
  after_kernel_ = false;
  cudaGraph_t graph = nullptr;
  TW_CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t program = nullptr;
  // without the flag all kernels of a graph have the priority of the stream that it is launched into
  TW_CHECK(cudaGraphInstantiate(&program, graph, cudaGraphInstantiateFlagUseNodePriority));
  TW_CHECK(cudaGraphDestroy(graph));
  return {static_cast<void*>(program), [](void* p) { cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(p)); }};
}

void Stream::replay(void* graph) {
  after_kernel_ = false;
  TW_CHECK(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), static_cast<cudaStream_t>(stream_)));
}

std::int64_t Stream::free_bytes() const {
  std::size_t available = 0;
  std::size_t total = 0;
  TW_CHECK(cudaMemGetInfo(&available, &total));
  return static_cast<std::int64_t>(available);
}

std::string Stream::device() const {
  cudaDeviceProp properties{};
  TW_CHECK(cudaGetDeviceProperties(&properties, device_));
  return tetrawave::format("cuda {} ({})", device_, properties.name);
}

int device_count() noexcept {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

DevicePlace place_of(int device) {
  cudaDeviceProp properties{};
  TW_CHECK(cudaGetDeviceProperties(&properties, device));
  std::array<char, 32> bus_id{};
  TW_CHECK(cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), device));
  std::string unit;
  for (const char byte : properties.uuid.bytes)
    unit += tetrawave::format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(byte)));
  return {device, properties.name, bus_id.data(), unit};
}

std::vector<std::string> describe_devices() {
#ifdef TETRAWAVE_QUICK
  constexpr auto speed = ", slow kernels (-DTETRAWAVE_QUICK=ON)";
#else
  constexpr auto speed = "";
#endif
  std::vector<std::string> lines;
  for (int d = 0; d < device_count(); ++d) {
    cudaDeviceProp p{};
    TW_CHECK(cudaGetDeviceProperties(&p, d));
    lines.push_back(tetrawave::format("{}: {}, {:.0f} GiB, compute capability {}.{}{}", d, p.name,
                                      static_cast<double>(p.totalGlobalMem) / (1 << 30), p.major, p.minor, speed));
  }
  return lines;
}

}  // namespace tetrawave::cuda

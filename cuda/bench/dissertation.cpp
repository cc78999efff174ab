#include "cuda/bench/dissertation_march.hpp"
#include "cuda/bench/launch_dissertation.hpp"
#include "cuda/launch/engine.hpp"

namespace tetrawave::cuda {

namespace {

struct DissertationDevice : CudaBackend {
  using CudaBackend::CudaBackend;
  template <class Arguments>
  void launch(Space space, int block, const Arguments& arguments, std::int64_t thread_blocks) {
    launch_dissertation(stream(), space, block, arguments, thread_blocks);
  }
};

}  // namespace

march::UnfusedFactory make_dissertation(int block) {
  ensure(block == 480 || block == 512, "thread blocks of the dissertation's tables");
  return
      [block](const march::Problem& problem, const march::EngineOptions& options) -> std::unique_ptr<march::Unfused> {
        DissertationDevice device(0, march::threads_of_rank(options, comm::Communicator::self()));
        if (options.precision == Precision::single_precision)
          return std::make_unique<DissertationMarch<DissertationDevice, float>>(std::move(device), problem, block);
        return std::make_unique<DissertationMarch<DissertationDevice, double>>(std::move(device), problem, block);
      };
}

}  // namespace tetrawave::cuda

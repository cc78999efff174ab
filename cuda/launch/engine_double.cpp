// The engines of GPUs with fields in double precision.
#include "cuda/cuda_backend.hpp"
#include "engines/make_engine.hpp"

namespace tetrawave::march {

template std::unique_ptr<Engine> make_engine_of<double>(cuda::CudaBackend, const Problem&, const comm::Communicator&);

}  // namespace tetrawave::march

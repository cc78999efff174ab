// The engines of this CPU with fields in double precision.
#include "host/host_backend.hpp"
#include "march/make_engine.hpp"

namespace tetrawave::march {

template std::unique_ptr<Engine> make_engine_of<double>(host::HostBackend, const Problem&, const comm::Communicator&);

}  // namespace tetrawave::march

// The engines of this CPU with fields in double precision.
#include "engines/make_engine.hpp"
#include "host/host_backend.hpp"

namespace tetrawave::march {

template std::unique_ptr<Engine> make_engine_of<double>(host::HostBackend, const Problem&, const comm::Communicator&);

}  // namespace tetrawave::march

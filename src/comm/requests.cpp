#include "comm/requests.hpp"

#include "comm/mpi_check.hpp"

namespace tetrawave::comm {

Requests::Requests() : impl_(std::make_unique<Impl>()) {}
Requests::Requests(Requests&&) noexcept = default;
Requests& Requests::operator=(Requests&&) noexcept = default;

Requests::~Requests() {
  if (!impl_) return;
  for (MPI_Request& request : impl_->pending) {
    MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
}

void Requests::wait_all() {
  if (!impl_) return;
  for (MPI_Request& request : impl_->pending) check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  impl_->pending.clear();
}

}  // namespace tetrawave::comm

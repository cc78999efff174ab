// MPI return codes as exceptions. Included by this folder's sources only.
#pragma once

#include <mpi.h>

#include <string>

#include "base/error.hpp"

namespace tetrawave::comm {

/// MPI's own text for an error code.
inline std::string describe_mpi_error(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

/// Throws InternalError with MPI's text unless `code` is MPI_SUCCESS.
inline void check_mpi(int code, const char* call) {
  if (code != MPI_SUCCESS) throw InternalError(tetrawave::format("{} failed: {}", call, describe_mpi_error(code)));
}

}  // namespace tetrawave::comm

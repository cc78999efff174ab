// The state of a run in HDF5 files, one per rank: elements by global id, so that any number of ranks can read it.
//
//   /global_id [n]        of the elements of the rank that wrote the file
//   /elements/NAME [n,w]  a row per element
//   /listed/NAME/id [k], /listed/NAME/values [k,w]   rows of some elements
//   /shared/NAME [k]      in the file of rank 0 only
//
// Every dataset has the attribute `hash`: XXH64 of its values in memory.
#pragma once

#include <filesystem>
#include <vector>

#include "comm/communicator.hpp"
#include "march/interface/state.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave::march {

/// Writes this rank's part; `shared`: also the shared arrays. Not collective. Throws UserError: io; unstable if a
/// number is not finite, so that such a state is never kept.
void write_state(const StateRegistry& state, const LocalMesh& mesh, bool shared, const std::filesystem::path& file);

/// Reads the state contained in `files` together, rank 0's first, whatever number of ranks wrote them. Collective; the
/// same UserError on all ranks: bad_checkpoint if they do not contain every element of the mesh once or a hash is
/// wrong.
void read_state(const StateRegistry& state, const LocalMesh& mesh, const comm::Communicator& ranks,
                const std::vector<std::filesystem::path>& files);

}  // namespace tetrawave::march

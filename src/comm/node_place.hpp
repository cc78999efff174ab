// This process among those of its host. Included by this folder's sources only.
#pragma once

namespace tetrawave::comm {

/// Rank among the ranks of this host, and how many those are.
struct NodePlace {
  int rank = 0;
  int size = 1;
};

/// Found once by Scope, because finding it is a collective and Communicator::world() is not. MPI is one per process,
/// and so is this.
NodePlace& node_place();

}  // namespace tetrawave::comm

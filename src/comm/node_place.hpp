// This process among those of its host. Included by this folder's sources only.
#pragma once

namespace tetrawave::comm {

/// Rank among the ranks of this host, and their number.
struct NodePlace {
  int rank = 0;
  int size = 1;
};

/// Determined once by Scope, because this is a collective and Communicator::world() is not. There is one MPI per
/// process, and one of these.
NodePlace& node_place();

}  // namespace tetrawave::comm

// Values of the elements behind the faces of a rank's elements, including elements of other ranks.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "mesh/local_mesh.hpp"

namespace tetrawave {

/// A number per element, such as its region, looked up for the neighbours; construction is collective.
class NeighbourValues {
 public:
  /// `own`: of this rank's elements. Keeps references to both.
  NeighbourValues(const LocalMesh& mesh, const std::vector<std::int32_t>& own, const comm::Communicator& ranks);
  /// Value of the element behind a face; -1 at outer faces.
  [[nodiscard]] std::int32_t behind(LocalIndex element, std::size_t face) const;

 private:
  const LocalMesh& mesh_;
  const std::vector<std::int32_t>& own_;
  std::map<std::pair<LocalIndex, std::size_t>, std::int32_t> remote_;
};

}  // namespace tetrawave

// Checks common to all readers of Tetrawave's HDF5 mesh. All throw UserError (bad_mesh) with the name of the file.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "mesh/mesh_slab.hpp"
#include "store/hdf5.hpp"

namespace tetrawave {

template <class... Args>
[[noreturn]] void refuse(const store::File& file, format_string<Args...> text, Args&&... args) {
  fail(ExitCode::bad_mesh, "{}: not a valid mesh: {}", file.name(),
       tetrawave::format(text, std::forward<Args>(args)...));
}

/// Number of rows of a dataset, checking its type, its width and that its bytes are all in the file.
[[nodiscard]] GlobalIndex count_rows(const store::File& file, const std::string& path, store::ElementKind kind,
                                     std::int64_t width);

/// Format, version and unit.
void check_header(const store::File& file);

/// Names of regions or groups: allowed letters, no duplicates.
[[nodiscard]] std::vector<std::string> read_names(const store::File& file, const std::string& path);

/// Checks that indices are within the list of names; `first` is the id of the first item.
void check_indices(const store::File& file, const char* what, GlobalIndex first,
                   const std::vector<std::int64_t>& indices, const std::vector<std::string>& names, const char* list);

/// Checks that items refer to nodes of the mesh, to each at most once; `first` is the id of the first item.
template <std::size_t N>
void check_references(const store::File& file, const char* what, GlobalIndex first, GlobalIndex node_count,
                      const std::vector<std::array<GlobalIndex, N>>& tuples) {
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    const GlobalIndex id = first + static_cast<GlobalIndex>(i);
    auto nodes = tuples[i];
    for (const GlobalIndex node : nodes)
      if (node < 0 || node >= node_count)
        refuse(file, "{} {} refers to node {}, but nodes are 0 to {}", what, id, node, node_count - 1);
    std::sort(nodes.begin(), nodes.end());
    const auto repeated = std::adjacent_find(nodes.begin(), nodes.end());
    if (repeated != nodes.end()) refuse(file, "{} {} refers to node {} twice", what, id, *repeated);
  }
}

/// Checks a whole second-order mesh: an edge has the same node in all elements and named faces, and no other edge has
/// it.
void check_middles(const store::File& file, const MeshSlab& slab, int threads);

}  // namespace tetrawave

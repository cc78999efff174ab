// What a .msh file must have before Gmsh may read it.
#pragma once

#include <string>

namespace tetrawave::mesher {

/// Checks that the sections of a .msh file (versions 2 and 4, text or binary) are whole and that its counts of nodes
/// and elements fit into its length: Gmsh takes a file that ends early for a small one, and takes memory for what is
/// claimed. Throws UserError (bad_mesh, io).
void check_msh(const std::string& path);

/// Whether the file is a .msh of version 2, which repeats an element for each physical group it stands in.
[[nodiscard]] bool is_msh2(const std::string& path);

}  // namespace tetrawave::mesher

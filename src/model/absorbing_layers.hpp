// From boundaries.pml of a case to the layers of the problem.
#pragma once

#include <optional>

#include "case/spec/case.hpp"
#include "comm/communicator.hpp"
#include "march/interface/problem.hpp"
#include "mesh/local_mesh.hpp"
#include "mesh/report/mesh_summary.hpp"

namespace tetrawave::modes {

/// None without boundaries.pml. The box is that around all elements outside of the layers; conductivities of the
/// layers' media move from `media` to the layers. Collective. Throws UserError (bad_case) on all ranks: a layer of a
/// dispersive or Kerr medium, or of an anisotropic one with losses; a region of boundaries.pml that the mesh does not
/// have; layers without anything inside; an element of a layer inside the box.
std::optional<march::AbsorbingLayers> make_layers(const Case& given, const LocalMesh& mesh, const MeshSummary& summary,
                                                  std::vector<Medium>& media, const comm::Communicator& ranks);

}  // namespace tetrawave::modes

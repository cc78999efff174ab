// The medium of a port.
#pragma once

#include <string>
#include <vector>

#include "media/material.hpp"
#include "sources/ports/port_description.hpp"

namespace tetrawave {

/// "PLACE: error: port 'NAME': the face 'GROUP'", the start of messages.
[[nodiscard]] std::string port_subject(const PortDescription& port);

/// The medium used for the mode of a coaxial or tem port: one whose loss tangents at `hz` are at most a tenth is
/// replaced by the lossless medium of its eps and mu there, any other is unchanged.
[[nodiscard]] Medium without_small_losses(const Medium& medium, double hz);

/// The single medium at a port's face; `of_elements` are the media of the elements at the face, on all ranks, in any
/// number. Throws UserError (bad_case) if they differ, have losses, are dispersive or anisotropic.
[[nodiscard]] Medium port_medium(const PortDescription& port, const std::vector<Medium>& of_elements);

/// Throws UserError (bad_case) unless the media at the face of a TEM port are lossless, isotropic, not dispersive, and
/// of one permeability.
void check_line_media(const PortDescription& port, const std::vector<Medium>& of_triangles);

}  // namespace tetrawave

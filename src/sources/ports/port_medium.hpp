// The medium that a port stands in.
#pragma once

#include <string>
#include <vector>

#include "case/spec/case.hpp"
#include "media/material.hpp"

namespace tetrawave {

/// "PLACE: error: port 'NAME': the face 'GROUP'", the beginning of messages.
[[nodiscard]] std::string port_subject(const PortSpec& port);

/// The medium as the mode of a coaxial or tem port takes it: one whose loss tangents at `hz` are at most a tenth as the
/// lossless medium of its eps and mu there, any other as it is.
[[nodiscard]] Medium without_small_losses(const Medium& medium, double hz);

/// The one medium that a port's face touches; `of_elements` are the media of the elements at the face, on all ranks, in
/// any number. Throws UserError (bad_case) when they differ, have losses, are dispersive or anisotropic.
[[nodiscard]] Medium port_medium(const PortSpec& port, const std::vector<Medium>& of_elements);

/// Throws UserError (bad_case) unless the media at the face of a TEM port are lossless, isotropic, not dispersive, and
/// of one permeability.
void check_line_media(const PortSpec& port, const std::vector<Medium>& of_triangles);

}  // namespace tetrawave

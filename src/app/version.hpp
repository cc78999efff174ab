// Version of this program.
#pragma once

#include <string>

namespace tetrawave::app {

/// "0.2.0".
std::string version_text();
/// The git revision of the source, or "unknown".
std::string git_revision();

}  // namespace tetrawave::app

#include "app/version.hpp"

#include "version_data.hpp"

namespace tetrawave::app {

std::string version_text() { return TETRAWAVE_VERSION; }
std::string git_revision() { return TETRAWAVE_GIT_REVISION; }

}  // namespace tetrawave::app

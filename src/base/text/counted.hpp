// A number with its noun.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/text/format.hpp"

namespace tetrawave {

/// "1 frequency", "2 frequencies".
[[nodiscard]] inline std::string counted(std::size_t number, std::string_view one, std::string_view several) {
  return tetrawave::format("{} {}", number, number == 1 ? one : several);
}

}  // namespace tetrawave

// The place in the input where a value was written.
#pragma once

#include <string>

namespace tetrawave {

/// For errors found later: "FILE:LINE:COLUMN", or "--set a.b".
struct Place {
  std::string text;
};

}  // namespace tetrawave

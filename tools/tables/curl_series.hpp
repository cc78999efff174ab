// The operators of DFDD-ELD's series (schemes/dfdd/curl_series.hpp).
#pragma once

#include <string>

#include "tools/tables/products.hpp"

namespace tetrawave::tables {

/// `struct type : base` for the full space of this degree, whose sparse operators `base` has.
void write_curl_series(Header& out, int degree, Space space, const std::string& type, const std::string& base);

}  // namespace tetrawave::tables

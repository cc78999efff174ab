// The sparse operators of a full space in Bernstein form, as straight-line code (theory/bernstein).
#pragma once

#include <string>

#include "tools/tables/products.hpp"

namespace tetrawave::tables {

/// `struct type : base` with the operators of (P_degree)^3 on contravariant components, for DGTD-Central and
/// DGTD-Upwind.
void write_bernstein(Header& out, int degree, const std::string& type, const std::string& base);

/// Of such a struct: curls, and fields, in Bernstein polynomials of one degree less.
void write_lower(Header& out, int degree);

}  // namespace tetrawave::tables

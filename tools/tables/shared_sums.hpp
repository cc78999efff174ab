// A matrix times vector in which sums that several rows have are computed once (decision 113).
#pragma once

#include <fstream>

#include "tools/tables/products.hpp"

namespace tetrawave::tables {

/// to (add ? += : =) matrix * from. A sum is one of two terms, of the vector or sums themselves, and is taken as long
/// as two rows have one with the same ratio: the one that most rows have first.
void write_shared(std::ofstream& out, const Entry& entry, std::size_t rows, std::size_t columns,
                  const std::string& from, const std::string& to, bool add);

}  // namespace tetrawave::tables

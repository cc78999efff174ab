// How the constant matrices of a space are written as code (kernels/products.hpp).
#pragma once

#include <cstddef>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "basis/reference_element.hpp"

namespace tetrawave::tables {

using Entry = std::function<double(std::size_t, std::size_t)>;

/// How products are written (kernels/products.hpp).
enum class Style { straight, rolled, fused, shared };

struct Header {
  std::ofstream text;
  Style style = Style::straight;

  [[nodiscard]] const char* style_name() const {
    constexpr const char* names[] = {"straight", "rolled", "fused", "straight"};
    return names[static_cast<int>(style)];
  }
};

template <class Item>
Header& operator<<(Header& header, const Item& item) {
  header.text << item;
  return header;
}

/// One row as multiply-adds one after the other, so that no product is shared between rows and kept in a register.
/// `start`: what the sum begins with, nothing for zero.
std::string fused_row(const Entry& entry, std::size_t row, std::size_t columns, const std::string& from,
                      const std::string& start);

/// A function of that signature: to (add ? += : =) matrix * from, in the style of the header.
void write_product(Header& out, const std::string& signature, const Entry& entry, std::size_t rows, std::size_t columns,
                   const std::string& from, const std::string& to, bool add);

/// Rows of T^-T: 6/d_m for the low modes (so that z = q w), 1 for the top; times `factor` matrix.
Entry to_modes(const basis::ReferenceElement& e, const basis::Table& matrix, double factor);

basis::Table unit_table(std::size_t size);

/// From orthogonal modes.
Entry dofs_of_modes(const basis::ReferenceElement& e);

/// Row and column of a packed lower triangle.
std::pair<std::size_t, std::size_t> unpack(std::size_t packed);

/// Of the matrices that the six numbers of a symmetric 3 x 3 matrix are multiplied with, for the mass of the top.
double top_entry(const basis::ReferenceElement& e, std::size_t row, std::size_t column, std::size_t number);

/// (curl P): curl components of a mode, low modes first and then the top.
double curl_of_mode(const basis::ReferenceElement& e, std::size_t row, std::size_t mode);

/// Components of the curl that give all of them: the curl has no divergence, so some follow from others.
struct CurlRows {
  std::vector<std::size_t> kept;  ///< rows of `curl_components`: the constant ones, then the others in their order
  basis::Table all;               ///< all components (3 curl_modes) from the kept ones
};
CurlRows curl_rows(const basis::ReferenceElement& e);

}  // namespace tetrawave::tables

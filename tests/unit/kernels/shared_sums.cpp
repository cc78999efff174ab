// The straight-line code of CPUs, in which sums are shared between rows, against the rows themselves.
#include <algorithm>
#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

#include "catch.hpp"
#include "host_terms.hpp"
#include "kernels/spaces.hpp"

using namespace tetrawave::kernels;

namespace {

/// Largest difference of two products with the same random numbers, added to others, over the largest value.
template <class Product, class Shared>
double difference(int columns, int rows, const Product& product, const Shared& shared) {
  std::mt19937 engine(5);
  const auto numbers = [&](int count) {
    std::vector<double> list(static_cast<std::size_t>(count));
    for (double& x : list) x = std::uniform_real_distribution<double>(-1, 1)(engine);
    return list;
  };
  const std::vector<double> from = numbers(columns);
  std::vector<double> expected = numbers(rows), found = expected;
  product(from.data(), expected.data());
  shared(from.data(), found.data());
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, std::abs(found[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  return largest > 0 ? worst / largest : worst;  // without modes that have a curl all is zero
}

#define TW_SAME(function, columns, rows)                                    \
  CHECK(difference(columns, rows, Basis::template function<double, double>, \
                   TermsOfHost<Basis>::type::template function<double, double>) < 1e-14)

template <class Basis>
void check_products() {
  constexpr int n = Basis::dofs, nf = Basis::face_dofs, c = 3 * Basis::curl_modes, t = Basis::top;
  static_assert(!std::is_same_v<typename TermsOfHost<Basis>::type, Basis>);
  TW_SAME(curl, n, n);
  TW_SAME(flux0, nf, n);
  TW_SAME(flux1, nf, n);
  TW_SAME(flux2, nf, n);
  TW_SAME(flux3, nf, n);
  TW_SAME(to_dofs, n, n);
  TW_SAME(components, n, 3 * Basis::modes);
  TW_SAME(curl_components, n, c);
  TW_SAME(curl_transposed, c, n);
  TW_SAME(curl_gram, 6, c * (c + 1) / 2);
  TW_SAME(face_components, nf, 2 * Basis::face_modes);
  TW_SAME(face_dual, 2 * Basis::face_modes, nf);
  TW_SAME(to_modes, n, n);
  TW_SAME(curl_dual, n, n);
  if constexpr (t > 0) {
    TW_SAME(top_matrix, 6, t * (t + 1) / 2);
    TW_SAME(top_dual, 3 * Basis::modes, t);
    TW_SAME(add_top_gram, t * (t + 1) / 2, c * (c + 1) / 2);
  }
  if constexpr (t > 0 && Basis::curl_modes > 1) {
    TW_SAME(curl_of_low, 3 * Basis::low_modes, 3);
    TW_SAME(curl_of_low_dual, 3, 3 * Basis::low_modes);
    TW_SAME(curl_of_top, t, 3);
    TW_SAME(curl_of_top_dual, 3, t);
    TW_SAME(low_gram, 6, 6);
    TW_SAME(add_top_stiffness, 12, t * (t + 1) / 2);
  }
}

}  // namespace

TEST_CASE("products with shared sums are the products") {
  check_products<Mixed1>();
  check_products<Full1>();
  check_products<Mixed2>();
  check_products<Full2>();
}

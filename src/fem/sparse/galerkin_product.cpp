#include "fem/sparse/galerkin_product.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tetrawave::fem {

Subspace Subspace::transposed() const {
  Subspace result;
  result.columns = static_cast<std::int32_t>(rows());
  result.first.assign(static_cast<std::size_t>(columns) + 1, 0);
  for (const std::int32_t c : column) ++result.first[static_cast<std::size_t>(c) + 1];
  for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) result.first[c + 1] += result.first[c];
  result.column.resize(column.size());
  result.value.resize(value.size());
  std::vector<std::int64_t> next = result.first;
  for (std::size_t row = 0; row < rows(); ++row)
    for_row(row, [&](std::size_t c, double v) {
      const auto at = static_cast<std::size_t>(next[c]++);
      result.column[at] = static_cast<std::int32_t>(row);
      result.value[at] = v;
    });
  return result;
}

/// use(d, k, factor): entry k of A comes into column d of this row of P^T A P times the factor.
template <class Use>
void GalerkinProduct::for_products(std::size_t row, const Use& use) const {
  transposed_.for_row(row, [&](std::size_t i, double left) {
    for (std::int64_t k = pattern_.first[i]; k < pattern_.first[i + 1]; ++k)
      subspace_.for_row(static_cast<std::size_t>(pattern_.column[static_cast<std::size_t>(k)]),
                        [&](std::size_t d, double right) { use(d, static_cast<std::size_t>(k), left * right); });
  });
}

GalerkinProduct::GalerkinProduct(const CsrPattern& pattern, const Subspace& subspace)
    : pattern_(pattern), subspace_(subspace), transposed_(subspace.transposed()) {
  ensure(subspace.rows() == static_cast<std::size_t>(pattern.rows()), "a subspace has a row per unknown");
  std::vector<std::int32_t> last_row(static_cast<std::size_t>(subspace.columns), -1);
  for (std::int32_t row = 0; row < subspace.columns; ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(product_.column.size());
    for_products(static_cast<std::size_t>(row), [&](std::size_t d, std::size_t, double) {
      if (last_row[d] == row) return;
      last_row[d] = row;
      product_.column.push_back(static_cast<std::int32_t>(d));
    });
    std::sort(product_.column.begin() + begin, product_.column.end());
    product_.first.push_back(static_cast<std::int64_t>(product_.column.size()));
  }
}

template <class T>
CsrMatrix<T> GalerkinProduct::multiply(const CsrMatrix<T>& matrix) const {
  CsrMatrix<T> result{&product_, UnsetVector<T>(product_.column.size(), T(0))};
  std::vector<std::size_t> place(static_cast<std::size_t>(subspace_.columns));
  for (std::size_t row = 0; row < place.size(); ++row) {
    for (auto k = static_cast<std::size_t>(product_.first[row]); k < static_cast<std::size_t>(product_.first[row + 1]);
         ++k)
      place[static_cast<std::size_t>(product_.column[k])] = k;
    for_products(row, [&](std::size_t d, std::size_t k, double factor) {
      result.values[place[d]] += factor * matrix.values[k];
    });
  }
  return result;
}

std::int64_t GalerkinProduct::bytes() const {
  return transposed_.bytes() + static_cast<std::int64_t>(8 * product_.first.size() + 4 * product_.column.size());
}

template CsrMatrix<double> GalerkinProduct::multiply(const CsrMatrix<double>&) const;
template CsrMatrix<Complex> GalerkinProduct::multiply(const CsrMatrix<Complex>&) const;

}  // namespace tetrawave::fem

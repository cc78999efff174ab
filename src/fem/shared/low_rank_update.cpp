#include "fem/shared/low_rank_update.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <span>
#include <utility>

namespace tetrawave::fem {

namespace {

using DenseMatrix = Eigen::MatrixXcd;

/// U^T Z, added over ranks.
DenseMatrix products(const LowRankUpdate& update, const std::vector<std::vector<Complex>>& z,
                     const comm::Communicator& ranks) {
  DenseMatrix result(static_cast<Eigen::Index>(update.columns.size()), static_cast<Eigen::Index>(z.size()));
  for (Eigen::Index c = 0; c < result.cols(); ++c)
    for (Eigen::Index r = 0; r < result.rows(); ++r) {
      const auto& column = update.columns[static_cast<std::size_t>(r)];
      const auto& vector = z[static_cast<std::size_t>(c)];
      Complex sum = 0;
      for (std::size_t i = 0; i < column.size(); ++i)
        if (column[i] != 0.0) sum += column[i] * vector[i];
      result(r, c) = sum;
    }
  if (ranks.size() > 1)
    ranks.sum_in_place(
        std::span<double>(reinterpret_cast<double*>(result.data()), 2 * static_cast<std::size_t>(result.size())));
  return result;
}

}  // namespace

std::vector<Complex> along_columns(const LowRankUpdate& update, const std::vector<Complex>& x,
                                   const comm::Communicator& ranks) {
  const DenseMatrix sums = products(update, {x}, ranks);
  return {sums.data(), sums.data() + sums.size()};
}

void apply_update(const LowRankUpdate& update, const std::vector<std::vector<Complex>>& images,
                  std::vector<std::vector<Complex>>& x, const comm::Communicator& ranks) {
  const auto size = static_cast<Eigen::Index>(update.columns.size());
  const Eigen::Map<const Eigen::Matrix<Complex, -1, -1, Eigen::RowMajor>> middle(update.middle.data(), size, size);
  const DenseMatrix left = DenseMatrix::Identity(size, size) + middle * products(update, images, ranks);
  const DenseMatrix weights = left.partialPivLu().solve(middle * products(update, x, ranks));
  for (Eigen::Index c = 0; c < weights.cols(); ++c)
    for (Eigen::Index r = 0; r < size; ++r) {
      auto& own = x[static_cast<std::size_t>(c)];
      const auto& image = images[static_cast<std::size_t>(r)];
      for (std::size_t i = 0; i < own.size(); ++i) own[i] -= weights(r, c) * image[i];
    }
}

LinearFigures solve_updated(SolvedUpdate& solved, const SolveSides& solve, const comm::Communicator& ranks,
                            const std::vector<std::vector<Complex>>& b, std::vector<std::vector<Complex>>& x) {
  auto& [update, images] = solved;
  if (update.is_empty()) return solve(b, x);
  std::vector<std::vector<Complex>> all = b;
  if (images.empty()) all.insert(all.end(), update.columns.begin(), update.columns.end());
  x.resize(all.size(), std::vector<Complex>(all.front().size()));
  LinearFigures figures = solve(all, x);
  for (std::size_t k = b.size(); k < all.size(); ++k) images.push_back(std::move(x[k]));
  x.resize(b.size());
  apply_update(update, images, x, ranks);
  figures.iterations.resize(b.size());
  figures.residual.resize(b.size());
  figures.history.resize(std::min(figures.history.size(), b.size()));
  return figures;
}

}  // namespace tetrawave::fem

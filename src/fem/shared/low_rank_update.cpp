#include "fem/shared/low_rank_update.hpp"

#include <Eigen/Dense>
#include <span>

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

}  // namespace tetrawave::fem

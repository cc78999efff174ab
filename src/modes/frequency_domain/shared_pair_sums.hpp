// Sums over pairs of points with the points shared out over ranks.
#pragma once

#include <memory>
#include <vector>

#include "comm/communicator.hpp"
#include "kernels/pairs/pair_sums.hpp"

namespace tetrawave::modes {

/// The first rank asks; the others `serve` with what they compute on until it says `end`. A failure anywhere is thrown
/// on all ranks.
class SharedPairSums : public kernels::PairSums {
 public:
  SharedPairSums(std::unique_ptr<kernels::PairSums> own, comm::Communicator ranks);

  /// On the first rank.
  void set_points(const std::vector<double>& points, const kernels::PointsOfFaces& faces) override;
  [[nodiscard]] std::vector<double> sum(const std::vector<double>& sources, int sets, Precision precision) override;
  [[nodiscard]] double seconds_transfer() const override { return own_->seconds_transfer(); }
  /// Of all ranks: largest error, memory and time, pairs together.
  [[nodiscard]] kernels::ClusterReport clusters() const override { return report_; }
  void end();
  /// On the others: returns after `end`.
  void serve();
  [[nodiscard]] bool leads() const { return ranks_.rank() == 0; }

 private:
  void take_points(std::vector<double> points, const kernels::PointsOfFaces& faces);
  std::vector<double> share_sum(std::vector<double> sources, int sets, Precision precision);

  std::unique_ptr<kernels::PairSums> own_;
  comm::Communicator ranks_;
  kernels::ClusterReport report_;
};

}  // namespace tetrawave::modes

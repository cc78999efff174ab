// Sums over pairs of points with the points shared out over ranks.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/node_memory.hpp"
#include "kernels/pairs/pair_sums.hpp"

namespace tetrawave::modes {

/// The first rank asks for sums; the others compute their shares in `serve` until it calls `end`. A failure on one rank
/// is thrown on all. On one host, sources and sums pass through memory that the ranks share: that of the first rank's
/// device where all devices reach it, else the host's.
class SharedPairSums : public kernels::PairSums {
 public:
  /// `threads`: of each rank, for copies.
  SharedPairSums(std::unique_ptr<kernels::PairSums> own, comm::Communicator ranks, int threads);

  /// On the first rank, as `find_sums`.
  void set_points(const std::vector<double>& points, const kernels::PointsOfFaces& faces) override;
  [[nodiscard]] std::span<const double> find_sums(std::span<const double> sources, int sets,
                                                  Precision precision) override;
  void see_places(std::span<const double> sources, int sets) override {
    if (ranks_.size() == 1) own_->see_places(sources, sets);
  }
  [[nodiscard]] bool is_resident() const override {
    return ranks_.size() == 1 ? own_->is_resident() : buffer_ != nullptr;
  }
  [[nodiscard]] const double* find_resident_sums(std::span<const double> sources, int sets,
                                                 Precision precision) override;
  [[nodiscard]] const double* upload_sources(std::span<const double> sources) override {
    return own_->upload_sources(sources);
  }
  [[nodiscard]] std::span<const double> download_sums(std::span<const double> sums) override {
    return own_->download_sums(sums);
  }
  [[nodiscard]] double seconds_transfer() const override { return own_->seconds_transfer(); }
  /// Of all ranks: largest error, memory and time, pairs together.
  [[nodiscard]] kernels::ClusterReport clusters() const override { return report_; }
  void end();
  /// On the others: returns after `end`.
  void serve();
  [[nodiscard]] bool leads() const { return ranks_.rank() == 0; }

 private:
  void take_points(std::vector<double> points, const kernels::PointsOfFaces& faces);
  /// Where the devices allow it. Collective.
  void open_buffer();
  /// Ranks leave the buffer together, or, after a failure, without each other.
  void close_buffer(bool together);
  /// Of sources on the first rank's device: the sums, in the buffer. Collective.
  const double* share_in_buffer(std::span<const double> sources, std::size_t numbers, int sets, Precision precision);
  std::span<const double> share_sum(std::span<const double> sources, std::size_t numbers, int sets,
                                    Precision precision);
  /// Room for sources and sums in memory that the ranks share; null if there is none. Collective.
  double* room_for(std::size_t numbers);
  void sum_own(std::span<const double> sources, int sets, Precision precision, double* to);
  /// Of all ranks.
  [[nodiscard]] std::size_t count_sums(int sets) const { return points_ * static_cast<std::size_t>(sets) * sum_rows; }

  std::unique_ptr<kernels::PairSums> own_;
  comm::Communicator ranks_;
  int threads_;
  std::size_t points_ = 0, first_point_ = 0;  ///< of all ranks; the first of this one
  std::optional<comm::NodeMemory> memory_;
  std::unique_ptr<comm::DeviceBuffer> buffer_;
  bool has_tried_buffer_ = false;
  std::vector<double> sums_;  ///< without such memory
  kernels::ClusterReport report_;
};

}  // namespace tetrawave::modes

#include "modes/frequency_domain/shared_pair_sums.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include "kernels/pairs/green.hpp"

namespace tetrawave::modes {

namespace {

enum class Order : std::int64_t { set_points, sum, end };

/// What the first rank tells the others to do.
struct Message {
  Order order = Order::end;
  std::int64_t sets = 0;
  Precision precision = Precision::double_precision;
  kernels::PointsOfFaces faces{};
};

void tell(const comm::Communicator& ranks, Message message) {
  std::vector<Message> one{message};
  ranks.broadcast(one);
}

}  // namespace

SharedPairSums::SharedPairSums(std::unique_ptr<kernels::PairSums> own, comm::Communicator ranks)
    : own_(std::move(own)), ranks_(std::move(ranks)) {}

void SharedPairSums::set_points(const std::vector<double>& points, const kernels::PointsOfFaces& faces) {
  if (ranks_.size() == 1) return own_->set_points(points, faces);
  tell(ranks_, {Order::set_points, 0, Precision::double_precision, faces});
  take_points(points, faces);
}

std::vector<double> SharedPairSums::sum(const std::vector<double>& sources, int sets, Precision precision) {
  if (ranks_.size() == 1) {
    std::vector<double> sums = own_->sum(sources, sets, precision);
    report_ = own_->clusters();
    return sums;
  }
  tell(ranks_, {Order::sum, sets, precision, {}});
  return share_sum(sources, sets, precision);
}

void SharedPairSums::end() {
  if (ranks_.size() > 1) tell(ranks_, {});
}

void SharedPairSums::serve() {
  for (;;) {
    std::vector<Message> message(1);
    ranks_.broadcast(message);
    if (message.front().order == Order::end) return;
    if (message.front().order == Order::set_points)
      take_points({}, message.front().faces);
    else
      share_sum({}, static_cast<int>(message.front().sets), message.front().precision);
  }
}

/// As many faces in a row for every rank.
void SharedPairSums::take_points(std::vector<double> points, const kernels::PointsOfFaces& faces) {
  const auto width = static_cast<std::size_t>(kernels::BoundaryRadiation<double, 1>::point_rows * faces.targets);
  ranks_.broadcast(points);
  const std::size_t count = points.size() / width;
  const auto rank = static_cast<std::size_t>(ranks_.rank()), size = static_cast<std::size_t>(ranks_.size());
  const auto place = [&](std::size_t k) {
    return points.begin() + static_cast<std::ptrdiff_t>(k * count / size * width);
  };
  ranks_.agree([&] { own_->set_points({place(rank), place(rank + 1)}, faces); });
}

std::vector<double> SharedPairSums::share_sum(std::vector<double> sources, int sets, Precision precision) {
  ranks_.broadcast(sources);
  std::vector<double> own;
  ranks_.agree([&] { own = own_->sum(sources, sets, precision); });
  report_ = own_->clusters();
  report_.used = ranks_.max(report_.used ? 1.0 : 0.0) > 0;
  report_.error = ranks_.max(report_.error);
  report_.seconds_build = ranks_.max(report_.seconds_build);
  report_.pairs_of_sum = ranks_.sum(report_.pairs_of_sum);
  report_.bytes = ranks_.max(report_.bytes);
  return ranks_.gather(std::span<const double>(own));
}

}  // namespace tetrawave::modes

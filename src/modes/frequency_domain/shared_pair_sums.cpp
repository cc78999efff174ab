#include "modes/frequency_domain/shared_pair_sums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <utility>

#include "base/copy_on_threads.hpp"
#include "base/log.hpp"
#include "kernels/pairs/green.hpp"

namespace tetrawave::modes {

namespace {

enum class Order : std::int64_t { set_points, sum, sum_in_buffer, end };

/// What the first rank tells the others to do.
struct Message {
  Order order = Order::end;
  std::int64_t sets = 0;
  Precision precision = Precision::double_precision;
  kernels::PointsOfFaces faces{};
  std::size_t numbers = 0;  ///< of the sources
  bool together = true;     ///< ranks end without a failure
};

void tell(const comm::Communicator& ranks, Message message) {
  std::vector<Message> one{message};
  ranks.broadcast(one);
}

}  // namespace

SharedPairSums::SharedPairSums(std::unique_ptr<kernels::PairSums> own, comm::Communicator ranks, int threads)
    : own_(std::move(own)), ranks_(std::move(ranks)), threads_(threads) {}

void SharedPairSums::set_points(const std::vector<double>& points, const kernels::PointsOfFaces& faces) {
  if (ranks_.size() == 1) return own_->set_points(points, faces);
  tell(ranks_, {Order::set_points, 0, Precision::double_precision, faces});
  take_points(points, faces);
}

std::span<const double> SharedPairSums::find_sums(std::span<const double> sources, int sets, Precision precision) {
  if (ranks_.size() == 1) {
    const std::span<const double> sums = own_->find_sums(sources, sets, precision);
    report_ = own_->clusters();
    return sums;
  }
  if (buffer_) {
    const double* const on_device = own_->upload_sources(sources);
    return own_->download_sums({find_resident_sums({on_device, sources.size()}, sets, precision), count_sums(sets)});
  }
  tell(ranks_, {Order::sum, sets, precision, {}, sources.size()});
  return share_sum(sources, sources.size(), sets, precision);
}

const double* SharedPairSums::find_resident_sums(std::span<const double> sources, int sets, Precision precision) {
  report_ = own_->clusters();
  if (ranks_.size() == 1) return own_->find_resident_sums(sources, sets, precision);
  tell(ranks_, {Order::sum_in_buffer, sets, precision, {}, sources.size()});
  return share_in_buffer(sources, sources.size(), sets, precision);
}

void SharedPairSums::end() {
  if (ranks_.size() == 1) return;
  const bool together = std::uncaught_exceptions() == 0;
  tell(ranks_, {Order::end, 0, Precision::double_precision, {}, 0, together});
  close_buffer(together);
}

void SharedPairSums::serve() {
  for (;;) {
    std::vector<Message> message(1);
    ranks_.broadcast(message);
    const auto& [order, sets, precision, faces, numbers, together] = message.front();
    if (order == Order::end) return close_buffer(together);
    if (order == Order::set_points)
      take_points({}, faces);
    else if (order == Order::sum_in_buffer)
      (void)share_in_buffer({}, numbers, static_cast<int>(sets), precision);
    else
      (void)share_sum({}, numbers, static_cast<int>(sets), precision);
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
  points_ = count * static_cast<std::size_t>(faces.targets);
  first_point_ = rank * count / size * static_cast<std::size_t>(faces.targets);
  ranks_.agree([&] { own_->set_points({place(rank), place(rank + 1)}, faces); });
  if (!std::exchange(has_tried_buffer_, true)) open_buffer();
}

void SharedPairSums::open_buffer() {
  try {
    buffer_ = own_->make_buffer(ranks_, 1);
  } catch (const std::exception& error) {
    if (leads()) log::info("sums over pairs of several GPUs pass through the host: {}", error.what());
  }
}

void SharedPairSums::close_buffer(bool together) {
  if (!together) (void)buffer_.release();  // ranks may be gone: its memory is left to the end of the process
  buffer_.reset();
}

const double* SharedPairSums::share_in_buffer(std::span<const double> sources, std::size_t numbers, int sets,
                                              Precision precision) {
  try {
    if (buffer_->size() < numbers + count_sums(sets)) {
      buffer_.reset();
      buffer_ = own_->make_buffer(ranks_, numbers + count_sums(sets));
    }
    double* const sums = buffer_->data() + numbers;
    ranks_.agree([&] {
      if (leads()) own_->put_in_buffer(sources, buffer_->data());
    });
    ranks_.agree([&] {
      own_->sum_in_buffer({buffer_->data(), numbers}, sets, precision,
                          sums + first_point_ * static_cast<std::size_t>(sets) * sum_rows);
    });
    return sums;
  } catch (...) {
    close_buffer(false);
    throw;
  }
}

double* SharedPairSums::room_for(std::size_t numbers) {
  if (!memory_ || memory_->size() < numbers * sizeof(double)) memory_.emplace(ranks_, numbers * sizeof(double));
  return reinterpret_cast<double*>(memory_->data());
}

void SharedPairSums::sum_own(std::span<const double> sources, int sets, Precision precision, double* to) {
  ranks_.agree([&] {
    const std::span<const double> own = own_->find_sums(sources, sets, precision);
    if (to == nullptr)
      sums_.assign(own.begin(), own.end());
    else
      copy_on_threads(own.data(), own.size(), to + first_point_ * static_cast<std::size_t>(sets) * sum_rows, threads_);
  });
}

std::span<const double> SharedPairSums::share_sum(std::span<const double> sources, std::size_t numbers, int sets,
                                                  Precision precision) {
  const std::size_t sums = count_sums(sets);
  std::span<const double> result;
  if (double* const room = room_for(numbers + sums); room != nullptr) {
    copy_on_threads(sources.data(), sources.size(), room, threads_);
    ranks_.barrier();
    sum_own({room, numbers}, sets, precision, room + numbers);
    result = {room + numbers, sums};
  } else {
    std::vector<double> copied(sources.begin(), sources.end());
    ranks_.broadcast(copied);
    sum_own(copied, sets, precision, nullptr);
    sums_ = ranks_.gather(std::span<const double>(sums_));
    result = sums_;
  }
  report_ = own_->clusters();
  report_.used = ranks_.max(report_.used ? 1.0 : 0.0) > 0;
  report_.error = ranks_.max(report_.error);
  report_.seconds_build = ranks_.max(report_.seconds_build);
  report_.pairs_of_sum = ranks_.sum(report_.pairs_of_sum);
  report_.bytes = ranks_.max(report_.bytes);
  return result;
}

}  // namespace tetrawave::modes

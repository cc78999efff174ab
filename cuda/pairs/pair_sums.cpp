#include "cuda/pairs/pair_sums.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "base/copy_on_threads.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/pairs/launch.hpp"
#include "kernels/pairs/green.hpp"
#include "march/exchange/peer_buffer.hpp"

namespace tetrawave::cuda {

namespace {

constexpr std::size_t rows = kernels::BoundaryRadiation<double, 1>::point_rows;

/// Memory that grows with what is asked for.
template <class T>
class Room {
 public:
  explicit Room(CudaBackend& backend) : backend_(backend), buffer_(backend, 0) {}
  /// By way of page-locked memory, which is several times as fast.
  T* upload(const std::span<const T>& values, int threads) {
    of(values.size());
    T* const staging = staging_of(values.size());
    copy_on_threads(values.data(), values.size(), staging, threads);
    backend_.move(buffer_.data(), staging, values.size());
    backend_.synchronize();
    return buffer_.data();
  }
  T* of(std::size_t count) {
    if (count > buffer_.size()) buffer_ = CudaBackend::Buffer<T>(backend_, count);
    return buffer_.data();
  }
  /// Numbers of the device, in page-locked memory, until the next call.
  [[nodiscard]] std::span<const T> download(std::span<const T> values) {
    T* const staging = staging_of(values.size());
    backend_.move(staging, values.data(), values.size());
    backend_.synchronize();
    return {staging, values.size()};
  }

 private:
  T* staging_of(std::size_t count) {
    if (!staging_ || count > staging_->size()) staging_.emplace(backend_, count);
    return staging_->data();
  }

  CudaBackend& backend_;
  CudaBackend::Buffer<T> buffer_;
  std::optional<CudaBackend::Staging<T>> staging_;
};

/// Points as rows, with the last one repeated.
template <class S>
std::vector<S> rows_of(const std::vector<double>& points, std::size_t stride, int threads) {
  const std::size_t count = points.size() / rows;
  std::vector<S> result(rows * stride);
  if (count == 0) return result;
  for_each_index(stride, threads, [&](std::size_t p) {
    for (std::size_t row = 0; row < rows; ++row)
      result[row * stride + p] = static_cast<S>(points[std::min(p, count - 1) * rows + row]);
  });
  return result;
}

class CudaPairSums : public kernels::PairSums {
 public:
  CudaPairSums(int device, int threads, const kernels::PairMapping& mapping)
      : backend_(device, threads),
        mapping_(mapping),
        multiprocessors_(multiprocessors_of(device)),
        double_(backend_),
        single_(backend_),
        sources_(backend_),
        sums_(backend_) {}

  void set_points(const std::vector<double>& points, const kernels::PointsOfFaces& faces) override {
    constexpr std::int64_t whole = 2 * pair_threads;
    faces_ = faces;
    count_ = static_cast<std::int64_t>(points.size() / rows);
    stride_ = std::max<std::int64_t>(1, (count_ + whole - 1) / whole) * whole;
    const auto stride = static_cast<std::size_t>(stride_);
    double_.points.upload(rows_of<double>(points, stride, backend_.threads()), backend_.threads());
    single_.points.upload(rows_of<float>(points, stride, backend_.threads()), backend_.threads());
  }

  std::span<const double> find_sums(std::span<const double> sources, int sets, Precision precision) override {
    const std::size_t size = size_of_sums(sets);
    if (size == 0) return {};
    const double* const on_device = upload_sources(sources);
    return download_sums({find_resident_sums({on_device, sources.size()}, sets, precision), size});
  }

  [[nodiscard]] bool is_resident() const override { return true; }
  const double* find_resident_sums(std::span<const double> sources, int sets, Precision precision) override {
    double* const sums = sums_.of(size_of_sums(sets));
    sum_to(sources, sets, precision, sums);
    backend_.synchronize();
    return sums;
  }
  const double* upload_sources(std::span<const double> sources) override {
    Stopwatch watch;
    const double* const place = sources_.upload(sources, backend_.threads());
    seconds_transfer_ += watch.lap();
    return place;
  }
  std::span<const double> download_sums(std::span<const double> sums) override {
    Stopwatch watch;
    const std::span<const double> found = sums_.download(sums);
    seconds_transfer_ += watch.lap();
    return found;
  }

  std::unique_ptr<comm::DeviceBuffer> make_buffer(const comm::Communicator& ranks, std::size_t numbers) override {
    return std::make_unique<march::PeerBuffer<CudaBackend>>(backend_, ranks, numbers);
  }
  void put_in_buffer(std::span<const double> numbers, double* buffer) override {
    backend_.move(buffer, numbers.data(), numbers.size());
    backend_.synchronize();
  }
  /// The blocks of threads read sources of this device many times over.
  void sum_in_buffer(std::span<const double> sources, int sets, Precision precision, double* sums) override {
    double* const own = sources_.of(sources.size());
    backend_.move(own, sources.data(), sources.size());
    sum_to({own, sources.size()}, sets, precision, sums);
    backend_.synchronize();
  }

  [[nodiscard]] double seconds_transfer() const override { return seconds_transfer_; }

 private:
  template <class S>
  struct Memory {
    explicit Memory(CudaBackend& backend) : points(backend), partial(backend) {}
    Room<S> points, partial;
  };

  [[nodiscard]] std::size_t size_of_sums(int sets) const {
    return static_cast<std::size_t>(count_) * static_cast<std::size_t>(sets) * sum_rows;
  }

  /// Queued.
  void sum_to(std::span<const double> sources, int sets, Precision precision, double* sums) {
    const std::size_t size = size_of_sums(sets);
    const auto count =
        static_cast<std::int64_t>(sources.size()) / kernels::BoundaryRadiation<double, 1>::source_size(sets);
    const DeviceSources on_device{sources.data(), count, sets};
    ensure(!mapping_.is_papers || precision == Precision::double_precision,
           "the paper's mapping is of double precision");
    if (size == 0) return;
    if (count == 0)
      backend_.stream().queue_clear(sums, size * sizeof(double));
    else if (mapping_.is_papers)
      sum_by_faces(on_device, sums);
    else if (precision == Precision::double_precision)
      sum_in_tiles(double_, on_device, sums);
    else
      sum_in_tiles(single_, on_device, sums);
  }

  /// As many sets at a time as a thread keeps sums of, evenly.
  template <class S>
  void sum_in_tiles(Memory<S>& memory, const DeviceSources& sources, double* sums) {
    const DevicePoints<S> points{memory.points.of(0), count_, stride_};
    const int sets = sources.sets;
    const int turns = (sets + most_sets_at_once - 1) / most_sets_at_once;
    for (int turn = 0; turn < turns; ++turn) {
      const int first = turn * sets / turns, together = (turn + 1) * sets / turns - first;
      const std::int64_t ranges = count_ranges_of_sources(points, sources.count, together, multiprocessors_);
      S* const partial = memory.partial.of(static_cast<std::size_t>(ranges * 4 * together * stride_));
      launch_tiles_of_pairs(backend_.stream(), points, sources, first, together, ranges, partial);
      launch_join_of_ranges(backend_.stream(), points, partial, first, together, sets, ranges, sums);
    }
  }

  void sum_by_faces(const DeviceSources& sources, double* sums) {
    const DevicePoints<double> points{double_.points.of(0), count_, stride_};
    const std::size_t numbers = 3 * size_of_sums(sources.sets);
    double* const fields = double_.partial.of(numbers);
    backend_.stream().queue_clear(fields, numbers * sizeof(double));
    for (std::int64_t first = 0; first < sources.count; first += faces_.sources)
      launch_face_of_sources(backend_.stream(), points, sources, first, std::min(faces_.sources, sources.count - first),
                             faces_.targets, mapping_.threads, mapping_.currents_shared, fields);
    launch_tangents_of_fields(backend_.stream(), points, fields, sources.sets, sums);
  }

  CudaBackend backend_;
  kernels::PairMapping mapping_;
  int multiprocessors_;
  kernels::PointsOfFaces faces_;
  std::int64_t count_ = 0;
  std::int64_t stride_ = 0;
  Memory<double> double_;
  Memory<float> single_;
  Room<double> sources_, sums_;
  double seconds_transfer_ = 0;
};

}  // namespace

std::unique_ptr<kernels::PairSums> make_pair_sums(int device, int threads, const kernels::PairMapping& mapping) {
  if (device_count() == 0)
    fail(ExitCode::unavailable, "no CUDA GPU is available here (driver missing or no device): use --backend cpu");
  return std::make_unique<CudaPairSums>(device, threads, mapping);
}

}  // namespace tetrawave::cuda

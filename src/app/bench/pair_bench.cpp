#include "app/bench/pair_bench.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "app/bench/bench_record.hpp"
#include "base/stopwatch.hpp"
#include "base/types.hpp"
#include "kernels/pairs/green.hpp"
#include "modes/frequency_domain/shared_pair_sums.hpp"

namespace tetrawave::app {

namespace {

using kernels::PairMapping;
using Kernel = kernels::BoundaryRadiation<double, 1>;

/// Points on a sphere of k r 23 about sources on one of k r 20, as the largest problem of the paper has them: 78,640
/// faces of S with 6 points, 946 of S' with 48.
struct PairProblem {
  static constexpr kernels::PointsOfFaces faces{6, 48};
  std::vector<double> points;
  std::int64_t outer_faces, inner_faces;

  PairProblem(std::int64_t faces_count, std::int64_t source_faces)
      : outer_faces(faces_count), inner_faces(source_faces), sources_count_(source_faces * faces.sources) {
    const std::int64_t points_count = faces_count * faces.targets;
    for (std::int64_t p = 0; p < points_count; ++p) {
      const Vec3 normal = random_unit();
      Vec3 across = random_unit();
      across = across - dot(across, normal) * normal;
      const Vec3 first = (1 / norm(across)) * across, second = cross(normal, first), place = 23.0 * normal;
      for (const Vec3* part : {&place, &first, &second}) points.insert(points.end(), part->begin(), part->end());
    }
  }

  [[nodiscard]] std::vector<double> sources(int sets) {
    std::vector<double> numbers;
    for (std::int64_t s = 0; s < sources_count_; ++s) {
      const Vec3 place = 20.0 * random_unit();
      numbers.insert(numbers.end(), place.begin(), place.end());
      for (int i = 0; i < 12 * sets; ++i) numbers.push_back(normal_(engine_));
    }
    return numbers;
  }
  [[nodiscard]] std::size_t sums(int sets) const {
    return points.size() / Kernel::point_rows * static_cast<std::size_t>(sets) * kernels::PairSums::sum_rows;
  }
  [[nodiscard]] double pairs() const {
    return static_cast<double>(points.size() / Kernel::point_rows) * static_cast<double>(sources_count_);
  }

 private:
  Vec3 random_unit() {
    const Vec3 way{normal_(engine_), normal_(engine_), normal_(engine_)};
    return (1 / norm(way)) * way;
  }

  std::int64_t sources_count_;
  std::mt19937_64 engine_{1};
  std::normal_distribution<double> normal_;
};

struct PairRow {
  std::string kernel;
  Precision precision = Precision::double_precision;
  int right_hand_sides = 1;
  double seconds = 0;
  double transfer = 0;  ///< of these
  double error = 0;     ///< largest over the largest sum
};

/// Of a few points in a row, against the CPU's.
double error_of(std::span<const double> found, const PairProblem& problem, const std::vector<double>& sources,
                int sets) {
  constexpr std::size_t some = 64;
  const comm::Communicator alone = comm::Communicator::self();
  const auto sums = choose_backend(BackendChoice::cpu, alone).make_pair_sums(1, {}, alone);
  const std::size_t count = std::min(some * Kernel::point_rows, problem.points.size());
  sums->set_points({problem.points.begin(), problem.points.begin() + static_cast<std::ptrdiff_t>(count)},
                   PairProblem::faces);
  const std::vector<double> expected = sums->sum(sources, sets, Precision::double_precision);
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    worst = std::max(worst, std::abs(expected[i] - found[i]));
  }
  return worst / largest;
}

class PairBench {
 public:
  PairBench(const BenchOptions& options, const ChosenBackend& backend, const comm::Communicator& ranks)
      : options_(options),
        backend_(backend),
        ranks_(ranks),
        sizes_(options.faces),
        record_(options.json, backend, {{"ranks", ranks.size()}}) {
    if (sizes_.empty())
      sizes_ = is_gpu() ? std::vector<std::int64_t>{78'640, 946} : std::vector<std::int64_t>{7'864, 100};
    if (ranks.rank() > 0) return;
    std::printf("%s: %s\n", backend.name.c_str(), backend.device.c_str());
    std::printf("%-28s %-9s %8s %6s %4s %12s %14s %18s %10s %10s\n", "kernel", "precision", "S", "S'", "rhs", "ms",
                "1e9 pairs/s", "1e9 pair-rhs/s", "transfer", "error");
  }

  void run() {
    constexpr std::int64_t some = 40;  // launches of the paper's mapping, one a face of S', that are timed
    for (std::size_t size = 0; size < sizes_.size(); size += 2)
      for (const int sets : {1, 10}) {
        PairProblem problem(sizes_[size], sizes_[size + 1]);
        const std::vector<double> sources = problem.sources(sets);
        for (const Precision precision : {Precision::double_precision, Precision::single_precision})
          add("tiles", {}, precision, sets, problem, sources);
        if (!is_gpu() || ranks_.size() > 1) continue;
        PairProblem papers(sizes_[size], std::min(some, sizes_[size + 1]));
        const std::vector<double> of_some = papers.sources(sets);
        for (const bool shared : {true, false})
          for (int threads = 4; threads <= 128; threads *= 2)
            add(tetrawave::format("paper, {} threads{}", threads, shared ? ", shared" : ""),
                {true, threads, shared, {}}, Precision::double_precision, sets, papers, of_some);
      }
  }

 private:
  [[nodiscard]] bool is_gpu() const { return backend_.name == "cuda"; }

  void add(const std::string& name, const PairMapping& mapping, Precision precision, int sets,
           const PairProblem& problem, const std::vector<double>& sources) {
    const int threads =
        options_.threads.empty() ? march::threads_of_rank({}, ranks_) : static_cast<int>(options_.threads.front());
    modes::SharedPairSums sums(backend_.make_pair_sums(threads, mapping, ranks_), ranks_, threads);
    if (!sums.leads()) return sums.serve();
    sums.set_points(problem.points, PairProblem::faces);
    const auto time = [&](const std::string& kernel, const auto& find, const auto& bring) {
      PairRow row{kernel, precision, sets};
      row.error = error_of(bring(find()), problem, sources, sets);
      const double transfer = sums.seconds_transfer();
      Stopwatch watch;
      int times = 0;
      for (double passed = 0; passed < options_.seconds; ++times) {
        (void)find();
        row.seconds = passed += watch.lap();
      }
      row.seconds /= times;
      row.transfer = (sums.seconds_transfer() - transfer) / times;
      report(row, problem);
    };
    time(
        name, [&] { return sums.find_sums(sources, sets, precision); }, [](const auto& found) { return found; });
    if (sums.is_resident() && !mapping.is_papers) {
      const std::span<const double> there(sums.upload_sources(sources), sources.size());
      time(
          name + ", resident", [&] { return sums.find_resident_sums(there, sets, precision); },
          [&](const double* found) {
            return sums.download_sums({found, problem.sums(sets)});
          });
    }
    sums.end();
  }

  void report(const PairRow& row, const PairProblem& problem) {
    const double pairs = problem.pairs();
    const char* precision = row.precision == Precision::double_precision ? "double" : "single";
    const double rate = pairs / (row.seconds - row.transfer);
    std::printf("%-28s %-9s %8lld %6lld %4d %12.3f %14.3f %18.3f %8.1f %% %10.1e\n", row.kernel.c_str(), precision,
                static_cast<long long>(problem.outer_faces), static_cast<long long>(problem.inner_faces),
                row.right_hand_sides, 1e3 * row.seconds, 1e-9 * rate, 1e-9 * rate * row.right_hand_sides,
                100 * row.transfer / row.seconds, row.error);
    std::fflush(stdout);
    record_.add({{"kernel", row.kernel},
                 {"precision", precision},
                 {"faces", problem.outer_faces},
                 {"inner_faces", problem.inner_faces},
                 {"right_hand_sides", row.right_hand_sides},
                 {"pairs", pairs},
                 {"seconds", row.seconds},
                 {"seconds_transfer", row.transfer},
                 {"pairs_per_second", rate},
                 {"error", row.error}});
  }

  const BenchOptions& options_;
  const ChosenBackend& backend_;
  const comm::Communicator& ranks_;
  std::vector<std::int64_t> sizes_;  ///< faces of S and of S' in turn
  BenchRecord record_;
};

}  // namespace

void bench_pairs(const BenchOptions& options, const ChosenBackend& backend, const comm::Communicator& ranks) {
  PairBench(options, backend, ranks).run();
}

}  // namespace tetrawave::app

#include "app/bench/iteration_bench.hpp"

#include <cstdio>
#include <string>
#include <utility>

#include "app/bench/bench_record.hpp"
#include "app/bench/bench_system.hpp"
#include "base/error.hpp"
#include "fem/solvers/iterative_solver.hpp"

namespace tetrawave::app {

namespace {

class IterationBench {
 public:
  IterationBench(const BenchOptions& options, const ChosenBackend& backend)
      : options_(options),
        backend_(backend),
        threads_(march::threads_of_rank({}, comm::Communicator::self())),
        copy_(backend.measure_copy(threads_)),
        record_(options.json, backend, {{"threads", threads_}, {"copy_bytes_per_second", copy_}}) {
    say("{}: {}; copies {:.0f} GB/s", backend.name, backend.device, 1e-9 * copy_);
    say("{:<8} {:>9} {:>11} {:<26} {:>10} {:>9} {:>8} {:>9}", "numbers", "unknowns", "non-zeros", "", "ms", "GB/s",
        "of copy", "memory GB");
  }

  void run() {
    const std::vector<std::int64_t> sizes =
        options_.elements.empty() ? std::vector<std::int64_t>{93'750} : options_.elements;
    for (const std::int64_t elements : sizes) {
      add<fem::Complex>(elements, "complex");
      add<double>(elements, "real");
    }
  }

 private:
  template <class... Args>
  static void say(format_string<Args...> text, Args&&... args) {
    std::printf("%s\n", tetrawave::format(text, std::forward<Args>(args)...).c_str());
    std::fflush(stdout);
  }

  template <class T>
  void add(std::int64_t elements, const char* numbers) {
    const BenchSystem<T> system(elements, threads_);
    for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::jad}) {
      add_product(system, numbers, format);
      for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::ssor,
                                        Preconditioner::ssor_ai, Preconditioner::ilu, Preconditioner::ilut})
        for (const std::size_t sides : {std::size_t{1}, std::size_t{4}})
          add_iterations(system, numbers, format, preconditioner, sides);
    }
  }

  template <class T>
  [[nodiscard]] fem::IterationRequest request_of(const BenchSystem<T>& system, MatrixFormat format,
                                                 Preconditioner preconditioner) const {
    return {&system.pattern(), threads_, preconditioner, 0.42, preconditioner != Preconditioner::none, format, 1e-6, 1};
  }

  template <class T>
  void add_product(const BenchSystem<T>& system, const char* numbers, MatrixFormat format) {
    const auto iteration =
        fem::make_iteration<T>(request_of(system, format, Preconditioner::none), backend_.iteration_device.get());
    iteration->prepare(system.matrix());
    (void)iteration->time_product(3);
    const auto times = static_cast<std::int64_t>(options_.seconds / (1e-9 + iteration->time_product(10))) + 1;
    const double seconds = iteration->time_product(std::min<std::int64_t>(times, 1000));
    const auto rows = static_cast<double>(system.pattern().rows());
    const double bytes =
        (sizeof(T) + 4.0) * static_cast<double>(system.pattern().nonzeros()) + (8 + 2 * sizeof(T)) * rows;
    const double rate = bytes / seconds;
    report(system, numbers, tetrawave::format("product, {}", name_of(format)), seconds, iteration->bytes(),
           {{"format", name_of(format)}, {"bytes_per_second", rate}, {"share_of_copy", rate / copy_}},
           tetrawave::format("{:.0f}", 1e-9 * rate), tetrawave::format("{:.1f} %", 100 * rate / copy_));
  }

  template <class T>
  void add_iterations(const BenchSystem<T>& system, const char* numbers, MatrixFormat format,
                      Preconditioner preconditioner, std::size_t sides) {
    const std::string what = tetrawave::format("{}, {}, {} rhs", name_of(preconditioner), name_of(format), sides);
    try {
      const auto iteration =
          fem::make_iteration<T>(request_of(system, format, preconditioner), backend_.iteration_device.get());
      const bool on_host = dynamic_cast<const fem::IterativeSolver<T>*>(iteration.get()) != nullptr;
      if (backend_.iteration_device && on_host)
        return say("{:<8} {:>9} {:>11} {:<26} by the cores of the host: a row of --backend cpu", numbers,
                   system.pattern().rows(), system.pattern().nonzeros(), what);
      Stopwatch watch;
      iteration->prepare(system.matrix());
      const double preparation = watch.lap();
      std::vector<std::vector<T>> b, x(sides, std::vector<T>(static_cast<std::size_t>(system.pattern().rows())));
      for (std::size_t k = 0; k < sides; ++k) b.push_back(system.side(static_cast<unsigned>(k) + 1));
      typename fem::SystemIteration<T>::Sides given;
      typename fem::SystemIteration<T>::Solutions found;
      for (std::size_t k = 0; k < sides; ++k) {
        given.push_back(&b[k]);
        found.push_back(&x[k]);
      }
      const auto time = [&](std::int64_t count) {
        (void)watch.lap();
        iteration->iterate(given, found, count);
        return watch.lap();
      };
      (void)time(8);
      constexpr std::int64_t few = 8, many = 40;  // their difference leaves out the transfers at both ends
      const double seconds = (time(many) - time(few)) / (many - few);
      report(system, numbers, what, seconds, iteration->bytes(),
             {{"format", name_of(format)},
              {"preconditioner", name_of(preconditioner)},
              {"right_hand_sides", sides},
              {"seconds_prepare", preparation}});
    } catch (const UserError& error) {
      say("{:<8} {:>9} {:>11} {:<26} {}", numbers, system.pattern().rows(), system.pattern().nonzeros(), what,
          error.what());
    }
  }

  template <class T>
  void report(const BenchSystem<T>& system, const char* numbers, const std::string& what, double seconds,
              std::int64_t bytes, nlohmann::ordered_json row, const std::string& rate = "",
              const std::string& share = "") {
    say("{:<8} {:>9} {:>11} {:<26} {:>10.4f} {:>9} {:>8} {:>9.2f}", numbers, system.pattern().rows(),
        system.pattern().nonzeros(), what, 1e3 * seconds, rate, share, 1e-9 * static_cast<double>(bytes));
    nlohmann::ordered_json all{{"numbers", numbers},
                               {"elements", system.elements()},
                               {"unknowns", system.pattern().rows()},
                               {"nonzeros", system.pattern().nonzeros()},
                               {"seconds", seconds},
                               {"bytes", bytes}};
    all.update(row);
    record_.add(std::move(all));
  }

  const BenchOptions& options_;
  const ChosenBackend& backend_;
  int threads_;
  double copy_;
  BenchRecord record_;
};

}  // namespace

void bench_iteration(const BenchOptions& options, const ChosenBackend& backend) {
  IterationBench(options, backend).run();
}

}  // namespace tetrawave::app

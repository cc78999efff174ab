#include "app/bench/assembly_bench.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "app/bench/bench_record.hpp"
#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "fem/assembly/edge_assembly.hpp"
#include "modes/bench/bench_box.hpp"

namespace tetrawave::app {

namespace {

struct AssemblyRow {
  modes::StepTime time;
  fem::AssemblyFigures figures;
  double difference = 0;  ///< from the matrix of the host, of its largest entry
};

/// A box of two media with an absorbing wall.
template <class T>
struct Media {
  explicit Media(const modes::BenchBox& box) {
    const double k = 2 * pi * std::cbrt(static_cast<double>(box.elements()) / 6) / 12.6;
    for (const double eps : {1.0, 2.2}) {
      T mass = k * k * eps;
      if constexpr (!std::is_same_v<T, double>) mass = -k * k * eps * T(1, -0.02);
      coefficients.push_back({{1, 1, 1}, {mass, mass, mass}});
    }
    const LocalMesh& mesh = box.mesh();
    for (std::size_t e = 0; e < mesh.corners.size(); ++e) {
      kind.push_back(mesh.corners[e][0][2] < 0.5 ? 0 : 1);
      for (std::uint8_t f = 0; f < 4; ++f) {
        if (mesh.boundary[e][f] < 0) continue;
        const auto& [a, b, c] = face_corners[f];
        const bool is_top = mesh.corners[e][a][2] + mesh.corners[e][b][2] + mesh.corners[e][c][2] > 2.9;
        (is_top ? walls : metal).emplace_back(static_cast<LocalIndex>(e), f);
      }
    }
    T factor = k;
    if constexpr (!std::is_same_v<T, double>) factor = T(0, k);
    factors.assign(walls.size(), factor);
  }

  std::vector<fem::EdgeCoefficients<T>> coefficients;
  std::vector<std::int32_t> kind;
  std::vector<fem::ElementFace> walls, metal;
  std::vector<T> factors;
};

class AssemblyBench {
 public:
  AssemblyBench(const BenchOptions& options, const ChosenBackend& backend)
      : options_(options),
        backend_(backend),
        threads_(march::threads_of_rank({}, comm::Communicator::self())),
        record_(options.json, backend, {{"threads", threads_}}) {
    say("{}: {}", backend.name, backend.device);
    say("{:<8} {:<8} {:<8} {:>9} {:>9} {:>11} {:>9} {:>10} {:>10} {:>8} {:>9} {:>9} {:>10}", "space", "numbers", "way",
        "elements", "unknowns", "non-zeros", "input s", "pattern s", "values ms", "M el/s", "memory GB", "most GB",
        "difference");
  }

  void run() {
    const std::vector<std::int64_t> sizes =
        options_.elements.empty() ? std::vector<std::int64_t>{93'750} : options_.elements;
    const std::vector<Space> spaces =
        options_.spaces.empty() ? std::vector<Space>{Space::mixed_1, Space::full_1, Space::mixed_2, Space::full_2}
                                : options_.spaces;
    for (const std::int64_t elements : sizes) {
      const modes::BenchBox box(elements, Ordering::blocks, threads_);
      for (const Space space : spaces) {
        add<fem::Complex>(box, space, "complex");
        add<double>(box, space, "real");
      }
    }
  }

 private:
  template <class... Args>
  static void say(format_string<Args...> text, Args&&... args) {
    std::printf("%s\n", tetrawave::format(text, std::forward<Args>(args)...).c_str());
    std::fflush(stdout);
  }

  template <class T>
  void add(const modes::BenchBox& box, Space space, const char* numbers) {
    const Media<T> media(box);
    const fem::EdgeSpace unknowns = fem::number_unknowns(space, box.mesh().vertices, media.metal, threads_);
    fem::CsrMatrix<T> expected;
    const fem::EdgeAssembly on_host(unknowns, box.mesh(), media.walls, AssemblyMethod::by_dof, threads_);
    on_host.assemble(media.coefficients, media.kind, media.factors, expected);
    for (const auto method : {AssemblyMethod::atomic, AssemblyMethod::by_dof, AssemblyMethod::by_row}) {
      const AssemblyRow row = backend_.assembly_device ? on_device(box, unknowns, media, method, expected)
                                                       : on_cpu(box, unknowns, media, method, expected);
      report(box, unknowns, numbers, method, on_host.pattern().nonzeros(), row);
    }
  }

  template <class T>
  AssemblyRow on_device(const modes::BenchBox& box, const fem::EdgeSpace& unknowns, const Media<T>& media,
                        AssemblyMethod method, const fem::CsrMatrix<T>& expected) const {
    const auto assembly = backend_.assembly_device->make(unknowns, box.mesh(), media.walls, method);
    assembly->set_kinds(media.kind);
    AssemblyRow row;
    row.time = modes::time_batches(options_.seconds, 1, [&](std::int64_t times) {
      for (std::int64_t k = 0; k < times; ++k) (void)assemble(*assembly, media);
    });
    UnsetVector<T> found;
    assemble(*assembly, media).read(found);
    row.figures = assembly->figures();
    row.difference = largest_difference(found, expected.values);
    return row;
  }

  template <class T>
  static fem::DeviceMatrix<T>& assemble(fem::DeviceAssembly& assembly, const Media<T>& media) {
    return assembly.assemble(std::span<const fem::EdgeCoefficients<T>>(media.coefficients),
                             std::span<const T>(media.factors));
  }

  template <class T>
  AssemblyRow on_cpu(const modes::BenchBox& box, const fem::EdgeSpace& unknowns, const Media<T>& media,
                     AssemblyMethod method, const fem::CsrMatrix<T>& expected) const {
    const fem::EdgeAssembly assembly(unknowns, box.mesh(), media.walls, method, threads_);
    fem::CsrMatrix<T> found;
    AssemblyRow row;
    row.time = modes::time_batches(options_.seconds, 1, [&](std::int64_t times) {
      for (std::int64_t k = 0; k < times; ++k) assembly.assemble(media.coefficients, media.kind, media.factors, found);
    });
    row.figures = assembly.figures();
    row.difference = largest_difference(found.values, expected.values);
    return row;
  }

  template <class T>
  [[nodiscard]] static double largest_difference(const UnsetVector<T>& a, const UnsetVector<T>& b) {
    double difference = 0, size = 0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      difference = std::max(difference, std::abs(a[k] - b[k]));
      size = std::max(size, std::abs(b[k]));
    }
    return difference / size;
  }

  void report(const modes::BenchBox& box, const fem::EdgeSpace& unknowns, const char* numbers, AssemblyMethod method,
              std::int64_t nonzeros, const AssemblyRow& row) {
    const auto& [time, figures, difference] = row;
    const double rate = static_cast<double>(box.elements()) / time.seconds;
    say("{:<8} {:<8} {:<8} {:>9} {:>9} {:>11} {:>9.3f} {:>10.4f} {:>10.3f} {:>8.1f} {:>9.2f} {:>9.2f} {:>10.1e}",
        name_of(unknowns.space), numbers, name_of(method), box.elements(), unknowns.unknowns, nonzeros,
        figures.seconds_input, figures.seconds_pattern, 1e3 * time.seconds, 1e-6 * rate,
        1e-9 * static_cast<double>(figures.bytes), 1e-9 * static_cast<double>(figures.most_bytes), difference);
    record_.add({{"space", name_of(unknowns.space)},
                 {"numbers", numbers},
                 {"assembly", name_of(method)},
                 {"elements", box.elements()},
                 {"unknowns", unknowns.unknowns},
                 {"nonzeros", nonzeros},
                 {"seconds_input", figures.seconds_input},
                 {"seconds_pattern", figures.seconds_pattern},
                 {"seconds", time.seconds},
                 {"seconds_fastest", time.fastest},
                 {"seconds_slowest", time.slowest},
                 {"elements_per_second", rate},
                 {"bytes", figures.bytes},
                 {"most_bytes", figures.most_bytes},
                 {"difference", difference}});
  }

  const BenchOptions& options_;
  const ChosenBackend& backend_;
  int threads_;
  BenchRecord record_;
};

}  // namespace

void bench_assembly(const BenchOptions& options, const ChosenBackend& backend) {
  AssemblyBench(options, backend).run();
}

}  // namespace tetrawave::app

// The benchmark problem: a box of vacuum with PEC walls, and the time of its steps.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "march/interface/engine.hpp"

namespace tetrawave::modes {

/// A method, and its backend.
struct BenchMethod {
  Scheme scheme = Scheme::dgtd_central;
  Space space = Space::full_1;
  Layout layout = Layout::factored;
  Precision precision = Precision::double_precision;
  double penalty = 0;
};

/// Random dofs of E and H, a step of a fifth of the smallest inscribed radius (every scheme and space is stable at it),
/// and more steps than a measurement needs. The same on any number of ranks.
march::Start bench_start(const LocalMesh& mesh, double smallest_radius_m, Space space);
/// Of all ranks' elements. Collective.
double smallest_inradius_m(const LocalMesh& mesh, const comm::Communicator& ranks);

/// The unit cube in Kuhn tetrahedra with moved nodes, distributed over `ranks`. Not copyable: problems point to its
/// mesh.
class BenchBox {
 public:
  /// About `elements` on all ranks together: six times the nearest cube. Collective.
  BenchBox(std::int64_t elements, Ordering ordering, int threads,
           const comm::Communicator& ranks = comm::Communicator::self());
  BenchBox(const BenchBox&) = delete;
  BenchBox& operator=(const BenchBox&) = delete;

  [[nodiscard]] std::int64_t elements() const { return mesh_.global_element_count; }
  [[nodiscard]] const LocalMesh& mesh() const { return mesh_; }
  [[nodiscard]] march::Problem problem(const BenchMethod& method) const;
  [[nodiscard]] march::Start start(Space space) const { return bench_start(mesh_, smallest_radius_m_, space); }

 private:
  LocalMesh mesh_;
  double smallest_radius_m_ = 1;
};

/// Cost of a step.
struct StepTime {
  double seconds = 0;  ///< the median of the batches
  double fastest = 0;  ///< in the fastest batch
  double slowest = 0;
  std::int64_t steps = 0;  ///< in all batches
  double exposed = 0;      ///< per step, in which elements waited for traces of other ranks: maximum over ranks
  double hidden = 0;       ///< per step, in which the transfer of traces overlapped with the update
};

/// Times `work(count)`, which performs an operation `count` times and returns when it is finished: after a warm-up,
/// seven batches of multiples of `unit` in about `seconds`. Collective; times are those of the slowest rank.
StepTime time_batches(double seconds, std::int64_t unit, const std::function<void(std::int64_t)>& work,
                      const comm::Communicator& ranks = comm::Communicator::self());

/// Times whole steps of a started engine. Throws InternalError if the fields are not finite afterwards.
StepTime time_steps(march::Engine& engine, double seconds, std::int64_t unit,
                    const comm::Communicator& ranks = comm::Communicator::self());

/// Bytes that the matrices of one element take with Layout::stored.
std::int64_t stored_bytes_of_element(Scheme scheme, Space space, Precision precision);

}  // namespace tetrawave::modes

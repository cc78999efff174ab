// The march of mode fetd: E of conforming edge elements, implicit in time, H element by element (THEORY.md 33).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case/frequency_spec.hpp"
#include "fem/cartesian_element.hpp"
#include "fem/edge_assembly.hpp"
#include "fem/linear_solver.hpp"
#include "host/host_backend.hpp"
#include "march/march.hpp"
#include "modes/fetd_conductors.hpp"
#include "modes/fetd_law.hpp"
#include "modes/fetd_ports.hpp"

namespace tetrawave::modes {

/// What a wall tells of the current of a port: Z i = of_wave w - of_field . E (observe::WallCurrent).
struct FetdPortCurrent {
  std::size_t port = 0;  ///< its functionals, and the row of its wave less one
  double of_wave = 0;
  march::Functional of_field;
};

/// How a case wants to be marched.
struct FetdOptions {
  SolverSpec solver;
  double beta = 0.25;  ///< Newmark's
  std::vector<FetdPortCurrent> currents;
};

/// What the linear systems have taken so far.
struct FetdFigures {
  std::int64_t unknowns = 0;
  std::int64_t nonzeros = 0;
  std::int64_t solves = 0;
  std::int64_t iterations = 0;  ///< of all solves; 0 with the direct solver
  double seconds_assembly = 0;
  double seconds_preprocess = 0;
  double seconds_solve = 0;
  std::int64_t solver_bytes = 0;
};

/// E and H at n dt. With u_mid = (u + u+)/2 a step is
///   present_h H_mid = known_h - curl E_mid,
///   [present_e M + S(1/present_h) + walls] E_mid = M known_e + int curl N . known_h/present_h + what drives,
/// which is Newmark's method with beta = 1/4 for E (numbers of Meng's dissertation, 3.1); another beta adds
/// (beta - 1/4) dt^2 S to the mass. Solves one system a step, of one matrix.
class FetdMarch final : public march::March<host::HostBackend, double> {
 public:
  using Base = march::March<host::HostBackend, double>;

  /// On one rank. `problem` as for a march, its sources and driven faces included.
  FetdMarch(const march::Problem& problem, FetdOptions options, int threads, const comm::Communicator& ranks);

  /// c0 dt [m] below which a march with beta = 0 is stable: 2/sqrt(largest eigenvalue of M^-1 S of single elements), a
  /// lower bound (Irons and Treharne). With beta < 1/4 that over sqrt(1 - 4 beta). Rounded down to six digits.
  double find_stable_step() override;
  void register_state(march::StateRegistry& registry) override;
  march::Record take_record() override;
  [[nodiscard]] std::optional<march::ImplicitFigures> implicit_figures() const override;

 private:
  using FieldBuffer = host::HostBackend::Buffer<double>;

  FieldBuffer& values(march::Field which) override { return which == march::Field::electric ? electric_ : magnetic_; }
  void fill_waves() override {}
  void begin() override;
  void take_up() override { modal_rows_.clear(); }
  void first_half() override;
  void second_half() override;
  double law_energy(march::Field which, bool of_axes, const FieldBuffer* earlier) override;
  [[nodiscard]] std::int64_t bytes_of_element() const override;

  void list_walls();
};

}  // namespace tetrawave::modes

// The largest stable step of DGTD-Central with a penalty on jumps (theory/stable-step).
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "schemes/central/penalty_on_device.hpp"
#include "schemes/central/stable_step.hpp"

namespace tetrawave::march {

/// dt_max = 2/lambda, lambda the largest eigenvalue of
///   A = ( P   K )    u = (E, H),    |u|^2 = E.M_e E + H.M_h H,
///       ( K*  0 )
/// P >= 0 of the penalty on E, by Lanczos: w = A v_k - b_{k-1} v_{k-1}, a_k = w.v_k, b_k v_{k+1} = w - a_k
/// v_k. The fields hold vectors times their lengths. The same on any number of ranks and threads.
template <class Backend>
class PenalisedStep {
 public:
  using Buffer = typename StepProblem<Backend>::Buffer;
  using Fields = std::array<Buffer*, 2>;  ///< E, H

  /// The values of all four fields are overwritten.
  PenalisedStep(StepProblem<Backend>& work, const Fields& present, const Fields& other)
      : work_(work),
        fields_{present, other},
        penalty_(work.backend(), make_penalty_faces(work.problem(), work.system().layout(), work.system().ranks()), -1),
        rows_{Row(work, Field::electric), Row(work, Field::magnetic)} {}

  /// c0 dt [m]; infinite if there are no elements.
  double find() {
    Fields now = fields_[0];
    Fields last = fields_[1];
    for (Buffer* field : {now[0], last[0], last[1]}) field->clear();
    work_.upload_start(*now[1], 0);
    double length = length_of(now);
    double last_length = 1;
    std::vector<double> diagonal, beside;  // of the tridiagonal matrix
    double estimate = 0;
    int settled = 0;
    for (int k = 0; k < most_iterations && settled < settled_enough && length > 0; ++k) {
      apply(now, last, k == 0 ? 0 : -length / last_length, 1 / length);
      const double a = product(last, now) / length;
      for (std::size_t i = 0; i < 2; ++i) work_.combine(*now[i], *last[i], -a / length);
      std::swap(now, last);
      last_length = length;
      length = length_of(now);
      diagonal.push_back(a);
      const double larger = largest_eigenvalue(diagonal, beside);
      settled = larger - estimate < tolerance * larger ? settled + 1 : 0;
      estimate = larger;
      if (!(length > 1e-12 * larger)) break;  // an invariant subspace: the estimate is exact
      beside.push_back(length);
    }
    if (!(estimate > 0)) return std::numeric_limits<double>::infinity();
    return 2 / (estimate * (1 + 2 * tolerance));
  }

 private:
  /// Tables, walls and weights in the equation of a field.
  struct Row {
    ScaledTables<Backend> tables;
    WallsOfOperator<Backend> walls;
    Buffer weight;
    Row(StepProblem<Backend>& work, Field field)
        : tables(work, field),
          walls(work, field),
          weight(work.table(schemes::energy_weights(work.problem().media, field == Field::electric))) {}
  };

  /// to <- keep to + amount A from.
  void apply(const Fields& from, const Fields& to, double keep, double amount) {
    for (Buffer* field : from) work_.system().exchange({field});
    for (Row& row : rows_) row.tables.set(keep, amount);
    auto of_electric = penalty_.kernel();
    of_electric.elements = work_.system().view();
    of_electric.metric = work_.system().metric(Field::electric);
    of_electric.source = from[1]->data();
    of_electric.old = from[0]->data();
    of_electric.kept = to[0]->data();
    of_electric.target = to[0]->data();
    of_electric.decay = rows_[0].tables.decay();
    of_electric.gain = rows_[0].tables.gain();
    work_.run(of_electric);
    work_.run(kernels::CentralUpdate<double>{work_.system().view(Field::magnetic), from[0]->data(), to[1]->data(),
                                             rows_[1].tables.decay(), rows_[1].tables.gain(),
                                             kernels::mirror_code_of_electric});
    rows_[0].walls.add(*from[1], *to[0], amount);
    rows_[1].walls.add(*from[0], *to[1], -amount);
  }
  double product(const Fields& u, const Fields& v) {
    return work_.product(Field::electric, *u[0], *v[0], rows_[0].weight) +
           work_.product(Field::magnetic, *u[1], *v[1], rows_[1].weight);
  }
  double length_of(const Fields& u) { return std::sqrt(std::max(0.0, product(u, u))); }

  static constexpr int most_iterations = 1200;
  static constexpr double tolerance = 1e-6;
  static constexpr int settled_enough = 60;  ///< as in LanczosStep, which squares the operator
  StepProblem<Backend>& work_;
  std::array<Fields, 2> fields_;
  PenaltyOnDevice<Backend, double> penalty_;
  std::array<Row, 2> rows_;
};

}  // namespace tetrawave::march

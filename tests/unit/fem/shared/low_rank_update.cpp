#include "fem/shared/low_rank_update.hpp"

#include "catch.hpp"
#include "fem/solvers/reduced_model.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;

namespace {

constexpr std::size_t size = 8;

/// A diagonal matrix with an update of two columns, at one of two frequencies.
struct System {
  CsrPattern pattern;
  CsrMatrix<Complex> matrix;
  LowRankUpdate update;
  std::vector<Complex> side;

  System() {
    for (std::size_t i = 0; i < size; ++i) {
      const double x = static_cast<double>(i + 1);
      pattern.column.push_back(static_cast<std::int32_t>(i));
      pattern.first.push_back(static_cast<std::int64_t>(i + 1));
      matrix.values.emplace_back(x, 0.5);
      side.emplace_back(1 / x, x);
    }
    matrix.pattern = &pattern;
    update.columns.assign(2, std::vector<Complex>(size));
    for (std::size_t i = 0; i < 3; ++i) {
      update.columns[0][i] = Complex(0.3, static_cast<double>(i));
      update.columns[1][i + 1] = Complex(static_cast<double>(i) - 1, 0.2);
    }
    update.middle = {{0.4, 1}, {0.7, -0.1}, {0.7, -0.1}, 0};
  }
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  /// b - (A + U C U^T) x.
  [[nodiscard]] double residual(const std::vector<Complex>& x) const {
    std::array<Complex, 2> products{}, weights{};
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < size; ++i) products[k] += update.columns[k][i] * x[i];
    for (std::size_t k = 0; k < 2; ++k)
      weights[k] = update.middle[2 * k] * products[0] + update.middle[2 * k + 1] * products[1];
    double largest = 0;
    for (std::size_t i = 0; i < size; ++i)
      largest = std::max(largest, std::abs(side[i] - matrix.values[i] * x[i] - update.columns[0][i] * weights[0] -
                                           update.columns[1][i] * weights[1]));
    return largest;
  }
};

}  // namespace

TEST_CASE("solutions of a sparse system become those of it with a term of low rank") {
  const System system;
  std::vector<std::vector<Complex>> images = system.update.columns, x{system.side};
  for (auto* vectors : {&images, &x})
    for (auto& vector : *vectors)
      for (std::size_t i = 0; i < size; ++i) vector[i] /= system.matrix.values[i];
  CHECK(system.residual(x.front()) > 0.1);
  apply_update(system.update, images, x, comm::Communicator::self());
  CHECK(system.residual(x.front()) < 1e-13);
}

TEST_CASE("a reduced model has the term of low rank of each frequency") {
  const System system;
  const std::vector<std::int32_t> rows{0, 1, 2, 3};
  ReducedModel model({system.matrix}, {}, {{1}, {1}}, 1, 1);
  model.add_side(0, 0, {}, system.side);
  model.add_side(0, 1, {}, system.side);
  std::vector<std::vector<Complex>> columns;
  for (const auto& column : system.update.columns) columns.emplace_back(column.begin(), column.begin() + 4);
  model.add_update(1, rows, columns, system.update.middle);
  for (std::size_t i = 0; i < size; ++i) {  // a basis of everything
    std::vector<Complex> unit(size);
    unit[i] = 1;
    model.extend({unit});
  }
  CHECK(system.residual(model.expand(model.solve(0).coefficients.front())) > 0.1);
  const ReducedModel::Solution found = model.solve(1);
  const std::vector<Complex> x = model.expand(found.coefficients.front());
  CHECK(system.residual(x) < 1e-12);
  CHECK(found.residual.front() < 1e-12);
  REQUIRE(found.of_update.front().size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    Complex product = 0;
    for (std::size_t i = 0; i < size; ++i) product += system.update.columns[k][i] * x[i];
    CHECK(std::abs(found.of_update.front()[k] - product) < 1e-12);
  }
}

TEST_CASE("the images of a term of low rank are solved for once") {
  const System system;
  SolvedUpdate solved{system.update};
  std::vector<std::size_t> sides;
  const auto solve = [&](const std::vector<std::vector<Complex>>& b, std::vector<std::vector<Complex>>& x) {
    sides.push_back(b.size());
    x = b;
    for (auto& vector : x)
      for (std::size_t i = 0; i < size; ++i) vector[i] /= system.matrix.values[i];
    LinearFigures figures;
    figures.iterations.assign(b.size(), 1);
    figures.residual.assign(b.size(), 0);
    return figures;
  };
  for (int time = 0; time < 2; ++time) {
    std::vector<std::vector<Complex>> x(1, std::vector<Complex>(size));
    const LinearFigures figures = solve_updated(solved, solve, comm::Communicator::self(), {system.side}, x);
    CHECK(figures.iterations.size() == 1);
    CHECK(system.residual(x.front()) < 1e-12);
  }
  CHECK(sides == std::vector<std::size_t>{3, 1});
}

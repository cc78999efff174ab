// What the matrices of edge elements know of curls: gradients have none, a cavity its modes.
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "basis/functions.hpp"
#include "catch.hpp"
#include "fem/assembly/edge_assembly.hpp"
#include "spaces.hpp"
#include "unit/fem/edge/edge_matrices.hpp"
#include "unit/fem/edge/kuhn_box.hpp"

using namespace tetrawave;
using namespace tetrawave::fem;
using namespace tetrawave_tests;

namespace {

/// Real matrices of the curls and of the fields of the whole box, empty and walled by metal or not.
struct CurlsAndFields {
  EdgeSpace space;
  CsrPattern pattern;
  std::vector<double> curls, fields;
};

CurlsAndFields curls_and_fields(const KuhnBox& box, Space space, const std::vector<ElementFace>& metal) {
  CurlsAndFields result;
  result.space = number_unknowns(space, box.vertices, metal);
  const EdgeAssembly assembly(result.space, box.corners, {}, AssemblyMethod::by_dof, 1);
  result.pattern = assembly.pattern();
  const std::vector<EdgeCoefficients<Complex>> of{{{1, 1, 1}, {0, 0, 0}}, {{0, 0, 0}, {1, 1, 1}}};
  for (const std::int32_t kind : {0, 1}) {
    CsrMatrix<Complex> matrix;
    assembly.assemble(of, std::vector<std::int32_t>(box.vertices.size(), kind), {}, matrix);
    auto& values = kind == 0 ? result.curls : result.fields;
    for (const Complex& value : matrix.values) values.push_back(value.real());
  }
  return result;
}

using Reals = std::vector<double>;

Reals multiply(const CsrPattern& pattern, const Reals& values, const Reals& x) {
  Reals y(x.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    for (auto k = static_cast<std::size_t>(pattern.first[i]); k < static_cast<std::size_t>(pattern.first[i + 1]); ++k)
      y[i] += values[k] * x[static_cast<std::size_t>(pattern.column[k])];
  return y;
}

double dot(const Reals& a, const Reals& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.); }

/// A dense matrix by its LU factors, with pivots from the column.
class Factors {
 public:
  explicit Factors(std::vector<Reals> a) : a_(std::move(a)) {
    for (std::size_t k = 0; k < a_.size(); ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k; i < a_.size(); ++i)
        if (std::abs(a_[i][k]) > std::abs(a_[pivot][k])) pivot = i;
      std::swap(a_[k], a_[pivot]);
      pivots_.push_back(pivot);
      const double* from = a_[k].data();
      for (std::size_t i = k + 1; i < a_.size(); ++i) {
        double* row = a_[i].data();
        const double factor = row[k] /= from[k];
        if (factor == 0) continue;
        for (std::size_t j = k + 1; j < a_.size(); ++j) row[j] -= factor * from[j];
      }
    }
  }
  void solve(Reals& x) const {
    for (std::size_t k = 0; k < x.size(); ++k) std::swap(x[k], x[pivots_[k]]);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) x[i] -= a_[i][j] * x[j];
    for (std::size_t i = x.size(); i-- > 0;) {
      for (std::size_t j = i + 1; j < x.size(); ++j) x[i] -= a_[i][j] * x[j];
      x[i] /= a_[i][i];
    }
  }

 private:
  std::vector<Reals> a_;
  std::vector<std::size_t> pivots_;
};

/// Mean of the three k^2 next to `shift`, by inverse iteration with three random fields and Rayleigh's quotient of
/// each, orthogonal in the mass.
double mean_eigenvalue(const CurlsAndFields& of, double shift) {
  const auto n = static_cast<std::size_t>(of.space.unknowns);
  std::vector<Reals> shifted(n, Reals(n));
  for (std::size_t i = 0; i < n; ++i)
    for (auto k = static_cast<std::size_t>(of.pattern.first[i]); k < static_cast<std::size_t>(of.pattern.first[i + 1]);
         ++k)
      shifted[i][static_cast<std::size_t>(of.pattern.column[k])] = of.curls[k] - shift * of.fields[k];
  const Factors factors(std::move(shifted));
  Random random(9);
  std::vector<Reals> fields(3, Reals(n));
  for (Reals& field : fields)
    for (double& value : field) value = random.number();
  double before = 0, mean = 1;
  for (int iteration = 0; iteration < 200 && std::abs(mean - before) > 1e-11 * mean; ++iteration) {
    before = mean;
    mean = 0;
    std::vector<Reals> weighted;
    for (Reals& field : fields) {
      field = multiply(of.pattern, of.fields, field);
      factors.solve(field);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      for (int again = 0; again < 2; ++again)
        for (std::size_t l = 0; l < k; ++l) {
          const double part = dot(fields[k], weighted[l]);
          for (std::size_t i = 0; i < n; ++i) fields[k][i] -= part * fields[l][i];
        }
      weighted.push_back(multiply(of.pattern, of.fields, fields[k]));
      const double length = std::sqrt(dot(fields[k], weighted[k]));
      for (std::size_t i = 0; i < n; ++i) {
        fields[k][i] /= length;
        weighted[k][i] /= length;
      }
      mean += dot(fields[k], multiply(of.pattern, of.curls, fields[k])) / 3;
    }
  }
  return mean;
}

}  // namespace

TEST_CASE("gradients of nodal functions have no curl") {
  const KuhnBox box = make_kuhn_box({3, 3, 3}, 0.2);
  Random random(4);
  std::map<GlobalIndex, double> potential;
  for (const auto& [name, point] : box.node) potential[name] = random.number();
  double worst = 0;
  for (const Space space : nested_spaces) {
    const CurlsAndFields of = curls_and_fields(box, space, {});
    Reals gradient(static_cast<std::size_t>(of.space.unknowns));  // grad sum p_v L_v = sum of (p_j - p_i) W_ij
    const auto functions = basis::functions_of(space);
    for (std::size_t e = 0; e < box.vertices.size(); ++e)
      for (std::size_t i = 0; i < 6; ++i) {
        const auto from = box.vertices[e][static_cast<std::size_t>(functions[i].vertices[0])];
        const auto to = box.vertices[e][static_cast<std::size_t>(functions[i].vertices[1])];
        gradient[static_cast<std::size_t>(of.space.of(e)[i])] = potential[to] - potential[from];
      }
    const Reals found = multiply(of.pattern, of.curls, gradient);
    double most = 0, largest_entry = 0;
    for (const double value : found) most = std::max(most, std::abs(value));
    for (const double value : of.curls) largest_entry = std::max(largest_entry, std::abs(value));
    worst = std::max(worst, most / largest_entry);
    CHECK(dot(gradient, multiply(of.pattern, of.fields, gradient)) > 1);  // which is not nothing
  }
  CHECK(worst < 1e-13);
}

TEST_CASE("functions that are gradients have empty rows of curls, as many as nodal spaces of higher degree have") {
  const KuhnBox box = make_kuhn_box({2, 2, 2}, 0.2);
  const std::size_t edges = 98, faces = 120, elements = 48;
  const std::map<Space, std::size_t> expected{{Space::mixed_1, 0},
                                              {Space::full_1, edges},
                                              {Space::mixed_2, edges},
                                              {Space::full_2, 2 * edges + faces},
                                              {Space::mixed_3, 2 * edges + faces},
                                              {Space::nested_full_3, 3 * edges + 3 * faces + elements}};
  for (const Space space : nested_spaces) {
    const CurlsAndFields of = curls_and_fields(box, space, {});
    std::size_t empty = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(of.space.unknowns); ++i)
      empty += std::all_of(of.curls.begin() + of.pattern.first[i], of.curls.begin() + of.pattern.first[i + 1],
                           [](double value) { return value == 0; })
                   ? 1U
                   : 0U;
    CHECK(empty == expected.at(space));
  }
}

TEST_CASE("the lowest modes of a cube of metal converge to k^2 = 2 pi^2") {
  const double exact = 2 * std::acos(-1.) * std::acos(-1.);
  struct Expected {
    Space space;
    std::vector<int> cells;
    double order;  // between the last two
    double error;  // relative, of the last
  };
  for (const auto& [space, cells, order, error] :
       {Expected{Space::mixed_1, {2, 3, 4}, 1.8, 0.01}, Expected{Space::full_1, {2, 3, 4}, 1.8, 0.11},
        Expected{Space::mixed_2, {2, 3, 4}, 3.6, 0.001}, Expected{Space::full_2, {2, 3}, 3.4, 0.007}}) {
    std::vector<double> errors;
    for (const int n : cells) {
      const KuhnBox box = make_kuhn_box({n, n, n}, 0);
      errors.push_back(mean_eigenvalue(curls_and_fields(box, space, box.outer_faces()), 17) / exact - 1);
    }
    const std::size_t last = errors.size() - 1;
    const double found =
        std::log(std::abs(errors[last - 1] / errors[last])) / std::log(1. * cells[last] / cells[last - 1]);
    std::string list;
    for (const double e : errors) list += " " + std::to_string(e);
    WARN(name_of(space) << ", relative errors of 2 pi^2 with 2, 3, ... cells:" << list << ", order " << found);
    CHECK(found > order);
    CHECK(std::abs(errors[last]) < error);
  }
}

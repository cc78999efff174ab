// Local time stepping in DGTD-Upwind: against its definition with dense matrices, its order, energy and what must not
// change it.
#include <cmath>
#include <map>

#include "base/constants.hpp"
#include "base/names.hpp"
#include "basis/reference_element.hpp"
#include "catch.hpp"
#include "march/loop/step_classes.hpp"
#include "mesh/tetrahedron.hpp"
#include "schemes/upwind/spectrum.hpp"
#include "sources/initial_fields.hpp"
#include "support/cavity.hpp"
#include "support/host_engine.hpp"
#include "support/outcome.hpp"
#include "support/written_out.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;
using march::Field;

namespace {

using Vector = std::vector<double>;

std::unique_ptr<Situation> make_upwind(const std::string& name, Space space) {
  auto situation = make_situation(name, space, 4, Communicator::self());
  situation->problem.scheme = Scheme::dgtd_upwind;
  return situation;
}

/// The method by its definition: every element keeps the Taylor polynomials of its own steps, with matrices by
/// quadrature, and a step adds the operator on integrals of its own polynomial and of its neighbours' over the step.
class WrittenOutClasses {
 public:
  WrittenOutClasses(const Situation& situation, const march::Start& start)
      : problem_(situation.problem), start_(start), n_(dofs_of(problem_.space)) {
    for (const auto& corners : problem_.mesh->corners) bases_.emplace_back(problem_.space, corners);
    for (std::size_t e = 0; e < bases_.size(); ++e) make_matrices(e, situation.profile);
    for (const auto& driven : problem_.driven)
      waves_[{static_cast<std::size_t>(driven.element), driven.face}] = static_cast<std::size_t>(driven.wave) - 1;
    const Vector zero(bases_.size() * n_, 0.0);
    fields_ = {start.electric.value_or(zero), start.magnetic.value_or(zero)};
    polynomials_.resize(bases_.size());
  }

  void advance(std::int64_t steps) {
    const std::int64_t smallest = problem_.classes.substeps(0);
    for (std::int64_t k = 0; k < steps * smallest; ++k) {
      for (std::size_t e = 0; e < bases_.size(); ++e)
        if (k % length(e) == 0) polynomials_[e].push_back(predict(e, k));
      std::vector<std::pair<std::size_t, std::array<Vector, 2>>> changes;
      for (std::size_t e = 0; e < bases_.size(); ++e)
        if ((k + 1) % length(e) == 0) changes.emplace_back(e, change_of(e, k + 1 - length(e), k + 1));
      for (const auto& [e, change] : changes)
        for (std::size_t f = 0; f < 2; ++f)
          for (std::size_t i = 0; i < n_; ++i) fields_[f][e * n_ + i] += change[f][i];
    }
  }
  [[nodiscard]] const Vector& field(Field which) const { return fields_[which == Field::electric ? 0 : 1]; }

 private:
  struct Matrices {
    DenseMatrix mass, curl;
    std::array<DenseMatrix, 4> turned, turned_across, face, face_across;
    std::array<std::array<Vector, 2>, 4> incident;
  };
  struct Polynomial {
    std::int64_t begin, end;
    std::vector<std::array<Vector, 2>> derivatives;
  };

  [[nodiscard]] std::int64_t length(std::size_t e) const {
    return problem_.classes.substeps(0) / problem_.classes.substeps(problem_.classes.of(static_cast<LocalIndex>(e)));
  }
  [[nodiscard]] const Medium& medium(std::size_t e) const {
    return problem_.media[static_cast<std::size_t>(problem_.mesh->region[e])];
  }
  [[nodiscard]] double smallest_m() const { return start_.dt_m / static_cast<double>(problem_.classes.substeps(0)); }

  void make_matrices(std::size_t e, const IncidentProfile& profile) {
    const WrittenOutBasis& basis = bases_[e];
    Matrices m;
    m.mass = m.curl = DenseMatrix(n_);
    for (const Point& p : volume_points(basis)) {
      const std::vector<Vec3>& values = basis.values(p.at);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j) {
          m.mass(i, j) += p.weight * dot(values[i], values[j]);
          m.curl(i, j) += p.weight * dot(values[i], basis.curl(j, p.at));
        }
    }
    for (std::size_t f = 0; f < 4; ++f) {
      const Vec3 normal = basis.normal(f);
      m.turned[f] = m.turned_across[f] = m.face[f] = m.face_across[f] = DenseMatrix(n_);
      m.incident[f] = {Vector(n_, 0.0), Vector(n_, 0.0)};
      const LocalIndex other = problem_.mesh->neighbour[e][f];
      for (const Point& p : face_points(basis, f))
        for (std::size_t i = 0; i < n_; ++i) {
          const Vec3 test = basis.values(p.at)[i];
          for (std::size_t j = 0; j < n_; ++j) {
            const Vec3 own = cross(normal, basis.values(p.at)[j]);
            m.turned[f](i, j) += p.weight * dot(test, own);
            m.face[f](i, j) += p.weight * dot(cross(normal, test), own);
            if (other < 0) continue;
            const Vec3 across = cross(normal, bases_[static_cast<std::size_t>(other)].values(p.at)[j]);
            m.turned_across[f](i, j) += p.weight * dot(test, across);
            m.face_across[f](i, j) += p.weight * dot(cross(normal, test), across);
          }
          m.incident[f][0][i] += p.weight * dot(cross(normal, test), cross(normal, profile(p.at)));
          m.incident[f][1][i] -= p.weight * dot(test, cross(normal, profile(p.at)));
        }
    }
    matrices_.push_back(std::move(m));
  }

  /// M^-1 right over eps or mu, less the loss.
  [[nodiscard]] Vector finish(std::size_t e, std::size_t field, const Vector& right, const double* own) const {
    const double constant = field == 0 ? medium(e).eps_r : medium(e).mu_r;
    const double sigma = field == 0 ? medium(e).sigma_e : medium(e).sigma_m;
    Vector rate = matrices_[e].mass.solve(right);
    for (std::size_t i = 0; i < n_; ++i) rate[i] = (rate[i] - sigma * own[i]) / constant;
    return rate;
  }

  [[nodiscard]] Polynomial predict(std::size_t e, std::int64_t begin) const {
    Polynomial polynomial{begin, begin + length(e), {}};
    std::array<Vector, 2> u;
    for (std::size_t f = 0; f < 2; ++f)
      u[f] = {fields_[f].begin() + static_cast<std::ptrdiff_t>(e * n_),
              fields_[f].begin() + static_cast<std::ptrdiff_t>((e + 1) * n_)};
    const int degree = basis::reference_element(problem_.space).degree;
    for (int k = 0; k <= degree; ++k) {
      polynomial.derivatives.push_back(u);
      std::array<Vector, 2> right{Vector(n_, 0.0), Vector(n_, 0.0)};
      matrices_[e].curl.add_product(1, u[1].data(), right[0].data());
      matrices_[e].curl.add_product(-1, u[0].data(), right[1].data());
      u = {finish(e, 0, right[0], u[0].data()), finish(e, 1, right[1], u[1].data())};
    }
    return polynomial;
  }

  /// Over all pieces of an element between two times.
  [[nodiscard]] std::array<Vector, 2> integrate(std::size_t e, std::int64_t from, std::int64_t to) const {
    std::array<Vector, 2> sum{Vector(n_, 0.0), Vector(n_, 0.0)};
    for (const Polynomial& piece : polynomials_[e]) {
      const std::int64_t begin = std::max(from, piece.begin), end = std::min(to, piece.end);
      if (begin >= end) continue;
      double low = 1, high = 1;
      for (std::size_t k = 0; k < piece.derivatives.size(); ++k) {
        low *= static_cast<double>(begin - piece.begin) * smallest_m() / static_cast<double>(k + 1);
        high *= static_cast<double>(end - piece.begin) * smallest_m() / static_cast<double>(k + 1);
        for (std::size_t f = 0; f < 2; ++f)
          for (std::size_t i = 0; i < n_; ++i) sum[f][i] += (high - low) * piece.derivatives[k][f][i];
      }
    }
    return sum;
  }

  [[nodiscard]] std::array<Vector, 2> change_of(std::size_t e, std::int64_t from, std::int64_t to) const {
    const auto own = integrate(e, from, to);
    const Matrices& m = matrices_[e];
    std::array<Vector, 2> right{Vector(n_, 0.0), Vector(n_, 0.0)};
    m.curl.add_product(1, own[1].data(), right[0].data());
    m.curl.add_product(-1, own[0].data(), right[1].data());
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = problem_.mesh->boundary[e][f];
      if (tag >= 0)
        add_wall(e, f, problem_.walls[static_cast<std::size_t>(tag)], own, from, to, right);
      else
        add_flux(e, f, own, integrate(static_cast<std::size_t>(problem_.mesh->neighbour[e][f]), from, to), right);
    }
    return {finish(e, 0, right[0], own[0].data()), finish(e, 1, right[1], own[1].data())};
  }

  void add_flux(std::size_t e, std::size_t f, const std::array<Vector, 2>& own, const std::array<Vector, 2>& other,
                std::array<Vector, 2>& right) const {
    const Matrices& m = matrices_[e];
    const double z = medium(e).impedance();
    const double z_other = medium(static_cast<std::size_t>(problem_.mesh->neighbour[e][f])).impedance();
    const double sum = z + z_other, y_sum = 1 / z + 1 / z_other;
    const auto add = [&](double turned, double along, const Vector& turned_own, const Vector& turned_other,
                         const Vector& along_own, const Vector& along_other, Vector& to) {
      m.turned_across[f].add_product(turned, turned_other.data(), to.data());
      m.turned[f].add_product(-turned, turned_own.data(), to.data());
      m.face_across[f].add_product(along, along_other.data(), to.data());
      m.face[f].add_product(-along, along_own.data(), to.data());
    };
    add(z_other / sum, 1 / sum, own[1], other[1], own[0], other[0], right[0]);
    add(-1 / z_other / y_sum, 1 / y_sum, own[0], other[0], own[1], other[1], right[1]);
  }

  void add_wall(std::size_t e, std::size_t f, march::Wall wall, const std::array<Vector, 2>& own, std::int64_t from,
                std::int64_t to, std::array<Vector, 2>& right) const {
    const Matrices& m = matrices_[e];
    const double z = medium(e).impedance();
    if (wall == march::Wall::electric) {  // E* = 0, n x H* = n x H - E/Z
      m.face[f].add_product(-1 / z, own[0].data(), right[0].data());
      m.turned[f].add_product(1, own[0].data(), right[1].data());
    } else if (wall == march::Wall::magnetic) {
      m.turned[f].add_product(-1, own[1].data(), right[0].data());
      m.face[f].add_product(-z, own[1].data(), right[1].data());
    } else {  // the same medium outside, at rest but for the wave
      m.turned[f].add_product(-0.5, own[1].data(), right[0].data());
      m.face[f].add_product(-0.5 / z, own[0].data(), right[0].data());
      m.turned[f].add_product(0.5, own[0].data(), right[1].data());
      m.face[f].add_product(-0.5 * z, own[1].data(), right[1].data());
      const auto wave = waves_.find({e, f});
      if (wave == waves_.end()) return;
      const double w = integral_of(start_.waves[wave->second], from, to);
      for (std::size_t i = 0; i < n_; ++i) {
        right[0][i] += w / z * m.incident[f][0][i];
        right[1][i] += w * m.incident[f][1][i];
      }
    }
  }

  /// By many midpoints, in metres.
  [[nodiscard]] double integral_of(const march::Wave& wave, std::int64_t from, std::int64_t to) const {
    constexpr int points = 4000;
    const auto substeps = static_cast<double>(problem_.classes.substeps(0));
    double sum = 0;
    for (int p = 0; p < points; ++p)
      sum += wave((static_cast<double>(from) + static_cast<double>(to - from) * (p + 0.5) / points) / substeps);
    return sum / points * static_cast<double>(to - from) * smallest_m();
  }

  const march::Problem& problem_;
  const march::Start& start_;
  std::size_t n_;
  std::vector<WrittenOutBasis> bases_;
  std::vector<Matrices> matrices_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> waves_;
  std::array<Vector, 2> fields_;
  std::vector<std::vector<Polynomial>> polynomials_;
};

const std::vector<std::string>& upwind_class_names() {
  static const std::vector<std::string> names{"PEC and PMC in classes",      "absorbing walls in classes",
                                              "losses in classes",           "driven faces in classes",
                                              "everything in classes",       "surface impedances in classes",
                                              "dispersion in classes",       "axes in classes",
                                              "axes and losses in classes",  "ports with memory in classes",
                                              "absorbing layers in classes", "conductors in classes"};
  return names;
}

/// Starts an engine from a field of all modes, at its stable step.
march::Start start_at_limit(march::Engine& engine, std::size_t dofs, std::int64_t steps) {
  march::Start start;
  start.dt_m = engine.find_stable_step();
  start.steps = steps;
  start.electric.emplace(dofs);
  for (std::size_t i = 0; i < dofs; ++i) (*start.electric)[i] = std::sin(1.7 * static_cast<double>(i));
  start.magnetic.emplace(dofs, 0.0);
  engine.start(start);
  return start;
}

}  // namespace

TEST_CASE("classes of steps of DGTD-Upwind march as their definition") {
  struct Choice {
    const char* name;
    Space space;
  };
  for (const auto& [name, space] : {Choice{"PEC and PMC in classes", Space::mixed_1},
                                    {"absorbing walls in classes", Space::full_1},
                                    {"losses in classes", Space::mixed_1},
                                    {"driven faces in classes", Space::mixed_1},
                                    {"everything in classes", Space::mixed_2}}) {
    const auto situation = make_upwind(name, space);
    REQUIRE(situation->problem.classes.count == 3);
    const auto engine = make_engine(situation->problem);
    const march::Start start = situation->make_start(0.9 * engine->find_stable_step(), 2);
    const Outcome found = run_engine(*engine, start, {2});
    WrittenOutClasses expected(*situation, start);
    expected.advance(2);
    INFO(name << ", " << tetrawave::name_of(space));
    CHECK(largest_difference(found.electric, expected.field(Field::electric)) < 1e-10);
    CHECK(largest_difference(found.magnetic, expected.field(Field::magnetic)) < 1e-10);
  }
}

namespace {

/// A closed box of 1 m, a cavity mode in it at t = 0, classes of steps by place; marched to 0.6 m/c0.
struct Cavity {
  BoxProblem box;
  march::Start start;
  march::StepClasses classes;
  double energy = 0;  ///< at the end

  Cavity(Space space, std::int64_t cells, const Medium& medium) : box(unit_box(cells, 0.1), space, {}, medium) {
    box.problem.scheme = Scheme::dgtd_upwind;
    const auto mode = [](const Vec3& r) { return Vec3{0, 0, std::sin(pi * r[0]) * std::sin(pi * r[1])}; };
    start.electric = project_field(box.mesh, space, mode, 1);
    start.magnetic.emplace(start.electric->size(), 0.0);
    std::vector<double> bounds;
    for (const auto& corners : box.mesh.corners) bounds.push_back(centroid(corners)[0] < 0.5 ? 1 : 3.1);
    classes = march::assign_classes(box.problem, bounds, 3, Communicator::self());
  }
  /// E at the end, with steps of a share of the limit.
  Vector march(bool with_classes, double share) {
    box.problem.classes = with_classes ? classes : march::StepClasses{};
    const auto engine = make_engine(box.problem);
    start.steps = static_cast<std::int64_t>(std::ceil(0.6 / (share * engine->find_stable_step())));
    start.dt_m = 0.6 / static_cast<double>(start.steps);
    engine->start(start);
    engine->advance(start.steps);
    energy = engine->present_energy();
    return engine->field(Field::electric);
  }
};

double root_of_squares(const Vector& a, const Vector& b) {
  double wrong = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    wrong += (a[i] - b[i]) * (a[i] - b[i]);
    all += b[i] * b[i];
  }
  return std::sqrt(wrong / all);
}

}  // namespace

TEST_CASE("classes of steps of DGTD-Upwind are as far from the fields of a cavity as the march without them") {
  struct Choice {
    Space space;
    std::int64_t cells;
    double order;
  };
  for (const auto& [space, cells, order] :
       {Choice{Space::mixed_1, 4, 0.9}, {Space::full_1, 4, 1.3}, {Space::mixed_2, 2, 1.4}, {Space::full_2, 2, 1.8}}) {
    std::array<double, 2> wrong{};
    for (const std::size_t k : {0u, 1u}) {
      Cavity cavity(space, cells << k, {});
      REQUIRE(cavity.classes.count == 2);
      Vector exact = *cavity.start.electric;
      for (double& x : exact) x *= std::cos(std::sqrt(2.) * pi * 0.6);
      wrong[k] = root_of_squares(cavity.march(true, 0.95), exact);
      INFO(tetrawave::name_of(space) << ", " << (cells << k) << " cells");
      CHECK(wrong[k] < 1.1 * root_of_squares(cavity.march(false, 0.95), exact));
    }
    INFO(tetrawave::name_of(space) << ": " << wrong[0] << ", " << wrong[1]);
    CHECK(std::log2(wrong[0] / wrong[1]) > order);
  }
}

TEST_CASE("polarisations in classes of steps of DGTD-Upwind come near those without classes") {
  Medium medium{2, 1.5, 0.3, 0.1};
  medium.electric_poles = {{1, 3, 0, 2.4, 0}, {2, 40, 1.5, 30, 0}, {2, 0, 2, 9, 0}};
  medium.magnetic_poles = {{2, 25, 3, 12, 1.5}};
  std::array<double, 2> wrong{};
  for (const std::size_t k : {0u, 1u}) {
    Cavity cavity(Space::full_1, std::int64_t{4} << k, medium);
    const Vector found = cavity.march(true, 0.95);
    const double energy = cavity.energy;  // with what the terms store
    wrong[k] = root_of_squares(found, cavity.march(false, 0.2));
    CHECK(energy == Approx(cavity.energy).epsilon(0.02));
  }
  INFO(wrong[0] << ", " << wrong[1]);
  CHECK(wrong[1] < 0.025);
  CHECK(std::log2(wrong[0] / wrong[1]) > 1.7);
}

TEST_CASE("sources in classes of steps of DGTD-Upwind come near those without classes") {
  Cavity cavity(Space::full_1, 4, {});
  cavity.start = {};
  cavity.start.source_waves = {[&](double steps) { return std::sin(9 * steps * cavity.start.dt_m); }};
  for (LocalIndex e = 0; e < cavity.box.mesh.element_count(); ++e) {
    if (e % 50 != 3) continue;
    march::SourceTerm term;
    term.element = e;
    term.electric.assign(12, 1e-3);
    term.magnetic.assign(12, 2e-3);
    cavity.box.problem.sources.push_back(term);
  }
  const Vector exact = cavity.march(false, 0.2);
  const double whole = root_of_squares(cavity.march(true, 0.9), exact);
  const double half = root_of_squares(cavity.march(true, 0.45), exact);
  INFO(whole << ", " << half);
  CHECK(half < 0.12);
  CHECK(whole / half > 1.7);
}

TEST_CASE("the energy of DGTD-Upwind with classes of steps falls at every step at the stable limit") {
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2, Space::full_2, Space::mixed_3}) {
    BoxProblem box(unit_box(space > Space::full_1 ? 4 : 6), space, {});
    constexpr std::array<double, 7> at{0, 0.01, 0.02, 0.06, 0.1, 0.26, 0.42};
    box.problem.scheme = Scheme::dgtd_upwind;
    for (auto& corners : box.mesh.corners)
      for (Vec3& x : corners)
        x = {at[static_cast<std::size_t>(std::llround((space > Space::full_1 ? 4 : 6) * x[0]))], x[1], x[2]};
    box.problem.classes =
        march::assign_classes(box.problem, march::bound_steps(box.problem, 1), 3, Communicator::self());
    REQUIRE(box.problem.classes.count > 1);
    const auto engine = make_engine(box.problem);
    const march::Start start = start_at_limit(*engine, box.mesh.global_id.size() * dofs_of(space), 300);
    double before = engine->present_energy();
    INFO(tetrawave::name_of(space) << ", " << box.problem.classes.count << " classes");
    for (std::int64_t k = 0; k < start.steps; k += 10) {
      engine->advance(10);
      const double after = engine->present_energy();
      CHECK(after <= before);
      before = after;
    }
  }
}

TEST_CASE("modes of flat elements of DGTD-Upwind with classes of steps do not grow at the stable limit") {
  for (const Space space : {Space::mixed_1, Space::full_1, Space::mixed_2})
    for (const double thin : {0.01, 0.03}) {
      BoxProblem box(unit_box(5, 0.5), space, {});
      box.problem.scheme = Scheme::dgtd_upwind;
      for (auto& corners : box.mesh.corners)
        for (Vec3& x : corners) {  // the third of five layers is thin and flat
          const double plane = std::round(5 * x[0]);
          x[0] = plane < 2 ? x[0] : plane == 2 ? 0.4 : plane == 3 ? 0.4 + thin : x[0] - 0.2 + thin;
        }
      box.problem.classes =
          march::assign_classes(box.problem, march::bound_steps(box.problem, 1), 3, Communicator::self());
      REQUIRE(box.problem.classes.count > 1);
      const auto engine = make_engine(box.problem);
      const march::Start start = start_at_limit(*engine, box.mesh.global_id.size() * dofs_of(space), 400);
      const double before = engine->present_energy();
      engine->advance(start.steps);
      INFO(tetrawave::name_of(space) << ", layer of " << thin << ", " << box.problem.classes.count << " classes");
      CHECK(engine->present_energy() < before);
    }
}

TEST_CASE("threads and pieces change no bit of DGTD-Upwind with classes of steps, single precision little") {
  for (const auto& name : upwind_class_names()) {
    const auto situation = make_upwind(name, Space::full_1);
    const auto one = make_engine(situation->problem);
    const march::Start start = situation->make_start(0.9 * one->find_stable_step(), 12);
    const Outcome whole = run_engine(*one, start, {12});
    INFO(name);
    CHECK(are_identical(run_engine(*make_engine(situation->problem, 2), start, {12}), whole));
    CHECK(are_identical(run_engine(*one, start, {1, 5, 6}), whole));
    const auto single = make_engine(situation->problem, 1, Precision::single_precision);
    CHECK(largest_difference(run_engine(*single, start, {12}), whole) < 1e-3);
  }
}

TEST_CASE("stored matrices with classes of steps of DGTD-Upwind are refused") {
  const auto situation = make_upwind("PEC and PMC in classes", Space::mixed_1);
  situation->problem.layout = Layout::stored;
  CHECK_THROWS_AS(make_engine(situation->problem), UserError);
}

TEST_CASE("what remembers tends in classes of steps of DGTD-Upwind to the march of all at one small step") {
  for (const Space space : {Space::mixed_1, Space::full_1})
    for (const char* name : {"axes and losses in classes", "ports with memory in classes",
                             "absorbing layers in classes", "conductors in classes"}) {
      const auto situation = make_upwind(name, space);
      march::Problem& problem = situation->problem;
      REQUIRE(problem.classes.count == 3);
      const double step_m = make_engine(problem)->find_stable_step();
      const double time_m = 8 * step_m;
      const auto march = [&](std::int64_t steps) {
        march::Start start = situation->make_start(time_m / static_cast<double>(steps), steps);
        for (std::size_t k = 0; k < start.waves.size(); ++k)
          start.waves[k] = [=](double n) {
            return std::sin(static_cast<double>(k + 1) * 5 * n / static_cast<double>(steps));
          };
        return run_engine(*make_engine(problem), start, {steps});
      };
      const Outcome coarse = march(16), fine = march(64);
      problem.classes = {};
      const Outcome exact =
          march(static_cast<std::int64_t>(std::ceil(3 * time_m / make_engine(problem)->find_stable_step())));
      for (const bool electric : {true, false}) {
        const auto far = [&](const Outcome& of) {
          return root_of_squares(electric ? of.electric : of.magnetic, electric ? exact.electric : exact.magnetic);
        };
        INFO(name << ", " << tetrawave::name_of(space) << ": " << far(coarse) << ", " << far(fine));
        CHECK(far(fine) < 0.05);
        CHECK(far(fine) < 0.4 * far(coarse));
      }
    }
}

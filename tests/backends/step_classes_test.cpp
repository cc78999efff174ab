// Local time stepping: the schedule against the dense reference, order and energy, and what it must not change.
#include "march/loop/step_classes.hpp"

#include <cmath>
#include <complex>

#include "base/constants.hpp"
#include "base/names.hpp"
#include "basis/reference_element.hpp"
#include "catch.hpp"
#include "mesh/tetrahedron.hpp"
#include "schemes/upwind/spectrum.hpp"
#include "support/cavity.hpp"
#include "support/host_engine.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;
using march::Field;

namespace {

constexpr std::array leap_frogs{Scheme::dgtd_central, Scheme::dfdd_eld};

/// A box of PEC whose cells grow fourfold twice along x and are long along y and z: a cube of 6 cells, its nodes moved.
struct GradedBox {
  BoxProblem box{unit_box(6), Space::mixed_1, {}};
  explicit GradedBox(Scheme scheme, int most = 3) {
    constexpr std::array<double, 7> at{0, 0.01, 0.02, 0.06, 0.1, 0.26, 0.42};
    box.problem.scheme = scheme;
    for (auto& corners : box.mesh.corners)
      for (Vec3& x : corners) x = {at[static_cast<std::size_t>(std::llround(6 * x[0]))], 12 * x[1], 12 * x[2]};
    box.problem.classes =
        march::assign_classes(box.problem, march::bound_steps(box.problem, 1), most, Communicator::self());
  }
  /// A smooth field of the box at t = 0, H = 0.
  [[nodiscard]] march::Start start() const {
    march::Start start;
    const auto n = dofs_of(box.problem.space);
    start.electric.emplace(box.mesh.global_id.size() * n, 0.0);
    start.magnetic.emplace(box.mesh.global_id.size() * n, 0.0);
    // Whitney functions interpolate along edges: E_z = sin(pi x/a) sin(pi y/b) at their middles
    for (std::size_t e = 0; e < box.mesh.corners.size(); ++e)
      for (std::size_t k = 0; k < 6; ++k) {
        const auto& [a, b] = edge_corners[k];
        const Vec3 &p = box.mesh.corners[e][a], &q = box.mesh.corners[e][b];
        (*start.electric)[e * n + k] =
            std::sin(pi * (p[0] + q[0]) / 2 / 0.42) * std::sin(pi * (p[1] + q[1]) / 24) * (q[2] - p[2]);
      }
    return start;
  }
};

/// The values of a functional from the dofs of all elements.
double value_of(const march::Functional& functional, const std::vector<double>& dofs) {
  double sum = 0;
  for (const auto& item : functional.items)
    for (std::size_t i = 0; i < item.weight.size(); ++i)
      sum += item.weight[i] * dofs[static_cast<std::size_t>(item.element) * item.weight.size() + i];
  return sum;
}

}  // namespace

TEST_CASE("classes of steps march as the dense reference") {
  struct Choice {
    const char* name;
    Space space;
  };
  for (const auto& [name, space] : {Choice{"absorbing walls in classes", Space::mixed_1},
                                    {"losses in classes", Space::mixed_1},
                                    {"everything in classes", Space::mixed_1},
                                    {"everything in classes", Space::full_1},
                                    {"absorbing layers in classes", Space::mixed_1},
                                    {"absorbing layers in classes", Space::full_1},
                                    {"Kerr in classes", Space::mixed_1}}) {
    const auto situation = make_situation(name, space, 4, Communicator::self());
    REQUIRE(situation->problem.classes.count == 3);
    const bool linear = situation->problem.media[0].chi3 == 0;
    const auto engine = make_engine(situation->problem);
    const march::Start start = situation->make_start((linear ? 0.9 : 0.5) * engine->find_stable_step(), 1);
    const Outcome found = run_engine(*engine, start, {1});
    const Outcome expected = run_reference(*situation, start);
    INFO(name << ", " << tetrawave::name_of(space));
    const double tolerance = linear ? 1e-11 : 1e-8;  // that of the nonlinear solution
    CHECK(largest_difference(found.electric, expected.electric) < tolerance);
    CHECK(largest_difference(found.magnetic, expected.magnetic) < tolerance);
    CHECK(largest_difference(found.record, expected.record) < tolerance);
    if (linear) CHECK(largest_energy_difference(found, expected) < 1e-11);
  }
}

TEST_CASE("the stored layout marches classes of steps as the factored one") {
  for (const Scheme scheme : leap_frogs)
    for (const auto& name : class_situation_names()) {
      const auto situation = make_situation(name, Space::full_1, 4, Communicator::self());
      march::Problem& problem = situation->problem;
      problem.scheme = scheme;
      for (const Dispersion dispersion : {Dispersion::passive, Dispersion::published}) {
        if (dispersion == Dispersion::published && name.rfind("dispersion", 0) != 0) continue;
        for (Medium& medium : problem.media) medium.dispersion = dispersion;
        problem.layout = Layout::factored;
        const auto factored = make_engine(problem);
        const march::Start start = situation->make_start(0.9 * factored->find_stable_step(), 12);
        const Outcome expected = run_engine(*factored, start, {12});
        problem.layout = Layout::stored;
        INFO(name_of(scheme) << ", " << name);
        CHECK(largest_difference(run_engine(*make_engine(problem), start, {12}), expected) < 1e-11);
        problem.layout = Layout::factored;
        const auto single = make_engine(problem, 1, Precision::single_precision);
        CHECK(largest_difference(run_engine(*single, start, {12}), expected) < 1e-3);
      }
    }
}

TEST_CASE("threads and pieces change no bit of a march with classes of steps") {
  for (const Scheme scheme : leap_frogs) {
    const auto situation = make_situation("everything in classes", Space::mixed_1, 4, Communicator::self());
    situation->problem.scheme = scheme;
    const auto one = make_engine(situation->problem);
    const march::Start start = situation->make_start(0.9 * one->find_stable_step(), 20);
    const Outcome whole = run_engine(*one, start, {20});
    CHECK(are_identical(run_engine(*make_engine(situation->problem, 2), start, {20}), whole));
    CHECK(are_identical(run_engine(*one, start, {1, 5, 6, 2, 6}), whole));
  }
}

TEST_CASE("one class of steps is a march without classes, to the last bit") {
  for (const Scheme scheme : leap_frogs) {
    const auto situation = make_situation("everything", Space::full_1, 4, Communicator::self());
    situation->problem.scheme = scheme;
    const auto plain = make_engine(situation->problem);
    const march::Start start = situation->make_start(0.9 * plain->find_stable_step(), 20);
    const Outcome expected = run_engine(*plain, start, {20});
    // classes that are all joined into one, and one class that is written out element by element
    const std::vector<double> even(situation->mesh.global_id.size(), 1.0);
    situation->problem.classes = march::assign_classes(situation->problem, even, 3, Communicator::self());
    CHECK(situation->problem.classes.count == 1);
    situation->problem.classes.of_element.assign(even.size(), 0);
    const auto classed = make_engine(situation->problem);
    CHECK(classed->find_stable_step() == plain->find_stable_step());
    CHECK(are_identical(run_engine(*classed, start, {20}), expected));
  }
}

TEST_CASE("classes of steps are of second order in the step") {
  for (const Scheme scheme : leap_frogs) {
    GradedBox graded(scheme);
    REQUIRE(graded.box.problem.classes.count == 3);
    march::Start start = graded.start();
    const double longest = 0.9 * make_engine(graded.box.problem)->find_stable_step();
    const double end = 4 * longest;
    const auto march_to_end = [&](const march::Problem& problem, double dt_m) {
      start.dt_m = dt_m;
      start.steps = std::llround(end / dt_m);
      const auto engine = make_engine(problem);
      engine->start(start);
      engine->advance(start.steps);
      return engine->field(Field::electric);
    };
    const auto coarse = march_to_end(graded.box.problem, longest / 8);
    const auto half = march_to_end(graded.box.problem, longest / 16);
    graded.box.problem.classes = {};
    const auto exact = march_to_end(graded.box.problem, longest / 512);
    INFO(name_of(scheme));
    const double ratio = largest_difference(coarse, exact) / largest_difference(half, exact);
    CHECK(largest_difference(half, exact) < 0.02);
    CHECK(ratio == Approx(4).margin(0.5));
  }
}

namespace {

/// Of a lossless march of `steps` steps at the stable step.
double growth(Scheme scheme, std::int64_t steps) {
  GradedBox graded(scheme);
  const auto engine = make_engine(graded.box.problem);
  march::Start start = graded.start();
  for (std::size_t i = 0; i < start.electric->size(); ++i)
    (*start.electric)[i] += 1e-3 * std::sin(1.7 * static_cast<double>(i));  // all modes
  start.dt_m = engine->find_stable_step();
  start.steps = steps;
  return energy_growth(*engine, start);
}

}  // namespace

TEST_CASE("the energy of a closed box stays over ten thousand steps of classes") {
  CHECK(growth(Scheme::dgtd_central, 10000) == Approx(1).margin(0.05));
  CHECK(growth(Scheme::dfdd_eld, 10000) < 200);  // it has parts that grow linearly, as without classes
}

namespace {

/// The widths of GradedBox in one row of seven cells, three classes with a layer of cells around each finer one.
struct GradedRow {
  BoxProblem box;
  GradedRow() : box(spec(), Space::mixed_1, {}) {
    constexpr std::array<double, 8> at{0, 0.01, 0.05, 0.09, 0.25, 0.41, 0.57, 0.73};
    const std::array<int, 7> classes{0, 0, 1, 1, 2, 2, 2};
    box.problem.classes.count = 3;
    for (auto& corners : box.mesh.corners) {
      box.problem.classes.of_element.push_back(
          static_cast<std::int8_t>(classes[static_cast<std::size_t>(7 * centroid(corners)[0])]));
      for (Vec3& x : corners) x = {at[static_cast<std::size_t>(std::llround(7 * x[0]))], 0.5 * x[1], 0.5 * x[2]};
    }
    march::find_borders(box.problem.classes, box.mesh, Communicator::self());
  }
  static BoxMesh spec() {
    BoxMesh spec = unit_box(1);
    spec.cells = {7, 1, 1};
    return spec;
  }
};

}  // namespace

TEST_CASE("the energy of a graded cavity does not drift over a million steps of classes", "[slow]") {
  GradedRow row;
  row.box.problem.energy_every = 100;
  const auto engine = make_engine(row.box.problem);
  march::Start start;
  start.dt_m = engine->find_stable_step();
  start.steps = 1000000;
  start.electric.emplace(row.box.mesh.global_id.size() * dofs_of(Space::mixed_1));
  for (std::size_t i = 0; i < start.electric->size(); ++i)
    (*start.electric)[i] = std::sin(1.7 * static_cast<double>(i));  // all modes
  start.magnetic.emplace(start.electric->size(), 0.0);
  engine->start(start);
  // means and extremes over the first and the last tenth
  std::array<double, 2> mean{}, most{}, least{1e300, 1e300};
  for (int tenth = 0; tenth < 10; ++tenth) {
    engine->advance(start.steps / 10);
    const auto rows = engine->take_energy();
    if (tenth > 0 && tenth < 9) continue;
    const std::size_t k = tenth == 0 ? 0 : 1;
    for (const auto& energy : rows) {
      const double total = energy.electric + energy.magnetic;
      mean[k] += total / static_cast<double>(rows.size());
      most[k] = std::max(most[k], total);
      least[k] = std::min(least[k], total);
    }
  }
  WARN("mean energy of the last tenth over the first, less 1: " << mean[1] / mean[0] - 1 << "; it varies by "
                                                                << (most[0] - least[0]) / mean[0] << ", then "
                                                                << (most[1] - least[1]) / mean[1]);
  CHECK(mean[1] / mean[0] == Approx(1).margin(1e-3));
  CHECK(most[1] - least[1] < 1.05 * (most[0] - least[0]));
}

TEST_CASE("a step of classes has no eigenvalue outside of the unit circle, one of twice the length has") {
  GradedRow row;
  BoxProblem& box = row.box;
  const auto engine = make_engine(box.problem);
  const double limit = engine->find_stable_step();
  const auto radius = [&](double dt_m) {
    march::Start start;
    start.dt_m = dt_m;
    start.steps = 1;
    engine->start(start);
    march::StateRegistry registry;
    engine->register_state(registry);
    const std::size_t n = box.mesh.global_id.size() * dofs_of(Space::mixed_1);
    march::SmallMatrix matrix(2 * n);
    for (std::size_t column = 0; column < 2 * n; ++column) {
      for (const auto& state : registry.shared()) state.load({0});
      for (std::size_t field = 0; field < 2; ++field) {
        std::vector<double> values(n, 0.0);
        if (column / n == field) values[column % n] = 1;
        registry.elements()[field].load(values);
      }
      engine->resume();
      engine->advance(1);
      for (std::size_t field = 0; field < 2; ++field) {
        const auto values = std::get<std::vector<double>>(registry.elements()[field].save());
        for (std::size_t i = 0; i < n; ++i) matrix(field * n + i, column) = values[i];
      }
    }
    return march::Spectrum(matrix).radius();
  };
  CHECK(radius(limit) == Approx(1).epsilon(1e-9));
  CHECK(radius(2 * limit) > 1.01);
}

TEST_CASE("fields, sums and spectra of a march with classes are those of its records") {
  constexpr std::int64_t steps = 14;
  constexpr double frequency_hz = 2.1e7;
  for (const Scheme scheme : leap_frogs) {
    const auto situation = make_situation("losses in classes", Space::full_1, 4, Communicator::self());
    march::Problem& problem = situation->problem;
    problem.scheme = scheme;
    for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e) {
      problem.fields.elements.push_back(e);
      if (e % 5 == 0) problem.spectral.faces.push_back({e, static_cast<std::uint8_t>(e % 4)});
    }
    // not by ascending global id, which only files need
    problem.fields.every = 4;
    problem.fields.frequencies_hz = {frequency_hz};
    problem.spectral.frequencies_per_m = {frequency_hz / c0_m_per_s};
    const auto engine = make_engine(problem);
    march::Start start = situation->make_start(0.9 * engine->find_stable_step(), steps);
    const double dt_s = start.dt_m / c0_m_per_s;
    std::vector<std::vector<double>> electric, magnetic;
    start.take_fields = [&](std::int64_t, const march::FieldDofs& dofs) {
      electric.push_back(dofs(Field::electric, 0, problem.mesh->element_count()));
      magnetic.push_back(dofs(Field::magnetic, 0, problem.mesh->element_count()));
    };
    const Outcome found = run_engine(*engine, start, {steps});
    const std::size_t columns = problem.electric.size() + problem.magnetic.size();
    REQUIRE(found.record.size() == (steps + 1) * columns);
    REQUIRE(electric.size() == 5);  // 0, 4, 8, 12 and the last
    const auto row = [&](std::size_t n) { return &found.record[n * columns]; };
    INFO(name_of(scheme));
    for (std::size_t k = 0; k < electric.size(); ++k) {
      const std::size_t n = std::min<std::size_t>(4 * k, steps);
      for (std::size_t f = 0; f < problem.electric.size(); ++f)
        CHECK(row(n)[f] == Approx(value_of(problem.electric[f], electric[k])).epsilon(1e-11).margin(1e-11));
      for (std::size_t f = 0; f < problem.magnetic.size(); ++f)
        CHECK(row(n)[problem.electric.size() + f] ==
              Approx(value_of(problem.magnetic[f], magnetic[k])).epsilon(1e-11).margin(1e-11));
    }
    const auto sums = engine->field_sums(0, false)(Field::magnetic, 0, problem.mesh->element_count());
    for (std::size_t f = 0; f < problem.magnetic.size(); ++f) {
      double expected = 0;
      for (std::size_t n = 0; n <= steps; ++n)
        expected += row(n)[problem.electric.size() + f] * dt_s *
                    std::cos(2 * pi * frequency_hz * dt_s * static_cast<double>(n));
      CHECK(value_of(problem.magnetic[f], sums) == Approx(expected).epsilon(1e-10));
    }
    const auto& reference = basis::reference_element(problem.space);
    const auto spectra = engine->spectra();
    double largest = 0, wrong = 0;
    for (std::size_t i = 0; i < problem.spectral.faces.size(); ++i)
      for (std::size_t k = 0; k < reference.face_dofs; ++k) {
        const auto& face = problem.spectral.faces[i];
        const double expected =
            sums[static_cast<std::size_t>(face.element) * reference.dofs + reference.on_face[face.face][k]];
        largest = std::max(largest, std::abs(expected));
        wrong = std::max(wrong, std::abs(spectra[(i * 4 + 2) * reference.face_dofs + k] * dt_s - expected));
      }
    CHECK(wrong < 1e-11 * largest);
  }
}

TEST_CASE("classes are graded, with a layer around the finer ones, and follow the sizes of elements") {
  for (const Scheme scheme : leap_frogs) {
    const GradedBox graded(scheme);
    const march::Problem& problem = graded.box.problem;
    const auto bounds = march::bound_steps(problem, 2);
    const double smallest = *std::min_element(bounds.begin(), bounds.end());
    REQUIRE(problem.classes.count == 3);
    const auto elements = march::count_classes(problem, Communicator::self());
    CHECK(elements[0] + elements[1] + elements[2] == problem.mesh->element_count());
    CHECK(march::gain_by_counting(elements) ==
          Approx(9. * static_cast<double>(problem.mesh->element_count()) /
                 static_cast<double>(9 * elements[0] + 3 * elements[1] + elements[2])));
    for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e) {
      const int own = problem.classes.of(e);
      CHECK(bounds[static_cast<std::size_t>(e)] >= smallest * std::pow(3., own));
      for (const LocalIndex other : problem.mesh->neighbour[static_cast<std::size_t>(e)]) {
        if (other < 0) continue;
        CHECK(std::abs(problem.classes.of(other) - own) <= 1);
        // an element beside a finer one could be coarser itself, or the finer one is not at its limit
        if (problem.classes.of(other) < own)
          CHECK(bounds[static_cast<std::size_t>(other)] >= smallest * std::pow(3., own));
      }
    }
    const GradedBox two(scheme, 2);
    CHECK(two.box.problem.classes.count == 2);
  }
}

TEST_CASE("all elements at ports with memory are of one class of steps") {
  auto situation = make_situation("ports with memory", Space::full_1, 4, Communicator::self());
  std::vector<double> bounds(situation->mesh.global_id.size(), 9.5);
  bounds[static_cast<std::size_t>(situation->problem.driven.front().element)] = 3.5;
  bounds[0] = 1;
  situation->problem.classes = march::assign_classes(situation->problem, bounds, 3, Communicator::self());
  const auto& classes = situation->problem.classes;
  REQUIRE(classes.count > 1);
  for (const march::DrivenFace& face : situation->problem.driven) {
    CHECK(classes.of(face.element) == classes.of_memories);
    CHECK(classes.of_waves[static_cast<std::size_t>(face.wave)] == classes.of_memories);
  }
}

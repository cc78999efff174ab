// Sources inside the domain against closed forms, in every scheme.
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "failure.hpp"
#include "mesh/tetrahedron.hpp"
#include "model/sources.hpp"
#include "sources/initial_fields.hpp"
#include "squared_error.hpp"
#include "support/cavity.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using march::Wall;

namespace {

constexpr double width = 0.35;
/// A smooth packet, of length scale `width` in m of c0 t.
double packet(double t) {
  const double u = (t - 5 * width) / width;
  return t < 0 ? 0 : std::sin(2 * pi * (t - 5 * width)) * std::exp(-u * u / 2);
}

/// Elements whose centroid the predicate holds for become region 1, "total".
template <class Predicate>
void name_region(BoxProblem& box, const Predicate& is_inside) {
  for (std::size_t e = 0; e < box.mesh.corners.size(); ++e)
    box.mesh.region[e] = is_inside(centroid(box.mesh.corners[e])) ? 1 : 0;
  box.mesh.region_names = {"scattered", "total"};
  box.problem.media.push_back(box.problem.media.front());
}

Case case_with(const SourceDescription& source) {
  Case given;
  given.sources.push_back(source);
  return given;
}

struct Times {
  double electric;  ///< c0 t of E
  double magnetic;
};

/// Marches to c0 t = `end_m` with 0.8 of the stable step.
Times march_to(march::Engine& engine, double end_m) {
  march::Start start;
  start.dt_m = 0.8 * engine.find_stable_step();
  start.steps = static_cast<std::int64_t>(end_m / start.dt_m);
  start.source_waves = {[dt = start.dt_m](double n) { return packet(n * dt); }};
  engine.start(start);
  engine.advance(start.steps);
  const double end = static_cast<double>(start.steps) * start.dt_m;
  return {end, engine.is_staggered() ? end - start.dt_m / 2 : end};
}

std::unique_ptr<march::Engine> make(const BoxProblem& box) {
  march::EngineOptions options;
  options.threads = 1;
  return host::make_engine(box.problem, options, comm::Communicator::self());
}

/// |u - exact| / |exact| in the L2 norm.
double relative_error(const BoxProblem& box, march::Engine& engine, march::Field which, const VectorField& exact) {
  const auto error = squared_error(box.mesh, box.problem.space, engine.field(which), exact);
  return std::sqrt(error.difference / error.reference);
}

struct Variant {
  Scheme scheme;
  Space space;
  Layout layout;
  double tolerance;
};

}  // namespace

TEST_CASE("a plane wave fills its total-field region and nothing beyond it") {
  const auto v = GENERATE(Variant{Scheme::dgtd_central, Space::full_2, Layout::factored, 0.1},
                          Variant{Scheme::dgtd_central, Space::full_2, Layout::stored, 0.1},
                          Variant{Scheme::dgtd_upwind, Space::full_2, Layout::factored, 0.08},
                          Variant{Scheme::dgtd_upwind, Space::mixed_2, Layout::factored, 0.2},
                          Variant{Scheme::dfdd_eld, Space::full_2, Layout::factored, 0.08});
  BoxMesh spec;
  spec.size_m = {1.6, 1.6, 1.6};
  spec.cells = {8, 8, 8};
  BoxProblem box(spec, v.space,
                 {{"x0", Wall::open},
                  {"x1", Wall::open},
                  {"y0", Wall::open},
                  {"y1", Wall::open},
                  {"z0", Wall::open},
                  {"z1", Wall::open}});
  const auto is_inside = [](const Vec3& r) {
    return std::all_of(r.begin(), r.end(), [](double x) { return x > 0.2 && x < 1.4; });
  };
  name_region(box, is_inside);
  box.problem.scheme = v.scheme;
  box.problem.layout = v.layout;
  SourceDescription source;
  source.type = SourceType::plane_wave;
  source.direction = {1, 2, 2};
  source.polarization = {2, 1, -2};
  source.regions = {"total"};
  const double longest = modes::add_sources(box.problem, case_with(source), comm::Communicator::self());
  const double expected_longest = 1.2 * 5 / 3;
  CHECK(longest == Approx(expected_longest));
  const auto engine = make(box);
  const Times times = march_to(*engine, 5 * width + 1);
  const Vec3 k = (1. / 3) * source.direction;
  const Vec3 e = (1. / 3) * source.polarization;
  const double first = 0.2 * 5 / 3;
  const auto wave = [&](const Vec3& amplitude, double t) {
    return
        [&, amplitude, t](const Vec3& r) { return (is_inside(r) ? packet(t - (dot(k, r) - first)) : 0.0) * amplitude; };
  };
  const double of_e = relative_error(box, *engine, march::Field::electric, wave(e, times.electric));
  const double of_h = relative_error(box, *engine, march::Field::magnetic, wave(cross(k, e), times.magnetic));
  INFO(static_cast<int>(v.scheme) << ": " << of_e << " " << of_h);
  CHECK(of_e < v.tolerance);
  CHECK(of_h < v.tolerance);
}

TEST_CASE("a slab of current in a guide sends the plane waves of the closed form to both sides") {
  const auto v = GENERATE(Variant{Scheme::dgtd_central, Space::full_2, Layout::factored, 0.03},
                          Variant{Scheme::dgtd_upwind, Space::full_2, Layout::factored, 0.03},
                          Variant{Scheme::dfdd_eld, Space::full_2, Layout::factored, 0.03});
  constexpr double h = 0.2;
  BoxMesh spec;
  spec.cells = {1, 1, 30};
  spec.size_m = {h, h, 30 * h};
  BoxProblem guide(spec, v.space,
                   {{"x0", Wall::magnetic}, {"x1", Wall::magnetic}, {"z0", Wall::open}, {"z1", Wall::open}});
  constexpr double low = 14 * h, high = 16 * h;
  name_region(guide, [](const Vec3& r) { return r[2] > low && r[2] < high; });
  guide.problem.scheme = v.scheme;
  SourceDescription source;
  source.type = SourceType::current;
  source.regions = {"total"};
  source.density = {"0", "1", "0"};
  modes::add_sources(guide.problem, case_with(source), comm::Communicator::self());
  const auto engine = make(guide);
  const double t = march_to(*engine, 5 * width + 1.3).electric;
  // E_y(z, t) = -eta0/2 int J(t - |z - z'|) dz'
  const auto exact = [&](const Vec3& r) {
    constexpr int points = 40;
    double sum = 0;
    for (int i = 0; i < points; ++i) {
      const double from = low + (high - low) * (i + 0.5) / points;
      sum += packet(t - std::abs(r[2] - from)) * (high - low) / points;
    }
    return Vec3{0, -eta0_ohm / 2 * sum, 0};
  };
  const double error = relative_error(guide, *engine, march::Field::electric, exact);
  INFO(static_cast<int>(v.scheme) << ": " << error);
  CHECK(error < v.tolerance);
}

TEST_CASE("elements that meet in a point share its current") {
  BoxProblem box(unit_box(4), Space::full_1, {});
  SourceDescription source;
  source.position_m = {0.5, 0.5, 0.5};
  source.direction = {0, 0, 3};
  modes::add_sources(box.problem, case_with(source), comm::Communicator::self());
  CHECK(box.problem.sources.size() == 24);
  // Against a constant field e_z, which is in the space, all moments add up to -eta0 times a moment of 1 A m.
  double sum = 0;
  for (const march::SourceTerm& term : box.problem.sources) {
    const auto k = static_cast<std::size_t>(term.element);
    const auto dofs = project_field(
        box.mesh, Space::full_1,
        [](const Vec3&) {
          return Vec3{0, 0, 1};
        },
        1);
    for (std::size_t i = 0; i < term.electric.size(); ++i) sum += term.electric[i] * dofs[k * term.electric.size() + i];
  }
  CHECK(sum == Approx(-eta0_ohm).epsilon(1e-12));
}

TEST_CASE("what does not suit a source is told") {
  BoxMesh spec;
  spec.size_m = {1, 1, 1};
  spec.cells = {4, 4, 4};
  BoxProblem box(spec, Space::full_1, {});
  name_region(box, [](const Vec3& r) { return r[2] > 0.5; });
  const auto ranks = comm::Communicator::self();
  SourceDescription wave;
  wave.type = SourceType::plane_wave;
  wave.direction = {0, 0, 1};
  wave.polarization = {1, 0, 0};
  wave.regions = {"total"};
  wave.region_place.text = "case.yaml:1:1";
  const auto add = [&](const SourceDescription& source) { modes::add_sources(box.problem, case_with(source), ranks); };
  const auto message = [&](const SourceDescription& source) { return catch_failure([&] { add(source); }).text; };
  box.problem.media[0].sigma_e = 1;
  CHECK(message(wave).find("is not of the single lossless isotropic medium") != std::string::npos);
  box.problem.media[0].sigma_e = 0;
  box.problem.media[1].eps_r = 2;
  CHECK(message(wave).find("is not of the single lossless isotropic medium") != std::string::npos);
  SourceDescription dipole;
  dipole.position_m = {0.2, 0.2, 1.2};
  CHECK(message(dipole).find("lies outside the mesh") != std::string::npos);
  SourceDescription current;
  current.type = SourceType::current;
  current.regions = {"scattered"};
  box.problem.scheme = Scheme::dfdd_eld;
  box.problem.media[0].sigma_e = 1;
  CHECK(message(current).find("with dfdd-eld currents may flow only in lossless") != std::string::npos);
}

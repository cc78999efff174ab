// Sources and far-field sums on several ranks against one rank, which every rank repeats for itself.
#include <cmath>
#include <map>

#include "base/constants.hpp"
#include "basis/reference_element.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "mesh/tetrahedron.hpp"
#include "model/far_field.hpp"
#include "model/sources.hpp"
#include "results/far_field/far_field.hpp"
#include "support/cavity.hpp"
#include "support/outcome.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;
using comm::Communicator;
using march::Wall;

namespace {

/// All kinds of sources in an open box, with a surface round the total field.
struct Bench {
  BoxProblem box;
  results::RadiationSurface surface;
  std::unique_ptr<march::Engine> engine;

  Bench(Scheme scheme, const Communicator& ranks)
      : box(unit_box(4), Space::full_1,
            {{"x0", Wall::open},
             {"x1", Wall::open},
             {"y0", Wall::open},
             {"y1", Wall::open},
             {"z0", Wall::open},
             {"z1", Wall::open}},
            {}, ranks) {
    for (std::size_t e = 0; e < box.mesh.corners.size(); ++e) {
      const Vec3 r = centroid(box.mesh.corners[e]);
      const auto within = [&](double low, double high) {
        return std::all_of(r.begin(), r.end(), [&](double x) { return x > low && x < high; });
      };
      box.mesh.region[e] = within(0.25, 0.75) ? 1 : 0;
    }
    box.mesh.region_names = {"scattered", "total"};
    box.problem.media.resize(2);
    box.problem.scheme = scheme;
    Case given;
    SourceDescription wave;
    wave.type = SourceType::plane_wave;
    wave.direction = {1, 2, 2};
    wave.polarization = {2, 1, -2};
    wave.regions = {"total"};
    SourceDescription dipole;
    dipole.position_m = {0.5, 0.5, 0.5};
    dipole.direction = {0, 0, 1};
    SourceDescription current;
    current.type = SourceType::current;
    current.regions = {"total"};
    current.density = {"x", "y*z", "1"};
    given.sources = {wave, dipole, current};
    given.outputs.far_field.emplace();
    given.outputs.far_field->frequencies_hz = {1e8, 3e8};
    modes::add_sources(box.problem, given, ranks);
    surface = results::add_radiation_surface(
        box.problem, *given.outputs.far_field,
        results::choose_enclosed(box.problem, *given.outputs.far_field, {"total"}, {}, ranks), ranks);
    march::EngineOptions options;
    options.threads = 1;
    engine = host::make_engine(box.problem, options, ranks);
  }

  void run() {
    march::Start start;
    start.dt_m = 0.8 * engine->find_stable_step();
    start.steps = 70;
    start.spectra_every = 4;
    for (int s = 1; s <= 3; ++s)
      start.source_waves.emplace_back(
          [s](double n) { return n < 0 ? 0.0 : std::sin(0.2 * s * n) * std::exp(-n / 30); });
    engine->start(start);
    engine->advance(13);
    engine->advance(57);
    engine->finish();
  }

  [[nodiscard]] results::FarField far_field(const Communicator& ranks) const {
    const auto sums = results::pair_sides(box.problem, surface, engine->spectra(), ranks);
    const auto currents = results::surface_currents(box.problem, surface, sums, 1, 1);
    return results::far_field(currents, 6, 1, {}, {{0, 40, 90}, {0, 77}}, modes::direction_summation(1), ranks);
  }
};

}  // namespace

TEST_CASE("sources and their far field are the same on any number of ranks") {
  for (const Scheme scheme : {Scheme::dgtd_central, Scheme::dfdd_eld, Scheme::dgtd_upwind}) {
    INFO(static_cast<int>(scheme));
    const Communicator world = Communicator::world();
    Bench all(scheme, world);
    Bench one(scheme, Communicator::self());
    all.run();
    one.run();
    for (const march::Field which : {march::Field::electric, march::Field::magnetic}) {
      const auto expected = pick_dofs(one.engine->field(which), one.box.mesh, all.box.mesh);
      CHECK(largest_difference(all.engine->field(which), expected) == 0);
    }
    const std::int64_t faces = world.sum(static_cast<std::int64_t>(all.surface.faces.size()));
    CHECK(faces == static_cast<std::int64_t>(one.surface.faces.size()));
    CHECK(faces == 6 * 4 * 2);
    CHECK(all.surface.is_closed);
    const auto found = all.far_field(world);
    const auto expected = one.far_field(Communicator::self());
    if (world.rank() != 0) continue;
    CHECK(found.e_theta == expected.e_theta);
    CHECK(found.e_phi == expected.e_phi);
    CHECK(found.radiated_power == expected.radiated_power);
    CHECK(found.surface_power == expected.surface_power);
    CHECK(std::abs(expected.e_theta[2]) > 0);
  }
}

TEST_CASE("Fourier sums are those of the recorded fields, and a march can go on from them") {
  Bench whole(Scheme::dgtd_central, Communicator::self());
  whole.run();
  const auto sums = whole.engine->spectra();
  whole.engine->set_spectra(sums);
  CHECK(whole.engine->spectra() == sums);
  // By hand: a functional that is one trace of the first face, recorded at every step.
  Bench again(Scheme::dgtd_central, Communicator::self());
  const auto& face = again.box.problem.spectral.faces.front();
  const auto& reference = basis::reference_element(Space::full_1);
  march::Functional trace;
  trace.items.push_back({face.element, std::vector<double>(reference.dofs, 0.0)});
  trace.items.front().weight[reference.on_face[face.face][2]] = 1;
  again.box.problem.electric = {trace};
  again.box.problem.magnetic = {trace};
  march::EngineOptions options;
  options.threads = 1;
  again.engine = host::make_engine(again.box.problem, options, Communicator::self());
  again.run();
  const auto record = again.engine->take_record();
  const double turns = again.box.problem.spectral.frequencies_per_m[1] * 0.8 * again.engine->find_stable_step();
  std::array<double, 4> expected{};
  for (std::int64_t n = 0; n < record.rows; n += 4) {
    const double* row = record.values.data() + 2 * n;
    const double whole_step = 2 * pi * turns * static_cast<double>(n);
    const double half_step = whole_step + pi * turns;
    expected[0] += row[0] * std::cos(whole_step);
    expected[1] -= row[0] * std::sin(whole_step);
    expected[2] += row[1] * std::cos(half_step);
    expected[3] -= row[1] * std::sin(half_step);
  }
  const std::size_t traces = reference.face_dofs;
  for (std::size_t part = 0; part < 4; ++part) {
    INFO(part);
    CHECK(std::abs(sums[(4 + part) * traces + 2] - expected[part]) < 1e-12 * std::abs(expected[0]) + 1e-12);
  }
}

// Rectangular guides with plain absorbing ends and with modal ports, against the closed forms of their modes.
#include <cmath>
#include <complex>

#include "base/constants.hpp"
#include "catch.hpp"
#include "engines/host/engine.hpp"
#include "march/loop/step_classes.hpp"
#include "mesh/tetrahedron.hpp"
#include "results/ports/ports.hpp"
#include "sources/ports/modal_source.hpp"
#include "support/cavity.hpp"

using namespace tetrawave;
using namespace tetrawave_tests;

namespace {

using Complex = std::complex<double>;
using comm::Communicator;

constexpr double a_m = 22.86e-3;
constexpr double b_m = 10.16e-3;

/// WR-90 along z between open ends, cells of about 4 mm, both ends with the projections of a mode.
struct Guide : BoxProblem {
  WaveguidePort port;
  double length_m;

  Guide(Space space, Scheme scheme, Layout layout, const WaveguideMode& mode, bool with_memory, double length,
        bool one_mode = false)
      : BoxProblem(box(length), space, {{"z0", end(one_mode)}, {"z1", end(one_mode)}}), length_m(length) {
    problem.scheme = scheme;
    problem.layout = layout;
    PortDescription spec;
    spec.mode = mode;
    const auto ranks = Communicator::world();
    for (const auto& [name, wave] : {std::pair{"z0", 1}, std::pair{"z1", 2}}) {
      const auto tag = static_cast<std::int32_t>(std::find(mesh.group_names.begin(), mesh.group_names.end(), name) -
                                                 mesh.group_names.begin());
      const auto faces = results::collect_port_faces(
          mesh, results::find_port_faces(mesh, static_cast<std::size_t>(tag) + 1).back(), problem.media, ranks);
      std::vector<PortEdge> metal;
      for (const auto& edge :
           results::collect_port_metal(mesh, results::find_metal_faces(mesh, problem.walls), faces, ranks))
        metal.push_back(edge.edge);
      port = make_waveguide_port(spec, faces.all, faces.normal, metal);
      results::place_port(problem, results::place_faces(faces),
                          results::make_waveguide_recipe(problem, faces, port, {}, one_mode, ranks), wave);
    }
    if (!with_memory) problem.memories.clear();
  }

  static march::Wall end(bool one_mode) { return one_mode ? march::Wall::one_mode : march::Wall::open; }

  static BoxMesh box(double length) {
    BoxMesh box;
    box.size_m = {a_m, b_m, length};
    box.cells = {6, 3, static_cast<std::int64_t>(std::lround(length / 4e-3))};
    return box;
  }
};

std::unique_ptr<march::Engine> engine_of(const Guide& guide) {
  march::EngineOptions options;
  options.threads = 1;
  return host::make_engine(guide.problem, options, Communicator::world());
}

/// Voltages and currents times the medium's impedance of both ends at some frequencies, the first end driven.
struct Spectra {
  Complex v1, zi1, v2, zi2;
};
std::vector<Spectra> march_guide(const Guide& guide, double end_m, const std::vector<double>& frequencies_hz,
                                 double middle_hz = 9e9, double bandwidth_hz = 9e9) {
  const auto engine = engine_of(guide);
  const double dt = 0.9 * engine->find_stable_step();
  const double s = c0_m_per_s * std::sqrt(2 * std::log(10.)) / (pi * bandwidth_hz);
  march::Start start;
  start.dt_m = dt;
  start.steps = static_cast<std::int64_t>(end_m / dt);
  start.waves = {[=](double n) {
                   const double t = n * dt - 6 * s;
                   return n < 0 ? 0. : std::sin(2 * pi * middle_hz / c0_m_per_s * t) * std::exp(-t * t / (2 * s * s));
                 },
                 [](double) { return 0.0; }};
  engine->start(start);
  engine->advance(start.steps);
  engine->finish();
  const auto record = engine->take_record();
  std::vector<Spectra> spectra;
  for (const double hz : frequencies_hz) {
    const double k = 2 * pi * hz / c0_m_per_s;
    Spectra sum{};
    for (std::int64_t n = 0; n < record.rows; ++n) {
      const double* row = record.values.data() + 4 * n;
      const Complex whole = std::polar(dt, -k * static_cast<double>(n) * dt);
      const Complex later = engine->is_staggered() ? whole * std::polar(1.0, -k * dt / 2) : whole;
      sum.v1 += row[0] * whole;
      sum.v2 += row[1] * whole;
      sum.zi1 += row[2] * later;
      sum.zi2 += row[3] * later;
    }
    spectra.push_back(sum);
  }
  return spectra;
}

/// k/beta of TE10 (imaginary below cutoff).
Complex te_ratio(double hz) {
  const double w = hz / (c0_m_per_s / (2 * a_m));
  return w > 1 ? Complex(1 / std::sqrt(1 - 1 / (w * w)), 0) : Complex(0, w / std::sqrt(1 - w * w));
}

/// What comes back from the far end over what reaches it.
Complex far_reflection(const Spectra& s, const Complex& ratio) {
  return (s.v2 + ratio * s.zi2) / (s.v2 - ratio * s.zi2);
}

}  // namespace

TEST_CASE("a plain absorbing end reflects TE10 by (beta - k)/(beta + k)") {
  const auto scheme = GENERATE(Scheme::dgtd_central, Scheme::dgtd_upwind, Scheme::dfdd_eld);
  const Guide guide(Space::mixed_2, scheme, Layout::factored, {}, false, 24e-3);
  const auto s = march_guide(guide, 2.4, {8e9, 10e9, 12e9});
  const double given[] = {-.271557, -.139595, -.088432};
  for (std::size_t f = 0; f < 3; ++f) {
    const Complex gamma = far_reflection(s[f], te_ratio((8 + 2. * static_cast<double>(f)) * 1e9));
    INFO(static_cast<int>(scheme) << " " << f << " " << gamma.real() << " " << gamma.imag());
    CHECK(std::abs(gamma - given[f]) < .003);
  }
}

TEST_CASE("a modal port lets TE10 out and has the wavelength and decay of the guide between its ends") {
  struct Situation {
    Space space;
    Scheme scheme;
    Layout layout;
    double limit;
  };
  const auto [space, scheme, layout, limit] =
      GENERATE(Situation{Space::mixed_2, Scheme::dgtd_central, Layout::factored, .008},
               Situation{Space::full_1, Scheme::dgtd_central, Layout::stored, .03},
               Situation{Space::mixed_2, Scheme::dgtd_upwind, Layout::factored, .005},
               Situation{Space::mixed_2, Scheme::dfdd_eld, Layout::factored, .008});
  const Guide guide(space, scheme, layout, {}, true, 24e-3);
  const std::vector<double> bands{7.5e9, 8.2e9, 10e9, 12.4e9};
  const auto s = march_guide(guide, 4.5, bands, 10e9, 6e9);
  for (std::size_t f = 0; f < bands.size(); ++f) {
    const double k = 2 * pi * bands[f] / c0_m_per_s;
    const Complex j(0, 1);
    const Complex gamma = j * k / te_ratio(bands[f]);
    const Complex reflection = far_reflection(s[f], te_ratio(bands[f]));
    const Complex through = s[f].v2 / s[f].v1 * std::exp(gamma * guide.length_m);
    INFO(static_cast<int>(space) << " " << static_cast<int>(scheme) << " " << bands[f] << " reflection " << reflection
                                 << " through " << through);
    CHECK(std::abs(reflection) < limit);
    CHECK(std::abs(through - 1.0) < 4 * limit);
  }
}

TEST_CASE("ports that take TE10 alone send it through the guide, and what they take is what has left") {
  const auto [scheme, layout, classes, limit] =
      GENERATE(std::tuple{Scheme::dgtd_central, Layout::factored, false, .008},
               std::tuple{Scheme::dgtd_central, Layout::stored, false, .008},
               std::tuple{Scheme::dgtd_upwind, Layout::factored, false, .005},
               std::tuple{Scheme::dgtd_upwind, Layout::factored, true, .01});
  Guide guide(Space::mixed_2, scheme, layout, {}, true, 24e-3, true);
  if (classes) {
    std::vector<double> bounds;
    for (const auto& corners : guide.mesh.corners)
      bounds.push_back(std::abs(centroid(corners)[2] - 12e-3) < 1.5e-3 ? 1 : 3.1);
    guide.problem.classes = march::assign_classes(guide.problem, bounds, 2, Communicator::world());
    REQUIRE(guide.problem.classes.of_memories == 1);
  }
  const std::vector<double> bands{7.5e9, 8.2e9, 10e9, 12.4e9};
  const auto s = march_guide(guide, classes ? 1.5 : 4.5, bands, 10e9, 6e9);
  for (std::size_t f = 0; f < bands.size(); ++f) {
    const double k = 2 * pi * bands[f] / c0_m_per_s;
    const Complex gamma = Complex(0, 1) * k / te_ratio(bands[f]);
    const Complex through = s[f].v2 / s[f].v1 * std::exp(gamma * guide.length_m);
    INFO(static_cast<int>(scheme) << " " << classes << " " << bands[f] << " through " << through);
    CHECK(s[f].zi1 == Complex(0));  // not recorded
    CHECK(std::abs(through - 1.0) < 4 * limit);
  }
}

TEST_CASE("modal ports of DGTD-Upwind at three classes of time steps reflect less than -40 dB") {
  Guide guide(Space::mixed_2, Scheme::dgtd_upwind, Layout::factored, {}, true, 32e-3);
  std::vector<double> bounds;  // the ports march at the limit of their elements, the middle at a ninth of it
  for (const auto& corners : guide.mesh.corners) {
    const double off = std::abs(centroid(corners)[2] - 16e-3);
    bounds.push_back(off < 1.5e-3 ? 1 : (off < 6e-3 ? 3.1 : 9.1));
  }
  guide.problem.classes = march::assign_classes(guide.problem, bounds, 3, Communicator::world());
  REQUIRE(guide.problem.classes.count == 3);
  REQUIRE(guide.problem.classes.of_memories == 2);
  const std::vector<double> bands{8.2e9, 10e9, 12.4e9};
  const auto s = march_guide(guide, 0.9, bands, 10e9, 6e9);
  for (std::size_t f = 0; f < bands.size(); ++f) {
    const double k = 2 * pi * bands[f] / c0_m_per_s;
    const Complex gamma = Complex(0, 1) * k / te_ratio(bands[f]);
    const Complex reflection = far_reflection(s[f], te_ratio(bands[f]));
    const Complex through = s[f].v2 / s[f].v1 * std::exp(gamma * guide.length_m);
    INFO(bands[f] << " reflection " << reflection << " through " << through);
    CHECK(std::abs(reflection) < .01);
    CHECK(std::abs(through - 1.0) < .03);
  }
}

TEST_CASE("below its cutoff the field of TE10 falls by exp(-alpha z) between modal ports") {
  const auto [space, scheme, limit] = GENERATE(
      std::tuple{Space::full_2, Scheme::dgtd_central, .003}, std::tuple{Space::mixed_2, Scheme::dgtd_central, .005},
      std::tuple{Space::mixed_2, Scheme::dgtd_upwind, .005}, std::tuple{Space::mixed_2, Scheme::dfdd_eld, .005});
  const Guide guide(space, scheme, Layout::factored, {}, true, 16e-3);
  const auto s = march_guide(guide, 4.5, {5e9}, 5e9, 1.8e9);
  constexpr double alpha = 88.9095;
  INFO(static_cast<int>(scheme) << " " << s[0].v2 / s[0].v1 << " " << far_reflection(s[0], te_ratio(5e9)));
  CHECK(std::abs(std::log(std::abs(s[0].v1 / s[0].v2)) / 16e-3 / alpha - 1) < limit);
  CHECK(std::abs(std::arg(s[0].v2 / s[0].v1)) < .01);
  CHECK(std::abs(far_reflection(s[0], te_ratio(5e9))) < limit);
}

TEST_CASE("TM and higher TE modes leave too") {
  const auto [mode, hz, scheme] = GENERATE(std::tuple{WaveguideMode{true, 1, 1}, 20e9, Scheme::dgtd_central},
                                           std::tuple{WaveguideMode{false, 2, 0}, 17e9, Scheme::dgtd_central},
                                           std::tuple{WaveguideMode{false, 0, 1}, 18e9, Scheme::dgtd_central},
                                           std::tuple{WaveguideMode{true, 1, 1}, 20e9, Scheme::dfdd_eld});
  const Guide guide(Space::full_2, scheme, Layout::factored, mode, true, 24e-3);
  const auto s = march_guide(guide, 3, {hz}, hz, 8e9);
  const double k = 2 * pi * hz / c0_m_per_s;
  const double beta = std::sqrt(k * k - std::pow(guide.port.cutoff_per_m, 2));
  const Complex reflection = far_reflection(s[0], mode.tm ? beta / k : k / beta);
  const Complex through = s[0].v2 / s[0].v1 * std::polar(1.0, beta * guide.length_m);
  INFO(mode.tm << mode.m << mode.n << " " << reflection << " " << through);
  CHECK(std::abs(reflection) < .01);
  CHECK(std::abs(through - 1.0) < .03);
}

TEST_CASE("what a source sends through the wall carries the power of the mode's wave at every frequency") {
  const Guide driven(Space::mixed_2, Scheme::dgtd_central, Layout::factored, {}, true, 24e-3);
  const auto engine = engine_of(driven);
  const double dt = 0.9 * engine->find_stable_step();
  const double s = c0_m_per_s * std::sqrt(2 * std::log(10.)) / (pi * 9e9);
  const auto sent = [=](double n) {
    const double t = n * dt - 6 * s;
    return n < 0 ? 0. : std::sin(2 * pi * 9e9 / c0_m_per_s * t) * std::exp(-t * t / (2 * s * s));
  };
  march::Start start;
  start.dt_m = dt;
  start.steps = static_cast<std::int64_t>(4.5 / dt);
  const ModalSource source(sent, dt * driven.port.cutoff_per_m, start.steps);
  start.waves = {[&](double n) { return source(n); }, [](double) { return 0.0; }};
  engine->start(start);
  engine->advance(start.steps);
  engine->finish();
  const auto record = engine->take_record();
  for (const double hz : {7e9, 8.2e9, 10e9, 12e9}) {
    Complex v, zi, wanted;
    const double k = 2 * pi * hz / c0_m_per_s;
    for (std::int64_t n = 0; n < record.rows; ++n) {
      const Complex whole = std::polar(dt, -k * static_cast<double>(n) * dt);
      v += record.values[static_cast<std::size_t>(4 * n)] * whole;
      zi += record.values[static_cast<std::size_t>(4 * n + 2)] * whole * std::polar(1.0, -k * dt / 2);
      wanted += sent(static_cast<double>(n)) * whole;
    }
    const Complex ratio = te_ratio(hz);
    const Complex incident = (v + ratio * zi) / (2.0 * std::sqrt(ratio));
    INFO(hz << " " << incident / wanted);
    CHECK(std::abs(incident / wanted - 1.0) < .015);
  }
}

TEST_CASE("a guide between modal ports loses energy, also what a dielectric traps below the guide's cutoff") {
  // The trapped mode sees ports that are all but reactive: an error of theirs would show as growth.
  const auto scheme = GENERATE(Scheme::dgtd_central, Scheme::dgtd_upwind, Scheme::dfdd_eld);
  Guide guide(Space::full_1, scheme, Layout::factored, {}, true, 24e-3);
  Medium dielectric;
  dielectric.eps_r = 6;
  guide.problem.media.push_back(dielectric);
  for (std::size_t e = 0; e < guide.mesh.corners.size(); ++e) {
    const auto& c = guide.mesh.corners[e];
    const double z = (c[0][2] + c[1][2] + c[2][2] + c[3][2]) / 4;
    if (z > 8e-3 && z < 16e-3) guide.mesh.region[e] = 1;
  }
  const auto engine = engine_of(guide);
  march::Start start;
  start.dt_m = 0.9 * engine->find_stable_step();
  start.steps = scheme == Scheme::dgtd_upwind ? 4000 : 16000;
  start.waves = {[](double n) { return n < 0 ? 0. : std::exp(-std::pow((n - 60) / 15, 2)); },
                 [](double) { return 0.0; }};
  engine->start(start);
  std::vector<double> largest;
  for (int quarter = 0; quarter < 4; ++quarter) {
    largest.push_back(0);
    for (int piece = 0; piece < 50; ++piece) {
      engine->advance(start.steps / 200);
      largest.back() = std::max(largest.back(), engine->present_energy());
    }
  }
  INFO(largest[0] << " " << largest[1] << " " << largest[2] << " " << largest[3]);
  CHECK(largest[1] < largest[0]);
  CHECK(largest[2] < largest[1]);
  CHECK(largest[3] < largest[2]);
  CHECK(largest[3] > 0);
}

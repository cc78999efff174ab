// Materials of a case: terms of dispersion, axes, laminates, and sheets of a surface resistance.
#include <algorithm>
#include <case_schema.hpp>
#include <cmath>
#include <string>

#include "case/build/build_case.hpp"
#include "case/check/check_case.hpp"
#include "case/schema/quantity.hpp"
#include "case/schema/resolve.hpp"
#include "case/schema/schema.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/parse_yaml.hpp"
#include "catch.hpp"
#include "failure.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using tetrawave_tests::catch_failure;

namespace {

// The schema with everything that the contract names, also what no kernel marches yet.
std::string whole_schema() {
  std::string text = case_schema_text;
  for (const std::string mark : {"\"x-available\": false", "\"x-unavailable-types\": [\"array\"]"}) {
    const std::string nothing = "\"x-default\": \"\"";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.replace(at, mark.size(), nothing);
  }
  return text;
}

// A case of one material `m`, written as the value of its key, the given boundaries and more keys.
Case read(const std::string& material, const std::string& boundaries = "{}", const std::string& more = "") {
  const std::string yaml = "mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}\nregions: {box: m}\ntime: {steps: 10}\n" +
                           std::string("boundaries: ") + boundaries + "\nmaterials:\n  m: " + material + "\n" + more;
  Errors errors("c.yaml", {});
  const Node root = parse_yaml(yaml, -1, errors);
  const SchemaDocument schema(whole_schema().c_str());
  const UnitTable units(schema.units(), "m");
  const Node resolved = resolve(root, schema.root(), {units, ".", errors});
  check_case(resolved, errors);
  errors.throw_if_any();
  return build_case(resolved, 1, errors);
}

Material material(const std::string& text) { return read(text).materials.at(0); }

std::string refused(const std::string& text, const std::string& boundaries = "{}", const std::string& more = "") {
  const auto failure = catch_failure([&] { (void)read(text, boundaries, more); });
  CHECK(failure.code == ExitCode::bad_case);
  return failure.text;
}

template <class Model>
Model first_electric(const std::string& term) {
  const Material spec = material("{eps_r: 2, electric_dispersion: [" + term + "]}");
  REQUIRE(spec.electric_dispersion.size() == 1);
  return std::get<Model>(spec.electric_dispersion[0].model);
}

}  // namespace

TEST_CASE("terms of dispersion are read with their units, a static value as the step from eps_r") {
  const auto debye = first_electric<DebyeTerm>("{model: debye, eps_static: 4.5, tau: 11.4 ps}");
  CHECK(debye.delta == 2.5);
  CHECK(debye.tau_s == 11.4e-12);
  const auto lorentz = first_electric<LorentzTerm>("{model: lorentz, delta: 1.5, frequency: 5 GHz, damping: 1e9}");
  CHECK(lorentz.delta == 1.5);
  CHECK(lorentz.frequency_hz == 5e9);
  CHECK(lorentz.damping_rad_per_s == 1e9);
  const auto drude = first_electric<DrudeTerm>("{model: drude, plasma_frequency: 2 THz, collision: 3e12 rad/s}");
  CHECK(drude.plasma_frequency_hz == 2e12);
  CHECK(drude.collision_rad_per_s == 3e12);
  const auto pole =
      first_electric<ComplexPoleTerm>("{model: pole, residue: [1e10, -2e10 1/s], pole: [3e9 rad/s, -4e9]}");
  CHECK(pole.residue_per_s == std::complex<double>(1e10, -2e10));
  CHECK(pole.pole_rad_per_s == std::complex<double>(3e9, -4e9));
}

TEST_CASE("magnetic terms stand beside electric ones, each with the place of its text") {
  const Material spec = material(
      "{mu_r: 1.25, electric_dispersion: [{model: debye, delta: 1, tau: 1 ps}, {model: debye, delta: 0, tau: 2 ps}],\n"
      "      magnetic_dispersion: [{model: lorentz, mu_static: 1.5, frequency: 0.8 GHz, damping: 0}]}");
  REQUIRE(spec.electric_dispersion.size() == 2);
  REQUIRE(spec.magnetic_dispersion.size() == 1);
  CHECK(std::get<LorentzTerm>(spec.magnetic_dispersion[0].model).delta == 0.25);
  CHECK(std::get<DebyeTerm>(spec.electric_dispersion[1].model).tau_s == 2e-12);
  CHECK(spec.magnetic_dispersion[0].place.text == "c.yaml:7:29");
}

TEST_CASE("a constant may be a list along x, y and z") {
  const Material spec = material("{eps_r: [2, 3, 4.5]}");
  REQUIRE(spec.eps_diagonal);
  CHECK(*spec.eps_diagonal == Vec3{2, 3, 4.5});
  CHECK_FALSE(spec.mu_diagonal);
  CHECK_FALSE(material("{eps_r: 2}").eps_diagonal);
}

TEST_CASE("a laminate stands in place of eps_r and of electric terms") {
  const Material spec =
      material("{wideband-debye: {eps_r: 4.3, loss_tangent: 0.02, at: 1 GHz, from: 10 MHz, to: 50 GHz}, mu_r: 1}");
  REQUIRE(spec.wideband_debye);
  CHECK(spec.wideband_debye->eps_r == 4.3);
  CHECK(spec.wideband_debye->loss_tangent == 0.02);
  CHECK(spec.wideband_debye->at_hz == 1e9);
  CHECK(spec.wideband_debye->from_hz == 1e7);
  CHECK(spec.wideband_debye->to_hz == 5e10);
  CHECK(spec.wideband_debye->place.text == "c.yaml:6:7");
  const std::string laminate = "wideband-debye: {eps_r: 4, loss_tangent: 0.1, at: 1 GHz, from: 1 MHz, to: 9 GHz}";
  CHECK(refused("{eps_r: 2, " + laminate + "}") ==
        "c.yaml:6:17: error: materials.m: only one of 'eps_r' and 'wideband-debye' is allowed, found 2");
  CHECK(refused("{" + laminate + ", electric_dispersion: []}") ==
        "c.yaml:6:89: error: materials.m: only one of 'electric_dispersion' and 'wideband-debye' is allowed, found 2");
}

TEST_CASE("a loss tangent in the time domain is a laminate over the frequencies of the outputs") {
  const auto fitted = [](const std::string& material, const std::string& outputs) {
    const Material spec = read(material, "{}", "outputs: {" + outputs + "}\n").materials.at(0);
    REQUIRE(spec.wideband_debye);
    CHECK(spec.loss_tangent == 0);
    CHECK(spec.wideband_debye->eps_r == 4.3);
    CHECK(spec.wideband_debye->loss_tangent == Approx(0.02).epsilon(1e-14));
    return *spec.wideband_debye;
  };
  const std::string pattern = "far_field: {frequencies: [16 GHz], theta: [0], phi: [0]}";
  const auto wide = fitted("{eps_r: 4.3, loss_tangent: 0.02}", pattern + ", fields: {frequencies: [1 GHz]}");
  CHECK(wide.at_hz == Approx(4e9));
  CHECK(wide.from_hz == Approx(1e9));
  CHECK(wide.to_hz == Approx(16e9));
  const auto octave = fitted("{eps_complex: [4.3, -0.086]}", pattern);
  CHECK(octave.at_hz == Approx(16e9));
  CHECK(octave.to_hz / octave.from_hz == Approx(2));
}

TEST_CASE("a loss tangent that cannot be is refused") {
  const std::string band = "outputs: {fields: {frequencies: [1 GHz]}}\n";
  CHECK(refused("{eps_r: 4, loss_tangent: 0.02}") ==
        "c.yaml:6:31: error: materials.m.loss_tangent: mode time-domain fits it over the frequencies of outputs, and "
        "there are none; add outputs.s_parameters, far_field or fields.frequencies, or give wideband-debye with a "
        "band of its own");
  CHECK(refused("{eps_r: [1, 2, 3], loss_tangent: 0.02}", "{}", band) ==
        "c.yaml:6:39: error: materials.m.loss_tangent: in mode time-domain it takes one eps_r, found a list; give one "
        "number, or electric_dispersion");
  CHECK(refused("{eps_complex: [-4, 0.1]}", "{}", band) ==
        "c.yaml:6:21: error: materials.m.eps_complex: the real part -4 is not above 0; give a metal as a drude term of "
        "electric_dispersion\n"
        "c.yaml:6:25: error: materials.m.eps_complex: the imaginary part 0.1 is above 0, which is gain; losses are "
        "negative (exp(+j w t))");
  CHECK(refused("{eps_complex: [4, -0.1], loss_tangent: 0.1}", "{}", band) ==
        "c.yaml:6:31: error: materials.m: only one of 'eps_complex' and 'loss_tangent' is allowed, found 2");
  CHECK_NOTHROW(read("{eps_r: 4, loss_tangent: 0}"));
}

TEST_CASE("n2 is read as the chi3 of the same index per intensity, in the permittivity and permeability given") {
  const auto chi3 = [](const std::string& constants) {
    const Material spec = material("{" + constants + "kerr: {n2: 3e-4 cm^2/W}}");
    REQUIRE(spec.kerr);
    CHECK(*spec.kerr->n2_m2_per_w == Approx(3e-8).epsilon(1e-15));
    return spec.kerr->chi3_m2_per_v2;
  };
  // the index sqrt(mu (eps + 3/4 chi3 A^2)) of a weak wave of amplitude A, less n0, over its intensity
  const auto index_per_intensity = [](double eps, double mu, double kerr) {
    const double eta0 = 376.730313668, square = 1e-6 * eps / kerr;
    const double intensity = std::sqrt(eps / mu) * square / (2 * eta0);
    return (std::sqrt(mu * (eps + 0.75 * kerr * square)) - std::sqrt(mu * eps)) / intensity;
  };
  CHECK(index_per_intensity(1, 1, chi3("")) == Approx(3e-8).epsilon(1e-6));
  CHECK(index_per_intensity(2.25, 1, chi3("eps_r: 2.25, ")) == Approx(3e-8).epsilon(1e-6));
  CHECK(index_per_intensity(2.25, 4, chi3("eps_r: 2.25, mu_r: 4, ")) == Approx(3e-8).epsilon(1e-6));
  const std::string laminate = "wideband-debye: {eps_r: 3, loss_tangent: 0.01, at: 1 GHz, from: 1 MHz, to: 9 GHz}, ";
  CHECK(index_per_intensity(3, 1, chi3(laminate)) == Approx(3e-8).epsilon(1e-6));
}

TEST_CASE("the frequencies of a laminate ascend") {
  CHECK(refused("{wideband-debye: {eps_r: 4, loss_tangent: 0.1, at: 1 GHz, from: 9 GHz, to: 2 GHz}}") ==
        "c.yaml:6:81: error: materials.m.wideband-debye.to: '2 GHz' is not above from, '9 GHz'");
  CHECK(refused("{wideband-debye: {eps_r: 4, loss_tangent: 0.1, at: 1 kHz, from: 1 MHz, to: 2 GHz}}") ==
        "c.yaml:6:57: error: materials.m.wideband-debye.at: '1 kHz' does not lie between from, '1 MHz', and to, "
        "'2 GHz'");
}

TEST_CASE("a static value belongs to one term, one constant and its own field") {
  CHECK(
      refused(
          "{electric_dispersion: [{model: debye, eps_static: 2, tau: 1 ps}, {model: debye, delta: 1, tau: 2 ps}]}") ==
      "c.yaml:6:44: error: materials.m.electric_dispersion.0: 'eps_static' is for a single term, and there are 2: give "
      "'delta' for each");
  CHECK(refused("{eps_r: [1, 2, 3], electric_dispersion: [{model: debye, eps_static: 4, tau: 1 ps}]}") ==
        "c.yaml:6:62: error: materials.m.electric_dispersion.0: 'eps_static' is for a single eps_r, found a list: "
        "give 'delta'");
  CHECK(refused("{magnetic_dispersion: [{model: debye, eps_static: 4, tau: 1 ps}]}") ==
        "c.yaml:6:44: error: materials.m.magnetic_dispersion.0: 'eps_static' does not belong to magnetic_dispersion; "
        "use 'mu_static' or 'delta'");
}

TEST_CASE("a term needs exactly one strength, and rates in rad/s") {
  CHECK(
      refused("{electric_dispersion: [{model: debye, tau: 1 ps}]}") ==
      "c.yaml:6:29: error: materials.m.electric_dispersion.0: exactly one of 'delta' and 'eps_static' and 'mu_static' "
      "is needed, found none");
  CHECK(
      refused("{electric_dispersion: [{model: debye, delta: 1, eps_static: 3, tau: 1 ps}]}") ==
      "c.yaml:6:54: error: materials.m.electric_dispersion.0: exactly one of 'delta' and 'eps_static' and 'mu_static' "
      "is needed, found 2");
  CHECK(refused("{electric_dispersion: [{model: drude, plasma_frequency: 1 GHz, collision: 1 GHz}]}") ==
        "c.yaml:6:80: error: materials.m.electric_dispersion.0.collision: expected an angular frequency, found '1 "
        "GHz', which is a frequency; allowed units: rad/s");
  CHECK(refused("{electric_dispersion: [{model: pole, residue: 5, pole: [1 GHz, 0]}]}") ==
        "c.yaml:6:52: error: materials.m.electric_dispersion.0.residue: expected a list, found '5'\n"
        "c.yaml:6:62: error: materials.m.electric_dispersion.0.pole.0: expected an angular frequency, found '1 GHz', "
        "which is a frequency; allowed units: rad/s");
  CHECK(refused("{electric_dispersion: [{model: sellmeier}]}") ==
        "c.yaml:6:37: error: materials.m.electric_dispersion.0.model: unknown value 'sellmeier'; allowed: debye, "
        "lorentz, drude, pole");
}

TEST_CASE("sheets of a surface resistance are boundaries of their own kind, each surface in one list") {
  const Case given = read("{}", "{pec: [wall], impedance: {film: 50 ohm, card: 377}}");
  REQUIRE(given.boundaries.size() == 3);
  CHECK(given.boundaries[0].impedance_ohm == 0);
  CHECK(given.boundaries[1].group == "film");
  CHECK(given.boundaries[1].kind == BoundaryKind::impedance);
  CHECK(given.boundaries[1].impedance_ohm == 50);
  CHECK(given.boundaries[1].place.text == "c.yaml:4:39");
  CHECK(given.boundaries[2].impedance_ohm == 377);
  CHECK(refused("{}", "{pec: [wall], impedance: {wall: 50 ohm}}") ==
        "c.yaml:4:39: error: boundaries.impedance: the surface 'wall' is already in boundaries.pec; a surface has one "
        "condition");
  CHECK(refused("{}", "{impedance: {wall: 0 ohm, film: 50 V}}") ==
        "c.yaml:4:32: error: boundaries.impedance.wall: '0 ohm' is out of range; allowed: above 0\n"
        "c.yaml:4:45: error: boundaries.impedance.film: expected a resistance, found '50 V', which is a voltage; "
        "allowed units: ohm, mohm, kohm, Mohm");
}

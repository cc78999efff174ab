#include "case/build/build_material.hpp"

#include <case_schema.hpp>

#include "case/build/build_case.hpp"
#include "case/build/build_sources.hpp"
#include "case/schema/resolve.hpp"
#include "case/yaml/parse_yaml.hpp"
#include "catch.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;

namespace {

/// A case around these lines, resolved.
struct Resolved {
  Errors errors{"case.yaml", {}};
  Node root;

  explicit Resolved(const std::string& lines) {
    const Node parsed = parse_yaml(
        "mesh: {box: {size: [1, 1, 1], cells: [1, 1, 1]}}\nregions: {box: stuff}\nboundaries: {default: pec}\n"
        "waveforms: {pulse: {type: gaussian, width: 2 ps}}\ntime: {steps: 1}\n" +
            lines,
        -1, errors);
    const SchemaDocument schema(case_schema_text);
    const UnitTable units(schema.units(), "m");
    root = resolve(parsed, schema.root(), {units, "/", errors});
    errors.throw_if_any();
  }
  [[nodiscard]] const Node& material() const { return root.find("materials")->children.at(0); }
};

}  // namespace

TEST_CASE("a material's terms are built in SI, with the place of each") {
  const Resolved given(
      "materials:\n  stuff:\n    eps_r: [2, 3, 4]\n    sigma: 0.5\n    electric_dispersion:\n"
      "      - {model: debye, delta: 1.5, tau: 8 ps}\n      - {model: drude, plasma_frequency: 3 GHz, collision: "
      "2e9}\n");
  const Material stuff = build_material(given.material(), given.errors);
  CHECK(stuff.name == "stuff");
  REQUIRE(stuff.eps_diagonal);
  CHECK(*stuff.eps_diagonal == Vec3{2, 3, 4});
  CHECK(stuff.mu_r == 1);
  CHECK(stuff.sigma_s_per_m == 0.5);
  REQUIRE(stuff.electric_dispersion.size() == 2);
  const auto& debye = std::get<DebyeTerm>(stuff.electric_dispersion[0].model);
  CHECK(debye.delta == 1.5);
  CHECK(debye.tau_s == 8e-12);
  CHECK(std::get<DrudeTerm>(stuff.electric_dispersion[1].model).plasma_frequency_hz == 3e9);
  CHECK(stuff.electric_dispersion[0].place.text.rfind("case.yaml:11:", 0) == 0);
  CHECK(stuff.electric_dispersion[1].place.text.rfind("case.yaml:12:", 0) == 0);
}

TEST_CASE("a refractive index of n2 is a chi3 of 4/3 eps0 c0 eps_r n2") {
  const Resolved given("materials: {stuff: {eps_r: 4, kerr: {n2: 1e-18}}}\n");
  const Material stuff = build_material(given.material(), given.errors);
  REQUIRE(stuff.kerr);
  CHECK(stuff.kerr->chi3_m2_per_v2 == Approx(4. / 3 * 8.8541878128e-12 * 299792458 * 4 * 1e-18).epsilon(1e-9));
}

TEST_CASE("the delay of a Gaussian is six widths unless it is given") {
  Resolved given("materials: {stuff: {}}\n");
  fill_computed_defaults(given.root);
  const Case built = build_case(given.root, 1, given.errors);
  REQUIRE(built.waveforms.size() == 1);
  CHECK(built.waveforms[0].delay_s.value() == Approx(12e-12).epsilon(1e-14));
  CHECK(built.time.steps == 1);
  CHECK(std::get<BoxMesh>(built.mesh).cells == std::array<std::int64_t, 3>{1, 1, 1});
}

TEST_CASE("a dipole is a current at a point in a direction") {
  const Resolved given(
      "materials: {stuff: {}}\nsources: [{type: dipole, position: [1 cm, 2, 3], direction: [0, 0, 2], waveform: pulse, "
      "amplitude: 7}]\n");
  const auto sources = build_sources(*given.root.find("sources"), given.errors);
  REQUIRE(sources.size() == 1);
  CHECK(sources[0].type == SourceType::dipole);
  CHECK(sources[0].position_m == Vec3{0.01, 2, 3});
  CHECK(sources[0].direction == Vec3{0, 0, 2});
  CHECK(sources[0].excite.waveform == "pulse");
  CHECK(sources[0].excite.amplitude == 7);
}

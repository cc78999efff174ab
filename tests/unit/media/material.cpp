#include "media/material.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "catch.hpp"
#include "failure.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using tetrawave_tests::catch_failure;

TEST_CASE("an anisotropic constant is a mean and its axes; equal axes are isotropic") {
  Material spec;
  spec.eps_diagonal = Vec3{2, 4, 8};
  const Medium medium = make_medium(spec);
  CHECK(medium.eps_r == Approx(4));
  for (std::size_t i = 0; i < 3; ++i) CHECK(medium.eps_r * medium.eps_axes[i] == Approx((*spec.eps_diagonal)[i]));
  CHECK_FALSE(medium.is_isotropic());
  spec.eps_diagonal = Vec3{3, 3, 3};
  CHECK(make_medium(spec) == Medium{3, 1, 0, 0});
}

TEST_CASE("media that grow or give energy are refused with place, path and frequency") {
  Material spec{"slab"};
  spec.electric_dispersion = {{DebyeTerm{1, 1e-11}, {"c.yaml:5:7"}}, {DebyeTerm{-2, 2e-11}, {"c.yaml:6:7"}}};
  spec.magnetic_dispersion = {{ComplexPoleTerm{{1e9, 0}, {-2e9, 5e9}}, {"c.yaml:8:7"}}};
  Material foam{"foam"};
  foam.wideband_debye = WidebandDebye{2, 0.9, 1e9, 1e3, 1e15, {"c.yaml:9:3"}};
  const auto failure = catch_failure([&] { check_media({spec, foam, {"air"}}); });
  CHECK(failure.code == ExitCode::bad_case);
  CHECK(
      failure.text ==
      "c.yaml:6:7: error: materials.slab.electric_dispersion: the medium gives energy: the imaginary part of eps is "
      "+0.6315 at 6.11592 GHz, and must not be above 0 at any frequency (exp(+j w t)); look at term 1\n"
      "c.yaml:8:7: error: materials.slab.magnetic_dispersion.0: the term grows in time, as its pole has the real part "
      "-2e+09 rad/s; a term decays as exp(-pole t), so that real parts are at least 0\n"
      "c.yaml:9:3: error: materials.foam: with this loss tangent over this band eps_r would be -14.2 at infinite "
      "frequency; give a narrower band");
  CHECK_NOTHROW(check_media({{"air"}, {"glass", 4, 1, 0.1}}));
}

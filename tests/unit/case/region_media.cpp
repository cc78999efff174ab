#include "case/region_media.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "catch.hpp"
#include "failure.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using tetrawave_tests::catch_failure;

namespace {

Case two_materials() {
  Case given;
  given.mesh = MeshInput{"line.geo", {}, {}, 1, {"case.yaml:2:9"}};
  given.materials = {{"air"}, {"ferrite", 4, 9, 0.5, 20}};
  given.regions = {{"core", "ferrite", {"case.yaml:7:3"}}, {"outside", "air", {"case.yaml:8:3"}}};
  return given;
}

}  // namespace

TEST_CASE("the media stand in the order of the mesh's regions, in internal units") {
  const auto media = media_of_regions(two_materials(), {"outside", "core"});
  REQUIRE(media.size() == 2);
  CHECK(media[0] == Medium{});
  CHECK(media[1].eps_r == 4);
  CHECK(media[1].mu_r == 9);
  CHECK(media[1].sigma_e == Approx(0.5 * 376.730313668).epsilon(1e-9));
  CHECK(media[1].sigma_m == Approx(20 / 376.730313668).epsilon(1e-9));
  CHECK(media[1].impedance() == Approx(1.5));
  CHECK(media[0].is_lossless());
  CHECK_FALSE(media[1].is_lossless());
}

TEST_CASE("a box mesh has the one region box") {
  Case given;
  given.mesh = BoxMesh{};
  given.materials = {{"glass", 2.25}};
  given.regions = {{"box", "glass", {}}};
  CHECK(media_of_regions(given, {"box"}).at(0).eps_r == 2.25);
}

TEST_CASE("regions that do not fit the mesh are told all at once, with place and suggestion") {
  const auto failure = catch_failure([] { (void)media_of_regions(two_materials(), {"cores", "outside", "lid"}); });
  CHECK(failure.code == ExitCode::bad_case);
  CHECK(failure.text ==
        "case.yaml:7:3: error: regions.core: the mesh has no volume 'core' (did you mean 'cores'?); its volumes: "
        "cores, outside, lid\n"
        "case.yaml:2:9: error: region 'cores' of the mesh has no material: add it to regions\n"
        "case.yaml:2:9: error: region 'lid' of the mesh has no material: add it to regions");
}

TEST_CASE("a region's material that does not exist is refused with its place") {
  Case given = two_materials();
  given.regions[1].material = "aire";
  const auto failure = catch_failure([&] { (void)media_of_regions(given, {"outside", "core"}); });
  CHECK(failure.code == ExitCode::bad_case);
  CHECK(failure.text ==
        "case.yaml:8:3: error: regions.outside: there is no material 'aire' (did you mean 'air'?); defined: air, "
        "ferrite");
}

TEST_CASE("of very many region errors twenty are shown and the rest counted") {
  std::vector<std::string> names{"core", "outside"};
  for (int i = 0; i < 25; ++i) names.push_back("part" + std::to_string(i));
  const auto failure = catch_failure([&] { (void)media_of_regions(two_materials(), names); });
  CHECK(std::count(failure.text.begin(), failure.text.end(), '\n') == 20);
  CHECK_THAT(failure.text, tetrawave_tests::ContainsSubstring("5 more errors are not shown"));
}

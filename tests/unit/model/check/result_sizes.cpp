#include "model/check/result_sizes.hpp"

#include "catch.hpp"
#include "model/check/case_check.hpp"
#include "model/check/free_space.hpp"

using namespace tetrawave;
using namespace tetrawave::modes;

namespace {

Case with_ports(std::size_t count, std::size_t driven) {
  Case given;
  given.ports.resize(count);
  for (std::size_t p = 0; p < driven; ++p) given.ports[p].excite.emplace();
  return given;
}

}  // namespace

TEST_CASE("a case runs once, or once for each driven port") {
  Case given = with_ports(3, 2);
  CHECK(marches_of(given) == 1);
  given.outputs.s_parameters.emplace();
  CHECK(marches_of(given) == 1);
  given.outputs.s_parameters->drive_each = true;
  CHECK(marches_of(given) == 2);
}

TEST_CASE("S-parameters take a complex number, and its text, for every pair of ports and frequency") {
  Case given = with_ports(4, 1);
  given.outputs.s_parameters.emplace();
  given.outputs.s_parameters->points = 101;
  const ResultSizes few = size_of_results(given, 1, 0);
  given.ports.resize(8);
  const ResultSizes many = size_of_results(given, 1, 0);
  CHECK(many.disk - few.disk == 101 * (64 - 16) * (16 + 2 * 23));
}

TEST_CASE("probes take room in results of phasors alone; time series are counted with the run") {
  Case given;
  given.outputs.probes.resize(1);
  CHECK(size_of_results(given, 1, 10).disk == 0);
  given.mode = Mode::frequency_domain;
  CHECK(size_of_results(given, 2, 10).disk == 8 * 10 * (1 + 2 * 2 * 3 * 2));
}

TEST_CASE("what does not fit this machine's disk and memory is warned of, what fits is not") {
  CHECK(find_shortages(1, 1).empty());
  const auto shortages = find_shortages(1e19, 1e19, "/tmp/a/folder/that/does/not/exist");
  REQUIRE(shortages.size() == 2);
  CHECK_THAT(shortages[0], tetrawave_tests::ContainsSubstring("'/tmp/a/folder/that/does/not/exist'"));
  CHECK(total_bytes({1, 2, 4, 8}) == 15);
}

TEST_CASE("a space of higher degree needs fewer elements per wavelength") {
  CHECK(needed_elements_per_wavelength(Space::mixed_1) > needed_elements_per_wavelength(Space::full_1));
  CHECK(needed_elements_per_wavelength(Space::full_1) > needed_elements_per_wavelength(Space::mixed_2));
  CHECK(needed_elements_per_wavelength(Space::mixed_2) > needed_elements_per_wavelength(Space::full_2));
}

#include "results/request/request.hpp"

#include "catch.hpp"

using namespace tetrawave;

TEST_CASE("frequencies of a band include both ends, and whole numbers of hertz stay whole") {
  const auto band = even_frequencies(1e9, 4e9, 31);
  REQUIRE(band.size() == 31);
  CHECK(band.front() == 1e9);
  CHECK(band.back() == 4e9);
  for (std::size_t k = 0; k < band.size(); ++k) CHECK(band[k] == 1e9 + 1e8 * static_cast<double>(k));
}

TEST_CASE("one frequency is the start of its band, and none is none") {
  CHECK(even_frequencies(2e9, 9e9, 1) == std::vector<double>{2e9});
  CHECK(even_frequencies(2e9, 9e9, 0).empty());
}

TEST_CASE("a probe is asked for both fields at every step unless users say otherwise") {
  const ProbePoint probe;
  CHECK((probe.electric && probe.magnetic));
  CHECK(probe.every == 1);
}

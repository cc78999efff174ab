#include "app/check/report.hpp"

#include <limits>

#include "catch.hpp"

using namespace tetrawave;

TEST_CASE("quantities carry a prefix and three digits") {
  CHECK(app::with_prefix(0.0146, "m") == "14.6 mm");
  CHECK(app::with_prefix(8.2509e-12, "s") == "8.25 ps");
  CHECK(app::with_prefix(1e9, "Hz") == "1 GHz");
  CHECK(app::with_prefix(999.6, "m") == "1 km");
  CHECK(app::with_prefix(-0.05, "V") == "-50 mV");
  CHECK(app::with_prefix(0, "m") == "0 m");
  CHECK(app::with_prefix(1, "m") == "1 m");
  CHECK(app::with_prefix(1e-21, "s") == "0.001 as");
  CHECK(app::with_prefix(std::numeric_limits<double>::infinity(), "s") == "inf s");
}

TEST_CASE("large numbers carry commas") {
  CHECK(app::with_commas(0) == "0");
  CHECK(app::with_commas(999) == "999");
  CHECK(app::with_commas(1000) == "1,000");
  CHECK(app::with_commas(12002256) == "12,002,256");
  CHECK(app::with_commas(-1234567) == "-1,234,567");
}

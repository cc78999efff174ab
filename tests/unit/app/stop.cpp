#include "app/stop.hpp"

#include <csignal>

#include "catch.hpp"
#include "failure.hpp"

using namespace tetrawave;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;

TEST_CASE("wall times are read in the ways of schedulers and people") {
  CHECK(app::parse_wall_time("23h50m") == 23 * 3600 + 50 * 60);
  CHECK(app::parse_wall_time("90s") == 90);
  CHECK(app::parse_wall_time("10m") == 600);
  CHECK(app::parse_wall_time("2d1s") == 2 * 86400 + 1);
  CHECK(app::parse_wall_time("10 min") == 600);
  CHECK(app::parse_wall_time("1.5h") == 5400);
  CHECK(app::parse_wall_time("1 h 20min 0.5 s") == 4800.5);
  CHECK(app::parse_wall_time("1:30:00") == 5400);
  CHECK(app::parse_wall_time("100:00:01") == 360001);
}

TEST_CASE("what is no wall time is refused") {
  for (const char* text : {"", "90", "0s", "5m1h", "1h1h", "5min5m", "-5m", "h", "1:30", "1:60:00", "1:00:00:00",
                           "5 parsecs", "1e3s", "0:00:00", "99999999999h"}) {
    const auto failure = catch_failure([&] { (void)app::parse_wall_time(text); });
    INFO(text);
    CHECK(failure.code == ExitCode::usage);
    CHECK_THAT(failure.text, ContainsSubstring("23h50m"));
  }
}

TEST_CASE("a signal and the end of the wall time ask for a stop") {
  {
    app::StopRequest stop(std::nullopt);
    CHECK(stop.reason().empty());
    stop.listen();
    std::raise(SIGUSR1);
    CHECK(stop.reason() == "SIGUSR1");
  }
  const app::StopRequest again(3600);
  CHECK(again.reason().empty());
  CHECK(app::StopRequest(1e-9).reason() == "--max-wall");
}

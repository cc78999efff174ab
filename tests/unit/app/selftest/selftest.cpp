#include "app/selftest/selftest.hpp"

#include "catch.hpp"
#include "failure.hpp"

using namespace tetrawave;
using namespace tetrawave::app;
using tetrawave_tests::catch_failure;

TEST_CASE("a self-test runs all of its checks and ends with the first failure") {
  SelfTestTable table(comm::Communicator::self());
  int ran = 0;
  const auto passes = [&] {
    ++ran;
    return std::string("fine");
  };
  table.check("first", passes);
  table.check("second", [&]() -> std::string {
    ++ran;
    fail(ExitCode::io, "no disk");
  });
  table.check("third", [&]() -> std::string {
    ++ran;
    fail(ExitCode::unstable, "grows");
  });
  table.check("fourth", passes);
  CHECK(ran == 4);
  const auto failure = catch_failure([&] { table.close(); });
  CHECK(failure.code == ExitCode::io);
}

TEST_CASE("a self-test without failures ends quietly, whatever is not available") {
  SelfTestTable table(comm::Communicator::self());
  table.check("first", [] { return std::string("fine"); });
  table.note("second", "no GPU");
  table.close();
  CHECK(table.ranks().size() == 1);
}

TEST_CASE("a wrong result of a check names what was found") {
  expect(true, "never said");
  try {
    expect(1 + 1 == 3, "{} is not {}", 2, 3);
    FAIL("expected a failure");
  } catch (const InternalError& error) {
    CHECK(std::string(error.what()).find("2 is not 3") != std::string::npos);
  }
}

#include "modes/time_domain/stop_rule.hpp"

#include "catch.hpp"

using tetrawave::modes::StopRule;
using tetrawave_tests::Approx;

TEST_CASE("the energy ends a march once it is low and the sources are over") {
  StopRule rule(-20.0, 300);
  CHECK(rule.is_due(0));
  CHECK_FALSE(rule.is_due(150));
  CHECK(rule.steps_to_check(0, 1000) == 128);
  CHECK(rule.steps_to_check(150, 1000) == 106);
  CHECK(rule.steps_to_check(150, 50) == 50);
  CHECK_FALSE(rule.note(0, 1.0));
  CHECK_FALSE(rule.note(128, 8.0));
  CHECK_FALSE(rule.note(256, 0.01));  // a source still acts
  CHECK_FALSE(rule.note(384, 0.081));
  CHECK(rule.level_db() == Approx(-19.945).epsilon(1e-3));
  CHECK(rule.note(512, 0.08));
}

TEST_CASE("silence from the start does not end a march") {
  StopRule rule(-20.0, 0);
  CHECK_FALSE(rule.note(0, 0.0));
  CHECK_FALSE(rule.note(128, 0.0));
  CHECK(rule.level_db() == 0);
}

TEST_CASE("without the rule no energy is asked for") {
  StopRule rule({}, 0);
  CHECK_FALSE(rule.is_due(128));
  CHECK(rule.steps_to_check(0, 12345) == 12345);
}

TEST_CASE("a rule that was saved goes on with its largest energy") {
  StopRule first(-10.0, 0);
  CHECK_FALSE(first.note(0, 5.0));
  StopRule second(-10.0, 0);
  second.set_state(first.state());
  CHECK(second.note(128, 0.4));
}

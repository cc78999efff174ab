// What a call that must fail says.
#pragma once

#include <stdexcept>
#include <string>

#include "base/error.hpp"

namespace tetrawave_tests {

struct Failure {
  tetrawave::ExitCode code = tetrawave::ExitCode::done;
  std::string text;
};

/// Runs `work`, which must throw a UserError, and returns it. ExitCode::done when nothing was thrown.
template <class Work>
Failure catch_failure(Work&& work) {
  try {
    work();
  } catch (const tetrawave::UserError& error) {
    return {error.code(), error.what()};
  }
  return {};
}

}  // namespace tetrawave_tests

// A text such as "sin(pi*x/0.02)" as a function: the only access to muParser.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "base/place.hpp"

namespace tetrawave {

/// A real function of named variables, with the constants pi and c0 [m/s].
///
/// Calls from several threads are safe but wait for each other; a copy has its own state and can run concurrently.
class Formula {
 public:
  /// Throws UserError (bad_case) "PLACE: error: ..." with the unknown name and the allowed ones.
  Formula(std::string text, std::vector<std::string> variables, Place place);
  Formula(const Formula& other);
  Formula(Formula&&) noexcept;
  Formula& operator=(const Formula&) = delete;
  Formula& operator=(Formula&&) noexcept;
  ~Formula();

  /// The value at `values`, one per variable and in their order. Throws UserError (bad_case) with the values of the
  /// variables if the result is not finite.
  [[nodiscard]] double operator()(std::initializer_list<double> values) const;

  /// True if the text contains no variable.
  [[nodiscard]] bool is_constant() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tetrawave

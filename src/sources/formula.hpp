// A text such as "sin(pi*x/0.02)" as a function: the one door to muParser.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "case/spec/case.hpp"

namespace tetrawave {

/// A real function of named variables, with the constants pi and c0 [m/s].
///
/// Calls from several threads are safe but wait for each other; a copy has its own state and runs beside the original.
class Formula {
 public:
  /// Throws UserError (bad_case) "PLACE: error: ..." that names what is not known and what is allowed.
  Formula(std::string text, std::vector<std::string> variables, Place place);
  Formula(const Formula& other);
  Formula(Formula&&) noexcept;
  Formula& operator=(const Formula&) = delete;
  Formula& operator=(Formula&&) noexcept;
  ~Formula();

  /// The value at `values`, one per variable and in their order.
  /// Throws UserError (bad_case) that names the values of the variables when the result is not finite.
  [[nodiscard]] double operator()(std::initializer_list<double> values) const;

  /// True when no variable stands in the text.
  [[nodiscard]] bool is_constant() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tetrawave

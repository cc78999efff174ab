// The table of `tetrawave selftest`, and what it checks.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/backend.hpp"
#include "base/error.hpp"

namespace tetrawave::app {

/// The table: a row per check, printed by rank 0 when the check has ended. All ranks make it and run its checks
/// together.
class SelfTestTable {
 public:
  explicit SelfTestTable(const comm::Communicator& ranks);

  /// Runs a check: it returns its figures, or throws an error that is the same on all ranks.
  void check(const std::string& name, const std::function<std::string()>& work);
  /// A row that cannot fail: what is not here.
  void note(const std::string& name, const std::string& text);
  /// The closing line; throws the first failure, with its exit code.
  void close() const;

  [[nodiscard]] const comm::Communicator& ranks() const { return ranks_; }

 private:
  void print(const std::string& name, const char* result, const std::string& text) const;

  comm::Communicator ranks_;
  double begin_s_;
  int passed_ = 0;
  int failed_ = 0;
  std::optional<UserError> first_failure_;
};

/// Throws the failure of a check that has found a wrong result.
template <class... Args>
void expect(bool holds, format_string<Args...> text, Args&&... args) {
  if (!holds) throw InternalError(fmt::format(text, std::forward<Args>(args)...));
}

/// Cores, memory, messages, files, METIS, mesher.
void check_machine(SelfTestTable& table, const ChosenBackend& backend);

/// Marches of every scheme: layouts and backends against each other, ranks against one, energy, a resonance, speed.
/// `other`: the CPU backend beside a GPU.
void check_marches(SelfTestTable& table, const ChosenBackend& backend, const ChosenBackend* other);

}  // namespace tetrawave::app

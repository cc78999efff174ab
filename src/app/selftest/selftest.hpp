// The table of `tetrawave selftest`, and its checks.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/backend.hpp"
#include "base/error.hpp"

namespace tetrawave::app {

/// The table: a row per check, printed by rank 0 when the check is finished. All ranks create it and run its checks
/// together.
class SelfTestTable {
 public:
  explicit SelfTestTable(const comm::Communicator& ranks);

  /// Runs a check, which returns its figures or throws an error that is the same on all ranks.
  void check(const std::string& name, const std::function<std::string()>& work);
  /// A row that cannot fail: features that are not available.
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

/// Throws the failure of a check with a wrong result.
template <class... Args>
void expect(bool holds, format_string<Args...> text, Args&&... args) {
  if (!holds) throw InternalError(fmt::format(text, std::forward<Args>(args)...));
}

/// Cores, memory, messages, files, METIS, mesher.
void check_machine(SelfTestTable& table, const ChosenBackend& backend);

/// Runs of every scheme: layouts and backends against each other, ranks against one, energy, a resonance, speed.
/// `other`: the CPU backend in addition to a GPU.
void check_marches(SelfTestTable& table, const ChosenBackend& backend, const ChosenBackend* other);

}  // namespace tetrawave::app

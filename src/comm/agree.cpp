// One failure, the same on all ranks.
#include <exception>
#include <new>

#include "base/error.hpp"
#include "comm/communicator.hpp"

namespace tetrawave::comm {

namespace {

enum class Kind : int { none, user, internal };

/// The outcome of `work` on one rank.
struct Outcome {
  Kind kind = Kind::none;
  ExitCode code = ExitCode::done;
  std::string text;
};

Outcome run(const std::function<void()>& work, int rank) {
  try {
    work();
    return {};
  } catch (const UserError& error) {
    return {Kind::user, error.code(), error.what()};
  } catch (const std::bad_alloc&) {
    return {Kind::user, ExitCode::out_of_memory,
            tetrawave::format("out of host memory on rank {}: use a smaller mesh, or more hosts", rank)};
  } catch (const std::exception& error) {
    return {Kind::internal, ExitCode::internal, error.what()};
  } catch (...) {
    return {Kind::internal, ExitCode::internal, "an exception of unknown type"};
  }
}

}  // namespace

void Communicator::agree(const std::function<void()>& work) const {
  Outcome outcome = run(work, rank_);
  const auto none = static_cast<std::int64_t>(size_);
  const std::int64_t first = min(outcome.kind == Kind::none ? none : static_cast<std::int64_t>(rank_));
  if (first == none) return;
  const int root = static_cast<int>(first);
  std::vector<int> numbers{static_cast<int>(outcome.kind), static_cast<int>(outcome.code)};
  broadcast(numbers, root);
  broadcast(outcome.text, root);
  if (static_cast<Kind>(numbers[0]) == Kind::user) throw UserError(static_cast<ExitCode>(numbers[1]), outcome.text);
  throw InternalError(outcome.text);
}

}  // namespace tetrawave::comm

#include "app/selftest/selftest.hpp"

#include <chrono>
#include <cstdio>

#include "app/binding.hpp"
#include "app/commands.hpp"
#include "app/version.hpp"

namespace tetrawave::app {

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

SelfTestTable::SelfTestTable(const comm::Communicator& ranks) : ranks_(ranks), begin_s_(seconds_now()) {
  print("check", "result", "found");
}

void SelfTestTable::print(const std::string& name, const char* result, const std::string& text) const {
  if (ranks_.rank() != 0) return;
  std::printf("%-26s %-7s %s\n", name.c_str(), result, text.c_str());
  std::fflush(stdout);
}

void SelfTestTable::note(const std::string& name, const std::string& text) { print(name, "-", text); }

void SelfTestTable::check(const std::string& name, const std::function<std::string()>& work) {
  try {
    const std::string text = work();
    ++passed_;
    print(name, "ok", text);
  } catch (const UserError& error) {
    ++failed_;
    if (!first_failure_) first_failure_.emplace(error.code(), tetrawave::format("{}: {}", name, error.what()));
    print(name, "FAILED", error.what());
  } catch (const InternalError& error) {
    ++failed_;
    if (!first_failure_) first_failure_.emplace(ExitCode::internal, tetrawave::format("{}: {}", name, error.what()));
    print(name, "FAILED", error.what());
  }
}

void SelfTestTable::close() const {
  if (ranks_.rank() == 0)
    std::printf("%d checks passed, %d failed, in %.1f s\n", passed_, failed_, seconds_now() - begin_s_);
  std::fflush(stdout);
  if (first_failure_) throw UserError(first_failure_->code(), "selftest: " + std::string(first_failure_->what()));
}

void run_selftest(const CommandLine& line, const comm::Communicator& ranks) {
  ChosenBackend backend = choose_backend(line.backend, ranks);
  bind_ranks(backend, {line.allow_oversubscribe, line.transport}, ranks);
  if (ranks.rank() == 0) std::printf("tetrawave %s (%s)\n", version_text().c_str(), git_revision().c_str());
  SelfTestTable table(ranks);
  check_machine(table, backend);
  if (backend.name == "cpu") {
    check_marches(table, backend, nullptr);
  } else {
    const ChosenBackend cpu = choose_backend(BackendChoice::cpu, ranks);
    check_marches(table, backend, &cpu);
  }
  table.close();
}

}  // namespace tetrawave::app

#include "base/log.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "base/error.hpp"
#include "base/log_lines.hpp"
#include "base/text/printable.hpp"

namespace tetrawave::log {

namespace {

std::atomic<bool> line_is_shown = false;

std::mutex warnings_lock;
std::atomic<bool> warnings_are_kept = false;
std::vector<std::string> warnings_so_far;

void write(spdlog::level::level_enum level, const char* subject, std::string_view text) {
  end_line();
  spdlog::log(level, "{}{}", subject, printable(text));
}

}  // namespace

void start(Verbosity verbosity, bool is_root) {
  auto logger = std::make_shared<spdlog::logger>("tetrawave");
  auto terminal = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  terminal->set_pattern("%v");
  const auto of_root = verbosity == Verbosity::normal ? spdlog::level::info : spdlog::level::warn;
  terminal->set_level(is_root ? of_root : spdlog::level::err);
  logger->sinks().push_back(terminal);
  logger->set_level(spdlog::level::info);
  logger->flush_on(spdlog::level::warn);
  spdlog::set_default_logger(logger);
}

void to_file(const std::filesystem::path& path) {
  try {
    auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string(), false);
    file->set_pattern("%Y-%m-%d %H:%M:%S %L %v");
    spdlog::default_logger()->sinks().push_back(file);
    spdlog::default_logger()->flush_on(spdlog::level::info);
  } catch (const spdlog::spdlog_ex& failure) {
    fail(ExitCode::io, "cannot write the log {}: {}", path.string(), failure.what());
  }
}

std::size_t file_count() { return spdlog::default_logger()->sinks().size() - 1; }

void leave_files(std::size_t count) {
  auto& sinks = spdlog::default_logger()->sinks();
  sinks.resize(std::min(sinks.size(), count + 1));  // the terminal comes first
}

void keep_warnings() { warnings_are_kept = true; }

std::vector<std::string> kept_warnings() {
  const std::lock_guard lock(warnings_lock);
  return warnings_so_far;
}

void write_info(std::string_view text) { write(spdlog::level::info, "", text); }
void write_warning(std::string_view text) {
  if (warnings_are_kept) {
    const std::lock_guard lock(warnings_lock);
    warnings_so_far.emplace_back(text);
  }
  write(spdlog::level::warn, "warning: ", text);
}
void write_error(std::string_view text) { write(spdlog::level::err, "", text); }

void show_line(std::string_view text) {
  std::fprintf(stderr, "\r\033[K%s", std::string(text).c_str());
  std::fflush(stderr);
  line_is_shown = true;
}

void end_line() {
  if (line_is_shown.exchange(false)) std::fputc('\n', stderr);
}

}  // namespace tetrawave::log

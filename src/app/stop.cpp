#include "app/stop.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <string_view>

#include "base/error.hpp"

namespace tetrawave::app {

namespace {

struct Signal {
  int number;
  const char* name;
};
constexpr std::array<Signal, 3> signals{{{SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"}, {SIGUSR1, "SIGUSR1"}}};

/// The first signal received; a signal handler can access only global variables.
volatile std::sig_atomic_t caught = 0;
volatile std::sig_atomic_t asks_no_more = 0;

constexpr unsigned patience_s = 30;

/// Immediately, or when its handler returns.
void end_by(int number) {
  std::signal(number, SIG_DFL);
  std::raise(number);
}

extern "C" void catch_signal(int number) {
  if (caught != 0) return end_by(number);
  caught = number;
  if (asks_no_more != 0) alarm(patience_s);
}

extern "C" void lose_patience(int) { end_by(caught); }

void install(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const Signal& signal : signals) sigaction(signal.number, &action, nullptr);
}

[[noreturn]] void refuse(const std::string& text) {
  fail(ExitCode::usage, "tetrawave: error: --max-wall: '{}' is not a time: write 23h50m, 10 min, 90s or 1:30:00", text);
}

/// Parses a whole number at the front of the text; -1 if there is none.
long take_number(std::string_view& rest) {
  long value = -1;
  const auto [stop, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (failure != std::errc() || value < 0 || value > 100000000) return -1;
  rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
  return value;
}

/// Parses a decimal number at the front of the text; -1 if there is none.
double take_decimal(std::string_view& rest) {
  double value = -1;
  const auto [stop, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), value, std::chars_format::fixed);
  if (failure != std::errc() || !(value >= 0 && value <= 1e8)) return -1;
  rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
  return value;
}

void skip_blanks(std::string_view& rest) { rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size())); }

/// "23h50m", "1.5 h", "10 min": units in descending order, each at most once. -1 for other texts.
double parse_units(std::string_view rest) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr std::array<Unit, 5> units{{{"d", 86400}, {"h", 3600}, {"min", 60}, {"m", 60}, {"s", 1}}};
  double total = 0, last_s = 1e9;
  while (!rest.empty()) {
    const double value = take_decimal(rest);
    skip_blanks(rest);
    const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& candidate) {
      return rest.substr(0, candidate.name.size()) == candidate.name;
    });
    if (value < 0 || unit == units.end() || unit->seconds >= last_s) return -1;
    total += value * unit->seconds;
    last_s = unit->seconds;
    rest.remove_prefix(unit->name.size());
    skip_blanks(rest);
  }
  return total;
}

/// "1:30:00": hours, minutes, seconds. -1 for other texts.
double parse_clock(std::string_view rest) {
  double total = 0;
  for (int field = 0; field < 3; ++field) {
    const long value = take_number(rest);
    if (value < 0 || (field > 0 && value > 59)) return -1;
    total = 60 * total + static_cast<double>(value);
    if (field == 2) break;
    if (rest.empty() || rest.front() != ':') return -1;
    rest.remove_prefix(1);
  }
  return rest.empty() ? total : -1;
}

}  // namespace

double parse_wall_time(const std::string& text) {
  const double seconds = text.find(':') == std::string::npos ? parse_units(text) : parse_clock(text);
  if (seconds <= 0) refuse(text);
  return seconds;
}

StopRequest::StopRequest(std::optional<double> max_wall_s) {
  if (max_wall_s)
    end_ = std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(*max_wall_s));
  caught = 0;
  asks_no_more = 0;
}

StopRequest::~StopRequest() {
  alarm(0);
  install(SIG_DFL);
}

void StopRequest::listen() { install(catch_signal); }

void StopRequest::finish() {
  std::signal(SIGALRM, lose_patience);
  asks_no_more = 1;
  if (caught != 0) alarm(patience_s);
}

std::string StopRequest::reason() const {
  for (const Signal& signal : signals)
    if (caught == signal.number) return signal.name;
  if (end_ && std::chrono::steady_clock::now() >= *end_) return "--max-wall";
  return "";
}

}  // namespace tetrawave::app

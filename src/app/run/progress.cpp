#include "app/run/progress.hpp"

#include <unistd.h>

#include <cmath>
#include <string>

#include "base/log.hpp"
#include "base/log_lines.hpp"
#include "base/text/format.hpp"

namespace tetrawave::app {

namespace {

std::string line_of(const modes::Progress& p) {
  const std::string energy =
      std::isfinite(p.energy_db) ? tetrawave::format("{:.1f} dB", p.energy_db) : std::string("none");
  const auto left = static_cast<long>(std::ceil(p.seconds_left));
  const std::string kerr =
      p.kerr ? tetrawave::format("  {:.3g} iterations, at most {:.0f}, eps_r up to {:.4g}", p.kerr->mean_iterations,
                                 p.kerr->most_iterations, p.kerr->largest_eps_r)
             : std::string();
  return tetrawave::format("{}step {}/{}  t {:.4g} s  energy {}{}  {:.3g} dof-updates/s  {}:{:02}:{:02} left",
                           p.march.empty() ? "" : p.march + ": ", p.step, p.steps, p.time_s, energy, kerr,
                           p.updates_per_second, left / 3600, left / 60 % 60, left % 60);
}

}  // namespace

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), last_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() { log::end_line(); }

void ProgressLine::show(const modes::Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  const bool last = progress.step == progress.steps;
  const auto pause = std::chrono::milliseconds(terminal_ ? 200 : 5000);
  if (quiet_ || (!last && now - last_ < pause)) return;
  last_ = now;
  if (!terminal_) {
    log::info("{}", line_of(progress));
    return;
  }
  log::show_line(line_of(progress));
  if (last) log::end_line();
}

}  // namespace tetrawave::app

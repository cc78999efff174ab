#include "app/standard_output.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/error.hpp"
#include "base/text/printable.hpp"

namespace tetrawave::app {

void print(const std::string& text) { std::fputs(printable(text).c_str(), stdout); }

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void finish_output() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return;
  const int code = errno;
  fail(ExitCode::io, "cannot write to stdout{}", code == 0 ? "" : ": " + std::generic_category().message(code));
}

}  // namespace tetrawave::app

#include "case/error_list.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tetrawave {

void ErrorList::collect(const std::function<void()>& check) {
  try {
    check();
  } catch (const UserError& error) {
    if (error.code() != ExitCode::bad_case) throw;
    text_ += (text_.empty() ? "" : "\n") + std::string(error.what());
  }
}

void ErrorList::throw_if_any() const {
  if (text_.empty()) return;
  constexpr std::ptrdiff_t most = 20;
  std::size_t end = 0;
  for (std::ptrdiff_t line = 0; line < most && end != std::string::npos; ++line) end = text_.find('\n', end + 1);
  if (end == std::string::npos) throw UserError(ExitCode::bad_case, text_);
  const auto left = std::count(text_.begin() + static_cast<std::ptrdiff_t>(end), text_.end(), '\n');
  fail(ExitCode::bad_case, "{}\n{} more errors are not shown", text_.substr(0, end), left);
}

}  // namespace tetrawave

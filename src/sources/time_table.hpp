// A function of time given as two columns of a text file.
#pragma once

#include <filesystem>
#include <vector>

namespace tetrawave {

/// Linear between its rows, 0 outside them.
class TimeTable {
 public:
  /// Reads rows "TIME VALUE" (s, dimensionless), separated by blanks, a comma or a semicolon; '#' starts a comment;
  /// times ascend. Throws UserError: missing_input if the file cannot be read, bad_case "FILE:LINE: error: ..." for its
  /// contents.
  [[nodiscard]] static TimeTable read(const std::filesystem::path& file);

  [[nodiscard]] double operator()(double t_s) const;
  [[nodiscard]] double end_s() const { return time_s_.back(); }

 private:
  std::vector<double> time_s_;
  std::vector<double> value_;
};

}  // namespace tetrawave

#include "sources/time_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace tetrawave {

namespace {

constexpr std::string_view separators = " \t\r,;";

std::vector<std::string_view> split(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(separators);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(separators), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

// Reads the rows of one file; errors name line and column.
class TableReader {
 public:
  explicit TableReader(const std::filesystem::path& file) : name_(file.string()) {}

  void add(std::string_view line, std::vector<double>& times, std::vector<double>& values) {
    ++line_;
    text_ = line;
    const auto words = split(line);
    if (words.empty()) return;
    if (words.size() != 2)
      refuse(words.back(), tetrawave::format("two columns (time in s, value) are needed, found {}", words.size()));
    const double time = number(words[0]);
    if (!times.empty() && time <= times.back())
      refuse(words[0], tetrawave::format("the time {} is not above the one before, {}", time, times.back()));
    times.push_back(time);
    values.push_back(number(words[1]));
  }

  /// The file as a whole.
  [[noreturn]] void refuse(const std::string& what) const { refuse({}, what); }

 private:
  /// A word of the present line.
  [[noreturn]] void refuse(std::string_view word, const std::string& what) const {
    const auto column = word.empty() ? 1 : word.data() - text_.data() + 1;
    fail(ExitCode::bad_case, "{}:{}:{}: error: {}", name_, std::max(line_, 1), column, what);
  }

  [[nodiscard]] double number(std::string_view word) const {
    std::string_view digits = word;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
      refuse(word, tetrawave::format("'{}' is not a finite number", word.substr(0, 60)));
    return value;
  }

  std::string name_;
  std::string_view text_;  ///< of the present line
  int line_ = 0;
};

}  // namespace

TimeTable TimeTable::read(const std::filesystem::path& file) {
  std::error_code ignored;
  const bool regular = std::filesystem::is_regular_file(file, ignored);  // a pipe would wait, a device has no end
  std::ifstream stream;
  if (regular) stream.open(file);
  if (!regular || !stream)
    fail(ExitCode::missing_input, "{}: error: the waveform's table cannot be read", file.string());
  TimeTable table;
  TableReader reader(file);
  for (std::string line; std::getline(stream, line);) reader.add(line, table.time_s_, table.value_);
  if (table.time_s_.size() < 2)
    reader.refuse(tetrawave::format("a table needs at least two rows, found {}", table.time_s_.size()));
  return table;
}

double TimeTable::operator()(double t_s) const {
  if (!(t_s >= time_s_.front() && t_s <= time_s_.back())) return 0;
  const auto above = std::upper_bound(time_s_.begin(), time_s_.end(), t_s);
  if (above == time_s_.end()) return value_.back();
  const auto right = static_cast<std::size_t>(above - time_s_.begin());
  const double share = (t_s - time_s_[right - 1]) / (time_s_[right] - time_s_[right - 1]);
  return (1 - share) * value_[right - 1] + share * value_[right];
}

}  // namespace tetrawave

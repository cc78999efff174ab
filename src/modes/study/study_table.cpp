#include "modes/study/study_table.hpp"

#include <cmath>

#include "base/error.hpp"

namespace tetrawave::modes {

namespace {

std::string text_of(const StudyTable::Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell))
    return std::isnan(*number) ? "" : tetrawave::format("{}", *number);
  const auto& text = std::get<std::string>(cell);
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

void StudyTable::add_row(const std::vector<Item>& row) {
  if (columns_.empty())
    for (const Item& item : row) columns_.push_back({item.column, item.units, {}});
  ensure(row.size() == columns_.size(), "every row has all columns");
  for (std::size_t i = 0; i < row.size(); ++i) {
    ensure(row[i].column == columns_[i].name, "every row has the columns in the same order");
    columns_[i].cells.push_back(row[i].value);
    if (columns_[i].units.empty()) columns_[i].units = row[i].units;
  }
}

std::string StudyTable::csv() const {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i) text += (i == 0 ? "" : ",") + text_of(columns_[i].name);
  text += "\n";
  const std::size_t rows = columns_.empty() ? 0 : columns_.front().cells.size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) text += (i == 0 ? "" : ",") + text_of(columns_[i].cells[row]);
    text += "\n";
  }
  return text;
}

void StudyTable::write(const store::File& file, const std::string& group) const {
  file.create_group(group);
  for (const Column& column : columns_) {
    const std::string path = group + "/" + column.name;
    std::vector<double> numbers;
    std::vector<std::string> texts;
    for (const Cell& cell : column.cells) {
      if (const auto* number = std::get_if<double>(&cell))
        numbers.push_back(*number);
      else
        texts.push_back(std::get<std::string>(cell));
    }
    if (texts.empty())
      file.write(path, numbers, column.units);
    else
      file.write(path, texts);
  }
}

}  // namespace tetrawave::modes

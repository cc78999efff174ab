// A table with named columns of texts and numbers, as CSV and HDF5.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "store/hdf5.hpp"

namespace tetrawave::modes {

class StudyTable {
 public:
  using Cell = std::variant<double, std::string>;
  struct Item {
    std::string column;
    Cell value;
    std::string units{};
  };

  /// All rows have the columns of the first, in its order. The row of a failed run need not have the units.
  void add_row(const std::vector<Item>& row);

  /// A line of names, then a line for every row; numbers in their shortest form, "" for missing ones (NaN).
  [[nodiscard]] std::string csv() const;

  /// GROUP/COLUMN for every column, with its units.
  void write(const store::File& file, const std::string& group) const;

 private:
  struct Column {
    std::string name;
    std::string units;
    std::vector<Cell> cells;
  };
  std::vector<Column> columns_;
};

}  // namespace tetrawave::modes

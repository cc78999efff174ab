// Numbers with units: "20 GHz", "1.5 mm", or bare numbers in SI (lengths: in the unit of the case).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "case/schema/schema.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

/// Interpretation of a text: its value in SI and its canonical text, or the reason why it has none.
struct Quantity {
  double si = 0;
  std::string text;  ///< as written, number in its shortest form: "20 GHz", "0.5"
  bool has_unit = false;
  std::string fault;  ///< empty: valid; else the error with the value found and the values allowed
};

class UnitTable {
 public:
  /// `units` by dimension, from the schema; `length_unit`: of bare numbers that are lengths.
  UnitTable(std::vector<std::pair<std::string, Units>> units, std::string length_unit);

  /// Reads a scalar as a quantity of `dimension`. Powers of ten are exact: "0.2 ps" is the double nearest to 2e-13.
  [[nodiscard]] Quantity read(const Node& scalar, const std::string& dimension) const;

  /// "a length (bare numbers in mm; units m, cm, mm, um, nm, inch, mil)", for messages.
  [[nodiscard]] std::string expectation(const std::string& dimension) const;

  /// Value of the case's unit of length in metres.
  [[nodiscard]] double length_unit_m() const;

 private:
  [[nodiscard]] const Units& units_of(const std::string& dimension) const;
  [[nodiscard]] std::string unit_fault(const std::string& unit, const std::string& dimension) const;

  std::vector<std::pair<std::string, Units>> units_;
  std::string length_unit_;
};

}  // namespace tetrawave

// Collects the errors of a case, so that one run reports them all.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "case/yaml/node.hpp"

namespace tetrawave {

class Errors {
 public:
  /// `file`: the case file as the user typed it; `override_paths`: the dotted paths of the --set options.
  Errors(std::string file, std::vector<std::string> override_paths);

  void add(const Spot& spot, std::string text, ExitCode code = ExitCode::bad_case);

  [[nodiscard]] bool empty() const { return errors_.empty(); }

  /// "FILE:LINE:COLUMN", or "--set a.b.c".
  [[nodiscard]] std::string place(const Spot& spot) const;

  /// Throws one UserError, a line per error in file order and then by --set, at most 20 of them. Its code is 64 if the
  /// path of a --set is bad, else 66 if files are missing and nothing else is wrong, else 78.
  void throw_if_any() const;

 private:
  struct Item {
    Spot spot;
    std::string text;
    ExitCode code;
  };
  std::string file_;
  std::vector<std::string> override_paths_;
  std::vector<Item> errors_;
};

}  // namespace tetrawave

#include <filesystem>
#include <string_view>
#include <system_error>

#include "app/commands.hpp"
#include "app/help/case_kinds.hpp"
#include "app/standard_output.hpp"
#include "base/error.hpp"
#include "base/text/suggest.hpp"
#include "case_schema.hpp"
#include "case_templates.hpp"
#include "store/atomic_file.hpp"

namespace tetrawave::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* schema_name = "case.schema.json";

const CaseTemplate& template_named(const std::string& kind) {
  for (const CaseTemplate& known : case_templates)
    if (known.kind == kind) return known;
  std::vector<std::string> kinds;
  for (const CaseTemplate& known : case_templates) kinds.emplace_back(known.kind);
  fail(ExitCode::usage, "tetrawave: error: new: unknown kind '{}'{}; allowed: {}", kind, did_you_mean(kind, kinds),
       case_kinds(", "));
}

void refuse_existing(const fs::path& file) {
  std::error_code ignored;
  if (fs::exists(file, ignored))
    fail(ExitCode::usage, "tetrawave: error: {} already exists: give another name with -o, or remove it",
         file.string());
}

std::string with_geometry(std::string text, std::string_view from, const std::string& to) {
  const std::size_t at = text.find(from);
  ensure(at != std::string::npos, "a template names its geometry");
  return text.replace(at, from.size(), to);
}

void write_files(const CommandLine& line) {
  const CaseTemplate& chosen = template_named(line.kind);
  const fs::path file = line.output.value_or(line.kind + ".yaml");
  if (file.extension() != ".yaml")
    fail(ExitCode::usage, "tetrawave: error: the name of a case must end in .yaml, found '{}'", file.string());
  if (const fs::path folder = file.parent_path(); !folder.empty() && !fs::is_directory(folder))
    fail(ExitCode::missing_input, "tetrawave: error: {} is not a folder: create it first", folder.string());
  const fs::path geometry = fs::path(file).replace_extension(".geo");
  refuse_existing(file);
  if (!chosen.geometry.empty()) refuse_existing(geometry);
  std::string text(chosen.text);
  if (!chosen.geometry.empty()) {
    text = with_geometry(text, chosen.geometry_name, geometry.filename().string());
    store::write_text_atomically(geometry, chosen.geometry);
  }
  store::write_text_atomically(file.parent_path() / schema_name, case_schema_text);
  store::write_text_atomically(file, "# yaml-language-server: $schema=" + std::string(schema_name) + "\n" + text);
  print(tetrawave::format("{}: edit it, then 'tetrawave check {}' and 'tetrawave run {}'\n", file.string(),
                          file.string(), file.string()));
}

}  // namespace

void write_new_case(const CommandLine& line, const comm::Communicator& ranks) {
  ranks.agree([&] {
    if (ranks.rank() == 0) write_files(line);
  });
}

}  // namespace tetrawave::app

#include "case/read_case.hpp"

#include <case_schema.hpp>
#include <fstream>
#include <system_error>

#include "base/error.hpp"
#include "case/build/build_case.hpp"
#include "case/build/build_frequency.hpp"
#include "case/check/check_case.hpp"
#include "case/check/refusals.hpp"
#include "case/identity.hpp"
#include "case/schema/quantity.hpp"
#include "case/schema/resolve.hpp"
#include "case/schema/schema.hpp"
#include "case/yaml/dump.hpp"
#include "case/yaml/errors.hpp"
#include "case/yaml/overrides.hpp"
#include "case/yaml/parse_yaml.hpp"

namespace tetrawave {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_case_bytes = std::size_t{1} << 20;

std::string read_text(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) fail(ExitCode::missing_input, "{}: error: no such file", file.string());
  if (fs::is_directory(file, error)) {
    fail(ExitCode::missing_input, "{}: error: a directory was found, a case file is expected", file.string());
  }
  if (!fs::is_regular_file(file, error)) {
    fail(ExitCode::missing_input, "{}: error: a pipe or a device was found, a case file is expected", file.string());
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text(largest_case_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (stream.bad() || (text.empty() && !stream.eof())) {
    fail(ExitCode::missing_input, "{}: error: the file cannot be read; check its permissions", file.string());
  }
  if (text.size() > largest_case_bytes) {
    fail(ExitCode::bad_case, "{}: error: the file is larger than 1 MiB; a case is a few pages of text", file.string());
  }
  return text;
}

// The unit of length is needed before anything else; an invalid one is reported with the other errors and replaced by
// metres here.
std::string length_unit(const Node& root, const SchemaDocument& schema) {
  const Schema& units = *schema.root().property("units");
  const Node* given = root.find("units");
  for (const std::string& name : units.values) {
    if (given != nullptr && given->text == name) return name;
  }
  return units.default_value->text;
}

/// A mesh given by --set replaces the case's geometry, including its parameters.
void leave_out_geometry_keys(Node& resolved) {
  for (const auto& [section, key] : {std::pair{"mesh", "file"}, std::pair{"array", "unit_cells"}}) {
    Node* given = resolved.find(section);
    const Node* file = given == nullptr ? nullptr : given->find(key);
    if (file == nullptr || file->invalid || file->spot.override_index < 0) continue;
    if (const auto ending = fs::path(file->text).extension(); ending != ".h5" && ending != ".msh") continue;
    if (Node* parameters = given->find("parameters"); parameters != nullptr && parameters->spot.override_index < 0)
      parameters->children.clear();
    std::erase_if(given->children, [](const Node& child) {  // of an array it is how many cells there are
      return child.key == "size" && child.kind == Node::Kind::scalar && child.key_spot.override_index < 0;
    });
  }
}

const SchemaDocument& schema() {
  static const SchemaDocument document(case_schema_text);
  return document;
}

struct ResolvedCase {
  Node root;
  UnitTable units;
};

/// Parses, resolves and checks a text; reports to `errors`, and throws them where nothing can be resolved.
ResolvedCase resolve_case(const std::string& case_text, const std::vector<std::string>& overrides,
                          const fs::path& directory, Errors& errors) {
  Node root = parse_yaml(case_text, -1, errors);
  if (root.invalid || root.kind == Node::Kind::null) errors.throw_if_any();
  root.spot = root.key_spot = Spot{};
  apply_overrides(root, overrides, errors);
  ResolvedCase result{{}, UnitTable(schema().units(), length_unit(root, schema()))};
  result.root = resolve(root, schema().root(), {result.units, directory, errors});
  leave_out_geometry_keys(result.root);
  check_case(result.root, errors);
  return result;
}

}  // namespace

Case read_case(const fs::path& file_as_typed, const std::vector<std::string>& overrides) {
  Errors errors(file_as_typed.string(), override_paths(overrides));
  const std::string case_text = read_text(file_as_typed);
  const fs::path file = fs::absolute(file_as_typed).lexically_normal();
  auto [resolved, units] = resolve_case(case_text, overrides, file.parent_path(), errors);
  errors.throw_if_any();

  fill_computed_defaults(resolved);
  Case result = build_case(resolved, units.length_unit_m(), errors);
  result.file = file;
  result.identity = list_identity(resolved);
  leave_out_refused_defaults(resolved);
  leave_out_unused_defaults(resolved);
  result.resolved_yaml = dump_yaml(resolved);
  return result;
}

std::string first_fault(const std::string& case_text, const std::vector<std::string>& overrides) {
  Errors errors("case", override_paths(overrides));
  try {
    (void)resolve_case(case_text, overrides, {}, errors);
    errors.throw_if_any();
  } catch (const UserError& error) {
    if (error.code() == ExitCode::missing_input) return "";
    const std::string text = error.what();
    const std::string mark = ": error: ";
    const std::size_t start = text.find(mark) + mark.size();
    return text.substr(start, text.find('\n') - start);
  }
  return "";
}

std::vector<std::string> values_of(const std::vector<std::string>& path) {
  const Schema* at = &schema().root();
  for (const std::string& key : path) at = at->property(key);
  return at->values;
}

Quantity read_quantity(const std::string& text, const std::string& dimension) {
  return UnitTable(schema().units(), "m").read(make_scalar(text, false, {}), dimension);
}

}  // namespace tetrawave

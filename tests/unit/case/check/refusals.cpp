// Combinations that are refused, as data.
#include "case/check/refusals.hpp"

#include <case_schema.hpp>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/identity.hpp"
#include "case/read_case.hpp"
#include "case/schema/schema.hpp"
#include "case/support.hpp"
#include "catch.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;

namespace {

/// Whether the schema knows a path of a refusal.
bool is_known(const Schema& schema, std::string_view path) {
  if (path.empty()) return true;
  for (const Schema* branch : schema.branches)
    if (is_known(*branch, path)) return true;
  const std::string_view names = path.substr(0, path.find('.'));
  const std::string_view rest = path.substr(std::min(names.size() + 1, path.size()));
  if (schema.items != nullptr && (names == "*" || names == "0" || names == "1")) return is_known(*schema.items, rest);
  if (schema.other_properties != nullptr && names == "*") return is_known(*schema.other_properties, rest);
  for (std::size_t from = 0; from <= names.size();) {
    const std::size_t end = std::min(names.find('|', from), names.size());
    const Schema* next = schema.property(names.substr(from, end - from));
    if (next == nullptr || !is_known(*next, rest)) return false;
    from = end + 1;
  }
  return true;
}

const std::string base =
    "mesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}\nmaterials: {a: {}, b: {}}\nregions: {box: a}\n"
    "time: {steps: 1}\n";

}  // namespace

TEST_CASE("every key of a refusal is one of the schema") {
  const SchemaDocument schema(case_schema_text);
  for (const Refusal& refusal : refusals()) {
    INFO(describe(refusal));
    CHECK(is_known(schema.root(), refusal.first.path));
    for (const Setting& setting : refusal.with) CHECK(is_known(schema.root(), setting.path));
    const std::string_view text = refusal.text;
    for (std::size_t open = 0; (open = text.find('{', open)) != std::string_view::npos; ++open) {
      const std::string_view name = text.substr(open + 1, text.find('}', open) - open - 1);
      CHECK((name == "*" || name == "path" || name == "value" || is_known(schema.root(), name)));
    }
  }
  CHECK_FALSE(is_known(schema.root(), "method.shceme"));
  CHECK_FALSE(is_known(schema.root(), "materials.*.kerr.chi3|n3"));
}

TEST_CASE("settings of a refusal are those of one material") {
  const std::vector<std::string> kerr{"materials.a.kerr.chi3=1e-18"};
  CHECK(first_fault(base, kerr).empty());
  CHECK(first_fault(base, {kerr[0], "materials.b.eps_r=[1, 2, 3]"}).empty());
  CHECK(first_fault(base, {kerr[0], "materials.a.eps_r=[1, 2, 3]"}) ==
        "materials.a.kerr: a Kerr medium has one eps_r and one mu_r for all axes");
  CHECK(first_fault(base, {"materials.b.kerr.n2=1e-20", "method.scheme=dfdd-eld"}) ==
        "materials.b.kerr: a Kerr medium needs method.scheme: dgtd-central");
  CHECK(first_fault(base, {"materials.b.kerr.n2=0", "method.scheme=dfdd-eld"}).empty());
}

TEST_CASE("a key that is missing is none of the values") {
  const std::string harmonic =
      "mode: frequency-domain\nmesh: {box: {size: [1, 1, 1], cells: [2, 2, 2]}}\nmaterials: {a: {}}\nregions: {box: "
      "a}\n"
      "frequency: {values: [1 GHz]}\nsources: [{type: dipole, position: [0, 0, 0], direction: [0, 0, 1]}]\n";
  CHECK(first_fault(harmonic, {}).empty());
  CHECK(first_fault(harmonic, {"solver.ranks=system", "solver.method=gmres"}).empty());
  CHECK(first_fault(harmonic, {"solver.method=gmres"}) ==
        "solver.method: 'gmres' is for systems divided among ranks: mode frequency-domain with solver.ranks: system");
}

TEST_CASE("the case as run can be run again, without new warnings and as it is") {
  const tetrawave_tests::TemporaryDirectory folder;
  const auto read = [&](const std::string& text, const std::vector<std::string>& settings) {
    std::ofstream(folder / "case.yaml") << text;
    return read_case(folder / "case.yaml", settings);
  };
  std::ofstream(folder / "mesh.h5");
  std::size_t count = 0;
  for (const SupportRow& row : support_table().rows)
    for (const SupportCell& cell : row.cells) {
      if (cell.case_text.empty() || !cell.why_not.empty()) continue;
      INFO(row.feature << "\n" << cell.case_text);
      std::string text = cell.case_text;
      try {
        const Case first = read(text, cell.settings);
        text = first.resolved_yaml;
        const Case again = read(text, {});
        CHECK(compare_identities(first.identity, again.identity) == std::vector<std::string>{});
        CHECK(again.solver.idle_keys == first.solver.idle_keys);
        ++count;
      } catch (const UserError& error) {
        INFO(error.what());
        CHECK((error.code() == ExitCode::missing_input && text == cell.case_text));
      }
    }
  CHECK(count > 300);
}

TEST_CASE("the matrix has every space, scheme and layout, and a reason for each cell that is refused") {
  const SupportTable table = support_table();
  std::set<std::string> features;
  for (const SupportRow& row : table.rows) {
    features.insert(row.feature);
    CHECK(row.cells.size() == table.methods.size());
    CHECK((row.group == "machine" || !row.cells.front().case_text.empty()));
  }
  for (const std::string& space : values_of({"method", "basis"})) CHECK(features.count(space) == 1);
  const std::set<std::string> methods(table.methods.begin(), table.methods.end());
  for (const auto& [scheme, name] : scheme_names()) {
    (void)name;
    CHECK(methods.count(scheme) == 1);
    CHECK(methods.count(scheme + " stored") == 1);
  }
}

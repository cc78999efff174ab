#include "case/schema/quantity.hpp"

#include <case_schema.hpp>

#include "base/error.hpp"
#include "case/read_case.hpp"
#include "case/schema/resolve.hpp"
#include "catch.hpp"
#include "failure.hpp"

using namespace tetrawave;
using tetrawave_tests::ContainsSubstring;

TEST_CASE("powers of ten of units are exact: the double nearest to the number as written") {
  CHECK(read_quantity("0.2 ps", "time").si == 0.2e-12);
  CHECK(read_quantity("1.1 GHz", "frequency").si == 1.1e9);
  CHECK(read_quantity("0.3 um", "length").si == 0.3e-6);
  CHECK(read_quantity("1 inch", "length").si == 0.0254);
  CHECK(read_quantity("1 mil", "length").si == 0.0254e-3);
}

TEST_CASE("the text of a quantity is its shortest form with the unit as written") {
  CHECK(read_quantity("20.0 GHz", "frequency").text == "20 GHz");
  CHECK(read_quantity("0.50", "length").text == "0.5");
  CHECK_FALSE(read_quantity("0.50", "length").has_unit);
}

TEST_CASE("a unit of another dimension is refused with those that are allowed") {
  const Quantity quantity = read_quantity("3 GHz", "length");
  CHECK_THAT(quantity.fault, ContainsSubstring("GHz"));
  CHECK_THAT(quantity.fault, ContainsSubstring("mm"));
  CHECK(read_quantity("3 mm", "length").fault.empty());
}

TEST_CASE("bare lengths are in the unit of the case") {
  const SchemaDocument schema(case_schema_text);
  const UnitTable table(schema.units(), "mm");
  CHECK(table.length_unit_m() == 1e-3);
  CHECK(table.read(make_scalar("2.5", false, {}), "length").si == 2.5e-3);
  CHECK(table.read(make_scalar("2.5 cm", false, {}), "length").si == 2.5e-2);
  CHECK_THAT(table.expectation("length"), ContainsSubstring("bare numbers in mm"));
}

TEST_CASE("names are letters, digits, '.', '_' and '-', and do not begin with '.' or '-'") {
  for (const char* name : {"a", "port_1", "p.3.12", "A-b", "0"}) CHECK(is_name(name));
  for (const char* text : {"", ".a", "-a", "a b", "a/b", "\xc3\xa4"}) CHECK_FALSE(is_name(text));
  CHECK(is_name(std::string(128, 'x')));
  CHECK_FALSE(is_name(std::string(129, 'x')));
}

TEST_CASE("a keyword that the reader of schemas does not know is an error of the program") {
  CHECK_THROWS_AS(SchemaDocument(R"({"type": "object", "patternProperties": {}})"), InternalError);
}

TEST_CASE("every key of the schema describes itself or can be anything") {
  const SchemaDocument schema(case_schema_text);
  const auto names = schema.root().property_names();
  CHECK(names.size() > 10);
  for (const std::string& name : names) CHECK(schema.root().property(name) != nullptr);
  CHECK(schema.root().property("no_such_key") == nullptr);
}

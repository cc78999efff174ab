// The small parts of the reader: numbers, units, names, text.
#include <case_schema.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/error.hpp"
#include "base/text/suggest.hpp"
#include "case/schema/quantity.hpp"
#include "case/schema/resolve.hpp"
#include "case/schema/schema.hpp"
#include "case/yaml/number.hpp"
#include "case/yaml/plain_text.hpp"
#include "catch.hpp"

using namespace tetrawave;
using tetrawave_tests::ContainsSubstring;

namespace {

Quantity read(const std::string& text, const std::string& dimension, bool quoted = false) {
  const SchemaDocument schema(case_schema_text);
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = text;
  node.quoted = quoted;
  return UnitTable(schema.units(), "mm").read(node, dimension);
}

}  // namespace

TEST_CASE("numbers are plain finite decimals") {
  CHECK(parse_number("0") == 0.0);
  CHECK(parse_number("-0.5") == -0.5);
  CHECK(parse_number("1.") == 1.0);
  CHECK(parse_number(".5e1") == 5.0);
  CHECK(parse_number("1E+3") == 1000.0);
  CHECK(parse_number("6.29e-03") == 6.29e-3);
  for (const char* text : {"",    "-",    ".",   "e5",  "1e",   "1e+",   "010",           "-01", "00", "+1", "1_000",
                           "1,5", "0x10", "nan", "inf", ".nan", "1e999", "1e99999999999", "1 ",  " 1", "1d0"}) {
    INFO(text);
    CHECK_FALSE(parse_number(text));
  }
}

TEST_CASE("a power of ten scales a number with a single rounding") {
  CHECK(parse_number("0.2", -12) == 0.2e-12);
  CHECK(parse_number("11.4", -12) == 11.4e-12);
  CHECK(parse_number("6.29e-3", 3) == 6.29);
  CHECK(parse_number("2.3", -3) == 2.3e-3);
}

TEST_CASE("the shortest text of a number reads back as the same number") {
  for (const double value :
       {0.1, 1.0 / 3.0, 4.098493209494662e-10, 1e22, 5e-324, std::numeric_limits<double>::max(), -2.0}) {
    CHECK(parse_number(shortest(value)) == value);
  }
  CHECK(shortest(0.5) == "0.5");
  CHECK(shortest(-0.0) == "0");
}

TEST_CASE("a unit must belong to the dimension of its key") {
  CHECK(read("20 GHz", "frequency").si == 20e9);
  CHECK(read("1.5mm", "length").si == 1.5e-3);
  CHECK(read("2", "length").si == 2e-3);
  CHECK(read("3 nm", "length").si == 3e-9);
  CHECK(read("10 min", "time").si == 600);
  CHECK(read("50 ohm", "resistance").si == 50);
  CHECK(read("6.29e-3 S/m", "conductivity").si == 6.29e-3);
  CHECK(read("-60 dB", "level").si == -60);
  CHECK(read("2 A m", "current-moment").si == 2);
  CHECK_THAT(read("20 GHz", "length").fault,
             ContainsSubstring("which is a frequency; allowed units: m, cm, mm, um, nm, inch, mil"));
  CHECK_THAT(read("20 Ghz", "frequency").fault, ContainsSubstring("did you mean 'GHz'?"));
  CHECK_THAT(read("20", "frequency", true).fault, ContainsSubstring("without a unit"));
  CHECK_THAT(read("1e308 THz", "frequency").fault, ContainsSubstring("does not fit a double"));
}

TEST_CASE("an angular frequency given in hertz is refused") {
  CHECK(read("3e9", "angular-frequency").si == 3e9);
  CHECK(read("3e9 rad/s", "angular-frequency").si == 3e9);
  CHECK_THAT(read("3 GHz", "angular-frequency").fault, ContainsSubstring("which is a frequency; allowed units: rad/s"));
}

TEST_CASE("names are fit for HDF5 paths and file names") {
  for (const char* name : {"a", "p1", "_x", "7", "a.b-c_d"}) CHECK(is_name(name));
  for (const char* name : {"", ".a", "-a", "a/b", "a b", "\xC3\xA4", "a\n"}) CHECK_FALSE(is_name(name));
  CHECK(is_name(std::string(128, 'n')));
  CHECK_FALSE(is_name(std::string(129, 'n')));
}

TEST_CASE("the nearest name is suggested, and none when all are far") {
  const std::vector<std::string> names = {"scheme", "basis", "precision", "coaxial", "GHz"};
  CHECK(suggest("precison", names) == "precision");
  CHECK(suggest("shceme", names) == "scheme");
  CHECK(suggest("Basis", names) == "basis");
  CHECK(suggest("coax", names) == "coaxial");
  CHECK(suggest("ghz", names) == "GHz");
  CHECK(suggest("colour", names).empty());
  CHECK(suggest("", names).empty());
  CHECK(suggest(std::string(100000, 'a'), names).empty());
  CHECK(did_you_mean("basiss", names) == " (did you mean 'basis'?)");
  CHECK(did_you_mean("x", {}).empty());
}

TEST_CASE("long lists of names are cut") {
  CHECK(list_names({}) == "none");
  CHECK(list_names({"a", "b"}) == "a, b");
  CHECK(list_names({"a", "b", "c"}, 2) == "a, b and 1 more");
}

TEST_CASE("text that is not UTF-8 is found at its byte") {
  CHECK(check_text("plain \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80\t\r\n").what.empty());
  CHECK(check_text("ab\xFF").byte == 2);
  CHECK_FALSE(check_text("\xC0\x80").what.empty());              // overlong
  CHECK_FALSE(check_text("\xED\xA0\x80").what.empty());          // a surrogate
  CHECK_FALSE(check_text("\xF4\x90\x80\x80").what.empty());      // beyond U+10FFFF
  CHECK_FALSE(check_text("\xE2\x82").what.empty());              // cut
  CHECK_FALSE(check_text(std::string("a\0b", 3)).what.empty());  // a control character
  CHECK(count_characters("\xC3\xA4\xE2\x82\xAC") == 2);
}

TEST_CASE("the program holds the schema of the source tree") {
  std::ifstream stream(TETRAWAVE_SOURCE_DIR "/config/case.schema.json");
  std::ostringstream text;
  text << stream.rdbuf();
  CHECK(text.str() == case_schema_text);
}

TEST_CASE("a schema keyword that the reader does not know is a bug") {
  CHECK_THROWS_AS(SchemaDocument(R"({"type": "string", "contentEncoding": "x", "x-units": {}})"), InternalError);
  CHECK_THROWS_AS(SchemaDocument("{"), InternalError);
}

#include "base/text/printable.hpp"

#include "catch.hpp"

using tetrawave::printable;

TEST_CASE("control characters and broken UTF-8 are shown escaped, UTF-8, tabs and ends of lines as they are") {
  CHECK(printable("a\x1b[31mb\r\x7f") == "a\\x1b[31mb\\x0d\\x7f");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\xc2\\x9b31m");  // U+009B, which begins commands of a terminal too
  CHECK(printable("ünder µm\t\n") == "ünder µm\t\n");
  CHECK(printable("\xff\xc3") == "\\xff\\xc3");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
}

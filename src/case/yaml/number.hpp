// Decimal numbers: strict reading, exact scaling by powers of ten, shortest writing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tetrawave {

/// Length of the longest prefix of `text` that is a decimal number: -? digits [.digits] [e[+-]digits]; 0 if none.
[[nodiscard]] std::size_t scan_number(std::string_view text);

/// `text` times 10^exponent, rounded once (so "0.2" by -12 is exactly the double nearest to 2e-13); none if the text is
/// not entirely a number, has leading zeros, or does not fit a double.
[[nodiscard]] std::optional<double> parse_number(std::string_view text, int exponent = 0);

/// Why a text rejected by parse_number is not a number: "; leading zeros are not allowed", or "" if there is no special
/// reason.
[[nodiscard]] std::string number_fault(std::string_view text);

/// The shortest text that reads back as the same double.
[[nodiscard]] std::string shortest(double value);

}  // namespace tetrawave

#include "case/yaml/number.hpp"

#include <charconv>
#include <cmath>

namespace tetrawave {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

std::size_t skip_digits(std::string_view text, std::size_t from) {
  while (from < text.size() && digit(text[from])) ++from;
  return from;
}

// End of the mantissa, and 0 if there is none.
std::size_t scan_mantissa(std::string_view text) {
  const std::size_t start = !text.empty() && text[0] == '-' ? 1 : 0;
  const std::size_t whole = skip_digits(text, start);
  std::size_t end = whole;
  if (end < text.size() && text[end] == '.') end = skip_digits(text, end + 1);
  const bool any_digit = whole > start || end > whole + 1;
  return any_digit ? end : 0;
}

bool leading_zero(std::string_view text) {
  const std::size_t start = !text.empty() && text[0] == '-' ? 1 : 0;
  return text.size() > start + 1 && text[start] == '0' && digit(text[start + 1]);
}

}  // namespace

std::size_t scan_number(std::string_view text) {
  const std::size_t mantissa = scan_mantissa(text);
  if (mantissa == 0 || mantissa == text.size()) return mantissa;
  if (text[mantissa] != 'e' && text[mantissa] != 'E') return mantissa;
  std::size_t from = mantissa + 1;
  if (from < text.size() && (text[from] == '+' || text[from] == '-')) ++from;
  const std::size_t end = skip_digits(text, from);
  return end > from ? end : mantissa;
}

std::optional<double> parse_number(std::string_view text, int exponent) {
  const std::size_t end = scan_number(text);
  if (end == 0 || end != text.size() || leading_zero(text)) return std::nullopt;
  const std::size_t mantissa = scan_mantissa(text);
  int written = 0;
  if (mantissa < end) {
    const char* first = text.data() + mantissa + (text[mantissa + 1] == '+' ? 2 : 1);
    if (std::from_chars(first, text.data() + end, written).ec != std::errc() || std::abs(written) > 100000) {
      return std::nullopt;
    }
  }
  const std::string whole = std::string(text.substr(0, mantissa)) + "e" + std::to_string(written + exponent);
  double value = 0;
  const auto [stop, error] = std::from_chars(whole.data(), whole.data() + whole.size(), value);
  const bool good = error == std::errc() && stop == whole.data() + whole.size() && std::isfinite(value);
  return good ? std::optional<double>(value) : std::nullopt;
}

std::string number_fault(std::string_view text) {
  const bool number_like = !text.empty() && scan_number(text) == text.size();
  if (number_like) return leading_zero(text) ? "; leading zeros are not allowed" : "; it does not fit a double";
  std::string_view bare = text;
  if (!bare.empty() && (bare[0] == '-' || bare[0] == '+')) bare.remove_prefix(1);
  if (bare == ".nan" || bare == ".NaN" || bare == ".NAN" || bare == ".inf" || bare == ".Inf" || bare == ".INF") {
    return "; numbers must be finite";
  }
  if (bare.substr(0, 2) == "0x" || bare.substr(0, 2) == "0o") return "; numbers are decimal";
  if (!text.empty() && text[0] == '+') return "; a leading plus is not allowed";
  return "";
}

std::string shortest(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? 0.0 : value);
  return std::string(buffer, result.ptr);
}

}  // namespace tetrawave

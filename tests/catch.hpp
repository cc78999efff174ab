// Catch2, version 2 (Debian 12) or 3 (Ubuntu 24.04), behind one header.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
namespace tetrawave_tests {
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
}  // namespace tetrawave_tests
#else
#include <catch2/catch.hpp>
namespace tetrawave_tests {
using Catch::Detail::Approx;
inline auto ContainsSubstring(const std::string& text) { return Catch::Matchers::Contains(text); }
}  // namespace tetrawave_tests
#endif

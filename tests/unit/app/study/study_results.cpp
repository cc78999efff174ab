#include "app/study/study_results.hpp"

#include <cmath>
#include <complex>

#include "catch.hpp"
#include "failure.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;
using Complex = std::complex<double>;

namespace {

/// S21 = j/2, S11 = (f - 2.4 GHz)/GHz + 0.01 j at 1, 2, 3, 5 GHz, and a far field at 2 GHz.
struct Results {
  tetrawave_tests::TemporaryDirectory directory;
  store::File file = store::File::create(directory.path() / "results.h5");
  Results() {
    const std::vector<double> hz{1e9, 2e9, 3e9, 5e9};
    std::vector<Complex> s;
    for (const double f : hz)
      for (const Complex value :
           {Complex((f - 2.4e9) / 1e9, 0.01), Complex(NAN, NAN), Complex(0, 0.5), Complex(NAN, NAN)})
        s.push_back(value);
    file.write("/s_parameters/frequency", hz, "Hz");
    file.write("/s_parameters/S", std::span<const Complex>(s), "1", {4, 2, 2});
    file.write("/far_field/2000000000/gain", std::vector<double>{1, 6.5, NAN, -3}, "dBi", {2, 2});
    file.set_attribute("/far_field/2000000000", "efficiency", 0.9);
    file.write("/own/length", std::vector<double>{0.25}, "m");
    file.write("/own/list", std::vector<double>{1, 2}, "m");
    file.set_attribute("/", "dofs", 12);
    file.set_attribute("/", "scheme", std::string("dgtd-central"));
  }
  [[nodiscard]] auto columns(const std::string& text) const { return app::columns_of(app::parse_result(text), &file); }
  [[nodiscard]] double value(const std::string& text) const { return std::get<double>(columns(text).front().value); }
};

}  // namespace

TEST_CASE("S at a chosen frequency is in dB, between two frequencies from S interpolated linearly") {
  const Results results;
  CHECK(std::abs(results.value("s21@2GHz") - (20 * std::log10(0.5))) < 1e-9);
  CHECK(std::abs(results.value("S2_1@4.5 GHz") - (20 * std::log10(0.5))) < 1e-9);
  CHECK(std::abs(results.value("s11@4GHz") - (20 * std::log10(std::hypot(1.6, 0.01)))) < 1e-9);
  CHECK(std::isnan(results.value("s12@2GHz")));
  CHECK(results.columns("s11@4GHz").front().units == "dB");
}

TEST_CASE("a resonance is the minimum between the frequencies of the run") {
  const Results results;
  const auto found = results.columns("resonance:1");
  REQUIRE(found.size() == 2);
  CHECK(std::abs(std::get<double>(found[0].value) - 2.4e9) < 1);
  CHECK(std::abs(std::get<double>(found[1].value) + 40) < 1e-6);
  CHECK(found[1].column == "resonance:1_level");
  CHECK(app::parse_result("resonance:feed", {"match", "feed"}).row == 1);
  CHECK(app::parse_result("resonance:2", {"2", "1"}).row == 0);  // a name goes before a number
  CHECK(catch_failure([] {
          (void)app::parse_result("resonance:fed", {"match", "feed"});
        }).text ==
        "tetrawave: error: --result resonance:fed: there is no port 'fed' (did you mean 'feed'?); the case has match, "
        "feed");
}

TEST_CASE("gain is the maximum over all directions, and efficiency that of results.h5") {
  const Results results;
  CHECK(results.value("gain@2 GHz") == 6.5);
  CHECK(results.value("efficiency@2000MHz") == 0.9);
  CHECK_THAT(catch_failure([&] { (void)results.columns("directivity@2GHz"); }).text,
             ContainsSubstring("has no directivity"));
}

TEST_CASE("numbers of results.h5 are taken by their paths, data sets with their units") {
  const Results results;
  CHECK(results.value("/own/length") == 0.25);
  CHECK(results.columns("/own/length").front().units == "m");
  CHECK(results.columns("/own/length").front().column == "own.length");
  CHECK(results.value("/dofs") == 12);
  for (const char* text : {"/own/list", "/own", "/scheme", "/none/here", "/own/length/x"}) {
    INFO(text);
    CHECK(catch_failure([&] { (void)results.columns(text); }).code == ExitCode::usage);
  }
}

TEST_CASE("a word that is no result is refused") {
  for (const char* text : {"", "s11", "s11@", "s11@2mm", "s11@-2GHz", "s01@2GHz", "s123@2GHz", "resonance",
                           "resonance:0", "resonance:one", "profit@2GHz", "own/length", "/", "/own/", "/own//length"}) {
    INFO(text);
    CHECK(catch_failure([&] { (void)app::parse_result(text); }).code == ExitCode::usage);
  }
}

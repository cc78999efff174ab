#include "sources/waveform.hpp"

#include <cmath>
#include <complex>
#include <fstream>
#include <memory>

#include "base/constants.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "temporary_directory.hpp"

using namespace tetrawave;
using tetrawave_tests::Approx;
using tetrawave_tests::catch_failure;
using tetrawave_tests::ContainsSubstring;

namespace {

WaveformShape of_type(WaveformType type) {
  WaveformShape spec;
  spec.name = "pulse";
  spec.type = type;
  spec.width_s = 2e-9;
  spec.delay_s = 10e-9;
  spec.frequency_hz = 5e9;
  spec.bandwidth_hz = 4e9;
  spec.rise_s = 1e-9;
  spec.value_place = {"case.yaml:9:5"};
  return spec;
}

Waveform from_table(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
  WaveformShape spec = of_type(WaveformType::table);
  spec.table = file;
  return Waveform(spec);
}

double spectrum(const Waveform& w, double frequency, double end, double dt) {
  std::complex<double> sum = 0;
  for (double t = 0; t < end; t += dt) sum += w(t) * std::polar(dt, -2 * pi * frequency * t);
  return std::abs(sum);
}

}  // namespace

TEST_CASE("a Gaussian has its peak at the delay and falls by exp(-1/2) over its width") {
  const Waveform w(of_type(WaveformType::gaussian));
  CHECK(w(10e-9) == 1);
  CHECK(w(12e-9) == Approx(std::exp(-0.5)));
  CHECK(w(8e-9) == Approx(std::exp(-0.5)));
}

TEST_CASE("without a delay a Gaussian comes 6 widths late") {
  WaveformShape spec = of_type(WaveformType::gaussian);
  spec.delay_s.reset();
  CHECK(Waveform(spec)(12e-9) == 1);
}

TEST_CASE("the derivative of a Gaussian has extremes of 1 one width from its delay") {
  const Waveform w(of_type(WaveformType::derivative_gaussian));
  CHECK(w(8e-9) == Approx(1));
  CHECK(w(12e-9) == Approx(-1));
  CHECK(w(10e-9) == 0);
  CHECK(w(14e-9) == Approx(-2 * std::exp(-1.5)));
}

TEST_CASE("the bandwidth of a modulated Gaussian is its full width at -20 dB") {
  WaveformShape spec = of_type(WaveformType::modulated_gaussian);
  spec.delay_s.reset();
  const Waveform w(spec);
  const double s = std::sqrt(2 * std::log(10)) / (pi * 4e9);
  CHECK(w(6 * s) == Approx(0).margin(1e-12));
  CHECK(w(6 * s + 0.05e-9) == Approx(std::exp(-0.05e-9 * 0.05e-9 / (2 * s * s))));
  const double peak = spectrum(w, 5e9, 12 * s, 1e-12);
  CHECK(spectrum(w, 7e9, 12 * s, 1e-12) / peak == Approx(0.1).epsilon(1e-4));
  CHECK(spectrum(w, 3e9, 12 * s, 1e-12) / peak == Approx(0.1).epsilon(1e-4));
}

TEST_CASE("a sine rises smoothly and then keeps its amplitude") {
  const Waveform w(of_type(WaveformType::sine));
  CHECK(w(0) == 0);
  CHECK(w(0.55e-9) == Approx(std::pow(std::sin(pi * 0.275), 2) * std::sin(2 * pi * 5e9 * 0.55e-9)));
  CHECK(w(3.05e-9) == Approx(1));
  WaveformShape at_once = of_type(WaveformType::sine);
  at_once.rise_s = 0;
  CHECK(Waveform(at_once)(0.05e-9) == Approx(1));
}

TEST_CASE("every waveform is 0 before t = 0") {
  tetrawave_tests::TemporaryDirectory directory;
  WaveformShape one = of_type(WaveformType::expression);
  one.expression = std::string("1 + t");
  WaveformShape early = of_type(WaveformType::gaussian);
  early.delay_s = 0;
  CHECK(Waveform(one)(-1e-12) == 0);
  CHECK(Waveform(one)(0) == 1);
  CHECK(Waveform(early)(-1e-12) == 0);
  CHECK(Waveform(early)(0) == 1);
  const Waveform table = from_table(directory / "w.txt", "-1 3\n1 3\n");
  CHECK(table(-0.5) == 0);
  CHECK(table(0) == 3);
}

TEST_CASE("an expression is a waveform of t, and of no other variable") {
  WaveformShape spec = of_type(WaveformType::expression);
  spec.expression = "sin(2*pi*1e9*t)*exp(-c0*t)";
  CHECK(Waveform(spec)(0.25e-9) == Approx(std::exp(-c0_m_per_s * 0.25e-9)));
  spec.expression = std::string("x");
  const auto failure = catch_failure([&] { Waveform w(spec); });
  CHECK(failure.code == ExitCode::bad_case);
  CHECK_THAT(failure.text, ContainsSubstring("case.yaml:9:5: error: unknown variable 'x' in 'x'"));
}

TEST_CASE("a table is linear between its rows and 0 outside") {
  tetrawave_tests::TemporaryDirectory directory;
  const Waveform w = from_table(directory / "w.csv", "# time, value\n1e-9, 2\n\n+2e-9; -4 # down\r\n4e-9\t0.5");
  CHECK(w(0.999e-9) == 0);
  CHECK(w(1e-9) == 2);
  CHECK(w(1.5e-9) == Approx(-1));
  CHECK(w(3e-9) == Approx(-1.75));
  CHECK(w(4e-9) == 0.5);
  CHECK(w(4.001e-9) == 0);
}

TEST_CASE("a table is read once as long as a waveform holds it") {
  tetrawave_tests::TemporaryDirectory directory;
  auto first = std::make_unique<Waveform>(from_table(directory / "w.csv", "0 1\n1 1"));
  CHECK(from_table(directory / "w.csv", "0 2\n1 2")(0.5) == 1);
  first.reset();
  CHECK(from_table(directory / "w.csv", "0 2\n1 2")(0.5) == 2);
}

TEST_CASE("an error in a table has its file, line and column") {
  tetrawave_tests::TemporaryDirectory directory;
  const auto file = directory / "w.txt";
  const std::string name = file.string();
  const auto message = [&](const std::string& text) {
    const auto failure = catch_failure([&] { (void)from_table(file, text); });
    CHECK(failure.code == ExitCode::bad_case);
    return failure.text;
  };
  CHECK(message("0 1\n# note\n1 2 3\n") == name + ":3:5: error: two columns (time in s, value) are needed, found 3");
  CHECK(message("0 1\n1 nan\n") == name + ":2:3: error: 'nan' is not a finite number");
  CHECK(message("0 1\n1 2x\n") == name + ":2:3: error: '2x' is not a finite number");
  CHECK(message("0 1\n2 0\n2 1\n") == name + ":3:1: error: the time 2 is not above the one before, 2");
  CHECK(message("0 1\n") == name + ":1:1: error: a table needs at least two rows, found 1");
  CHECK(message("") == name + ":1:1: error: a table needs at least two rows, found 0");
}

TEST_CASE("a table that cannot be read is missing input") {
  tetrawave_tests::TemporaryDirectory directory;
  WaveformShape spec = of_type(WaveformType::table);
  for (const auto& file : {directory / "none.txt", directory.path()}) {
    spec.table = file;
    const auto failure = catch_failure([&] { Waveform w(spec); });
    CHECK(failure.code == ExitCode::missing_input);
    CHECK_THAT(failure.text, ContainsSubstring(file.string()));
  }
}

TEST_CASE("an excitation scales and delays the waveform that it names") {
  std::vector<WaveformShape> waveforms{of_type(WaveformType::gaussian)};
  const Excitation drive = make_excitation(waveforms, {"pulse", -3, 1e-9, {"case.yaml:4:4"}});
  CHECK(drive(11e-9) == -3);
  CHECK(drive(13e-9) == Approx(-3 * std::exp(-0.5)));
  waveforms[0].delay_s = 0;
  CHECK(make_excitation(waveforms, {"pulse", 1, 1e-9, {}})(0.5e-9) == 0);
  const auto failure = catch_failure([&] { (void)make_excitation(waveforms, {"puls", 1, 0, {"case.yaml:4:4"}}); });
  CHECK(failure.text == "case.yaml:4:4: error: there is no waveform 'puls' (did you mean 'pulse'?); defined: pulse");
}

TEST_CASE("from its end on a waveform is 0 to the last bit") {
  for (const WaveformType type :
       {WaveformType::gaussian, WaveformType::derivative_gaussian, WaveformType::modulated_gaussian}) {
    const Waveform wave(of_type(type));
    CHECK(std::abs(wave(10e-9 + 0.9 * (wave.end_s() - 10e-9))) > 0);
    for (const double factor : {1.0, 1.01, 2.0}) CHECK(wave(factor * wave.end_s()) == 0);
  }
  CHECK(std::isinf(Waveform(of_type(WaveformType::sine)).end_s()));
  const tetrawave_tests::TemporaryDirectory directory;
  const Waveform table = from_table(directory / "pulse.txt", "0 1\n1e-9 2\n");
  CHECK(table.end_s() > 1e-9);
  CHECK(table.end_s() < 1.001e-9);
  CHECK(table(table.end_s()) == 0);
}

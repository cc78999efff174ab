#include <cmath>
#include <complex>

#include "base/constants.hpp"
#include "catch.hpp"
#include "host/isa.hpp"
#include "host/sums.hpp"
#include "kernels/pairs/directions.hpp"
#include "kernels/pairs/point_blocks.hpp"

using namespace tetrawave;
using Complex = std::complex<double>;

TEST_CASE("every instruction set of this machine sums what currents radiate, to rounding as complex arithmetic does") {
  constexpr std::size_t directions = 11, sources = 23;
  constexpr auto rows = static_cast<std::size_t>(kernels::DirectionSums::point_rows);
  kernels::PointBlocks<double> points(directions, rows);
  for (std::size_t d = 0; d < directions; ++d)
    for (std::size_t row = 0; row < rows; ++row) points.at(d, row) = std::sin(1.0 + 3.0 * double(d) + double(row));
  std::vector<double> numbers;
  for (std::size_t i = 0; i < sources * kernels::DirectionSums::source_size; ++i)
    numbers.push_back(std::cos(0.3 + 1.7 * double(i)));
  for (const host::Isa isa : host::usable_isas()) {
    kernels::PointBlocks<double> sums(directions, kernels::DirectionSums::sum_rows);
    host::run_sums(isa, kernels::DirectionSums{points.data(), numbers.data(), sources, sums.data()}, 0,
                   static_cast<std::int64_t>(sums.blocks()));
    for (std::size_t d = 0; d < directions; ++d) {
      Complex first = 0, second = 0;
      for (std::size_t s = 0; s < sources; ++s) {
        const double* place = numbers.data() + s * kernels::DirectionSums::source_size;
        double turns = 0;
        Complex along_theta = 0, along_phi = 0;
        for (std::size_t x = 0; x < 3; ++x) {
          const Complex j(place[3 + 2 * x], place[4 + 2 * x]), m(place[9 + 2 * x], place[10 + 2 * x]);
          turns += points.at(d, x) * place[x];
          along_theta += points.at(d, 3 + x) * j + points.at(d, 6 + x) * m;
          along_phi += points.at(d, 6 + x) * j - points.at(d, 3 + x) * m;
        }
        first += along_theta * std::polar(1.0, pi * turns);
        second += along_phi * std::polar(1.0, pi * turns);
      }
      const auto found = [&](std::size_t row) { return sums.at(d, 2 * row) + sums.at(d, 2 * row + 1); };
      CHECK(std::abs(Complex(found(0), found(1)) - first) < 1e-13 * sources);
      CHECK(std::abs(Complex(found(2), found(3)) - second) < 1e-13 * sources);
    }
  }
}

TEST_CASE("the best instruction set of this machine is the first of those that it can use") {
  const auto usable = host::usable_isas();
  REQUIRE_FALSE(usable.empty());
  CHECK(host::best_isa() == usable.front());
  CHECK(host::name_of(host::Isa::v3) == "x86-64-v3");
}

// Currents on a grid against the currents that they stand for.
#include "results/far_field/spread_currents.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "catch.hpp"

using namespace tetrawave;
using results::SpreadCurrents;
using results::SurfaceCurrent;
using Complex = std::complex<double>;

namespace {

constexpr std::size_t many = 10000;  // directions
constexpr double k = 2 * pi;

/// Numbers without a pattern on a rough sheet; `scale`: of its sides [m].
std::vector<SurfaceCurrent> make_currents(std::size_t count, const Vec3& scale) {
  std::vector<SurfaceCurrent> currents(count);
  std::uint64_t state = 1;
  const auto next = [&state] {
    state = 6364136223846793005U * state + 1442695040888963407U;
    return static_cast<double>(state >> 11U) / 9007199254740992.;
  };
  for (SurfaceCurrent& current : currents)
    for (std::size_t x = 0; x < 3; ++x) {
      current.point_m[x] = scale[x] * next() - 0.3;
      current.electric[x] = {next() - 0.2, next() - 0.5};
      current.magnetic[x] = {next() - 0.5, next() - 0.7};
    }
  return currents;
}

std::array<Complex, 6> sum(const std::vector<SurfaceCurrent>& currents, const Vec3& u) {
  std::array<Complex, 6> sums{};
  for (const SurfaceCurrent& current : currents) {
    const Complex phase = std::polar(1., k * dot(u, current.point_m));
    for (std::size_t x = 0; x < 3; ++x) {
      sums[x] += phase * current.electric[x];
      sums[3 + x] += phase * current.magnetic[x];
    }
  }
  return sums;
}

/// Over the largest sum.
double largest_error(const std::vector<SurfaceCurrent>& currents) {
  const SpreadCurrents spread(currents, k, many, 2);
  double worst = 0, largest = 0;
  for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{0.6, 0, -0.8}, Vec3{0.48, 0.64, 0.6}}) {
    const auto wanted = sum(currents, way), found = sum(spread.currents(), way);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      worst = std::max(worst, std::abs(spread.factor(way) * found[i] - wanted[i]));
      largest = std::max(largest, std::abs(wanted[i]));
    }
  }
  return worst / largest;
}

}  // namespace

TEST_CASE("currents on a grid radiate as the currents that they stand for") {
  for (const Vec3& scale : {Vec3{2, 2, 0.1}, Vec3{0.1, 3, 1}, Vec3{0, 0, 4}}) {
    const auto currents = make_currents(40000, scale);
    CHECK(4 * SpreadCurrents(currents, k, many, 1).currents().size() < currents.size());
    CHECK(largest_error(currents) < 1e-12);
  }
}

TEST_CASE("currents on a grid are the same on any number of threads") {
  const auto currents = make_currents(30000, {1, 2, 0.2});
  const auto wanted = SpreadCurrents(currents, k, many, 1).currents();
  for (const int threads : {2, 5}) {
    const auto found = SpreadCurrents(currents, k, many, threads).currents();
    REQUIRE(found.size() == wanted.size());
    bool same = true;
    for (std::size_t c = 0; c < found.size(); ++c)
      same = same && found[c].point_m == wanted[c].point_m && found[c].electric == wanted[c].electric &&
             found[c].magnetic == wanted[c].magnetic;
    CHECK(same);
  }
}

TEST_CASE("few currents, and those of few directions, stay as they are") {
  const auto few = make_currents(2000, {1, 1, 1}), many_currents = make_currents(30000, {1, 1, 0.1});
  CHECK(&SpreadCurrents(few, k, many, 1).currents() == &few);
  CHECK(&SpreadCurrents(many_currents, k, 100, 1).currents() == &many_currents);
  CHECK(SpreadCurrents(few, k, many, 1).factor({0, 0, 1}) == 1);
  CHECK(SpreadCurrents({}, k, many, 1).currents().empty());
}

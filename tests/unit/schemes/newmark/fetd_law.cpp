#include "schemes/newmark/laws.hpp"

#include <complex>

#include "catch.hpp"
#include "terms/pml/layers.hpp"

using namespace tetrawave;
using namespace tetrawave::modes;
using Complex = std::complex<double>;

namespace {

/// One element of one medium, in the corner of layers on three sides where `layered`.
struct OneElement {
  LocalMesh mesh;
  march::Problem problem;

  OneElement(const Medium& medium, bool layered) {
    mesh.global_id = {0};
    mesh.region = {0};
    mesh.corners = {{Vec3{1.0, 1.1, 1.2}, Vec3{1.3, 1.1, 1.2}, Vec3{1.0, 1.4, 1.2}, Vec3{1.0, 1.1, 1.5}}};
    mesh.region_names = {"medium"};
    problem.mesh = &mesh;
    problem.media = {medium};
    if (!layered) return;
    problem.layers.emplace();
    problem.layers->is_layer = {true};
    problem.layers->loss_per_m = {{0.4, 0.3}};
    problem.layers->high = {1, 1, 1};
    problem.layers->thickness_m[1] = {0.8, 0.9, 1.1};
  }
};

/// s D(s)/u along the axes, conductivity included.
std::array<Complex, 3> law_of(const march::Problem& problem, march::Field field, Complex s) {
  const bool electric = field == march::Field::electric;
  const Medium& medium = problem.media[0];
  std::array<Complex, 3> law;
  for (std::size_t i = 0; i < 3; ++i) {
    law[i] = s * (electric ? medium.eps_r * medium.eps_axes[i] : medium.mu_r * medium.mu_axes[i]);
    law[i] += electric ? medium.sigma_e : medium.sigma_m;
    for (const PoleTerm& term : electric ? medium.electric_poles : medium.magnetic_poles)
      law[i] += s * susceptibility(term, s);
  }
  if (!problem.layers) return law;
  const auto stretch = march::stretch_of(problem, 0, field);
  std::array<Complex, 3> factor;
  for (std::size_t i = 0; i < 3; ++i) factor[i] = 1.0 + stretch.sigma[i] / (s + stretch.alpha);
  for (std::size_t i = 0; i < 3; ++i)
    law[i] *= (1.0 + stretch.loss / s) * factor[(i + 1) % 3] * factor[(i + 2) % 3] / factor[i];
  return law;
}

/// What a law of a field that has turned by `angle` a step for long gives, over the field in the middle of the step.
std::array<Complex, 3> measure(const FetdLaw& law, double angle) {
  std::array<std::vector<double>, 2> states{std::vector<double>(3 * law.states()),
                                            std::vector<double>(3 * law.states())};
  std::array<Complex, 3> result;
  for (int n = 0; n < 20000; ++n) {
    const Complex u = std::polar(1.0, angle * n), middle = (u + std::polar(1.0, angle * (n + 1))) / 2.0;
    for (std::size_t part = 0; part < 2; ++part) {
      const auto of = [part](Complex z) { return part == 0 ? z.real() : z.imag(); };
      const std::array<double, 3> now{of(u), of(u), of(u)}, mid{of(middle), of(middle), of(middle)};
      std::array<double, 3> known{};
      law.known(1, now.data(), states[part].data(), known.data());
      law.advance(1, mid.data(), states[part].data());
      for (std::size_t x = 0; x < 3; ++x) {
        const double value = law.present()[x] * mid[x] - known[x];
        result[x] = part == 0 ? Complex(value, 0) : result[x] + Complex(0, value);
      }
    }
    for (std::size_t x = 0; x < 3; ++x) result[x] /= middle;
  }
  return result;
}

}  // namespace

TEST_CASE("laws of implicit marches are those of the frequency domain at (2/dt) tanh(s dt/2)") {
  Medium lossy;
  lossy.eps_r = 2;
  lossy.eps_axes = {0.5, 1, 2};
  lossy.sigma_e = 3;
  lossy.mu_r = 1.5;
  lossy.sigma_m = 2;
  lossy.electric_poles = {PoleTerm{1, 4, 0, 6, 0}, PoleTerm{2, 30, 2, 20, 0}};
  lossy.magnetic_poles = {PoleTerm{2, 50, 3, 40, 1}};
  Medium plain;
  plain.eps_r = 3;
  plain.mu_axes = {1, 2, 0.5};
  const double dt_m = 0.05;
  for (const bool layered : {false, true}) {
    const OneElement one(layered ? plain : lossy, layered);
    for (const march::Field field : {march::Field::electric, march::Field::magnetic}) {
      const FetdLaw law(one.problem, 0, field, dt_m);
      for (const double angle : {0.05, 0.4, 2.0}) {
        const auto found = measure(law, angle);
        const auto wanted = law_of(one.problem, field, Complex(0, 2 / dt_m * std::tan(angle / 2)));
        for (std::size_t x = 0; x < 3; ++x) CHECK(std::abs(found[x] / wanted[x] - 1.0) < 1e-9);
      }
    }
  }
}

// The sparse operators of the full spaces against dense matrices of their functions, made by exact integration.
#include "kernels/bernstein.hpp"

#include <random>
#include <vector>

#include "basis/physical_element.hpp"
#include "catch.hpp"
#include "kernels/mass_inverse.hpp"

using namespace tetrawave;
using namespace tetrawave::kernels;

namespace {

template <class S>
std::vector<S> random_numbers(std::size_t count, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<S> list(count);
  for (S& x : list) x = static_cast<S>(std::uniform_real_distribution<double>(-1, 1)(engine));
  return list;
}

/// Elements of both signs of det J.
const std::array<std::array<Vec3, 4>, 2> shapes{
    std::array<Vec3, 4>{Vec3{.1, .2, -.1}, Vec3{.3, 1.2, .1}, Vec3{1.4, .1, .3}, Vec3{.2, -.1, .9}},
    std::array<Vec3, 4>{Vec3{.1, .2, -.1}, Vec3{1.4, .1, .3}, Vec3{.3, 1.2, .1}, Vec3{.2, -.1, .9}}};

/// s M^-1 of what has contravariant components w, in functions.
template <class Basis, class S>
std::vector<S> apply_metric(const basis::PhysicalElement& element, const std::vector<S>& w) {
  S q[6];
  for (std::size_t a = 0; a < 6; ++a) q[a] = static_cast<S>(element.sign() * element.metric()[a]);
  std::vector<S> z(Basis::dofs), u(Basis::dofs);
  invert_low<Basis>(q, w.data(), z.data());
  Basis::template to_dofs<S>(z.data(), u.data());
  return u;
}

/// Largest difference of M u and r, over the largest r.
template <class S>
double error_of(const basis::PhysicalElement& element, const std::vector<S>& u, const std::vector<double>& r) {
  const auto mass = element.mass();
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    double sum = -r[i];
    for (std::size_t j = 0; j < u.size(); ++j) sum += mass(i, j) * static_cast<double>(u[j]);
    worst = std::max(worst, std::abs(sum));
    largest = std::max(largest, std::abs(r[i]));
  }
  return worst / largest;
}

template <class Basis, class S>
double curl_error(const std::array<Vec3, 4>& corners) {
  const basis::PhysicalElement element(Basis::space, corners);
  const auto& e = basis::reference_element(Basis::space);
  const auto v = random_numbers<S>(e.dofs, 1);
  std::vector<S> w(e.dofs);
  find_curl<Basis, S>(v.data(), w.data());
  std::vector<double> tested(e.dofs);
  for (std::size_t i = 0; i < e.dofs; ++i)
    for (std::size_t j = 0; j < e.dofs; ++j) tested[i] += element.sign() * e.curl(i, j) * static_cast<double>(v[j]);
  return error_of(element, apply_metric<Basis, S>(element, w), tested);
}

template <class Basis, class S, int f>
double flux_error(const std::array<Vec3, 4>& corners) {
  const basis::PhysicalElement element(Basis::space, corners);
  const auto& e = basis::reference_element(Basis::space);
  const auto jump = random_numbers<S>(e.face_dofs, 2);
  std::vector<S> w(e.dofs);
  lift_half_turned<Basis, f, S>(jump.data(), w.data());
  std::vector<double> tested(e.dofs);
  for (std::size_t i = 0; i < e.dofs; ++i)
    for (std::size_t k = 0; k < e.face_dofs; ++k)
      tested[i] += .5 * element.sign() * e.face[f](i, k) * static_cast<double>(jump[k]);
  return error_of(element, apply_metric<Basis, S>(element, w), tested);
}

}  // namespace

TEMPLATE_TEST_CASE("sparse curls are those of the functions, tested and multiplied with the inverse mass", "",
                   SparseFull3, SparseFull4) {
  for (const auto& corners : shapes) {
    CHECK(curl_error<TestType, double>(corners) < 1e-13);
    CHECK(curl_error<TestType, float>(corners) < 1e-5);
  }
}

TEMPLATE_TEST_CASE("sparse lifts are the central flux of jumps, tested and multiplied with the inverse mass", "",
                   SparseFull3, SparseFull4) {
  for (const auto& corners : shapes) {
    CHECK(flux_error<TestType, double, 0>(corners) < 1e-13);
    CHECK(flux_error<TestType, double, 1>(corners) < 1e-13);
    CHECK(flux_error<TestType, double, 2>(corners) < 1e-13);
    CHECK(flux_error<TestType, double, 3>(corners) < 1e-13);
    CHECK(flux_error<TestType, float, 0>(corners) < 1e-5);
    CHECK(flux_error<TestType, float, 3>(corners) < 1e-5);
  }
}

#include "sources/ports/second_mode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.hpp"

namespace tetrawave {

namespace {

using Vector = std::vector<double>;
constexpr std::size_t none = static_cast<std::size_t>(-1);

double product_of(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// K x = k0^2 M x for one of the two fields; M is diagonal, with one unknown per edge.
class EdgeProblem {
 public:
  EdgeProblem(const std::vector<PortTriangle>& triangles, const std::vector<PortEdge>& metal,
              const std::vector<Medium>& media, bool electric) {
    number_edges(triangles, metal, electric);
    mass_.assign(unknowns_, 0);
    diagonal_.assign(unknowns_, 0);
    for (std::size_t t = 0; t < triangles.size(); ++t)
      add(elements_[t], triangles[t], media.size() == 1 ? media.front() : media[t], electric);
    find_parts();
  }

  [[nodiscard]] std::size_t unknowns() const { return unknowns_; }
  [[nodiscard]] const Vector& mass() const { return mass_; }
  [[nodiscard]] const Vector& diagonal() const { return diagonal_; }

  /// Removes from x, in the inner product of M, the constants on parts of the face where the field is not fixed
  /// anywhere: they solve the problem with k0 = 0.
  void remove_constants(Vector& x) const {
    Vector sum(unknowns_, 0), area(unknowns_, 0);
    for (std::size_t i = 0; i < unknowns_; ++i) {
      sum[part_[i]] += mass_[i] * x[i];
      area[part_[i]] += mass_[i];
    }
    for (std::size_t i = 0; i < unknowns_; ++i)
      if (!is_held_[part_[i]]) x[i] -= sum[part_[i]] / area[part_[i]];
  }

  [[nodiscard]] Vector times_stiffness(const Vector& x) const {
    Vector result(unknowns_, 0);
    for (const Element& element : elements_)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          if (element.unknown[i] != none && element.unknown[j] != none)
            result[element.unknown[i]] += element.stiffness[3 * i + j] * x[element.unknown[j]];
    return result;
  }

 private:
  struct Element {
    std::array<std::size_t, 3> unknown{};  ///< of the edges 01, 02, 12
    std::array<double, 9> stiffness{};
  };

  /// Edges on metal have no E_n and one H_n on each side; other edges of the rim have no H_n.
  void number_edges(const std::vector<PortTriangle>& triangles, const std::vector<PortEdge>& metal, bool electric) {
    std::map<PortEdge, int> uses;
    for (const PortTriangle& triangle : triangles)
      for (const PortEdge& edge : edges_of(triangle)) ++uses[edge];
    std::map<PortEdge, std::size_t> number;
    for (const PortTriangle& triangle : triangles) {
      const auto edges = edges_of(triangle);
      Element element;
      for (std::size_t i = 0; i < 3; ++i) {
        const bool on_metal = std::binary_search(metal.begin(), metal.end(), edges[i]);
        const bool held = electric ? on_metal : !on_metal && uses[edges[i]] == 1;
        if (held)
          element.unknown[i] = none;
        else if (on_metal)
          element.unknown[i] = unknowns_++;
        else if (const auto [known, is_new] = number.try_emplace(edges[i], unknowns_); is_new)
          element.unknown[i] = unknowns_++;
        else
          element.unknown[i] = known->second;
      }
      elements_.push_back(element);
    }
  }

  /// The function of an edge is 1 - 2 L of the opposite corner; its gradient is the edge over the area, rotated.
  void add(Element& element, const PortTriangle& triangle, const Medium& medium, bool electric) {
    const auto& p = triangle.corners;
    const std::array<Vec3, 3> edge{p[1] - p[0], p[0] - p[2], p[2] - p[1]};
    const double area = norm(cross(edge[0], edge[1])) / 2;
    const double inverse = 1 / (electric ? medium.mu_r : medium.eps_r);
    const double mass = (electric ? medium.eps_r : medium.mu_r) * area / 3;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) element.stiffness[3 * i + j] = inverse / area * dot(edge[i], edge[j]);
      if (element.unknown[i] == none) continue;
      mass_[element.unknown[i]] += mass;
      diagonal_[element.unknown[i]] += element.stiffness[4 * i];
    }
  }

  void find_parts() {
    DisjointSets sets(unknowns_);
    for (const Element& element : elements_)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (element.unknown[i] != none && element.unknown[j] != none)
            sets.join(element.unknown[i], element.unknown[j]);
    is_held_.assign(unknowns_, false);
    for (std::size_t i = 0; i < unknowns_; ++i) part_.push_back(sets.root(i));
    for (const Element& element : elements_)
      if (std::count(element.unknown.begin(), element.unknown.end(), none) > 0)
        for (const std::size_t i : element.unknown)
          if (i != none) is_held_[part_[i]] = true;
  }

  std::vector<Element> elements_;
  std::size_t unknowns_ = 0;
  std::vector<std::size_t> part_;  ///< of the face, by unknown: one of its unknowns
  std::vector<bool> is_held_;      ///< by part
  Vector mass_;
  Vector diagonal_;
};

Vector times(const Vector& a, const Vector& b) {
  Vector result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] * b[i];
  return result;
}

void add_multiple(Vector& x, double factor, const Vector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * y[i];
}

/// The step a along p that minimises the quotient of x + a p; the arguments are x.Kx, x.Kp, p.Kp, and those of M.
double best_step(double kxx, double kxp, double kpp, double mxx, double mxp, double mpp) {
  const double a = kpp * mxp - kxp * mpp, b = kpp * mxx - kxx * mpp, c = kxp * mxx - kxx * mxp;
  const double root = std::sqrt(std::max(b * b - 4 * a * c, 0.0));
  return -2 * c / (b + root);  // where the quotient is least
}

/// The lowest k0^2 above 0 by conjugate gradients on the Rayleigh quotient, with the diagonal as preconditioner.
double lowest_eigenvalue(const EdgeProblem& problem) {
  constexpr double tolerance = 1e-3;  // of the residual; the error of the value falls with its square
  constexpr int most = 20000;
  if (problem.unknowns() == 0) return std::numeric_limits<double>::infinity();
  Vector x(problem.unknowns());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + std::sin(1.7 * static_cast<double>(i * i % 1009));
  problem.remove_constants(x);
  Vector kx = problem.times_stiffness(x), direction(x.size(), 0);
  double value = 0, before = 0;
  for (int k = 0; k < most; ++k) {
    const Vector mx = times(problem.mass(), x);
    const double mxx = product_of(x, mx);
    value = product_of(x, kx) / mxx;
    Vector residual = kx;
    add_multiple(residual, -value, mx);
    double size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) size += residual[i] * residual[i] / problem.mass()[i];
    if (size <= tolerance * tolerance * value * value * mxx) break;
    Vector step(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) step[i] = residual[i] / problem.diagonal()[i];
    problem.remove_constants(step);
    const double now = product_of(step, residual);
    for (std::size_t i = 0; i < x.size(); ++i) direction[i] = (k == 0 ? 0 : now / before * direction[i]) - step[i];
    before = now;
    const Vector kp = problem.times_stiffness(direction), mp = times(problem.mass(), direction);
    const double a = best_step(product_of(x, kx), product_of(direction, kx), product_of(direction, kp), mxx,
                               product_of(x, mp), product_of(direction, mp));
    add_multiple(x, a, direction);
    add_multiple(kx, a, kp);
  }
  return value;
}

}  // namespace

double find_second_cutoff_per_m(const std::vector<PortTriangle>& triangles, const std::vector<PortEdge>& metal,
                                const std::vector<Medium>& media) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const bool electric : {false, true})
    lowest = std::min(lowest, lowest_eigenvalue(EdgeProblem(triangles, metal, media, electric)));
  return std::sqrt(lowest);
}

}  // namespace tetrawave

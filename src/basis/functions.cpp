#include "basis/functions.hpp"

#include <algorithm>

namespace tetrawave::basis {

namespace {

using Components = std::array<Polynomial, 3>;

constexpr std::array<std::array<int, 2>, 6> edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
constexpr std::array<std::array<int, 3>, 4> faces{{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};

Polynomial L(int vertex) { return Polynomial::barycentric(vertex); }

/// grad p in covariant components: d p / d xi_a.
Components gradient(const Polynomial& p) { return {p.derivative(0), p.derivative(1), p.derivative(2)}; }

/// p times the Whitney function W_ij = Li Gj - Lj Gi.
Components whitney(int i, int j, const Polynomial& p = Polynomial(1)) {
  const Components gi = gradient(L(i));
  const Components gj = gradient(L(j));
  Components w;
  for (std::size_t a = 0; a < 3; ++a) w[a] = p * (L(i) * gj[a] - L(j) * gi[a]);
  return w;
}

void add_edges_whitney(std::vector<Function>& list) {
  for (const auto& e : edges) list.push_back({whitney(e[0], e[1]), {e[0], e[1]}});
}

void add_edges_gradient(std::vector<Function>& list) {
  for (const auto& e : edges) list.push_back({gradient(L(e[0]) * L(e[1])), {e[0], e[1]}});
}

void add_faces_rotational(std::vector<Function>& list) {
  for (const auto& f : faces) {
    list.push_back({whitney(f[1], f[2], L(f[0])), {f[0], f[1], f[2]}});
    list.push_back({whitney(f[0], f[2], L(f[1])), {f[0], f[1], f[2]}});
  }
}

void add_cubic_gradients(std::vector<Function>& list) {
  for (const auto& e : edges) list.push_back({gradient(L(e[0]) * L(e[1]) * (L(e[0]) - L(e[1]))), {e[0], e[1]}});
  for (const auto& f : faces) list.push_back({gradient(L(f[0]) * L(f[1]) * L(f[2])), {f[0], f[1], f[2]}});
}

/// u - v.
Components difference(const Components& u, const Components& v) { return {u[0] - v[0], u[1] - v[1], u[2] - v[2]}; }

/// Two differences of u_a = La (Lb - Lc) W_bc and its cyclic permutations, whose sum is grad(La Lb Lc); for La^2 W_bc
/// and its permutations the alternating sum.
void add_faces_quadratic(std::vector<Function>& list) {
  for (const auto& [a, b, c] : faces) {
    const Components ua = whitney(b, c, L(a) * (L(b) - L(c)));
    const Components ub = whitney(a, c, L(b) * (L(a) - L(c)));
    const Components uc = whitney(a, b, L(c) * (L(a) - L(b)));
    const Components squares = difference(whitney(b, c, L(a) * L(a)), whitney(a, c, L(b) * L(b)));
    list.push_back({difference(ua, ub), {a, b, c}});
    list.push_back({difference(ub, uc), {a, b, c}});
    list.push_back({difference(squares, whitney(b, a, L(c) * L(c))), {a, b, c}});
  }
}

void add_interior_rotational(std::vector<Function>& list) {
  list.push_back({whitney(2, 3, L(0) * L(1)), {0, 1, 2, 3}});
  list.push_back({whitney(1, 3, L(0) * L(2)), {0, 1, 2, 3}});
  list.push_back({whitney(0, 3, L(1) * L(2)), {0, 1, 2, 3}});
}

void add_quartic_gradients(std::vector<Function>& list) {
  for (const auto& [a, b] : edges) {
    const Polynomial bubble = L(a) * L(b);
    list.push_back({gradient(bubble * (L(a) * L(a) - Polynomial(3) * bubble + L(b) * L(b))), {a, b}});
  }
  for (const auto& [a, b, c] : faces) {
    const Polynomial bubble = L(a) * L(b) * L(c);
    list.push_back({gradient(bubble * (L(a) - L(b))), {a, b, c}});
    list.push_back({gradient(bubble * (L(a) + L(b) - Polynomial(2) * L(c))), {a, b, c}});
  }
  list.push_back({gradient(L(0) * L(1) * L(2) * L(3)), {0, 1, 2, 3}});
}

/// A function belongs to the vertices with alpha_j > 0 and to that of its gradient: it has no trace on other faces.
std::vector<Function> bernstein_functions(int degree) {
  std::vector<Function> list;
  for (const auto& alpha : bernstein_indices(degree)) {
    const Polynomial value = bernstein(alpha);
    const auto first = std::find_if(alpha.begin(), alpha.end(), [](int power) { return power > 0; }) - alpha.begin();
    for (int j = 0; j < 4; ++j) {
      if (j == first) continue;
      const Components slope = gradient(L(j));
      Function function{{value * slope[0], value * slope[1], value * slope[2]}, {}};
      for (int v = 0; v < 4; ++v)
        if (v == j || alpha[static_cast<std::size_t>(v)] > 0) function.vertices.push_back(v);
      list.push_back(function);
    }
  }
  return list;
}

}  // namespace

Polynomial bernstein(const std::array<int, 4>& alpha) {
  Polynomial value(1);
  int degree = 0;
  for (std::size_t v = 0; v < 4; ++v)
    for (int power = 1; power <= alpha[v]; ++power)
      value = value * L(static_cast<int>(v)) * Polynomial(Rational(++degree, power));
  return value;
}

std::vector<std::array<int, 4>> bernstein_indices(int degree) {
  std::vector<std::array<int, 4>> list;
  for (int a = degree; a >= 0; --a)
    for (int b = degree - a; b >= 0; --b)
      for (int c = degree - a - b; c >= 0; --c) list.push_back({a, b, c, degree - a - b - c});
  return list;
}

std::vector<Function> functions_of(Space space) {
  if (is_bernstein(space)) return bernstein_functions(degree_of(space));
  std::vector<Function> list;
  add_edges_whitney(list);
  if (space >= Space::full_1) add_edges_gradient(list);
  if (space >= Space::mixed_2) add_faces_rotational(list);
  if (space >= Space::full_2) add_cubic_gradients(list);
  if (space >= Space::mixed_3) {
    add_faces_quadratic(list);
    add_interior_rotational(list);
  }
  if (space >= Space::full_3) add_quartic_gradients(list);
  return list;
}

int degree_of(Space space) {
  if (space <= Space::full_1) return 1;
  if (space <= Space::full_2) return 2;
  return space == Space::full_4 ? 4 : 3;
}

}  // namespace tetrawave::basis

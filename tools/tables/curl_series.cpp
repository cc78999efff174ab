#include "tools/tables/curl_series.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/text/format.hpp"
#include "basis/functions.hpp"
#include "tools/tables/bernstein.hpp"
#include "tools/tables/shared_sums.hpp"

namespace tetrawave::tables {

namespace {

using basis::Polynomial;
using basis::Rational;
using Matrix = std::vector<std::vector<double>>;

/// Orthogonal polynomials in a = L_0 - L_3, b = L_1 - L_2 and c = L_1 + L_2 - L_0 - L_3, by Gram-Schmidt. The
/// tetrahedron is even in a and in b, so that each has a parity in both and d/da, d/db, d/dc have few terms: 18, 18 and
/// 31 in degree 3, where the polynomials of basis/reference_element.cpp have 33, 77 and 92 along the edges from x_0.
std::vector<Polynomial> even_and_odd(int degree) {
  const auto l = [](int vertex) { return Polynomial::barycentric(vertex); };
  const std::array variables{l(0) - l(3), l(1) - l(2), l(1) + l(2) - l(0) - l(3)};
  std::vector<Polynomial> list;
  for (int total = 0; total <= degree; ++total)
    for (int i = 0; i <= total; ++i)
      for (int j = 0; j <= total - i; ++j) {
        Polynomial p(1);
        const std::array powers{i, j, total - i - j};
        for (std::size_t v = 0; v < 3; ++v)
          for (int n = 0; n < powers[v]; ++n) p = p * variables[v];
        for (const Polynomial& q : list) p = p - Polynomial((p * q).mean() / (q * q).mean()) * q;
        list.push_back(p);
      }
  return list;
}

double norm(const Polynomial& p) { return std::sqrt((p * p).mean().value()); }

/// Along t_1 - t_2, (t_1 + t_2 - t_3)/2 and t_3, where a, b and c change one at a time.
Polynomial derivative(const Polynomial& p, std::size_t along) {
  if (along == 0) return p.derivative(0) - p.derivative(1);
  if (along == 2) return p.derivative(2);
  return Polynomial(Rational(1) / Rational(2)) * (p.derivative(0) + p.derivative(1) - p.derivative(2));
}

Polynomial bernstein(const std::array<int, 4>& alpha) {
  Polynomial p(1);
  int n = 0;
  for (int v = 0; v < 4; ++v)
    for (int k = 1; k <= alpha[static_cast<std::size_t>(v)]; ++k)
      p = p * Polynomial(Rational(++n) / Rational(k)) * Polynomial::barycentric(v);
  return p;
}

/// By elimination, the largest of a column first.
Matrix inverse_of(Matrix a) {
  const std::size_t n = a.size();
  Matrix x(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) x[i][i] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(x[k], x[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = i == k ? (a[k][k] - 1) / a[k][k] : a[i][k] / a[k][k];
      for (std::size_t j = 0; j < n; ++j) {
        a[i][j] -= factor * a[k][j];
        x[i][j] -= factor * x[k][j];
      }
    }
  }
  return x;
}

void write_matrix(Header& out, const std::string& comment, const std::string& name, const Matrix& matrix) {
  out << "  /// " << comment << "\n  template <class S, class R>\n  TW_FN static void " << name
      << "(const R* from, R* to) {\n";
  write_shared(
      out.text, [&](std::size_t i, std::size_t j) { return matrix[i][j]; }, matrix.size(), matrix.front().size(),
      "from", "to", false);
  out << "  }\n";
}

/// f += C q C^T h.
void write_add_curls(Header& out, const std::vector<Polynomial>& modes, std::size_t low) {
  // Of orthonormal polynomials: the part of polynomial m in a derivative of polynomial i.
  const auto part = [&](std::size_t along, std::size_t m, std::size_t i) {
    return (derivative(modes[i], along) * modes[m]).mean().value() / norm(modes[m]) / norm(modes[i]);
  };
  const auto append = [](std::string& text, double factor, const std::string& name) {
    if (factor == 0) return;
    text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    text += format("S({:.17g}) * {}", std::abs(factor), name);
  };
  out << format("  /// f (3 x {}) += C q C^T h, q the six numbers of a symmetric matrix.\n", low)
      << "  template <class S, class R>\n  TW_FN static void add_curls(const R* q, const R* h, R* f) {\n";
  for (std::size_t i = 1; i < modes.size(); ++i) {
    out << "    {\n";
    std::array<std::string, 3> rows;
    for (std::size_t a = 0; a < 3; ++a) {  // d_c^T h_b - d_b^T h_c, (a, b, c) cyclic
      const std::size_t b = (a + 1) % 3;
      const std::size_t c = (a + 2) % 3;
      std::string sum;
      for (std::size_t m = 0; m < low; ++m) {
        append(sum, part(c, m, i), format("h[{}]", b * low + m));
        append(sum, -part(b, m, i), format("h[{}]", c * low + m));
      }
      if (sum.empty()) continue;
      out << format("      const R r{} = {};\n", a, sum);
      for (std::size_t z = 0; z < 3; ++z)
        rows[z] += format("{}q[{}] * r{}", rows[z].empty() ? "" : " + ", z == 0 || a == 0 ? z + a : z + a + 1, a);
    }
    for (std::size_t z = 0; z < 3; ++z) out << format("      [[maybe_unused]] const R z{} = {};\n", z, rows[z]);
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t m = 0; m < low; ++m) {  // d_a z_b - d_b z_a
        const std::size_t a = (c + 1) % 3;
        const std::size_t b = (c + 2) % 3;
        std::string sum;
        append(sum, part(a, m, i), format("z{}", b));
        append(sum, -part(b, m, i), format("z{}", a));
        if (!sum.empty()) out << format("      f[{}] += {};\n", c * low + m, sum);
      }
    out << "    }\n";
  }
  out << "  }\n";
}

}  // namespace

void write_curl_series(Header& out, int degree, Space space, const std::string& type, const std::string& base) {
  const basis::ReferenceElement& e = basis::reference_element(space);
  const std::vector<Polynomial> modes = even_and_odd(degree);
  const std::size_t low = e.curl_modes;
  const auto lower = basis::bernstein_indices(degree - 1);
  Matrix of_lower(low, std::vector<double>(low));
  Matrix of_modes(low, std::vector<double>(low));
  for (std::size_t n = 0; n < low; ++n)
    for (std::size_t j = 0; j < low; ++j) {
      of_lower[n][j] = (bernstein(lower[j]) * modes[n]).mean().value() / norm(modes[n]);
      for (std::size_t i = 0; i < e.dofs; ++i)  // the first component of mode j
        of_modes[n][j] += e.to_dofs(i, j) * (e.functions[i].front() * modes[n]).mean().value() / norm(modes[n]);
    }
  out << "/// The terms of " << base << " for DFDD-ELD (schemes/dfdd/curl_series.hpp).\nstruct " << type << " : "
      << base << " {\n";
  write_lower(out, degree);
  write_matrix(out,
               format("Coefficients of orthonormal polynomials, of Bernstein polynomials of degree {}.", degree - 1),
               "of_lower", of_lower);
  write_matrix(out, "And back.", "to_lower", inverse_of(of_lower));
  write_matrix(out, "Of orthogonal polynomials as in `curl_components`.", "of_modes", of_modes);
  write_add_curls(out, modes, low);
  out << "};\n\n";
}

}  // namespace tetrawave::tables

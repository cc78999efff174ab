#include "basis/reference_element.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "basis/functions.hpp"

namespace tetrawave::basis {

using tetrawave::operator-;  // of vectors, beside that of polynomials

namespace {

using Matrix = std::vector<std::vector<Rational>>;

Matrix zeros(std::size_t rows, std::size_t columns) { return Matrix(rows, std::vector<Rational>(columns)); }

Table table_of(const Matrix& matrix) {
  Table table{matrix.size(), matrix.empty() ? 0 : matrix.front().size(), {}};
  for (const auto& row : matrix)
    for (const Rational& entry : row) table.entries.push_back(entry.value());
  return table;
}

/// Orthogonal polynomials of degree <= `degree` on the tetrahedron, by Gram-Schmidt on monomials of rising degree.
std::vector<Polynomial> orthogonal_polynomials(int degree) {
  std::vector<Polynomial> modes;
  for (int total = 0; total <= degree; ++total)
    for (int i = total; i >= 0; --i)
      for (int j = total - i; j >= 0; --j) {
        Polynomial p = Polynomial::monomial({i, j, total - i - j});
        for (const Polynomial& mode : modes) p = p - Polynomial((p * mode).mean() / (mode * mode).mean()) * mode;
        modes.push_back(p);
      }
  return modes;
}

std::size_t polynomial_count(int degree) {
  return degree < 0 ? 0 : static_cast<std::size_t>((degree + 1) * (degree + 2) * (degree + 3) / 6);
}

/// curl in reference coordinates: (curl_xi v)_c = eps_cba d_b v_a.
std::array<Polynomial, 3> reference_curl(const std::array<Polynomial, 3>& v) {
  return {v[2].derivative(1) - v[1].derivative(2), v[0].derivative(2) - v[2].derivative(0),
          v[1].derivative(0) - v[0].derivative(1)};
}

/// int N_i . curl N_j = s int_ref N_i . curl_xi N_j; the reference volume is 1/6.
Matrix curl_matrix(const std::vector<Function>& functions) {
  Matrix matrix = zeros(functions.size(), functions.size());
  for (std::size_t j = 0; j < functions.size(); ++j) {
    const auto curl = reference_curl(functions[j].components);
    for (std::size_t i = 0; i < functions.size(); ++i) {
      Rational sum;
      for (std::size_t a = 0; a < 3; ++a) sum += (functions[i].components[a] * curl[a]).mean();
      matrix[i][j] = sum / Rational(6);
    }
  }
  return matrix;
}

/// oint_f N_i . (n x N_j) = -(s/2) mean_f(eps_abc N_ja N_ib d_c L_f), because n dA = -(|det J|/2) grad L_f dA/A_f.
Matrix face_matrix(const std::vector<Function>& functions, int face, const std::vector<std::size_t>& columns) {
  const Polynomial height = Polynomial::barycentric(face);
  Matrix matrix = zeros(functions.size(), columns.size());
  for (const std::size_t i : columns)  // the others have no trace there
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto& u = functions[columns[k]].components;
      const auto& v = functions[i].components;
      Rational sum;
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t a = (c + 1) % 3;
        const std::size_t b = (c + 2) % 3;
        const Rational slope = height.derivative(static_cast<int>(c)).mean();
        if (!slope.is_zero()) sum += slope * (u[a] * v[b] - u[b] * v[a]).face_mean(face);
      }
      matrix[i][k] = -sum / Rational(2);
    }
  return matrix;
}

/// Coefficients of the curl's contravariant components in the first `count` orthogonal polynomials.
Table curl_components(const std::vector<Function>& functions, const std::vector<Polynomial>& modes, std::size_t count) {
  Matrix matrix = zeros(3 * count, functions.size());
  for (std::size_t j = 0; j < functions.size(); ++j) {
    const auto curl = reference_curl(functions[j].components);
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t m = 0; m < count; ++m)
        matrix[c * count + m][j] = (curl[c] * modes[m]).mean() / (modes[m] * modes[m]).mean();
  }
  return table_of(matrix);
}

/// Vertices of the face opposite vertex f, ascending.
std::array<int, 3> vertices_of_face(int face) {
  std::array<int, 3> vertices{};
  std::size_t k = 0;
  for (int v = 0; v < 4; ++v)
    if (v != face) vertices[k++] = v;
  return vertices;
}

/// Polynomials of degree <= `degree` in the coordinates of a face, orthogonal in its mean.
std::vector<Polynomial> orthogonal_on_face(int face, int degree) {
  const auto vertices = vertices_of_face(face);
  const Polynomial x = Polynomial::barycentric(vertices[1]);
  const Polynomial y = Polynomial::barycentric(vertices[2]);
  std::vector<Polynomial> modes;
  for (int total = 0; total <= degree; ++total)
    for (int i = total; i >= 0; --i) {
      Polynomial p = Polynomial(1);
      for (int k = 0; k < i; ++k) p = p * x;
      for (int k = i; k < total; ++k) p = p * y;
      for (const Polynomial& mode : modes)
        p = p - Polynomial((p * mode).face_mean(face) / (mode * mode).face_mean(face)) * mode;
      modes.push_back(p);
    }
  return modes;
}

/// Component of a function along x_to - x_from: with v_0 = 0, v_to - v_from.
Polynomial along(const Function& function, int from, int to) {
  const auto component = [&function](int vertex) {
    return vertex == 0 ? Polynomial() : function.components[static_cast<std::size_t>(vertex - 1)];
  };
  return component(to) - component(from);
}

Matrix trace_components(const std::vector<Function>& functions, int face, const std::vector<std::size_t>& columns,
                        const std::vector<Polynomial>& modes) {
  const auto vertices = vertices_of_face(face);
  Matrix matrix = zeros(2 * modes.size(), columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t a = 0; a < 2; ++a) {
      const Polynomial v = along(functions[columns[k]], vertices[0], vertices[a + 1]);
      for (std::size_t m = 0; m < modes.size(); ++m)
        matrix[a * modes.size() + m][k] = (v * modes[m]).face_mean(face) / (modes[m] * modes[m]).face_mean(face);
    }
  return matrix;
}

/// Sign of the normal (x_b - x_a) x (x_c - x_a) against grad L_face, in reference coordinates.
double outward_sign(int face) {
  const auto vertices = vertices_of_face(face);
  const auto corner = [](int vertex) {
    Vec3 x{};
    if (vertex > 0) x[static_cast<std::size_t>(vertex - 1)] = 1;
    return x;
  };
  const Vec3 a = corner(vertices[0]);
  const Vec3 normal = cross(corner(vertices[1]) - a, corner(vertices[2]) - a);
  return dot(normal, corner(face) - a) < 0 ? 1 : -1;
}

Matrix inverse(Matrix matrix) {
  const std::size_t n = matrix.size();
  Matrix result = zeros(n, n);
  for (std::size_t i = 0; i < n; ++i) result[i][i] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && matrix[pivot][k].is_zero()) ++pivot;
    ensure(pivot < n, "a reference matrix is singular");
    std::swap(matrix[k], matrix[pivot]);
    std::swap(result[k], result[pivot]);
    const Rational scale = matrix[k][k];
    for (std::size_t j = 0; j < n; ++j) {
      matrix[k][j] = matrix[k][j] / scale;
      result[k][j] = result[k][j] / scale;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || matrix[i][k].is_zero()) continue;
      const Rational factor = matrix[i][k];
      for (std::size_t j = 0; j < n; ++j) {
        matrix[i][j] -= factor * matrix[k][j];
        result[i][j] -= factor * result[k][j];
      }
    }
  }
  return result;
}

/// Appends to `rows` those of `candidates` that increase its rank, until it is square.
void complete_rows(Matrix& rows, const Matrix& candidates) {
  Matrix reduced;  // rows in echelon form
  const auto reduce = [&reduced](std::vector<Rational> row) {
    for (const auto& pivot_row : reduced) {
      const auto lead =
          std::find_if(pivot_row.begin(), pivot_row.end(), [](const Rational& x) { return !x.is_zero(); });
      const auto k = static_cast<std::size_t>(lead - pivot_row.begin());
      if (row[k].is_zero()) continue;
      const Rational factor = row[k] / *lead;
      for (std::size_t j = 0; j < row.size(); ++j) row[j] -= factor * pivot_row[j];
    }
    return row;
  };
  const auto is_zero = [](const std::vector<Rational>& row) {
    return std::all_of(row.begin(), row.end(), [](const Rational& x) { return x.is_zero(); });
  };
  for (const auto& row : rows) reduced.push_back(reduce(row));
  for (const auto& row : candidates) {
    if (rows.size() == row.size()) return;
    const auto rest = reduce(row);
    if (is_zero(rest)) continue;
    reduced.push_back(rest);
    rows.push_back(row);
  }
}

/// mass(t, u) = sum_ab g_ab X_ab of a top mass for a regular element, g_ab = 2 delta_ab - 1/2; in place its Cholesky
/// factor L, lower triangle.
std::vector<std::vector<double>> factor_regular_mass(const std::array<std::array<Matrix, 3>, 3>& top_mass) {
  const std::size_t n = top_mass[0][0].size();
  std::vector<std::vector<double>> l(n, std::vector<double>(n, 0.0));
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t u = 0; u <= t; ++u) {
      double sum = 0;
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) sum += (a == b ? 1.5 : -0.5) * top_mass[a][b][t][u].value();
      for (std::size_t k = 0; k < u; ++k) sum -= l[t][k] * l[u][k];
      l[t][u] = t == u ? std::sqrt(sum) : sum / l[u][u];
    }
  return l;
}

/// The combinations of the top functions, columns of L^-T rounded, that are nearly orthonormal on a regular element:
/// the condition of the top mass of mixed-3 falls from 27,000 to 1 there, and from 48,000 to 3 in a cube cut in six.
Matrix orthogonal_combinations(const std::array<std::array<Matrix, 3>, 3>& top_mass) {
  constexpr int parts = 4096;
  const auto l = factor_regular_mass(top_mass);
  const std::size_t n = l.size();
  Matrix columns = zeros(n, n);
  for (std::size_t j = 0; j < n; ++j) {  // L^T x = unit vector j
    std::vector<double> x(n, 0.0);
    for (std::size_t i = j + 1; i-- > 0;) {
      double sum = i == j ? 1 : 0;
      for (std::size_t k = i + 1; k <= j; ++k) sum -= l[k][i] * x[k];
      x[i] = sum / l[i][i];
      columns[i][j] = Rational(static_cast<int>(std::lround(parts * x[i])), parts);
    }
  }
  return columns;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result = zeros(a.size(), b.front().size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k) {
      if (a[i][k].is_zero()) continue;
      for (std::size_t j = 0; j < b[k].size(); ++j) result[i][j] += a[i][k] * b[k][j];
    }
  return result;
}

/// sum_m d_m component_a(t) component_b(u) over the modes of degree k, for all top functions t, u.
std::array<std::array<Matrix, 3>, 3> find_top_mass(const ReferenceElement& element, const Matrix& top_components,
                                                   const std::vector<Rational>& squares) {
  const std::size_t count = squares.size();
  std::array<std::array<Matrix, 3>, 3> result;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      Matrix mass = zeros(element.top, element.top);
      for (std::size_t m = element.low_modes; m < count; ++m)
        for (std::size_t t = 0; t < element.top; ++t)
          for (std::size_t u = 0; u < element.top; ++u)
            mass[t][u] += squares[m] * top_components[a * count + m][t] * top_components[b * count + m][u];
      result[a][b] = mass;
    }
  return result;
}

void build_mass(ReferenceElement& element, const std::vector<Function>& functions, bool mixed) {
  const std::size_t n = functions.size();
  const auto modes = orthogonal_polynomials(element.degree);
  const std::size_t count = modes.size();
  Matrix components = zeros(3 * count, n);
  std::vector<Rational> squares;
  for (const auto& mode : modes) squares.push_back((mode * mode).mean());
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t m = 0; m < count; ++m)
      for (std::size_t i = 0; i < n; ++i)
        components[a * count + m][i] = (functions[i].components[a] * modes[m]).mean() / squares[m];
  for (const Rational& d : squares) element.modes.push_back(d.value());
  element.components = table_of(components);

  element.curl_modes = polynomial_count(element.degree - 1);
  element.curl_components = curl_components(functions, modes, element.curl_modes);

  element.low_modes = mixed ? polynomial_count(element.degree - 1) : count;
  element.top = n - 3 * element.low_modes;
  Matrix rows;
  Matrix rest;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t m = 0; m < count; ++m) (m < element.low_modes ? rows : rest).push_back(components[a * count + m]);
  complete_rows(rows, rest);
  Matrix to_dofs = inverse(rows);
  const auto top_columns = [&] {
    Matrix columns = zeros(n, element.top);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t t = 0; t < element.top; ++t) columns[i][t] = to_dofs[i][3 * element.low_modes + t];
    return columns;
  };
  if (mixed && element.degree > 2) {
    const auto plain = find_top_mass(element, product(components, top_columns()), squares);
    const Matrix better = product(top_columns(), orthogonal_combinations(plain));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t t = 0; t < element.top; ++t) to_dofs[i][3 * element.low_modes + t] = better[i][t];
  }
  element.to_dofs = table_of(to_dofs);
  if (element.top == 0) return;
  const auto top_mass = find_top_mass(element, product(components, top_columns()), squares);
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) element.top_mass[a][b] = table_of(top_mass[a][b]);
}

void build_traces(ReferenceElement& element, const std::vector<Function>& functions) {
  for (int f = 0; f < 4; ++f) {
    const auto face = static_cast<std::size_t>(f);
    const auto modes = orthogonal_on_face(f, element.degree);
    const Table table = table_of(trace_components(functions, f, element.on_face[face], modes));
    ensure(f == 0 || table.entries == element.face_components.entries, "traces are the same on all faces");
    element.face_components = table;
    element.face_sign[face] = outward_sign(f);
    element.face_modes.clear();
    for (const Polynomial& mode : modes) element.face_modes.push_back((mode * mode).face_mean(f).value());
  }
}

ReferenceElement build(Space space) {
  const auto functions = functions_of(space);
  ReferenceElement element;
  element.dofs = functions.size();
  element.degree = degree_of(space);
  for (const Function& function : functions) {
    element.functions.push_back(function.components);
    for (const Polynomial& component : function.components) element.values.add(component);
    for (const Polynomial& component : reference_curl(function.components)) element.curls.add(component);
  }
  for (int f = 0; f < 4; ++f) {
    auto& on_face = element.on_face[static_cast<std::size_t>(f)];
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const auto& vertices = functions[i].vertices;
      if (std::find(vertices.begin(), vertices.end(), f) == vertices.end()) on_face.push_back(i);
    }
    element.face[static_cast<std::size_t>(f)] = table_of(face_matrix(functions, f, on_face));
  }
  element.face_dofs = element.on_face[0].size();
  element.curl = table_of(curl_matrix(functions));
  build_traces(element, functions);
  build_mass(element, functions, space == Space::mixed_1 || space == Space::mixed_2 || space == Space::mixed_3);
  return element;
}

}  // namespace

namespace {

/// Three polynomials for each of `count` vectors.
std::vector<Vec3> vectors_at(const RoundedPolynomials& components, std::size_t count,
                             const std::array<double, 4>& barycentric) {
  std::vector<Vec3> vectors(count);
  components.evaluate({barycentric[1], barycentric[2], barycentric[3]}, vectors.front().data());
  return vectors;
}

}  // namespace

std::vector<Vec3> ReferenceElement::evaluate(const std::array<double, 4>& barycentric) const {
  return vectors_at(values, dofs, barycentric);
}

std::vector<Vec3> ReferenceElement::evaluate_curls(const std::array<double, 4>& barycentric) const {
  return vectors_at(curls, dofs, barycentric);
}

const ReferenceElement& reference_element(Space space) {
  struct Slot {
    std::once_flag once;
    ReferenceElement element;
  };
  static std::array<Slot, static_cast<std::size_t>(Space::nested_full_3) + 1> slots;
  Slot& slot = slots.at(static_cast<std::size_t>(space));
  std::call_once(slot.once, [&] { slot.element = build(space); });
  return slot.element;
}

}  // namespace tetrawave::basis

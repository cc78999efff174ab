#include "fem/edge/line_modes.hpp"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "basis/functions.hpp"
#include "basis/mapped_element.hpp"
#include "basis/quadrature.hpp"
#include "fem/edge/edge_space.hpp"

namespace tetrawave::fem {

namespace {

template <class T>
using VectorOf = Eigen::Matrix<T, Eigen::Dynamic, 1>;
using SparseMatrix = Eigen::SparseMatrix<double>;
using RealVector = VectorOf<double>;
constexpr std::array<std::array<std::size_t, 2>, 3> rim_edges{{{0, 1}, {0, 2}, {1, 2}}};
constexpr std::size_t apex_face = 3;  // of a tetrahedron on a triangle, opposite the apex

/// A hierarchical function of a triangle: of a vertex, an edge or the inside.
struct NodalFunction {
  std::array<GlobalIndex, 4> key{-1, -1, -1, 0};  ///< its vertices, and its number among theirs
  double value = 0;
  std::array<double, 3> slope{};  ///< in the barycentric coordinates
};

/// All of them at a point, those of vertices first: l; l_i l_j times 1, l_i - l_j, l_i^2 - 3 l_i l_j + l_j^2; then
/// l_0 l_1 l_2 times 1, l_0 - l_1, l_0 + l_1 - 2 l_2.
std::vector<NodalFunction> nodal_functions(const PortTriangle& triangle, int degree, const std::array<double, 3>& l) {
  std::vector<NodalFunction> result;
  for (std::size_t c = 0; c < 3; ++c) {
    NodalFunction& own = result.emplace_back();
    own.key = {triangle.vertices[c], -1, -1, 0};
    own.value = l[c];
    own.slope[c] = 1;
  }
  for (int of_degree = 2; of_degree <= degree; ++of_degree)
    for (const auto& [i, j] : rim_edges) {
      const double a = l[i], b = l[j];
      NodalFunction& own = result.emplace_back();
      own.key = {triangle.vertices[i], triangle.vertices[j], -1, of_degree};
      const double factor = of_degree == 2 ? 1 : of_degree == 3 ? a - b : a * a - 3 * a * b + b * b;
      own.value = a * b * factor;
      own.slope[i] = b * factor + a * b * (of_degree == 2 ? 0 : of_degree == 3 ? 1 : 2 * a - 3 * b);
      own.slope[j] = a * factor + a * b * (of_degree == 2 ? 0 : of_degree == 3 ? -1 : 2 * b - 3 * a);
    }
  const double bubble = l[0] * l[1] * l[2];
  const std::array<std::array<double, 3>, 3> steps{{{0, 0, 0}, {1, -1, 0}, {1, 1, -2}}};
  for (std::size_t k = 0; k < (degree < 3 ? 0U : degree == 3 ? 1U : 3U); ++k) {
    const auto& step = steps[k];
    const double factor = k == 0 ? 1 : step[0] * l[0] + step[1] * l[1] + step[2] * l[2];
    NodalFunction& own = result.emplace_back();
    own.key = {triangle.vertices[0], triangle.vertices[1], triangle.vertices[2], static_cast<GlobalIndex>(k)};
    own.value = bubble * factor;
    for (std::size_t c = 0; c < 3; ++c) own.slope[c] = l[(c + 1) % 3] * l[(c + 2) % 3] * factor + bubble * step[c];
  }
  return result;
}

/// a^T b
template <class T>
T product(const VectorOf<T>& a, const VectorOf<T>& b) {
  return a.conjugate().dot(b);
}

/// What the triangles of a face have at a point of a rule.
struct FacePoint {
  std::array<double, 3> barycentric{};
  double area = 0;
  std::vector<Vec3> vectors;  ///< tangential parts of the functions with a trace
  std::vector<double> curls;  ///< normal parts of their curls
  std::vector<NodalFunction> nodal;
  std::vector<Vec3> slopes;  ///< gradients of `nodal`
};

}  // namespace

struct LineModes::Impl {
  CrossSection section;
  Space space;
  int degree;
  std::size_t functions;              ///< with a trace on a triangle
  std::vector<std::int32_t> unknown;  ///< [triangle][functions], of edge functions; or EdgeSpace::fixed
  std::map<std::array<GlobalIndex, 4>, std::int32_t> nodal;
  Eigen::Index edge_unknowns = 0, unknowns = 0;
  /// Of all unknowns, edge functions first: int (1/mu) curl curl, int eps N.N + int eps L L, and int (1/mu) of products
  /// of N + grad L.
  SparseMatrix curls, masses, sums;
  RealVector guess;          ///< the same products with the static field
  double static_square = 0;  ///< int (1/mu) of its square

  Impl(CrossSection given, Space of_space)
      : section(std::move(given)),
        space(of_space),
        degree(basis::potential_degree_of(of_space)),
        functions(basis::reference_element(of_space).face_dofs) {
    number();
    assemble();
  }

  [[nodiscard]] basis::MappedElement element(std::size_t t) const;
  [[nodiscard]] std::vector<FacePoint> points(std::size_t t) const;
  void number();
  void assemble();
  [[nodiscard]] std::vector<Eigen::Index> places(std::size_t t, const FacePoint& point) const;
  template <class T>
  [[nodiscard]] LineModeOf<T> read(VectorOf<T> x, const T& k0, const T& beta) const;
};

/// A tetrahedron on the triangle: its functions with a trace there are those of the elements at the port.
basis::MappedElement LineModes::Impl::element(std::size_t t) const {
  const PortTriangle& triangle = section.triangles[t];
  const auto& c = triangle.corners;
  const Vec3 apex = (1. / 3) * (c[0] + c[1] + c[2]) - tetrawave::norm(c[1] - c[0]) * section.normal;
  if (!triangle.is_curved()) return {space, {c[0], c[1], c[2], apex}, nullptr};
  const auto& bulge = triangle.bulge;
  const basis::Middles middles{0.5 * (c[0] + c[1]) + bulge[0],
                               0.5 * (c[0] + c[2]) + bulge[1],
                               0.5 * (c[0] + apex),
                               0.5 * (c[1] + c[2]) + bulge[2],
                               0.5 * (c[1] + apex),
                               0.5 * (c[2] + apex)};
  return {space, {c[0], c[1], c[2], apex}, &middles};
}

std::vector<FacePoint> LineModes::Impl::points(std::size_t t) const {
  const PortTriangle& triangle = section.triangles[t];
  const auto& reference = basis::reference_element(space);
  const basis::MappedElement tetrahedron = element(t);
  const Vec3& n = section.normal;
  std::vector<FacePoint> result;
  for (const auto& q : basis::triangle_rule(tetrahedron.degree_of_rule(2 * degree))) {
    FacePoint& point = result.emplace_back();
    point.barycentric = q.barycentric;
    const auto tangents = tangents_on(triangle, q.barycentric);
    const double twice = dot(n, cross(tangents[0], tangents[1]));
    const Vec3 first = (-1 / twice) * cross(n, tangents[1]), second = (1 / twice) * cross(n, tangents[0]);
    const std::array<Vec3, 3> of_coordinate{-1.0 * (first + second), first, second};
    const auto at = tetrahedron.on_face(apex_face, q.barycentric);
    point.area = q.weight * at.area;
    const auto values = tetrahedron.values(at.barycentric), curls = tetrahedron.curls(at.barycentric);
    for (const std::size_t i : reference.on_face[apex_face]) {
      point.vectors.push_back(values[i] - dot(n, values[i]) * n);
      point.curls.push_back(dot(n, curls[i]));
    }
    point.nodal = nodal_functions(triangle, degree, q.barycentric);
    for (const NodalFunction& function : point.nodal) {
      Vec3& slope = point.slopes.emplace_back();
      for (std::size_t c = 0; c < 3; ++c) slope = slope + function.slope[c] * of_coordinate[c];
    }
  }
  return result;
}

void LineModes::Impl::number() {
  const auto& on_face = basis::reference_element(space).on_face;
  GlobalIndex apex = 0;
  for (const PortTriangle& triangle : section.triangles) apex = std::max(apex, triangle.vertices[2] + 1);
  std::vector<std::array<GlobalIndex, 4>> vertices;
  for (const PortTriangle& triangle : section.triangles)
    vertices.push_back({triangle.vertices[0], triangle.vertices[1], triangle.vertices[2], apex++});
  const EdgeSpace all = number_unknowns(space, vertices, {});
  std::sort(section.metal.begin(), section.metal.end());
  const auto is_metal = [&](const PortEdge& edge) {
    return std::binary_search(section.metal.begin(), section.metal.end(), edge);
  };
  std::map<std::array<GlobalIndex, 4>, bool> held;  // nodal functions on metal
  std::vector<bool> fixed(static_cast<std::size_t>(all.unknowns), false);
  for (std::size_t t = 0; t < vertices.size(); ++t)
    for (std::size_t opposite = 0; opposite < 3; ++opposite) {
      const PortEdge edge{vertices[t][opposite == 0 ? 1 : 0], vertices[t][opposite == 2 ? 1 : 2]};
      if (!is_metal(edge)) continue;
      for (const std::size_t i : on_face[apex_face])  // of the edge: they have a trace on its other face too
        if (std::count(on_face[opposite].begin(), on_face[opposite].end(), i) > 0)
          fixed[static_cast<std::size_t>(all.of(t)[i])] = true;
      for (const GlobalIndex v : edge) held[{v, -1, -1, 0}] = true;
      for (int of_degree = 2; of_degree <= degree; ++of_degree) held[{edge[0], edge[1], -1, of_degree}] = true;
    }
  std::vector<std::int32_t> numbers(fixed.size(), EdgeSpace::fixed);
  for (std::size_t t = 0; t < vertices.size(); ++t)
    for (const std::size_t i : on_face[apex_face]) {
      const auto u = static_cast<std::size_t>(all.of(t)[i]);
      if (!fixed[u] && numbers[u] == EdgeSpace::fixed) numbers[u] = static_cast<std::int32_t>(edge_unknowns++);
      unknown.push_back(numbers[u]);
    }
  auto next = static_cast<std::int32_t>(edge_unknowns);
  for (const PortTriangle& triangle : section.triangles)
    for (const NodalFunction& function : nodal_functions(triangle, degree, {1. / 3, 1. / 3, 1. / 3}))
      if (held.count(function.key) > 0)
        nodal[function.key] = EdgeSpace::fixed;
      else if (nodal.try_emplace(function.key, next).second)
        ++next;
  unknowns = next;
}

/// Rows of edge functions, then of nodal ones; -1: fixed.
std::vector<Eigen::Index> LineModes::Impl::places(std::size_t t, const FacePoint& point) const {
  std::vector<Eigen::Index> rows;
  for (std::size_t i = 0; i < functions; ++i) rows.push_back(unknown[t * functions + i]);
  for (const NodalFunction& function : point.nodal) rows.push_back(nodal.at(function.key));
  return rows;
}

void LineModes::Impl::assemble() {
  std::vector<Eigen::Triplet<double>> of_curls, of_masses, of_sums;
  guess = RealVector::Zero(unknowns);
  for (std::size_t t = 0; t < section.triangles.size(); ++t) {
    const std::vector<FacePoint> at = points(t);
    const std::vector<Eigen::Index> rows = places(t, at.front());
    const std::size_t size = rows.size();
    const auto edge_count = static_cast<std::ptrdiff_t>(functions);
    std::vector<double> curl(size * size), mass(size * size), sum(size * size);
    for (const FacePoint& point : at) {
      std::vector<Vec3> vectors = point.vectors;
      vectors.insert(vectors.end(), point.slopes.begin(), point.slopes.end());
      const double of_mu = point.area * section.inverse_mu[t], of_eps = point.area * section.eps[t];
      const Vec3 given = section.static_field(t, point.barycentric);
      static_square += of_mu * dot(given, given);
      for (std::size_t i = 0; i < size; ++i) {
        if (rows[i] < 0) continue;
        guess[rows[i]] += of_mu * dot(vectors[i], given);
        for (std::size_t k = 0; k < size; ++k) {
          const bool edges = static_cast<std::ptrdiff_t>(std::max(i, k)) < edge_count;
          const bool nodes = static_cast<std::ptrdiff_t>(std::min(i, k)) >= edge_count;
          sum[i * size + k] += of_mu * dot(vectors[i], vectors[k]);
          if (edges) curl[i * size + k] += of_mu * point.curls[i] * point.curls[k];
          if (edges) mass[i * size + k] += of_eps * dot(vectors[i], vectors[k]);
          if (nodes) mass[i * size + k] += of_eps * point.nodal[i - functions].value * point.nodal[k - functions].value;
        }
      }
    }
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = 0; k < size; ++k) {
        if (rows[i] < 0 || rows[k] < 0) continue;
        of_curls.emplace_back(rows[i], rows[k], curl[i * size + k]);
        of_masses.emplace_back(rows[i], rows[k], mass[i * size + k]);
        of_sums.emplace_back(rows[i], rows[k], sum[i * size + k]);
      }
  }
  for (auto [matrix, entries] : {std::pair{&curls, &of_curls}, {&masses, &of_masses}, {&sums, &of_sums}}) {
    matrix->resize(unknowns, unknowns);
    matrix->setFromTriplets(entries->begin(), entries->end());
  }
}

/// Numbers per triangle of the mode x = (beta e, e_z), scaled to the norm.
template <class T>
LineModeOf<T> LineModes::Impl::read(VectorOf<T> x, const T& k0, const T& beta) const {
  const T factor = beta / k0;
  LineModeOf<T> mode;
  mode.index = factor;
  const T power = product<T>(x.head(edge_unknowns), (sums.cast<T>() * x).eval().head(edge_unknowns));
  const T along = product<T>(guess.cast<T>().head(edge_unknowns), x.head(edge_unknowns));
  VectorOf<T> transverse = x;
  transverse.tail(unknowns - edge_unknowns).setZero();
  mode.overlap = std::real(along * along / (static_square * product<T>(transverse, sums.cast<T>() * transverse)));
  x *= (std::real(along) < 0 ? -1.0 : 1.0) * std::sqrt(section.norm * beta * k0 / power);
  const std::size_t count = section.triangles.size() * functions;
  mode.field.assign(count, 0);
  mode.current.assign(count, 0);
  mode.wall.assign(count, 0);
  const auto& on_face = basis::reference_element(space).on_face[apex_face];
  for (std::size_t t = 0; t < section.triangles.size(); ++t) {
    const std::vector<FacePoint> at = points(t);
    const std::vector<Eigen::Index> rows = places(t, at.front());
    const auto value = [&](std::size_t i) { return rows[i] < 0 ? T(0) : x[rows[i]] / beta; };
    const auto mass = element(t).face_mass(apex_face);  // as in the matrix
    for (std::size_t i = 0; i < functions; ++i) {
      const std::size_t k = t * functions + i;
      mode.field[k] = value(i);
      for (std::size_t other = 0; other < functions && rows[i] >= 0; ++other)
        mode.wall[k] += section.wall[t] * mass(on_face[i], on_face[other]) * value(other);
    }
    for (const FacePoint& point : at) {
      std::array<T, 3> sum{};
      const auto add = [&sum](const T& number, const Vec3& vector) {
        for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += number * vector[axis];
      };
      for (std::size_t i = 0; i < functions; ++i) add(value(i), point.vectors[i]);
      for (std::size_t i = 0; i < point.nodal.size(); ++i) add(value(functions + i), point.slopes[i]);
      for (std::size_t i = 0; i < functions; ++i) {
        const Vec3& own = point.vectors[i];
        if (rows[i] >= 0)
          mode.current[t * functions + i] +=
              point.area * factor * section.inverse_mu[t] * (own[0] * sum[0] + own[1] * sum[1] + own[2] * sum[2]);
      }
    }
  }
  return mode;
}

std::vector<double> turn_traces(Space space, const std::array<std::uint8_t, 3>& order) {
  if (order == std::array<std::uint8_t, 3>{0, 1, 2}) return {};
  const auto& reference = basis::reference_element(space);
  const auto& on_face = reference.on_face[apex_face];
  const std::size_t n = reference.face_dofs;
  const std::array<Vec3, 4> x{Vec3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const basis::MappedElement element(space, x, nullptr);
  const basis::MappedElement turned(space, {x[order[0]], x[order[1]], x[order[2]], x[3]}, nullptr);
  basis::SymmetricMatrix mass(n);
  std::vector<double> turn(n * n);  // first int N'_i . N_k
  for (const auto& q : basis::triangle_rule(2 * reference.degree)) {
    const auto& l = q.barycentric;
    std::vector<Vec3> values = element.values(element.on_face(apex_face, l).barycentric);
    const auto of_turned =
        turned.values(turned.on_face(apex_face, {l[order[0]], l[order[1]], l[order[2]]}).barycentric);
    for (Vec3& value : values) value[2] = 0;  // tangential
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) {
        mass(i, k) += q.weight * dot(values[on_face[i]], values[on_face[k]]);
        turn[i * n + k] += q.weight * dot(of_turned[on_face[i]], values[on_face[k]]);
      }
  }
  mass.factor();
  for (std::size_t i = 0; i < n; ++i) mass.solve(turn.data() + i * n);
  return turn;
}

LineModes::LineModes(CrossSection section, Space space) : impl_(std::make_unique<Impl>(std::move(section), space)) {}
LineModes::~LineModes() = default;
LineModes::LineModes(LineModes&&) noexcept = default;
LineModes& LineModes::operator=(LineModes&&) noexcept = default;

double LineModes::norm() const { return impl_->section.norm; }

/// (C - k0^2 M) x = -beta^2 (B - k0^2 M_z) x by inverse iteration from the static mode, later with Rayleigh quotients.
template <class T>
LineModeOf<T> LineModes::solve(const T& k0_per_m) const {
  using Matrix = Eigen::SparseMatrix<T>;
  const Impl& impl = *impl_;
  const T k2 = k0_per_m * k0_per_m;
  const Eigen::Index edges = impl.edge_unknowns;
  Matrix left = impl.curls.cast<T>(), right = impl.sums.cast<T>();
  // masses are of edge functions or of nodal ones, never of both
  Matrix of_edges = impl.masses.cast<T>(), of_nodes = of_edges;
  of_edges.prune([edges](Eigen::Index row, Eigen::Index, const T&) { return row < edges; });
  of_nodes.prune([edges](Eigen::Index row, Eigen::Index, const T&) { return row >= edges; });
  left -= k2 * of_edges;
  right -= k2 * of_nodes;
  constexpr int steady = 3, most = 12;
  constexpr double settled = 1e-12;
  T square = k2 * impl.section.static_eps;
  VectorOf<T> image = impl.guess.cast<T>(), x;
  Eigen::SparseLU<Matrix> factors;
  Matrix shifted;
  for (int step = 0; step < most; ++step) {
    if (step == 0 || step >= steady) {
      shifted = left + square * right;
      shifted.makeCompressed();
      if (step == 0) factors.analyzePattern(shifted);
      factors.factorize(shifted);
      if (factors.info() != Eigen::Success) break;  // exactly at the mode
    }
    x = factors.solve(image);
    x /= x.head(edges).norm();
    image = right * x;
    const T found = -product<T>(x, left * x) / product<T>(x, image);
    const bool done = step > steady && std::abs(found - square) < settled * std::abs(found);
    if (step >= steady - 1) square = found;
    if (done) break;
  }
  if (!(std::real(square) > 0))
    throw UserError(ExitCode::bad_case, "a quasi-TEM port carries no mode that propagates at this frequency");
  return impl.read<T>(std::move(x), k0_per_m, std::sqrt(square));
}

template LineMode LineModes::solve(const double&) const;
template LineModeOf<Complex> LineModes::solve(const Complex&) const;

namespace {

double deviation_of(const std::vector<double>& found, const std::vector<double>& wanted) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    difference = std::max(difference, std::abs(found[i] - wanted[i]));
    size = std::max(size, std::abs(wanted[i]));
  }
  return difference / size;
}

}  // namespace

LineModeTable::LineModeTable(LineModes modes, std::vector<double> hz) : modes_(std::move(modes)) {
  constexpr std::size_t few = 12;
  constexpr double exact = 1e-9, enough = 1e-6;
  if (hz.size() <= few) return;
  places_hz_ = {hz.front(), hz.back()};
  for (const std::size_t count : {6U, 10U, 16U, 24U}) {
    set_points(count);
    error_ = 0;
    for (const double share : {0.5 / static_cast<double>(count), 0.5 + 0.5 / static_cast<double>(count)}) {
      const double at = hz.front() + share * (hz.back() - hz.front());
      const LineMode wanted = solve(at), found = interpolate(at);
      error_ = std::max({error_, deviation_of(found.field, wanted.field), deviation_of(found.current, wanted.current),
                         std::abs(found.index / wanted.index - 1)});
    }
    if (error_ <= exact) return;
  }
  if (error_ <= enough) return;
  places_hz_.clear();  // each frequency for itself
  solved_.clear();
}

void LineModeTable::set_points(std::size_t count) {
  const double low = places_hz_.front(), high = places_hz_.back();
  places_hz_.clear();
  solved_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const double at = 0.5 - 0.5 * std::cos(pi * static_cast<double>(k) / static_cast<double>(count - 1));
    places_hz_.push_back(k + 1 == count ? high : low + at * (high - low));
    solved_.push_back(solve(places_hz_.back()));
  }
}

template <class T>
LineModeOf<T> LineModeTable::solve(const T& hz) const {
  return modes_.solve(T(2 * pi * hz / c0_m_per_s));
}

LineModeOf<Complex> LineModeTable::at(const Complex& hz) const { return solve(hz); }

/// The barycentric formula at Chebyshev points with both ends.
LineMode LineModeTable::interpolate(double hz) const {
  const auto known = std::find(places_hz_.begin(), places_hz_.end(), hz);
  if (known != places_hz_.end()) return solved_[static_cast<std::size_t>(known - places_hz_.begin())];
  std::vector<double> weights;
  double total = 0;
  for (std::size_t k = 0; k < places_hz_.size(); ++k) {
    const double end = k == 0 || k + 1 == places_hz_.size() ? 0.5 : 1;
    weights.push_back((k % 2 == 0 ? end : -end) / (hz - places_hz_[k]));
    total += weights.back();
  }
  LineMode result;
  result.index = result.overlap = 0;
  for (auto* numbers : {&result.field, &result.current, &result.wall}) numbers->assign(solved_[0].field.size(), 0);
  for (std::size_t k = 0; k < places_hz_.size(); ++k) {
    const double weight = weights[k] / total;
    const LineMode& from = solved_[k];
    result.index += weight * from.index;
    result.overlap += weight * from.overlap;
    for (std::size_t i = 0; i < from.field.size(); ++i) {
      result.field[i] += weight * from.field[i];
      result.current[i] += weight * from.current[i];
      result.wall[i] += weight * from.wall[i];
    }
  }
  return result;
}

const LineMode& LineModeTable::at(double hz) const {
  if (places_hz_.empty()) {
    if (const auto found = known_.find(hz); found != known_.end()) return found->second;
    return known_.emplace(hz, solve(hz)).first->second;
  }
  if (!last_ || last_->first != hz) last_.emplace(hz, interpolate(hz));
  return last_->second;
}

}  // namespace tetrawave::fem

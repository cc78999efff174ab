#include "basis/quadrature_element.hpp"

#include <cmath>
#include <map>
#include <mutex>

#include "basis/quadrature.hpp"

namespace tetrawave::basis {

/// The functions of a space at the points of the rules, in components: evaluated once for all elements.
struct QuadratureElement::Rules {
  std::vector<double> volume_weight;
  DenseMatrix values;  ///< row 3 q + a: component of all functions along G_a, a = 1..3
  DenseMatrix curls;   ///< row 3 q + c: (curl_xi N)_c, component along G_a x G_b
  std::vector<double> face_weight;
  std::array<DenseMatrix, 4> on_face;  ///< rows as of `values`, of the functions of the face

  explicit Rules(Space space);
};

namespace {

std::array<double, 3> reference_point(const std::array<double, 4>& barycentric) {
  return {barycentric[1], barycentric[2], barycentric[3]};
}

/// out(i, j) += sum_q weight_q sum_x left(3 q + x, i) right(3 q + x, j)
DenseMatrix integrate(const std::vector<double>& weight, double measure, const DenseMatrix& left,
                      const DenseMatrix& right) {
  DenseMatrix out(left.columns(), right.columns());
  for (std::size_t r = 0; r < left.rows(); ++r) {
    const double factor = measure * weight[r / 3];
    for (std::size_t i = 0; i < left.columns(); ++i) {
      const double a = factor * left(r, i);
      const double* b = right.row(r);
      double* sum = out.row(i);
      for (std::size_t j = 0; j < right.columns(); ++j) sum[j] += a * b[j];
    }
  }
  return out;
}

/// Rows of point q times sqrt(measure weight_q) and the root of the weights of components.
void scale_by_root(const std::vector<double>& weight, double measure, const Weights& weights, DenseMatrix& values) {
  const auto root = weights.root();
  for (std::size_t r = 0; r < values.rows(); ++r) {
    const double factor = std::sqrt(measure * weight[r / 3]);
    for (std::size_t j = 0; j < values.columns(); ++j) {
      double sum = 0;
      for (std::size_t x = r % 3; x < 3; ++x)
        sum += root[r % 3][x] * values(r - r % 3 + x, j);  // rows below are as yet unscaled
      values(r, j) = factor * sum;
    }
  }
}

/// n x v for every point and function.
DenseMatrix turn(const DenseMatrix& v, const Vec3& n) {
  DenseMatrix result(v.rows(), v.columns());
  for (std::size_t r = 0; r < v.rows(); r += 3)
    for (std::size_t x = 0; x < 3; ++x)
      for (std::size_t j = 0; j < v.columns(); ++j)
        result(r + x, j) = n[(x + 1) % 3] * v(r + (x + 2) % 3, j) - n[(x + 2) % 3] * v(r + (x + 1) % 3, j);
  return result;
}

}  // namespace

QuadratureElement::Rules::Rules(Space space) {
  const ReferenceElement& e = reference_element(space);
  const auto volume = tetrahedron_rule(2 * e.degree);
  values = curls = DenseMatrix(3 * volume.size(), e.dofs);
  for (std::size_t q = 0; q < volume.size(); ++q) {
    volume_weight.push_back(volume[q].weight);
    const auto at = reference_point(volume[q].barycentric);
    for (std::size_t i = 0; i < e.dofs; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t a = (c + 1) % 3;
        const std::size_t b = (c + 2) % 3;
        values(3 * q + c, i) = e.functions[i][c].evaluate(at);
        curls(3 * q + c, i) = e.functions[i][b].derivative(static_cast<int>(a)).evaluate(at) -
                              e.functions[i][a].derivative(static_cast<int>(b)).evaluate(at);
      }
  }
  const auto face = triangle_rule(2 * e.degree);
  for (const auto& q : face) face_weight.push_back(q.weight);
  for (std::size_t f = 0; f < 4; ++f) {
    on_face[f] = DenseMatrix(3 * face.size(), e.face_dofs);
    for (std::size_t q = 0; q < face.size(); ++q) {
      const auto at = e.evaluate(from_face(f, face[q].barycentric));
      for (std::size_t k = 0; k < e.face_dofs; ++k)
        for (std::size_t a = 0; a < 3; ++a) on_face[f](3 * q + a, k) = at[e.on_face[f][k]][a];
    }
  }
}

const QuadratureElement::Rules& QuadratureElement::rules_of(Space space) {
  static std::mutex mutex;
  static std::map<Space, Rules> known;
  const std::lock_guard<std::mutex> lock(mutex);
  return known.try_emplace(space, space).first->second;
}

QuadratureElement::QuadratureElement(Space space, const std::array<Vec3, 4>& corners)
    : rules_(&rules_of(space)), shape_(space, corners) {}

DenseMatrix QuadratureElement::combine(const DenseMatrix& components, const std::array<Vec3, 3>& along) const {
  DenseMatrix result(components.rows(), components.columns());
  for (std::size_t r = 0; r < components.rows(); r += 3)
    for (std::size_t x = 0; x < 3; ++x)
      for (std::size_t i = 0; i < components.columns(); ++i)
        result(r + x, i) =
            along[0][x] * components(r, i) + along[1][x] * components(r + 1, i) + along[2][x] * components(r + 2, i);
  return result;
}

DenseMatrix QuadratureElement::mass_root(const Weights& weights) const {
  auto values = combine(rules_->values, {shape_.gradient(1), shape_.gradient(2), shape_.gradient(3)});
  scale_by_root(rules_->volume_weight, shape_.volume(), weights, values);
  return values;
}

DenseMatrix QuadratureElement::curl_root(const Weights& weights) const {
  auto values = curls();
  scale_by_root(rules_->volume_weight, shape_.volume(), weights.inverse(), values);
  return values;
}

/// curl v = sum_ab d_a v_b G_a x G_b.
DenseMatrix QuadratureElement::curls() const {
  const std::array<Vec3, 3> g{shape_.gradient(1), shape_.gradient(2), shape_.gradient(3)};
  return combine(rules_->curls, {cross(g[1], g[2]), cross(g[2], g[0]), cross(g[0], g[1])});
}

DenseMatrix QuadratureElement::curl() const {
  const auto values = combine(rules_->values, {shape_.gradient(1), shape_.gradient(2), shape_.gradient(3)});
  return integrate(rules_->volume_weight, shape_.volume(), values, curls());
}

DenseMatrix QuadratureElement::values_on_face(std::size_t face) const {
  return combine(rules_->on_face[face], {shape_.gradient(1), shape_.gradient(2), shape_.gradient(3)});
}

DenseMatrix QuadratureElement::coupling(std::size_t face) const {
  const DenseMatrix values = values_on_face(face);
  return integrate(rules_->face_weight, shape_.area(face), values, turn(values, shape_.normal(face)));
}

DenseMatrix QuadratureElement::face_mass_root(std::size_t face) const {
  DenseMatrix turned = turn(values_on_face(face), shape_.normal(face));
  scale_by_root(rules_->face_weight, shape_.area(face), {}, turned);
  return turned;
}

}  // namespace tetrawave::basis

#include "fem/edge/curved_edge_element.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "basis/quadrature.hpp"
#include "basis/reference_element.hpp"

namespace tetrawave::fem {

struct CurvedRule {
  std::size_t functions = 0;
  std::vector<basis::TetrahedronPoint> points;
  std::vector<Vec3> values;  ///< [point][function]: covariant components
  std::vector<Vec3> curls;   ///< [point][function]: components along t_c/det J
};

namespace {

CurvedRule make_rule(Space space) {
  const auto& reference = basis::reference_element(space);
  CurvedRule rule;
  rule.functions = reference.dofs;
  rule.points = basis::symmetric_tetrahedron_rule(2 * reference.degree + 2);
  for (const auto& q : rule.points) {
    const auto values = reference.evaluate(q.barycentric);
    const auto curls = reference.evaluate_curls(q.barycentric);
    rule.values.insert(rule.values.end(), values.begin(), values.end());
    rule.curls.insert(rule.curls.end(), curls.begin(), curls.end());
  }
  return rule;
}

/// Made on first use, shared afterwards.
const CurvedRule& rule_of(Space space) {
  struct Slot {
    std::once_flag once;
    CurvedRule rule;
  };
  static std::array<Slot, static_cast<std::size_t>(Space::nested_full_3) + 1> slots;
  Slot& slot = slots.at(static_cast<std::size_t>(space));
  std::call_once(slot.once, [&] { slot.rule = make_rule(space); });
  return slot.rule;
}

template <class T>
using Row = std::array<T, 3>;

/// Adds u_i . metric u_j of all functions j at a point.
template <class T>
void add(const Vec3* functions, std::size_t count, const std::array<Row<T>, 3>& metric, std::size_t i, T* out) {
  const Vec3& own = functions[i];
  Row<T> factor;
  for (std::size_t b = 0; b < 3; ++b) factor[b] = own[0] * metric[0][b] + own[1] * metric[1][b] + own[2] * metric[2][b];
  for (std::size_t j = 0; j < count; ++j)
    out[j] += functions[j][0] * factor[0] + functions[j][1] * factor[1] + functions[j][2] * factor[2];
}

}  // namespace

template <class T>
CurvedEdgeElement<T>::CurvedEdgeElement(Space space) : space_(space) {}

template <class T>
void CurvedEdgeElement<T>::set(const std::array<Vec3, 4>& corners, const basis::Middles& middles,
                               const std::array<T, 3>& stiffness, const std::array<T, 3>& mass) {
  if (rule_ == nullptr) rule_ = &rule_of(space_);
  const basis::CurvedMap map(corners, middles);
  of_curls_.resize(rule_->points.size());
  of_fields_.resize(rule_->points.size());
  for (std::size_t q = 0; q < rule_->points.size(); ++q) {
    const auto t = map.tangents(rule_->points[q].barycentric);
    // det J G_a = t_b x t_c
    const std::array<Vec3, 3> g{cross(t[1], t[2]), cross(t[2], t[0]), cross(t[0], t[1])};
    const double factor = rule_->points[q].weight / (6 * std::abs(dot(t[0], g[0])));
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        T curls = 0, fields = 0;
        for (std::size_t x = 0; x < 3; ++x) {
          curls += stiffness[x] * (t[a][x] * t[b][x]);
          fields += mass[x] * (g[a][x] * g[b][x]);
        }
        of_curls_[q][a][b] = factor * curls;
        of_fields_[q][a][b] = factor * fields;
      }
  }
}

template <class T>
void CurvedEdgeElement<T>::row(std::size_t i, T* out) const {
  const std::size_t n = rule_->functions;
  std::fill(out, out + n, T(0));
  for (std::size_t q = 0; q < rule_->points.size(); ++q) {
    add(&rule_->curls[q * n], n, of_curls_[q], i, out);
    add(&rule_->values[q * n], n, of_fields_[q], i, out);
  }
}

template class CurvedEdgeElement<double>;
template class CurvedEdgeElement<Complex>;

}  // namespace tetrawave::fem

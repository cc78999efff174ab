#include "fem/edge/edge_element.hpp"

#include <algorithm>
#include <cmath>

namespace tetrawave::fem {

template <class T>
EdgeElement<T>::EdgeElement(Space space) : reference_(&basis::reference_element(space)), curved_(space) {}

template <class T>
void EdgeElement<T>::set(const std::array<Vec3, 4>& corners, const EdgeCoefficients<T>& coefficients,
                         const basis::Middles* middles) {
  is_curved_ = middles != nullptr;
  if (is_curved_) return curved_.set(corners, *middles, coefficients.stiffness, coefficients.mass);
  const std::array<Vec3, 3> t{corners[1] - corners[0], corners[2] - corners[0], corners[3] - corners[0]};
  // det J G_a = t_b x t_c
  const std::array<Vec3, 3> g{cross(t[1], t[2]), cross(t[2], t[0]), cross(t[0], t[1])};
  const double det = std::abs(dot(t[0], g[0]));
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      T curls = 0, fields = 0;
      for (std::size_t x = 0; x < 3; ++x) {
        curls += coefficients.stiffness[x] * (t[a][x] * t[b][x]);
        fields += coefficients.mass[x] * (g[a][x] * g[b][x]);
      }
      of_curls_[a][b] = curls / (6 * det);
      of_fields_[a][b] = fields / (6 * det);
    }
}

template <class T>
void EdgeElement<T>::add(const basis::Table& table, std::size_t modes, const Metric& metric, std::size_t i,
                         T* out) const {
  for (std::size_t m = 0; m < modes; ++m) {
    std::array<double, 3> own{};
    for (std::size_t a = 0; a < 3; ++a) own[a] = reference_->modes[m] * table(a * modes + m, i);
    if (own == std::array<double, 3>{}) continue;
    for (std::size_t b = 0; b < 3; ++b) {
      const T factor = own[0] * metric[0][b] + own[1] * metric[1][b] + own[2] * metric[2][b];
      const double* other = &table.entries[(b * modes + m) * table.columns];
      for (std::size_t j = 0; j < table.columns; ++j) out[j] += factor * other[j];
    }
  }
}

template <class T>
void EdgeElement<T>::row(std::size_t i, T* out) const {
  if (is_curved_) return curved_.row(i, out);
  std::fill(out, out + size(), T(0));
  add(reference_->curl_components, reference_->curl_modes, of_curls_, i, out);
  add(reference_->components, reference_->modes.size(), of_fields_, i, out);
}

template class EdgeElement<double>;
template class EdgeElement<Complex>;

}  // namespace tetrawave::fem

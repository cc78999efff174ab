#include "terms/pml/brakes.hpp"

#include <algorithm>
#include <cmath>

#include "base/scheme.hpp"
#include "terms/pml/coefficients.hpp"
#include "terms/pml/layers.hpp"
#include "terms/pml/rows.hpp"

namespace tetrawave::march {

namespace {

/// Shares in integer units, three in one number, so that both sides of a face, also on two ranks, have the same.
constexpr std::int32_t parts = 1000;

std::int32_t pack(const Vec3& shares) {
  std::int32_t packed = 0;
  for (std::size_t i = 3; i-- > 0;) packed = packed * (parts + 1) + static_cast<std::int32_t>(parts * shares[i]);
  return packed;
}

std::int32_t part_of(std::int32_t packed, std::size_t axis) {
  for (std::size_t i = 0; i < axis; ++i) packed /= parts + 1;
  return packed % (parts + 1);
}

/// The extent of an element along an axis over the longest of its edges across it.
double flatness(const std::array<Vec3, 4>& corners, std::size_t axis) {
  double through = 0;
  double along = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      Vec3 edge = corners[i] - corners[j];
      through = std::max(through, std::abs(edge[axis]));
      edge[axis] = 0;
      along = std::max(along, norm(edge));
    }
  return through / along;
}

std::vector<std::int32_t> pack_all(const Problem& problem) {
  std::vector<std::int32_t> all;
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e) all.push_back(pack(brake_shares(problem, e)));
  return all;
}

std::vector<std::int32_t> list_classes(const Problem& problem) {
  std::vector<std::int32_t> all;
  for (LocalIndex e = 0; e < problem.mesh->element_count(); ++e) all.push_back(problem.classes.of(e));
  return all;
}

/// sqrt(g) B^ab of a face with edges a, b, for B = diag(weights).
std::array<double, 3> along_face(const Vec3& a, const Vec3& b, const Vec3& weights) {
  const double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b);
  const double det = aa * bb - ab * ab;
  std::array<double, 3> tensor{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double first = (bb * a[i] - ab * b[i]) / det;  // components of the dual edges
    const double second = (aa * b[i] - ab * a[i]) / det;
    tensor[0] += std::sqrt(det) * weights[i] * first * first;
    tensor[1] += std::sqrt(det) * weights[i] * first * second;
    tensor[2] += std::sqrt(det) * weights[i] * second * second;
  }
  return tensor;
}

}  // namespace

Vec3 brake_shares(const Problem& problem, LocalIndex element) {
  Vec3 shares{};
  if (!is_layer(problem, element)) return shares;
  const Vec3 sigma = stretch_of(problem, element, Field::electric).sigma;
  for (std::size_t i = 0; i < 3; ++i)
    if (sigma[i] > 0)
      shares[i] = schemes::brake_share(problem.scheme, problem.space,
                                       flatness(problem.mesh->corners[static_cast<std::size_t>(element)], i));
  return shares;
}

bool asks_for_brakes(const Problem& problem, const std::vector<LocalIndex>& elements) {
  return is_leap_frog(problem.scheme) && std::any_of(elements.begin(), elements.end(),
                                                     [&](LocalIndex e) { return pack(brake_shares(problem, e)) > 0; });
}

LayerBrakes::LayerBrakes(const Problem& problem, const comm::Communicator& ranks)
    : problem_(problem),
      shares_(pack_all(problem)),
      classes_(list_classes(problem)),
      shares_behind_(*problem.mesh, shares_, ranks),
      classes_behind_(*problem.mesh, classes_, ranks),
      regions_behind_(*problem.mesh, problem.materials(), ranks) {
  std::int32_t largest = 0;
  for (const std::int32_t packed : shares_)
    for (std::size_t i = 0; i < 3; ++i) largest = std::max(largest, part_of(packed, i));
  strongest_ = static_cast<double>(ranks.max(std::int64_t{largest})) / parts;
}

Vec3 LayerBrakes::shares_at(LocalIndex element, std::size_t face) const {
  const auto e = static_cast<std::size_t>(element);
  if (problem_.mesh->boundary[e][face] >= 0) return {};
  if (classes_behind_.behind(element, face) != classes_[e]) return {};
  Vec3 shares{};
  for (std::size_t i = 0; i < 3; ++i)
    shares[i] =
        std::min(part_of(shares_[e], i), part_of(shares_behind_.behind(element, face), i)) / static_cast<double>(parts);
  const double largest = std::max({shares[0], shares[1], shares[2]});
  const double along = largest * schemes::brake_along(problem_.scheme, problem_.space, largest);
  for (double& share : shares) share = std::max(share, along);
  return shares;
}

std::vector<double> LayerBrakes::numbers(LocalIndex element, Field field, double dt_m) const {
  std::vector<double> numbers(static_cast<std::size_t>(kernels::brake_numbers));
  const auto& x = problem_.mesh->corners[static_cast<std::size_t>(element)];
  const Medium& own = problem_.medium_of(element);
  for (std::size_t f = 0; f < 4; ++f) {
    const Vec3 shares = shares_at(element, f);
    if (shares == Vec3{}) continue;
    const Medium& other = problem_.media[static_cast<std::size_t>(regions_behind_.behind(element, f))];
    const bool electric = field == Field::electric;
    const double strength =
        schemes::brake_strength(problem_.scheme, problem_.space, electric, own.impedance(), other.impedance());
    const std::array<std::size_t, 3> corner{f == 0 ? 1ul : 0ul, f <= 1 ? 2ul : 1ul, f <= 2 ? 3ul : 2ul};
    const auto tensor = along_face(x[corner[1]] - x[corner[0]], x[corner[2]] - x[corner[0]], shares);
    for (std::size_t k = 0; k < 3; ++k)
      numbers[3 * f + k] = dt_m / (electric ? own.eps_r : own.mu_r) * strength * tensor[k];
  }
  return numbers;
}

}  // namespace tetrawave::march

#include "support/dense_reference.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "basis/kerr_rule.hpp"

using namespace tetrawave;

namespace tetrawave_tests {

DenseReference::DenseReference(const march::Problem& problem, const IncidentProfile& profile)
    : problem_(problem), dofs_(dofs_of(problem.space)) {
  for (const auto& corners : problem.mesh->corners) bases_.emplace_back(problem.space, corners);
  for (std::size_t e = 0; e < bases_.size(); ++e) elements_.push_back(make_element(e, profile));
  for (const auto& driven : problem.driven)
    elements_[static_cast<std::size_t>(driven.element)].wave[driven.face] = driven.wave;
}

DenseReference::Element DenseReference::make_element(std::size_t e, const IncidentProfile& profile) const {
  const WrittenOutBasis& basis = bases_[e];
  Element element;
  element.mass = element.curl = DenseMatrix(dofs_);
  for (auto& row : element.products) row.fill(DenseMatrix(dofs_));
  element.stretch = stretch_of(e);
  const Vec3 ones{1, 1, 1};
  const bool weighs = element.stretch != Vec3{} || medium(e).eps_axes != ones || medium(e).mu_axes != ones ||
                      problem_.classes.count > 1;
  std::vector<Vec3> curls(dofs_);
  for (const Point& p : volume_points(basis)) {
    const std::vector<Vec3>& values = basis.values(p.at);
    for (std::size_t i = 0; i < dofs_; ++i) curls[i] = basis.curl(i, p.at);
    for (std::size_t i = 0; i < dofs_; ++i)
      for (std::size_t j = 0; j < dofs_; ++j) {
        element.mass(i, j) += p.weight * dot(values[i], values[j]);
        element.curl(i, j) += p.weight * dot(values[i], curls[j]);
        for (std::size_t a = 0; weighs && a < 3; ++a)
          for (std::size_t b = 0; b < 3; ++b) element.products[a][b](i, j) += p.weight * values[i][a] * values[j][b];
      }
  }
  element.auxiliary.fill(std::vector<std::array<Vec3, 2>>(volume_points(basis).size()));
  for (std::size_t f = 0; f < 4; ++f) {
    const Vec3 n = basis.normal(f);
    const LocalIndex other = problem_.mesh->neighbour[e][f];
    element.own[f] = element.across[f] = element.face_mass[f] = DenseMatrix(dofs_);
    element.incident[f] = element.incident_turned[f] = Vector(dofs_, 0.0);
    for (const Point& p : face_points(basis, f)) {
      const std::vector<Vec3>& own = basis.values(p.at);
      const std::vector<Vec3>& outside = bases_[static_cast<std::size_t>(other < 0 ? 0 : other)].values(p.at);
      for (std::size_t i = 0; i < dofs_; ++i) {
        const Vec3& test = own[i];
        for (std::size_t j = 0; j < dofs_; ++j) {
          const Vec3& trial = own[j];
          element.own[f](i, j) += p.weight * dot(test, cross(n, trial));
          element.face_mass[f](i, j) += p.weight * dot(cross(n, test), cross(n, trial));
          if (other >= 0) element.across[f](i, j) += p.weight * dot(test, cross(n, outside[j]));
        }
        element.incident[f][i] += p.weight * dot(cross(n, test), cross(n, profile(p.at)));
        element.incident_turned[f][i] += p.weight * dot(test, cross(n, profile(p.at)));
      }
    }
  }
  return element;
}

bool DenseReference::is_open(std::size_t e, std::size_t f) const {
  const std::int32_t tag = problem_.mesh->boundary[e][f];
  return tag >= 0 && problem_.walls[static_cast<std::size_t>(tag)] == march::Wall::open;
}

const Medium& DenseReference::medium(std::size_t e) const { return problem_.medium_of(static_cast<LocalIndex>(e)); }

/// The current of a port's mode runs on a magnetic wall.
static march::Wall seen_as(march::Wall wall) { return wall == march::Wall::one_mode ? march::Wall::magnetic : wall; }

DenseReference::Vector DenseReference::curl_of(const Vector& v, double sign, march::Wall blind) const {
  Vector right(v.size(), 0.0);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Element& element = elements_[e];
    const double* own = &v[e * dofs_];
    double* out = &right[e * dofs_];
    element.curl.add_product(sign, own, out);
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t tag = problem_.mesh->boundary[e][f];
      if (tag < 0) {
        const auto other = static_cast<std::size_t>(problem_.mesh->neighbour[e][f]);
        element.across[f].add_product(sign / 2, &v[other * dofs_], out);
        element.own[f].add_product(-sign / 2, own, out);
      } else if (is_open(e, f)) {
        const double part = problem_.time_order == 4 ? (sign > 0 ? 1 : 0) : open_share(e, f, sign > 0);
        element.own[f].add_product(-sign * part, own, out);
      } else if (seen_as(problem_.walls[static_cast<std::size_t>(tag)]) != blind) {
        element.own[f].add_product(-sign, own, out);
      }
    }
  }
  return right;
}

DenseReference::Vector DenseReference::curl_of_magnetic(const Vector& h) const {
  return curl_of(h, 1, march::Wall::electric);
}

DenseReference::Vector DenseReference::curl_of_electric(const Vector& e) const {
  return curl_of(e, -1, march::Wall::magnetic);
}

Vec3 DenseReference::stretch_of(std::size_t e) const {
  const auto& layers = problem_.layers;
  if (!layers || !layers->is_layer[static_cast<std::size_t>(problem_.mesh->region[e])]) return {};
  const auto& c = problem_.mesh->corners[e];
  const Vec3 centre = 0.25 * (c[0] + c[1] + c[2] + c[3]);
  Vec3 rates{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double beyond = std::max({layers->low[i] - centre[i], 0.0, centre[i] - layers->high[i]});
    const double thickness = layers->thickness_m[centre[i] > layers->high[i] ? 1 : 0][i];
    if (beyond > 0) rates[i] = 2 * std::log(1 / layers->reflection) / thickness * std::pow(beyond / thickness, 3);
  }
  return rates;
}

Vec3 DenseReference::brake_shares(std::size_t e, std::size_t f) const {
  if (problem_.mesh->boundary[e][f] >= 0) return {};
  const auto other = static_cast<std::size_t>(problem_.mesh->neighbour[e][f]);
  if (class_of(other) != class_of(e)) return {};
  const Space space = problem_.space;
  const bool is_mixed = space == Space::mixed_1 || space == Space::mixed_2 || space == Space::mixed_3;
  Vec3 shares{1, 1, 1};
  for (const std::size_t element : {e, other})
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& x = problem_.mesh->corners[element];
      double low = x[0][i], high = x[0][i], longest = 0;
      for (const Vec3& a : x) {
        low = std::min(low, a[i]);
        high = std::max(high, a[i]);
        for (const Vec3& b : x)
          longest = std::max(longest, std::hypot(a[(i + 1) % 3] - b[(i + 1) % 3], a[(i + 2) % 3] - b[(i + 2) % 3]));
      }
      const double r = (high - low) / longest;
      double asked = elements_[element].stretch[i] > 0 ? std::clamp(3.25 - 5 * r, 0., 1.) : 0;
      if (is_mixed) asked *= std::clamp(std::pow(0.26 / r, 1.5), 1., 10.) / 10;
      shares[i] = std::min(shares[i], std::floor(1000 * asked) / 1000);
    }
  if (is_mixed) {
    for (double& share : shares) share *= 10;
    const double half = std::max({shares[0], shares[1], shares[2]}) / 2;
    for (double& share : shares) share = std::max(share, half);
  }
  return shares;
}

void DenseReference::add_brakes(const Vector& u, bool electric, Vector& right) const {
  for (std::size_t e = 0; problem_.layers && e < elements_.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const Vec3 shares = brake_shares(e, f);
      if (shares == Vec3{}) continue;
      const auto other = static_cast<std::size_t>(problem_.mesh->neighbour[e][f]);
      const double z[2] = {std::sqrt(medium(e).mu_r / medium(e).eps_r),
                           std::sqrt(medium(other).mu_r / medium(other).eps_r)};
      const double strength = (electric ? 1 : z[0] * z[1]) / (4 * (z[0] + z[1]));
      const Vec3 n = bases_[e].normal(f);
      for (const Point& p : face_points(bases_[e], f)) {
        Vec3 jump = value_at(other, &u[other * dofs_], p.at) - value_at(e, &u[e * dofs_], p.at);
        jump = jump - dot(n, jump) * n;
        for (std::size_t i = 0; i < 3; ++i) jump[i] *= shares[i];
        jump = jump - dot(n, jump) * n;
        const std::vector<Vec3>& values = bases_[e].values(p.at);
        for (std::size_t i = 0; i < dofs_; ++i) right[e * dofs_ + i] += strength * p.weight * dot(values[i], jump);
      }
    }
}

double DenseReference::step_law(std::size_t e, std::size_t axis, bool electric, double dt_m, double sum, double& first,
                                double& second) const {
  const Vec3& sigma = elements_[e].stretch;
  if (sigma == Vec3{}) return 0;
  const auto& layers = *problem_.layers;
  double thickest = 0;
  for (const Vec3& side : layers.thickness_m) thickest = std::max({thickest, side[0], side[1], side[2]});
  const double alpha = 0.1 / thickest;
  const double loss = layers.loss_per_m[static_cast<std::size_t>(problem_.mesh->region[e])][electric ? 0 : 1];
  const double own = alpha + sigma[axis];
  const Vec3 zeros{loss, alpha + sigma[(axis + 1) % 3], alpha + sigma[(axis + 2) % 3]};
  // s^3 + ... = (s + rate)(s + own)(s + alpha) + push_1 (s + alpha) + push_2, compared at s = -alpha and s = 0
  const double rate = zeros[0] + zeros[1] + zeros[2] - own - alpha;
  const double push_2 = (zeros[0] - alpha) * (zeros[1] - alpha) * (zeros[2] - alpha);
  const double push_1 = (zeros[0] * zeros[1] * zeros[2] - rate * own * alpha - push_2) / alpha;
  const double half = dt_m / 2;
  const double first_after = ((1 - half * own) * first + half * sum) / (1 + half * own);
  const double second_after = ((1 - half * alpha) * second + half * (first + first_after)) / (1 + half * alpha);
  const double mean = (rate * sum + push_1 * (first + first_after) + push_2 * (second + second_after)) / 2;
  first = first_after;
  second = second_after;
  return mean;
}

/// What waves lose beside a coarser class, whose element sees u before the jumps of its own field have gone through:
/// for fields that are constant, 2/3 dt^2 g . M^-1 g with g = oint N . (n x u)/2, as a part of the mass.
std::array<Vec3, 3> DenseReference::border_weights(std::size_t e, bool electric) const {
  const Medium& m = medium(e);
  std::array<Vec3, 3> weights{};
  const Vec3 ones{1, 1, 1};
  const bool own_laws = (m.sigma_e > 0 && m.eps_axes != ones) || (m.sigma_m > 0 && m.mu_axes != ones) || m.chi3 > 0;
  if (problem_.classes.count == 1 || own_laws || elements_[e].stretch != Vec3{}) return weights;
  std::array<Vector, 3> moments;
  moments.fill(Vector(dofs_, 0.0));
  double volume = 0;
  for (const Point& p : volume_points(bases_[e])) volume += p.weight;
  for (std::size_t f = 0; f < 4; ++f) {
    const LocalIndex other = problem_.mesh->neighbour[e][f];
    if (problem_.mesh->boundary[e][f] >= 0 || class_of(static_cast<std::size_t>(other)) <= class_of(e)) continue;
    for (const Point& p : face_points(bases_[e], f)) {
      const std::vector<Vec3>& values = bases_[e].values(p.at);
      for (std::size_t i = 0; i < dofs_; ++i) {
        const Vec3 turned = cross(values[i], bases_[e].normal(f));  // N . (n x u) = u . (N x n)
        for (std::size_t a = 0; a < 3; ++a) moments[a][i] += p.weight / 2 * turned[a];
      }
    }
  }
  const Vec3& axes = electric ? m.mu_axes : m.eps_axes;
  const double step = step_of(e);
  for (std::size_t a = 0; a < 3; ++a) {
    const Vector response =
        mass_of(e, {Vec3{axes[0], 0, 0}, Vec3{0, axes[1], 0}, Vec3{0, 0, axes[2]}}).solve(moments[a]);
    for (std::size_t b = 0; b < 3; ++b)
      for (std::size_t i = 0; i < dofs_; ++i)
        weights[b][a] += 2 * step * step / (3 * m.eps_r * m.mu_r * volume) * moments[b][i] * response[i];
  }
  return weights;
}

DenseMatrix DenseReference::mass_of(std::size_t e, const std::array<Vec3, 3>& weights) const {
  DenseMatrix mass(dofs_);
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      if (weights[a][b] != 0) mass.add(weights[a][b], elements_[e].products[a][b]);
  return mass;
}

DenseMatrix DenseReference::weighted_mass(std::size_t e, bool electric, double dt_m) const {
  Vec3 axes = electric ? medium(e).eps_axes : medium(e).mu_axes;
  for (std::size_t i = 0; i < 3; ++i) {
    double first = 0, second = 0;
    axes[i] *= 1 + dt_m * step_law(e, i, electric, dt_m, 1, first, second);
  }
  std::array<Vec3, 3> weights = border_weights(e, electric);
  if (axes == Vec3{1, 1, 1} && weights == std::array<Vec3, 3>{}) return elements_[e].mass;
  for (std::size_t i = 0; i < 3; ++i) weights[i][i] += axes[i];
  return mass_of(e, weights);
}

Vec3 DenseReference::value_at(std::size_t e, const double* u, const Vec3& point) const {
  Vec3 sum{};
  const std::vector<Vec3>& values = bases_[e].values(point);
  for (std::size_t i = 0; i < dofs_; ++i) sum = sum + u[i] * values[i];
  return sum;
}

void DenseReference::subtract_auxiliary(std::size_t e, double constant, bool electric, Vector& right) const {
  const Vec3 axes = electric ? medium(e).eps_axes : medium(e).mu_axes;
  const auto points = volume_points(bases_[e]);
  for (std::size_t k = 0; k < points.size(); ++k) {
    auto [first, second] = elements_[e].auxiliary[electric ? 0 : 1][k];
    Vec3 pushed{};
    for (std::size_t a = 0; a < 3; ++a) pushed[a] = axes[a] * step_law(e, a, electric, dt_m_, 0, first[a], second[a]);
    const std::vector<Vec3>& values = bases_[e].values(points[k].at);
    for (std::size_t i = 0; i < dofs_; ++i) right[i] -= constant * points[k].weight * dot(values[i], pushed);
  }
}

void DenseReference::step_auxiliary(std::size_t e, bool electric, const double* before, const double* after) {
  const auto points = volume_points(bases_[e]);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3 sum = value_at(e, before, points[k].at) + value_at(e, after, points[k].at);
    auto& [first, second] = elements_[e].auxiliary[electric ? 0 : 1][k];
    for (std::size_t a = 0; a < 3; ++a) step_law(e, a, electric, dt_m_, sum[a], first[a], second[a]);
  }
}

void DenseReference::update(Vector& u, const Vector& given, bool electric) {
  Vector right = given;
  add_brakes(u, electric, right);
  if (electric) add_penalty(u, right);
  const std::vector<double> voltages = mode_voltages(u);
  std::vector<Vector> responses(electric ? problem_.terminations.size() : 0, Vector(u.size(), 0.0));
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Medium& m = medium(e);
    const double constant = (electric ? m.eps_r : m.mu_r) / dt_m_;
    const double loss = (electric ? m.sigma_e : m.sigma_m) / 2;
    const double own = electric ? std::sqrt(m.eps_r / m.mu_r) : std::sqrt(m.mu_r / m.eps_r);
    DenseMatrix next(dofs_), last(dofs_);
    const DenseMatrix mass = weighted_mass(e, electric, 0);
    next.add(constant, weighted_mass(e, electric, dt_m_));
    last.add(2 * constant, mass);
    last.add(-1, next);
    next.add(loss, mass);
    last.add(-loss, mass);
    for (std::size_t f = 0; f < 4; ++f) {
      if (!is_open(e, f)) continue;
      const double wall = own / 2 * open_share(e, f, !electric);
      next.add(wall, elements_[e].face_mass[f]);
      last.add(-wall, elements_[e].face_mass[f]);
    }
    add_responses(e, next, responses);
    Vector sum(right.begin() + static_cast<std::ptrdiff_t>(e * dofs_),
               right.begin() + static_cast<std::ptrdiff_t>((e + 1) * dofs_));
    last.add_product(1, &u[e * dofs_], sum.data());
    subtract_auxiliary(e, constant * dt_m_, electric, sum);
    if (electric && m.chi3 > 0) {
      add_kerr(e, &u[e * dofs_], sum, nullptr);
      sum = solve_kerr(e, next, sum, &u[e * dofs_]);
    } else {
      if (electric) hold_at_metal(e, next, sum);
      sum = next.solve(std::move(sum));
    }
    step_auxiliary(e, electric, &u[e * dofs_], sum.data());
    std::copy(sum.begin(), sum.end(), u.begin() + static_cast<std::ptrdiff_t>(e * dofs_));
  }
  if (electric) run_mode_currents(u, voltages, responses);
}

void DenseReference::add_kerr(std::size_t e, const double* u, Vector& moment, DenseMatrix* slope) const {
  const auto rule = basis::kerr_rule(problem_.space);
  const auto& x = bases_[e].corners();
  const double volume = std::abs(dot(cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0])) / 6;
  const double chi = medium(e).chi3 / dt_m_;
  for (std::size_t g = 0; g < rule.weight.size(); ++g) {
    Vec3 at{}, field{};
    for (std::size_t v = 0; v < 4; ++v) at = at + rule.barycentric[g][v] * x[v];
    const std::vector<Vec3>& n = bases_[e].values(at);
    for (std::size_t i = 0; i < dofs_; ++i) field = field + u[i] * n[i];
    const double w = 6 * volume * rule.weight[g] * chi;
    for (std::size_t i = 0; i < dofs_; ++i) {
      moment[i] += w * dot(field, field) * dot(n[i], field);
      for (std::size_t j = 0; slope != nullptr && j < dofs_; ++j)
        (*slope)(i, j) += w * (dot(field, field) * dot(n[i], n[j]) + 2 * dot(n[i], field) * dot(n[j], field));
    }
  }
}

DenseReference::Vector DenseReference::solve_kerr(std::size_t e, const DenseMatrix& linear, const Vector& right,
                                                  const double* before) const {
  Vector u(before, before + dofs_);
  for (int iteration = 0; iteration < 12; ++iteration) {
    Vector residual(dofs_, 0.0);
    DenseMatrix slope(dofs_);
    slope.add(1, linear);
    linear.add_product(1, u.data(), residual.data());
    add_kerr(e, u.data(), residual, &slope);
    for (std::size_t i = 0; i < dofs_; ++i) residual[i] -= right[i];
    const Vector change = slope.solve(residual);
    for (std::size_t i = 0; i < dofs_; ++i) u[i] -= change[i];
  }
  return u;
}

double DenseReference::product(const Vector& u, const Vector& v, bool electric) const {
  double sum = 0;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const DenseMatrix mass = weighted_mass(e, electric, step_of(e));
    for (std::size_t i = 0; i < dofs_; ++i)
      for (std::size_t j = 0; j < dofs_; ++j)
        sum += (electric ? medium(e).eps_r : medium(e).mu_r) * u[e * dofs_ + i] * mass(i, j) * v[e * dofs_ + j];
  }
  return sum;
}

double DenseReference::present_energy() const {
  return eps0_f_per_m / 2 * (product(electric_, electric_, true) + product(magnetic_, magnetic_, false));
}

void DenseReference::start(const march::Start& start) {
  start_ = start;
  factors_ = {};
  now_ = 0;
  for (Element& element : elements_)
    for (auto& field : element.auxiliary) std::fill(field.begin(), field.end(), std::array<Vec3, 2>{});
  record_.clear();
  energies_.clear();
  const Vector zero(elements_.size() * dofs_, 0.0);
  electric_ = start.electric.value_or(zero);
  magnetic_ = start.magnetic.value_or(zero);
  hold_electric();
  if (start.electric && start.magnetic) {
    // h(-dt/2) = h - dt/2 h', mu M h' = -C e - ... - sigma_m M h
    const Vector change = solve_mass(curl_of_electric(electric_), false);
    for (std::size_t k = 0; k < magnetic_.size(); ++k) {
      const Medium& m = medium(k / dofs_);
      const double dt_m = problem_.classes.step_of(class_of(k / dofs_), start.dt_m);
      magnetic_[k] -= dt_m / 2 * (change[k] - m.sigma_m / m.mu_r * magnetic_[k]);
    }
  }
  before_start_.clear();
  add_sample(before_start_, problem_.magnetic, magnetic_);
}

double DenseReference::step_of(std::size_t e) const { return problem_.classes.step_of(class_of(e), start_.dt_m); }
int DenseReference::class_of(std::size_t e) const { return problem_.classes.of(static_cast<LocalIndex>(e)); }

/// Waves are taken at `steps` steps of the march.
void DenseReference::step_magnetic(int step_class, double steps) {
  Vector right = curl_of_electric(electric_);
  for (std::size_t e = 0; e < elements_.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const int wave = elements_[e].wave[f];
      if (!is_open(e, f) || wave == 0) continue;
      const double w = start_.waves[static_cast<std::size_t>(wave - 1)](steps);
      for (std::size_t i = 0; i < dofs_; ++i) right[e * dofs_ + i] -= w * elements_[e].incident_turned[f][i];
    }
  update_class(magnetic_, right, false, step_class);
}

void DenseReference::step_electric(int step_class, double steps) {
  half_step_ = steps;
  Vector right = curl_of_magnetic(magnetic_);
  for (std::size_t e = 0; e < elements_.size(); ++e)
    for (std::size_t f = 0; f < 4; ++f) {
      const int wave = elements_[e].wave[f];
      if (!is_open(e, f) || wave == 0) continue;
      const double admittance = std::sqrt(medium(e).eps_r / medium(e).mu_r);
      const double w = start_.waves[static_cast<std::size_t>(wave - 1)](steps);
      for (std::size_t i = 0; i < dofs_; ++i) right[e * dofs_ + i] += admittance * w * elements_[e].incident[f][i];
    }
  update_class(electric_, right, true, step_class);
}

/// All elements are updated, and those of other classes get back what they had.
void DenseReference::update_class(Vector& u, const Vector& right, bool electric, int step_class) {
  dt_m_ = problem_.classes.step_of(step_class, start_.dt_m);
  const Vector before = u;
  std::vector<decltype(Element::auxiliary)> auxiliary;
  for (const Element& element : elements_) auxiliary.push_back(element.auxiliary);
  update(u, right, electric);
  for (std::size_t k = 0; k < u.size(); ++k)
    if (class_of(k / dofs_) != step_class) u[k] = before[k];
  for (std::size_t e = 0; e < elements_.size(); ++e)
    if (class_of(e) != step_class) elements_[e].auxiliary = auxiliary[e];
}

/// Time in halves of the smallest step: class c has H at even multiples of 3^c, E at odd ones.
void DenseReference::step_at(std::int64_t half) {
  const auto in_step = static_cast<double>(2 * problem_.classes.substeps(0));
  const double steps = static_cast<double>(now_) + static_cast<double>(half) / in_step;
  std::int64_t power = 1;
  for (int c = 0; c < problem_.classes.count; ++c, power *= 3) {
    if (half % (2 * power) == 0) step_magnetic(c, steps);
    if (half % (2 * power) == power) step_electric(c, steps);
  }
}

void DenseReference::add_sample(std::vector<double>& to, const std::vector<march::Functional>& functionals,
                                const Vector& u) const {
  for (const auto& functional : functionals) {
    double sum = 0;
    for (const auto& item : functional.items)
      for (std::size_t i = 0; i < dofs_; ++i)
        sum += item.weight[i] * u[static_cast<std::size_t>(item.element) * dofs_ + i];
    to.push_back(sum);
  }
}

void DenseReference::begin_step(bool energy) {
  const Vector earlier = magnetic_;
  step_at(0);
  Vector seen = magnetic_;
  for (std::size_t k = 0; k < seen.size() && problem_.classes.count > 1; ++k) seen[k] = (earlier[k] + magnetic_[k]) / 2;
  add_sample(record_, problem_.electric, electric_);
  add_sample(record_, problem_.magnetic, seen);
  if (energy)
    energies_.push_back({now_, eps0_f_per_m / 2 * product(electric_, electric_, true),
                         eps0_f_per_m / 2 * product(earlier, magnetic_, false)});
}

void DenseReference::advance(std::int64_t steps) {
  for (std::int64_t k = 0; k < steps; ++k) {
    begin_step(problem_.energy_every > 0 && now_ % problem_.energy_every == 0);
    for (std::int64_t half = 1; half < 2 * problem_.classes.substeps(0); ++half) step_at(half);
    ++now_;
  }
}

void DenseReference::finish() { begin_step(problem_.energy_every > 0); }

}  // namespace tetrawave_tests

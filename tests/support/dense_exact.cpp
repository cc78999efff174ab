// Of the dense reference: the solution of the semi-discrete equations of DGTD-Central as steps of fourth order have
// them, by the classical Runge-Kutta method with steps far below those that are tested.
#include "support/dense_reference.hpp"

using namespace tetrawave;

namespace tetrawave_tests {

namespace {

using Vector = std::vector<double>;

void add(Vector& to, double factor, const Vector& from) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += factor * from[k];
}

}  // namespace

/// With e' from Ampere's law without dispersion c u' = c e' - sum P', and at open walls n x H = Y_s (2 w e_p - E).
Vector DenseReference::rates_of_all(const Vector& all, double steps) const {
  const std::size_t size = elements_.size() * dofs_;
  const Vector e(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
  const Vector h(all.begin() + static_cast<std::ptrdiff_t>(size), all.begin() + static_cast<std::ptrdiff_t>(2 * size));
  Vector right = curl_of_magnetic(h);
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    elements_[k].mass.add_product(-medium(k).sigma_e, &e[k * dofs_], &right[k * dofs_]);
    for (std::size_t f = 0; f < 4; ++f) {
      if (!is_open(k, f)) continue;
      const double own = std::sqrt(medium(k).eps_r / medium(k).mu_r);
      const double wall = own * open_share(k, f, false) / (1 - open_share(k, f, false));
      elements_[k].face_mass[f].add_product(-wall, &e[k * dofs_], &right[k * dofs_]);
      if (elements_[k].wave[f] == 0) continue;
      const double w = start_.waves[static_cast<std::size_t>(elements_[k].wave[f] - 1)](steps);
      for (std::size_t i = 0; i < dofs_; ++i) right[k * dofs_ + i] += 2 * wall * w * elements_[k].incident[f][i];
    }
  }
  Vector right_of_magnetic = curl_of_electric(e);
  for (const march::SourceTerm& source : problem_.sources) {
    const double w = start_.source_waves[static_cast<std::size_t>(source.wave)](steps - source.delay_m / start_.dt_m);
    const std::size_t first = static_cast<std::size_t>(source.element) * dofs_;
    for (std::size_t i = 0; i < source.electric.size(); ++i) right[first + i] += w * source.electric[i];
    for (std::size_t i = 0; i < source.magnetic.size(); ++i) right_of_magnetic[first + i] += w * source.magnetic[i];
  }
  Vector rates = solve_mass(right, true);
  const Vector of_magnetic = solve_mass(right_of_magnetic, false);
  rates.insert(rates.end(), of_magnetic.begin(), of_magnetic.end());
  rates.resize(all.size());
  std::size_t at = 2 * size;
  for (std::size_t k = 0; k < size; ++k)
    for (const PoleTerm& term : medium(k / dofs_).electric_poles) {
      const double first = all[at], second = all[at + 1];
      rates[at] = term.states == 1 ? term.b0 * e[k] - term.a0 * first : second - term.a1 * first + term.b1 * e[k];
      rates[at + 1] = term.states == 1 ? 0 : term.b0 * e[k] - term.a0 * first;
      rates[k] -= rates[at] / medium(k / dofs_).eps_r;
      at += 2;
    }
  return rates;
}

void DenseReference::march_exactly(const march::Start& start, double steps, std::int64_t pieces) {
  start_ = start;
  factors_ = {};
  const Vector zero(elements_.size() * dofs_, 0.0);
  electric_ = start.electric.value_or(zero);
  magnetic_ = start.magnetic.value_or(zero);
  hold_electric();
  Vector all = electric_;
  all.insert(all.end(), magnetic_.begin(), magnetic_.end());
  for (std::size_t k = 0; k < zero.size(); ++k) all.resize(all.size() + 2 * medium(k / dofs_).electric_poles.size());
  const double piece = steps / static_cast<double>(pieces), dt_m = piece * start.dt_m;
  for (std::int64_t n = 0; n < pieces; ++n) {
    const double now = static_cast<double>(n) * piece;
    const Vector before = all;
    Vector rates = rates_of_all(all, now);
    add(all, dt_m / 6, rates);
    for (const double share : {0.5, 0.5, 1.0}) {
      Vector stage = before;
      add(stage, share * dt_m, rates);
      rates = rates_of_all(stage, now + share * piece);
      add(all, dt_m / (share == 0.5 ? 3 : 6), rates);
    }
  }
  const auto size = static_cast<std::ptrdiff_t>(zero.size());
  electric_.assign(all.begin(), all.begin() + size);
  magnetic_.assign(all.begin() + size, all.begin() + 2 * size);
}

std::vector<double> DenseReference::row() const {
  Vector row;
  add_sample(row, problem_.electric, electric_);
  add_sample(row, problem_.magnetic, magnetic_);
  return row;
}

}  // namespace tetrawave_tests

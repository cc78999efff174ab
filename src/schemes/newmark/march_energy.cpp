// Energies of mode fetd.
#include <array>

#include "schemes/newmark/march.hpp"

namespace tetrawave::modes {

using march::Field;

double FetdMarch::law_energy(Field which, bool of_axes, const FieldBuffer* /*earlier*/) {
  if (of_axes) return 0;
  const bool electric = which == Field::electric;
  const States& states = electric ? electric_states_ : magnetic_states_;
  if (core_.system.ranks().max(static_cast<std::int64_t>(states.all.size())) == 0) return 0;
  std::vector<double> stored(kind_.size(), 0.0);
  for_elements([&](std::size_t e, Scratch& s) {
    const Kind& kind = kinds_[static_cast<std::size_t>(kind_[e])];
    const std::size_t modes = electric ? s.element.modes() : s.element.curl_modes();
    const double* own = states.of(e);
    for (const auto& [alpha, beta, gamma] : (electric ? kind.electric : kind.magnetic).stored()) {
      const double* second = own + 3 * modes;
      const double across = s.element.product(own, second, modes), square = s.element.product(own, own, modes);
      stored[e] += alpha * square +
                   beta * (s.element.product(second, second, modes) - 2 * gamma * across + gamma * gamma * square);
      own += 6 * modes;
    }
  });
  double sum = 0;
  for (const double energy : stored) sum += energy;
  return core_.system.ranks().sum(sum);
}

double FetdMarch::squares(Field which, std::size_t element, const Vec3& weights, Scratch& s) const {
  const bool electric = which == Field::electric;
  const std::size_t modes = electric ? s.element.modes() : s.element.curl_modes();
  load(element, electric ? electric_ : magnetic_, s.dofs.data());
  s.element.field(s.dofs.data(), modes, s.field.data());
  for (std::size_t k = 0; k < 3 * modes; ++k) s.known[k] = weights[k / modes] * s.field[k];
  return s.element.product(s.field.data(), s.known.data(), modes);
}

std::optional<std::array<double, 2>> FetdMarch::field_squares() {
  if (options_.beta != 0.25) return std::nullopt;
  std::vector<std::array<double, 2>> stored(others_.empty() ? 0 : kind_.size());
  for_elements(others_, [&](std::size_t e, Scratch& s) {
    const Medium& medium = whole_.medium_of(static_cast<LocalIndex>(e));
    stored[e] = {squares(Field::electric, e, medium.eps_r * medium.eps_axes, s),
                 squares(Field::magnetic, e, medium.mu_r * medium.mu_axes, s)};
  });
  std::array<double, 2> sums = operators_.energies();
  for (std::size_t field = 0; field < 2; ++field) {
    sums[field] *= dt_m_ / 2;
    for (const auto& of_element : stored) sums[field] += of_element[field];
  }
  core_.system.ranks().sum_in_place(sums);
  return sums;
}

}  // namespace tetrawave::modes

#include "schemes/newmark/operators.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "fem/edge/cartesian_element.hpp"

namespace tetrawave::modes {

FetdOperators::FetdOperators(const fem::EdgeSpace& space, int threads)
    : space_(space),
      team_(fem::useful_threads(space.unknowns, threads)),
      unknowns_(team_, static_cast<std::size_t>(space.unknowns)) {}

void FetdOperators::make(std::span<const std::array<Vec3, 4>> corners, std::span<const PlainLaw> laws,
                         std::span<const std::int32_t> kind, fem::CsrMatrix<double> mass) {
  const std::size_t row = 3 * fem::CartesianElement(space_.space).curl_modes();
  is_plain_.assign(kind.size(), false);
  place_.assign(kind.size(), 0);
  plain_numbers_ = 0;
  for (std::size_t e = 0; e < kind.size(); ++e)
    if (kind[e] >= 0) {
      is_plain_[e] = true;
      place_[e] = std::exchange(plain_numbers_, plain_numbers_ + row);
    }
  std::size_t numbers = plain_numbers_;
  for (std::size_t e = 0; e < kind.size(); ++e)
    if (!is_plain_[e]) place_[e] = std::exchange(numbers, numbers + space_.functions);
  if (numbers > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    fail(ExitCode::bad_case, "mode fetd takes up to 2^31 numbers of H a rank, here {}: use more ranks", numbers);
  known_.assign(numbers, 0.0);
  electric_.assign(unknowns_.size(), 0.0);
  resident_.reset();
  mass_ = std::move(mass);
  make_curls(corners, laws, kind);
  if (mass_.on_device != nullptr) return;
  const auto product = [this](const fem::CsrPattern& pattern, std::span<const double> values) {
    auto made = fem::make_row_product<double>(MatrixFormat::csr, fem::MatrixPart::whole, pattern, team_);
    made->set_values(values);
    return made;
  };
  mass_product_ = product(*mass_.pattern, mass_.values);
  curl_product_ = product(curl_pattern_, curl_);
  moment_product_ = product(moment_pattern_, moment_);
}

/// C, keep and, from the moments of curls, G.
void FetdOperators::make_curls(std::span<const std::array<Vec3, 4>> corners, std::span<const PlainLaw> laws,
                               std::span<const std::int32_t> kind) {
  const std::size_t n = space_.functions;
  const std::size_t modes = fem::CartesianElement(space_.space).curl_modes();
  keep_.assign(plain_numbers_, 1.0);
  squares_.assign(plain_numbers_, 0.0);
  curl_pattern_ = {};
  curl_pattern_.first.reserve(plain_numbers_ + 1);
  curl_.clear();
  std::vector<double> moments;  // as curl_
  fem::CartesianElement element(space_.space);
  std::vector<double> unit(n), curls(n * 3 * modes), fields(3 * modes), weights(3 * modes * n);
  for (std::size_t e = 0; e < kind.size(); ++e) {
    if (!is_plain_[e]) continue;
    const PlainLaw& law = laws[static_cast<std::size_t>(kind[e])];
    element.set(corners[e]);
    for (std::size_t i = 0; i < n; ++i) {
      std::fill(unit.begin(), unit.end(), 0.0);
      unit[i] = 1;
      element.curl(unit.data(), curls.data() + i * 3 * modes);
    }
    std::fill(weights.begin(), weights.end(), 0.0);
    for (std::size_t k = 0; k < 3 * modes; ++k) {
      std::fill(fields.begin(), fields.end(), 0.0);
      fields[k] = 1;
      squares_[place_[e] + k] =
          law.held[k / modes] / law.turn[k / modes] * element.product(fields.data(), fields.data(), modes);
      fields[k] = law.held[k / modes];
      element.add_curl_moments(fields.data(), weights.data() + k * n);
    }
    for (std::size_t k = 0; k < 3 * modes; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        const double value = curls[i * 3 * modes + k];
        if (space_.of(e)[i] == fem::EdgeSpace::fixed || value == 0) continue;
        curl_pattern_.column.push_back(space_.of(e)[i]);
        curl_.push_back(2 * law.turn[k / modes] * value);
        moments.push_back(weights[k * n + i]);
      }
      curl_pattern_.first.push_back(static_cast<std::int64_t>(curl_.size()));
      keep_[place_[e] + k] = 2 * law.held[k / modes] - 1;
    }
  }
  if (std::all_of(keep_.begin(), keep_.end(), [](double keep) { return keep == 1; })) keep_ = {};
  make_moments(moments);
}

/// G: the transpose of the moments of curls, beside a one for each moment of the other elements.
void FetdOperators::make_moments(const std::vector<double>& curl_moments) {
  const std::size_t n = space_.functions;
  moment_pattern_ = {};
  std::vector<std::int64_t>& first = moment_pattern_.first;
  first.assign(unknowns_.size() + 1, 0);
  const auto visit = [&](const auto& take) {
    for (std::size_t k = 0; k < plain_numbers_; ++k)
      for (auto at = static_cast<std::size_t>(curl_pattern_.first[k]);
           at < static_cast<std::size_t>(curl_pattern_.first[k + 1]); ++at)
        take(curl_pattern_.column[at], k, curl_moments[at]);
    for (std::size_t e = 0; e < is_plain_.size(); ++e)
      for (std::size_t i = 0; i < n && !is_plain_[e]; ++i)
        if (const std::int32_t u = space_.of(e)[i]; u != fem::EdgeSpace::fixed) take(u, place_[e] + i, 1.0);
  };
  visit([&](std::int32_t u, std::size_t, double) { ++first[static_cast<std::size_t>(u) + 1]; });
  for (std::size_t u = 0; u < unknowns_.size(); ++u) first[u + 1] += first[u];
  moment_pattern_.column.resize(static_cast<std::size_t>(first.back()));
  moment_.resize(moment_pattern_.column.size());
  std::vector<std::int64_t> next(first.begin(), first.end() - 1);
  visit([&](std::int32_t u, std::size_t k, double value) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(u)]++);
    moment_pattern_.column[at] = static_cast<std::int32_t>(k);
    moment_[at] = value;
  });
}

void FetdOperators::move_to(const fem::IterationDevice& device, fem::StepMatrices what) {
  const fem::CsrMatrix<double> moments{&moment_pattern_, std::move(moment_)};
  const fem::CsrMatrix<double> curls{&curl_pattern_, std::move(curl_)};
  what.mass = &mass_;
  what.moments = &moments;
  what.curls = &curls;
  what.keep = &keep_;
  what.squares = &squares_;
  what.numbers = known_.size();
  side_places_ = what.side_places;
  mid_places_ = what.mid_places;
  resident_ = device.make_step(what);
  mass_product_.reset();
  curl_product_.reset();
  moment_product_.reset();
  mass_ = {};
  squares_ = {};
  curl_pattern_ = moment_pattern_ = {};
  put_fields();
}

void FetdOperators::put_fields() {
  if (resident_) resident_->put_fields(electric_, known_);
}

void FetdOperators::take_fields() {
  if (resident_) resident_->take_fields(electric_, known_);
}

void FetdOperators::begin_side(std::vector<double>& side) {
  if (resident_) {
    for (const std::int32_t u : side_places_) side[static_cast<std::size_t>(u)] = 0;
    return;
  }
  mass_product_->multiply(electric_, side);
  moment_product_->subtract(1, side, -1, known_, side);
}

void FetdOperators::finish_side(const std::vector<double>& side) {
  if (resident_) resident_->find_side(side, known_);
}

void FetdOperators::add_response(std::size_t which, double factor, const std::vector<double>& response,
                                 std::vector<double>& mid) {
  if (resident_) {
    resident_->add_response(which, factor);
    for (const std::int32_t u : mid_places_)
      mid[static_cast<std::size_t>(u)] += factor * response[static_cast<std::size_t>(u)];
    return;
  }
  unknowns_.for_each([&](std::size_t u) { mid[u] += factor * response[u]; });
}

void FetdOperators::advance(const std::vector<double>& mid) {
  if (resident_) return resident_->advance(electric_, known_);
  unknowns_.for_each([&](std::size_t u) { electric_[u] = 2 * mid[u] - electric_[u]; });
  if (!keep_.empty()) {
    fem::BlockedVectors numbers(team_, plain_numbers_);
    numbers.for_each([&](std::size_t k) { known_[k] *= keep_[k]; });
  }
  curl_product_->subtract(1, known_, 1, mid, known_);
}

std::array<double, 2> FetdOperators::energies() {
  if (resident_) return resident_->energies();
  std::vector<double> moments(unknowns_.size());
  mass_product_->multiply(electric_, moments);
  const auto of_electric = unknowns_.sum<1>([&](std::size_t u, auto& sum) { sum[0] += electric_[u] * moments[u]; });
  fem::BlockedVectors numbers(team_, plain_numbers_);
  const auto of_magnetic =
      numbers.sum<1>([&](std::size_t k, auto& sum) { sum[0] += squares_[k] * known_[k] * known_[k]; });
  return {of_electric[0], of_magnetic[0]};
}

std::int64_t FetdOperators::bytes() const {
  if (!resident_ && !mass_product_) return 0;  // before a start
  if (resident_) return resident_->bytes() + static_cast<std::int64_t>(8 * (electric_.size() + known_.size()));
  const std::size_t entries = curl_.size() + moment_.size();
  return static_cast<std::int64_t>(12 * entries + 8 * mass_.values.size() +
                                   8 * (electric_.size() + known_.size() + keep_.size() + squares_.size()) +
                                   8 * (plain_numbers_ + unknowns_.size()) + 9 * place_.size()) +
         mass_product_->bytes() + curl_product_->bytes() + moment_product_->bytes();
}

}  // namespace tetrawave::modes

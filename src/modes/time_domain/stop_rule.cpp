#include "modes/time_domain/stop_rule.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace tetrawave::modes {

StopRule::StopRule(std::optional<double> decay_db, std::int64_t sources_over_from, std::int64_t every)
    : sources_over_from_(sources_over_from), every_(every) {
  if (decay_db) factor_ = std::pow(10.0, *decay_db / 10);
}

std::int64_t StopRule::steps_to_check(std::int64_t step, std::int64_t steps) const {
  return factor_ ? std::min(steps, every_ - step % every_) : steps;
}

bool StopRule::note(std::int64_t step, double energy_j) {
  largest_j_ = std::max(largest_j_, energy_j);
  last_j_ = energy_j;
  return factor_ && step >= sources_over_from_ && largest_j_ > 0 && energy_j <= *factor_ * largest_j_;
}

double StopRule::level_db() const { return largest_j_ > 0 ? 10 * std::log10(last_j_ / largest_j_) : 0; }

void StopRule::set_state(const std::vector<double>& values) {
  ensure(values.size() == 2, "the state of the rule is the largest energy and the last");
  largest_j_ = values[0];
  last_j_ = values[1];
}

}  // namespace tetrawave::modes

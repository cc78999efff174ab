// What an implicit march carries from one step to the next.
#include <algorithm>
#include <utility>

#include "modes/fetd_march.hpp"

namespace tetrawave::modes {

void FetdMarch::register_state(march::StateRegistry& registry) {
  Base::register_state(registry);
  register_states(registry, "E_states", electric_states_);
  register_states(registry, "H_states", magnetic_states_);
  if (unknowns_.iterates()) register_middle(registry);
  ports_.register_state(registry);
  conductors_.register_state(registry);
}

/// Rows of the most states that an element has, for the elements that have any.
void FetdMarch::register_states(march::StateRegistry& registry, const char* name, States& states) {
  std::vector<std::size_t> elements;
  std::int64_t most = 0;
  for (std::size_t e = 0; e < kind_.size(); ++e) {
    if (states.count(e) == 0) continue;
    elements.push_back(e);
    most = std::max(most, static_cast<std::int64_t>(states.count(e)));
  }
  const auto width = static_cast<std::size_t>(this->system_.ranks().max(most));
  if (width == 0) return;
  const auto& id = whole_.mesh->global_id;
  std::sort(elements.begin(), elements.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  std::vector<GlobalIndex> ids;
  for (const std::size_t e : elements) ids.push_back(id[e]);
  registry.add(march::ListedState{name, static_cast<int>(width), false, ids,
                                  [elements, width, &states] {
                                    std::vector<double> rows(elements.size() * width, 0.0);
                                    for (std::size_t k = 0; k < elements.size(); ++k)
                                      std::copy_n(states.of(elements[k]), states.count(elements[k]),
                                                  rows.begin() + static_cast<std::ptrdiff_t>(k * width));
                                    return march::ElementValues(std::move(rows));
                                  },
                                  [elements, width, &states](const march::ElementValues& values) {
                                    const auto& rows = std::get<std::vector<double>>(values);
                                    for (std::size_t k = 0; k < elements.size(); ++k)
                                      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(k * width),
                                                  states.count(elements[k]), states.of(elements[k]));
                                  }});
}

/// E in the middle of the last step, for marches whose iterations begin there.
void FetdMarch::register_middle(march::StateRegistry& registry) {
  const std::size_t n = unknowns_.space().functions;
  registry.add(march::ElementState{"E_middle", static_cast<int>(n), false,
                                   [this, n] {
                                     std::vector<double> all(kind_.size() * n);
                                     for (std::size_t e = 0; e < kind_.size(); ++e)
                                       unknowns_.gather(e, mid_, all.data() + e * n);
                                     return march::ElementValues(std::move(all));
                                   },
                                   [this, n](const march::ElementValues& values) {
                                     const auto& all = std::get<std::vector<double>>(values);
                                     for (std::size_t e = 0; e < kind_.size(); ++e)
                                       for (std::size_t i = 0; i < n; ++i)
                                         if (const std::int32_t u = unknowns_.space().of(e)[i];
                                             u != fem::EdgeSpace::fixed)
                                           mid_[static_cast<std::size_t>(u)] = all[e * n + i];
                                   }});
}

}  // namespace tetrawave::modes

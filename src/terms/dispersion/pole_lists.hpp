// The elements of dispersive media on a device, one list per medium, with the states of their polarisations.
#pragma once

#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include "march/elements/element_system.hpp"
#include "march/interface/state.hpp"
#include "terms/dispersion/coefficients.hpp"

namespace tetrawave::march {

/// Elements of one region and part.
struct RegionElements {
  std::size_t region = 0;
  Part part{};
  std::vector<LocalIndex> elements;
};

/// The elements of this rank in regions of `chosen` (per region), in their order; no empty lists.
std::vector<RegionElements> elements_by_region(const Problem& problem, const std::vector<bool>& chosen);

/// Regions of DGTD-Central and DGTD-Upwind whose law of this field needs a list: passive terms, and in anisotropic
/// media also losses.
std::vector<bool> regions_with_terms(const Problem& problem, Field field);

/// Regions whose elements are in blocks of their own, with all states of their terms, as the update of DFDD-ELD
/// includes the terms (schemes/dfdd/update.hpp): those with passive terms and isotropic media. None if the space stores
/// inverses, or if blocks of geometry may be shared.
std::vector<bool> regions_in_blocks(const Problem& problem);

/// Groups of elements of a part: those of all other regions, and of each of these.
struct BlockGroups {
  std::size_t count = 1;
  std::vector<std::size_t> of_region;

  explicit BlockGroups(const Problem& problem) {
    for (const bool chosen : regions_in_blocks(problem)) of_region.push_back(chosen ? count++ : 0);
  }
  [[nodiscard]] std::size_t of(const Problem& problem, LocalIndex element) const {
    return of_region[problem.material_of(element)];
  }
};

/// Whether losses or terms occur in an anisotropic law of a field of some medium.
bool any_projected(const Problem& problem, Field field);

inline bool any_region(const std::vector<bool>& chosen) {
  return std::find(chosen.begin(), chosen.end(), true) != chosen.end();
}

/// One list on a device with `rows` rows of numbers per element.
template <class Backend, class S>
struct PolesOnDevice {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  RegionElements of;
  std::int64_t blocks;
  int lanes;
  int threads;  ///< that fill it
  Buffer<std::int32_t> element;

  PolesOnDevice(Backend& backend, const ElementLayout<S>& layout, RegionElements chosen)
      : of(std::move(chosen)),
        blocks((static_cast<std::int64_t>(of.elements.size()) + layout.lanes - 1) / layout.lanes),
        lanes(layout.lanes),
        threads(backend.threads()),
        element(backend, static_cast<std::size_t>(blocks * lanes)) {
    std::vector<std::int32_t> slots(element.size(), layout.spare);
    for (std::size_t i = 0; i < of.elements.size(); ++i) slots[i] = layout.slot(of.elements[i]);
    element.upload(slots);
  }

  [[nodiscard]] std::size_t numbers(int rows) const { return element.size() * static_cast<std::size_t>(rows); }
  /// Index of a row of the list's element number i.
  [[nodiscard]] std::size_t at(std::size_t i, int rows, int row) const {
    const auto w = static_cast<std::size_t>(lanes);
    return (i / w * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)) * w + i % w;
  }
};

/// Sets `rows` rows of a list: `numbers(element)`, called on several threads, and `padding` in empty slots.
template <class Backend, class S, class Numbers>
void fill_list(const PolesOnDevice<Backend, S>& list, typename Backend::template Buffer<S>& buffer, int rows,
               const std::vector<double>& padding, const Numbers& numbers) {
  std::vector<S> all(buffer.size());
  for_each_index(list.element.size(), list.threads, [&](std::size_t i) {
    const std::vector<double> own = i < list.of.elements.size() ? numbers(list.of.elements[i]) : padding;
    for (int row = 0; row < rows; ++row)
      all[list.at(i, rows, row)] = static_cast<S>(own[static_cast<std::size_t>(row)]);
  });
  buffer.upload(all);
}

/// Terms of one law with their states.
template <class Backend, class S>
struct LawOnDevice {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  int terms;
  Buffer<S> constants;
  Buffer<S> memory;

  LawOnDevice(Backend& backend, const PolesOnDevice<Backend, S>& list, int dofs,
              const std::vector<schemes::TermConstants>& numbers)
      : terms(static_cast<int>(numbers.size())),
        constants(backend, 6 * numbers.size()),
        memory(backend, list.numbers(2 * terms * dofs)) {
    std::vector<S> all;
    for (const auto& term : numbers)
      for (const double c : term) all.push_back(static_cast<S>(c));
    constants.upload(all);
  }
  kernels::PoleList<S> view(const PolesOnDevice<Backend, S>& list) {
    return {list.element.data(), terms, constants.data(), memory.data()};
  }
};

/// Constants of the terms of a law by one of the rules of terms/dispersion/coefficients.hpp.
template <class Rule>
std::vector<schemes::TermConstants> constants_of(const schemes::Law& law, double dt_m, const Rule& rule) {
  std::vector<schemes::TermConstants> list;
  for (const PoleTerm& term : law.terms) list.push_back(rule(term, dt_m));
  return list;
}

/// A device array of a list as part of the state: rows of its elements, zero in the others.
template <class S>
struct ListState {
  std::function<std::vector<S>()> download;
  std::function<void(const std::vector<S>&)> upload;
  std::function<std::size_t(std::size_t i, int row)> at;
  const std::vector<LocalIndex>* elements;
  int rows;
};

/// One entry of the registry for arrays of several disjoint lists; `width`: the maximum number of rows of a list on any
/// rank.
template <class S>
ElementState make_list_state(const std::string& name, LocalIndex element_count, int width,
                             std::vector<ListState<S>> parts) {
  const auto w = static_cast<std::size_t>(width);
  return {name, width, sizeof(S) == sizeof(float),
          [=] {
            std::vector<S> all(static_cast<std::size_t>(element_count) * w, S(0));
            for (const auto& part : parts) {
              const auto values = part.download();
              for (std::size_t i = 0; i < part.elements->size(); ++i)
                for (int row = 0; row < part.rows; ++row)
                  all[static_cast<std::size_t>((*part.elements)[i]) * w + static_cast<std::size_t>(row)] =
                      values[part.at(i, row)];
            }
            return ElementValues(std::move(all));
          },
          [=](const ElementValues& given) {
            const auto& all = std::get<std::vector<S>>(given);
            for (const auto& part : parts) {
              auto values = part.download();
              for (std::size_t i = 0; i < part.elements->size(); ++i)
                for (int row = 0; row < part.rows; ++row)
                  values[part.at(i, row)] =
                      all[static_cast<std::size_t>((*part.elements)[i]) * w + static_cast<std::size_t>(row)];
              part.upload(values);
            }
          }};
}

/// Registers one array per list, `part(list)`, which may be created after the registration; nothing if `width` is 0.
template <class S, class Lists, class Part>
void add_list_state(StateRegistry& registry, const std::string& name, LocalIndex element_count, int width, Lists& lists,
                    Part part) {
  if (width == 0) return;
  const auto make = [name, element_count, width, &lists, part] {
    std::vector<ListState<S>> parts;
    for (auto& list : lists) parts.push_back(part(list));
    return make_list_state<S>(name, element_count, width, std::move(parts));
  };
  registry.add(ElementState{name, width, sizeof(S) == sizeof(float), [make] { return make().save(); },
                            [make](const ElementValues& values) { make().load(values); }});
}

/// The maximum number of terms in a law of any medium, without published ones.
inline int most_terms(const Problem& problem, bool electric) {
  std::size_t most = 0;
  for (const Medium& medium : problem.media)
    if (!schemes::law_of(problem.scheme, medium, electric).published)
      most = std::max(most, schemes::law_of(problem.scheme, medium, electric).terms.size());
  return static_cast<int>(most);
}

/// `buffer` of a list, with `rows` rows per element.
template <class Backend, class S>
ListState<S> state_part(PolesOnDevice<Backend, S>& list, typename Backend::template Buffer<S>& buffer, int rows) {
  return {[&buffer] { return buffer.download(); }, [&buffer](const std::vector<S>& values) { buffer.upload(values); },
          [&list, rows](std::size_t i, int row) { return list.at(i, rows, row); }, &list.of.elements, rows};
}

}  // namespace tetrawave::march

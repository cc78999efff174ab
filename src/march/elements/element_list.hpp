// Lists of elements on a device: arrays with rows of numbers per element of a list, and their part of the state.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "march/elements/layout.hpp"
#include "march/interface/region_elements.hpp"
#include "march/interface/state.hpp"

namespace tetrawave::march {

/// One list on a device.
template <class Backend, class S>
struct ElementList {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  RegionElements of;
  std::int64_t blocks;
  int lanes;
  int threads;  ///< that fill it
  Buffer<std::int32_t> element;

  ElementList(Backend& backend, const ElementLayout<S>& layout, RegionElements chosen)
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
void fill_list(const ElementList<Backend, S>& list, typename Backend::template Buffer<S>& buffer, int rows,
               const std::vector<double>& padding, const Numbers& numbers) {
  std::vector<S> all(buffer.size());
  for_each_index(list.element.size(), list.threads, [&](std::size_t i) {
    const std::vector<double> own = i < list.of.elements.size() ? numbers(list.of.elements[i]) : padding;
    for (int row = 0; row < rows; ++row)
      all[list.at(i, rows, row)] = static_cast<S>(own[static_cast<std::size_t>(row)]);
  });
  buffer.upload(all);
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

/// `buffer` of a list, with `rows` rows per element.
template <class Backend, class S>
ListState<S> state_part(ElementList<Backend, S>& list, typename Backend::template Buffer<S>& buffer, int rows) {
  return {[&buffer] { return buffer.download(); }, [&buffer](const std::vector<S>& values) { buffer.upload(values); },
          [&list, rows](std::size_t i, int row) { return list.at(i, rows, row); }, &list.of.elements, rows};
}

}  // namespace tetrawave::march

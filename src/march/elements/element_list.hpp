// Lists of elements on a device: arrays with rows of numbers per element of a list, and their part of the state.
#pragma once

#include <map>
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

/// Sets `rows` rows of a list: `numbers(i)` of its element number i, called on several threads, and `padding` in empty
/// slots.
template <class Backend, class S, class Array, class Numbers>
void fill_rows(const ElementList<Backend, S>& list, Array& buffer, int rows, const std::vector<double>& padding,
               const Numbers& numbers) {
  auto all = decltype(buffer.download())(buffer.size());
  for_each_index(list.element.size(), list.threads, [&](std::size_t i) {
    const std::vector<double>& own = i < list.of.elements.size() ? numbers(i) : padding;
    for (std::size_t row = 0; row < own.size(); ++row)
      all[list.at(i, rows, static_cast<int>(row))] = static_cast<typename decltype(all)::value_type>(own[row]);
  });
  buffer.upload(all);
}
/// fill_rows with `numbers(element)` instead of the position in the list.
template <class Backend, class S, class Array, class Numbers>
void fill_list(const ElementList<Backend, S>& list, Array& buffer, int rows, const std::vector<double>& padding,
               const Numbers& numbers) {
  fill_rows(list, buffer, rows, padding, [&](std::size_t i) { return numbers(list.of.elements[i]); });
}

/// A device array of a list as part of the state: `rows` rows per element.
template <class Backend, class S>
struct ListPart {
  ElementList<Backend, S>& list;
  typename Backend::template Buffer<S>& buffer;
  int rows;
};

/// One entry of the registry for arrays of several disjoint lists, a row per element of the rank, zero where there is
/// none: `part(list)`, which may be created after the registration. `width`: the maximum number of rows of a list on
/// any rank; nothing is registered if it is 0.
template <class S, class Lists, class Part>
void add_list_state(StateRegistry& registry, const std::string& name, LocalIndex element_count, int width, Lists& lists,
                    const Part& part) {
  if (width == 0) return;
  const auto w = static_cast<std::size_t>(width);
  // work(index among the numbers of all elements, index in the array)
  const auto visit = [w](const auto& own, const auto& work) {
    const std::vector<LocalIndex>& elements = own.list.of.elements;
    for (std::size_t i = 0; i < elements.size(); ++i)
      for (int row = 0; row < own.rows; ++row)
        work(static_cast<std::size_t>(elements[i]) * w + static_cast<std::size_t>(row), own.list.at(i, own.rows, row));
  };
  const auto save = [=, &lists] {
    std::vector<S> all(static_cast<std::size_t>(element_count) * w, S(0));
    for (auto& list : lists) {
      const auto own = part(list);
      const std::vector<S> values = own.buffer.download();
      visit(own, [&](std::size_t number, std::size_t at) { all[number] = values[at]; });
    }
    return ElementValues(std::move(all));
  };
  const auto load = [=, &lists](const ElementValues& given) {
    const auto& all = std::get<std::vector<S>>(given);
    for (auto& list : lists) {
      const auto own = part(list);
      std::vector<S> values = own.buffer.download();
      visit(own, [&](std::size_t number, std::size_t at) { values[at] = all[number]; });
      own.buffer.upload(values);
    }
  };
  registry.add(ElementState{name, width, sizeof(S) == sizeof(float), save, load});
}

/// One entry for elements that have numbers in the array `memory` of some lists: `visit(list, work)` calls work(global
/// id, index in the element's row of `width` numbers, index in the array) for each number.
template <class S, class Lists, class Visit>
void add_memory_state(StateRegistry& registry, const std::string& name, std::size_t width, Lists& lists,
                      const Visit& visit) {
  std::map<GlobalIndex, std::size_t> rows;
  for (auto& list : lists) visit(list, [&](GlobalIndex id, std::size_t, std::size_t) { rows[id] = 0; });
  ListedState state{name, static_cast<int>(width), sizeof(S) == sizeof(float), {}, {}, {}};
  for (auto& [id, row] : rows) {
    row = state.ids.size() * width;
    state.ids.push_back(id);
  }
  state.save = [=, &lists] {
    std::vector<S> all(rows.size() * width, S(0));
    for (auto& list : lists) {
      const std::vector<S> memory = list.memory.download();
      visit(list, [&](GlobalIndex id, std::size_t k, std::size_t at) { all[rows.at(id) + k] = memory[at]; });
    }
    return ElementValues(std::move(all));
  };
  state.load = [=, &lists](const ElementValues& values) {
    const auto& all = std::get<std::vector<S>>(values);
    for (auto& list : lists) {
      std::vector<S> memory(list.memory.size(), S(0));
      visit(list, [&](GlobalIndex id, std::size_t k, std::size_t at) { memory[at] = all[rows.at(id) + k]; });
      list.memory.upload(memory);
    }
  };
  registry.add(std::move(state));
}

}  // namespace tetrawave::march

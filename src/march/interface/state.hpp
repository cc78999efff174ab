// The state of a run: all arrays needed to resume, in one list. Everything carried from one step to the next is
// registered here; checkpoint and restart know nothing else.
//
// Not registered, because it follows from the state: ghosts and traces of open walls (from the fields), coefficients
// and wave tables (from the case), the recorder's ring (emptied before a checkpoint).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"

namespace tetrawave::march {

/// Numbers of the elements of this rank, `width` each, element by element in the order of the local mesh.
using ElementValues = std::variant<std::vector<double>, std::vector<float>>;

/// An array with a row per element; stored by global element id, so that any number of ranks can restore it.
struct ElementState {
  std::string name;
  int width = 0;        ///< numbers of an element
  bool single = false;  ///< whether they are floats
  std::function<ElementValues()> save;
  std::function<void(const ElementValues&)> load;  ///< of the same type
};

/// An array with a row for each of some elements of this rank; stored by global id too.
struct ListedState {
  std::string name;
  int width = 0;
  bool single = false;
  std::vector<GlobalIndex> ids;  ///< ascending; no element is on two ranks
  std::function<ElementValues()> save;
  std::function<void(const ElementValues&)> load;
};

/// Numbers shared by all ranks, or held by rank 0 only. Whole numbers up to 2^53 are exact.
struct SharedState {
  std::string name;
  std::function<std::vector<double>()> save;             ///< called on rank 0
  std::function<void(const std::vector<double>&)> load;  ///< called on every rank with the same numbers
};

/// A whole number shared by all ranks; `number` must outlive the registry.
inline SharedState whole_number(std::string name, std::int64_t& number) {
  return {std::move(name), [&number] { return std::vector<double>{static_cast<double>(number)}; },
          [&number](const std::vector<double>& saved) {
            ensure(saved.size() == 1, "a whole number of the state is one number");
            number = static_cast<std::int64_t>(saved.front());
          }};
}

class StateRegistry {
 public:
  /// Names are unique within the registry, and the same on all ranks in the same order.
  void add(ElementState state) { elements_.push_back(std::move(state)); }
  void add(SharedState state) { shared_.push_back(std::move(state)); }
  void add(ListedState state) { listed_.push_back(std::move(state)); }

  [[nodiscard]] const std::vector<ElementState>& elements() const { return elements_; }
  [[nodiscard]] const std::vector<SharedState>& shared() const { return shared_; }
  [[nodiscard]] const std::vector<ListedState>& listed() const { return listed_; }

 private:
  std::vector<ElementState> elements_;
  std::vector<SharedState> shared_;
  std::vector<ListedState> listed_;
};

}  // namespace tetrawave::march

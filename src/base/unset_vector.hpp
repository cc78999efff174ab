// Large arrays whose pages are first written by the threads that fill them.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace tetrawave {

template <class T>
struct UnsetAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  /// Leaves it as it is; with arguments as any allocator.
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    static_assert(std::is_trivially_copyable_v<U> && std::is_trivially_destructible_v<U>);
    if constexpr (sizeof...(Arguments) > 0) std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
};

/// As std::vector, but `resize` does not clear what it adds.
template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace tetrawave

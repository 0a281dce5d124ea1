#pragma once

// Counts and indices are signed in the library, those of containers are not: list[to_index(i)] says so once.

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace espalier {

// `i`, known not to be negative, as an index of a container.
constexpr std::size_t to_index(std::integral auto i) { return static_cast<std::size_t>(i); }

// The place of an enumerator in a table that has them all, in their order.
template <class E>
  requires std::is_enum_v<E>
constexpr std::size_t to_index(E value) {
  return static_cast<std::size_t>(value);
}

}  // namespace espalier

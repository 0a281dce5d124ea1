#pragma once

// Counts and indices are signed in the library, those of containers are not: list[at(i)] says so once.

#include <concepts>
#include <cstddef>

namespace espalier {

// `i`, known not to be negative, as an index of a container.
constexpr std::size_t at(std::integral auto i) { return static_cast<std::size_t>(i); }

}  // namespace espalier

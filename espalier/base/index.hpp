#pragma once

// Counts and indices are signed in the library, those of containers are not: list[to_index(i)] says so once.

#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
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

// An index that knows what it counts: a BodyId cannot be passed where a JointId is asked for.
//   using BodyId = Id<struct BodyTag>;
// A default-made id is invalid (-1).
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(int value) : value_(value) {}
  constexpr explicit Id(std::size_t value) : value_(static_cast<int>(value)) {}

  constexpr int value() const { return value_; }
  constexpr std::size_t index() const { return to_index(value_); }
  constexpr bool valid() const { return value_ >= 0; }
  constexpr auto operator<=>(const Id&) const = default;

 private:
  int value_ = -1;
};

}  // namespace espalier

template <class Tag>
struct std::hash<espalier::Id<Tag>> {
  std::size_t operator()(espalier::Id<Tag> id) const { return std::hash<int>{}(id.value()); }
};

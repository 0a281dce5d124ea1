#pragma once

#include <compare>
#include <cstddef>
#include <functional>

#include "espalier/base/index.hpp"

namespace espalier {

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

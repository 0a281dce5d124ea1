#pragma once

// The impulse of a constraint, by a name that is the same in every step and on every rank: what a run keeps of its
// constraints from one step to the next, and over a restart.

#include <array>
#include <compare>
#include <cstdint>

namespace espalier::contact {

// The order of keys is the order of all sums.
struct Key {
  std::int32_t master = -1, slave = -1;  // bodies; slave is the ground where a joint holds one body alone
  std::uint32_t part = 0;                // contact: shapes of both, 16 bits each; joint: kJoint + 2 x its number + turn
  std::uint32_t feature = 0;             // of the narrow phase; joint: which of its rows
  friend auto operator<=>(const Key&, const Key&) = default;
};
inline constexpr std::uint32_t kJoint = 0x80000000u;

struct Reaction {
  Key key;
  std::array<double, 3> R{};  // along the axes of the constraint [N s]
};

}  // namespace espalier::contact

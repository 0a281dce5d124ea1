#pragma once

#include <span>
#include <vector>

namespace espalier::dynamics::detail {

// The world's branches in groups, where they close loops with each other: parts of the world of their own, in which
// loops between the branches of a group are closed. Only few loops pass from one group to the next, so that groups,
// too, can be worked on at the same time: a nested dissection.
struct WorldParts {
  std::vector<int> parent;   // by part: the part it belongs to; -1: the world
  std::vector<int> part_of;  // by link: the part that its branch of the world belongs to; -1: none
};
// `parent` by link, links in the order of System. `ends` by loop: the links its equations act on; 0 is the world.
WorldParts divide_world(std::span<const int> parent, const std::vector<std::vector<int>>& ends);

}  // namespace espalier::dynamics::detail

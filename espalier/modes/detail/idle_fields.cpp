#include "espalier/modes/detail/idle_fields.hpp"

#include <cmath>
#include <initializer_list>

#include "espalier/base/index.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Index;

// Directions that differ by less are the same: maps hold numbers near 1.
constexpr double kSame = 1e-9;

// True where a motion of either end reaches the directions of its element.
bool is_moved(const Structure& structure, const Element& element, std::initializer_list<Index> directions) {
  for (std::size_t end = 0; end < 2; ++end) {
    const Directions& moves = structure.vertices[to_index(element.vertex[end])].moves;
    for (const Index row : directions) {
      for (Index k = 0; k < 6; ++k) {
        if (moves[to_index(k)] && std::abs(element.to_local[end](row, k)) > kSame) return true;
      }
    }
  }
  return false;
}

}  // namespace

Structure without_idle_fields(Structure structure) {
  for (Element& element : structure.elements) {
    Beam* beam = std::get_if<Beam>(&element.law);
    if (beam == nullptr) continue;
    // Between two supports nothing is moved from outside.
    const bool held = !is_moved(structure, element, {0, 1, 2, 3, 4, 5});
    // Then it vibrates by itself, in all of its fields.
    if (held) continue;
    beam->axial = beam->axial && is_moved(structure, element, {0});
    beam->torsion = beam->torsion && is_moved(structure, element, {3});
    beam->bend_y = beam->bend_y && is_moved(structure, element, {1, 5});
    beam->bend_z = beam->bend_z && is_moved(structure, element, {2, 4});
  }
  return structure;
}

}  // namespace espalier::modes::detail

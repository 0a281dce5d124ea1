#include "espalier/modes/mode_set.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"

namespace espalier::modes {
namespace {

constexpr double kMoves = 1e-6;  // part of the largest displacement
constexpr std::size_t kMostNames = 4;

}  // namespace

// The motions are any combinations of each other, so that only all of them together say what moves.
std::string describe_free_motions(const Structure& structure, const ModeSet& set) {
  if (set.free_motions == 0) return "";
  const std::string count = counted(to_index(set.free_motions), "free motion", "free motions");
  const auto free = std::find_if(set.modes.begin(), set.modes.end(), [](const Mode& mode) { return mode.s == 0.0; });
  if (free == set.modes.end() || free->shapes.empty()) return count;
  std::vector<std::string> names;
  Directions used{};
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    bool moved = false;
    for (const Shape& shape : free->shapes) {
      for (std::size_t k = 0; k < 6; ++k) {
        if (!(std::abs(shape[v][k]) * (k < 3 ? 1 : structure.length_unit) > kMoves)) continue;
        // By a part of the largest displacement: what rounding moves is no motion.
        used[k] = moved = true;
      }
    }
    if (moved) names.push_back(in_quotes(structure.vertices[v].name));
  }
  std::string who, how;
  for (std::size_t k = 0; k < std::min(names.size(), kMostNames); ++k) who.append(k == 0 ? "" : ", ").append(names[k]);
  if (names.size() > kMostNames) who += fmt::format(" and {} more", names.size() - kMostNames);
  for (std::size_t k = 0; k < 6; ++k) {
    if (used[k]) how.append(how.empty() ? "" : " ").append(model::kDirectionWords[k]);
  }
  return fmt::format("{}: {} {} ({})", count, who, names.size() == 1 ? "moves" : "move", how);
}

std::string describe_shortage(const ModeSet& set) {
  int found = 0;
  // Only vibrations were asked for.
  for (const Mode& mode : set.modes) found += mode.s.imag() > 0 ? mode.multiplicity : 0;
  if (found >= set.asked || set.certainty == Certainty::kNone) return "";
  const std::string few =
      fmt::format("{} found, fewer than the {} asked for", found == 0 ? "none" : std::to_string(found), set.asked);
  if (set.complete) return few + ": the structure has no more";
  return few + fmt::format(": there are no more below {:.6g} rad/s", set.upto);
}

}  // namespace espalier::modes

#include "espalier/model/spec.hpp"

#include <cmath>
#include <span>

#include "espalier/base/index.hpp"

namespace espalier::model {
namespace {

// The words of model files: one that changes would make old files unreadable.
// One table for each list of words; the position is the enumerator.
constexpr std::array kShapeKinds = {"sphere", "box", "capsule", "cylinder", "ellipsoid", "plane", "hull", "mesh"};
constexpr std::array kShapeRoles = {"both", "collision", "visual"};
constexpr std::array kBodyKinds = {"rigid", "point", "beam", "rod", "shaft", "pseudo_rigid", "obstacle"};
constexpr std::array kBeamTheories = {"euler", "timoshenko"};

template <class Enum>
std::optional<Enum> find(std::span<const char* const> words, std::string_view word) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (word == words[i]) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

const char* word(ShapeKind kind) { return kShapeKinds[to_index(kind)]; }
const char* word(ShapeRole role) { return kShapeRoles[to_index(role)]; }
const char* word(BodyKind kind) { return kBodyKinds[to_index(kind)]; }
const char* word(BeamTheory theory) { return kBeamTheories[to_index(theory)]; }

Eigen::Vector3d default_y_axis(const Eigen::Vector3d& beam_axis) {
  // Within a degree of y the direction across would be rounding.
  const bool along_y = std::abs(beam_axis.normalized().y()) > 0.99985;
  return along_y ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();
}

std::optional<ShapeKind> find_shape_kind(std::string_view word) { return find<ShapeKind>(kShapeKinds, word); }
std::optional<ShapeRole> find_shape_role(std::string_view word) { return find<ShapeRole>(kShapeRoles, word); }
std::optional<BodyKind> find_body_kind(std::string_view word) { return find<BodyKind>(kBodyKinds, word); }
std::optional<BeamTheory> find_beam_theory(std::string_view word) { return find<BeamTheory>(kBeamTheories, word); }

}  // namespace espalier::model

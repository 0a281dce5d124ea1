#include "espalier/formats/detail/unread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "espalier/base/text.hpp"

namespace espalier::formats::detail {
namespace {

using model::Effect;

struct Entry {
  std::string_view name;
  std::string_view parent;  // empty: any
  Effect effect;
  std::string_view word = {};  // empty: the name
};

constexpr std::array kElements = {
    // MJCF: bodies and joints made by rule, ties between coordinates, deformable things.
    Entry{"replicate", "", Effect::kMechanism}, Entry{"composite", "", Effect::kMechanism},
    Entry{"flexcomp", "", Effect::kMechanism}, Entry{"attach", "", Effect::kMechanism},
    Entry{"deformable", "", Effect::kMechanism}, Entry{"tendon", "equality", Effect::kMechanism, "equality"},
    Entry{"flex", "equality", Effect::kMechanism, "equality"},
    Entry{"flexvert", "equality", Effect::kMechanism, "equality"},
    Entry{"flexstrain", "equality", Effect::kMechanism, "equality"},
    Entry{"distance", "equality", Effect::kMechanism, "equality"}, Entry{"plugin", "body", Effect::kForces},
    Entry{"plugin", "geom", Effect::kForces}, Entry{"pair", "contact", Effect::kContact},
    // SDF.
    Entry{"population", "world", Effect::kMechanism}, Entry{"state", "world", Effect::kForces},
    Entry{"velocity_decay", "link", Effect::kForces}, Entry{"kinematic", "link", Effect::kForces},
    Entry{"fluid_added_mass", "inertial", Effect::kForces}, Entry{"density", "inertial", Effect::kForces},
    Entry{"initial_position", "axis", Effect::kForces}, Entry{"surface", "collision", Effect::kContact},
    Entry{"density", "collision", Effect::kForces}, Entry{"heightmap", "geometry", Effect::kContact},
    Entry{"polyline", "geometry", Effect::kContact}, Entry{"cone", "geometry", Effect::kContact},
    // Drake's, in SDF and URDF.
    Entry{"drake:linear_bushing_rpy", "", Effect::kForces}, Entry{"drake:linear_spring_damper", "", Effect::kForces},
    Entry{"drake:prismatic_spring", "", Effect::kForces}, Entry{"drake:rotor_inertia", "", Effect::kForces},
    Entry{"drake:mimic", "", Effect::kMechanism}, Entry{"drake:ball_constraint", "", Effect::kMechanism},
    Entry{"drake:weld_constraint", "", Effect::kMechanism}, Entry{"drake:distance_constraint", "", Effect::kMechanism},
    Entry{"drake:tendon_constraint", "", Effect::kMechanism}, Entry{"drake:coupler_constraint", "", Effect::kMechanism},
    Entry{"drake:deformable_properties", "", Effect::kMechanism},
    Entry{"drake:proximity_properties", "", Effect::kContact},
    Entry{"drake:collision_filter_group", "", Effect::kContact},
    // URDF.
    Entry{"force_element", "robot", Effect::kForces}, Entry{"contact", "link", Effect::kContact},
    Entry{"contact_coefficients", "collision", Effect::kContact}};

constexpr std::array kAttributes = {
    Entry{"gravcomp", "body", Effect::kForces}, Entry{"springdamper", "joint", Effect::kForces},
    Entry{"condim", "geom", Effect::kContact},  Entry{"priority", "geom", Effect::kContact},
    Entry{"margin", "geom", Effect::kContact},  Entry{"gap", "geom", Effect::kContact},

};

template <class List>
const Entry* find(const List& list, std::string_view name, std::string_view parent) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Entry& entry) {
    // The first entry that fits: those with a parent stand for one place only.
    return entry.name == name && (entry.parent.empty() || entry.parent == parent);
  });
  return found == list.end() ? nullptr : &*found;
}

bool is_zero(std::string_view value) {
  // What is set to zero is switched off, and leaving it out changes nothing.
  const std::vector<std::string_view> words = split_words(value);
  return std::all_of(words.begin(), words.end(), [](std::string_view word) { return parse_number(word) == 0.0; });
}

}  // namespace

model::NoteKind unread_kind(std::string_view element, std::string_view parent) {
  const Entry* entry = find(kElements, element, parent);
  // An element that is not listed is taken for looks: cameras, sensors, plugins of a viewer.
  const std::string_view name = entry != nullptr && !entry->word.empty() ? entry->word : element;
  // Without the prefix of a namespace: the word is typed after --accept.
  const std::size_t colon = name.rfind(':');
  return {std::string(colon == std::string_view::npos ? name : name.substr(colon + 1)),
          entry == nullptr ? Effect::kNone : entry->effect};
}

model::NoteKind unread_attribute(std::string_view element, std::string_view attribute, std::string_view value) {
  const Entry* entry = find(kAttributes, attribute, element);
  const bool counts = entry != nullptr && !is_zero(value);
  return {std::string(attribute), counts ? entry->effect : Effect::kNone};
}

bool looks_like_degrees(double angle) {
  constexpr double kTurn = 2 * std::numbers::pi;
  // A turn written with few digits, 6.2832 or 6.3, is one; past 10^4 it is a stand-in for no limit.
  return std::abs(angle) > 1.01 * kTurn && std::abs(angle) < 1e4;
}

bool looks_like_radians(double angle) {
  // An eighth, a quarter, three eighths, half a turn and a whole one, to the two decimals that people write at least.
  constexpr double kEighth = std::numbers::pi / 4;
  constexpr std::array kParts = {1, 2, 3, 4, 8};
  const double size = std::abs(angle);
  return std::any_of(kParts.begin(), kParts.end(), [&](int part) { return std::abs(size - part * kEighth) < 0.005; });
}

}  // namespace espalier::formats::detail

#pragma once

// What it changes that a reader passes over an element or an attribute: one table for URDF, SDF and MJCF. What is not
// in it changes nothing as far as we know: looks, sensors, numerics of other programs, extensions of strangers.

#include <string_view>

#include "espalier/model/notes.hpp"

namespace espalier::formats::detail {

// An element by its name and its parent's. `drake:` and the like are left out of the word.
model::NoteKind unread_kind(std::string_view element, std::string_view parent);

// An attribute of MJCF with this value: gravcomp="0" changes nothing.
model::NoteKind unread_attribute(std::string_view element, std::string_view attribute, std::string_view value);

// An angle of a file that counts in radians, beyond a turn: most likely degrees are meant [rad].
bool looks_like_degrees(double angle);

// An angle of a file that counts in degrees, written as a part of a turn in radians: 1.57, 3.1416 [deg].
bool looks_like_radians(double angle);

}  // namespace espalier::formats::detail

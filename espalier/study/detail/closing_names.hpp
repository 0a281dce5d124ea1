#pragma once

// How messages, reports and documents of closed loops name what they speak of.

#include <optional>
#include <string>

#include "espalier/dynamics/redundancy.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/study/closing.hpp"

namespace espalier::study::detail {

inline constexpr double kNothing = 1e-9;  // [m, rad] what a closed loop may be open by

std::string joint_name(const Closing& closing, model::JointId joint);
// Whether this drive of a redundant equation is a prescribed motion; the others are couplings.
bool is_motion(const Closing& closing, int drive);
// "joint 'C'", "the motion of joint 'A'"; `drive` -1: an equation of the joint itself.
std::string equation_name(const Closing& closing, model::JointId joint, int drive);
std::string gap_name(const Closing& closing, const dynamics::JointGap& gap);
// "1.95 mm and 3 deg"; what is nothing beside the other is left out.
std::string gap_text(const dynamics::JointGap& gap);
// The larger of distance and angle [m, rad].
double size_of(const dynamics::JointGap& gap);
// "slide_x", "turn_normal", ...: the word of documents.
const char* word(model::Direction direction);

}  // namespace espalier::study::detail

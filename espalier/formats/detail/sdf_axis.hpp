#pragma once

// <axis> and <axis2> of a joint.

#include <vector>

#include "espalier/formats/detail/sdf_joint.hpp"

namespace espalier::formats::detail {

// The direction of an axis in joint axes, unit length; +z where the file does not say. `frame` is the joint's.
Eigen::Vector3d read_sdf_axis(SdfJointReader& reader, const XMLElement* axis, int scope, int frame);

// SDF's word for "no limit" up to 1.8; later it is inf. Kept for the free side of a limit with one side.
inline constexpr double kSdfNoLimit = 1e16;

// Limits, damping, ... of a joint that has one axis a coordinate, `axes` in their order. `drawn` is what the
// coordinates read in the drawn pose, SDF's zero.
void take_sdf_axes(XmlReader& xml, const XMLElement* element, const std::vector<const XMLElement*>& axes,
                   const std::vector<double>& drawn, model::JointSpec& joint);

// A ball has no axis of its own; what <axis> says of damping holds about all three, as Drake reads it.
void take_sdf_ball(XmlReader& xml, const XMLElement* element, model::JointSpec& joint);

}  // namespace espalier::formats::detail

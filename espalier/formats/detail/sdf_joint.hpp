#pragma once

// Joints of SDF.
//
// Where a joint holds its two bodies. SDF draws links and joints in the world; the joint frame J is fixed in the child.
// SDF's rule: the joint is closed and at zero in the drawn pose, so F, in the parent, is where J is drawn; a <frame>
// that <parent> names only says which link is the parent.
// An un-assembled mechanism cannot be drawn closed. Its author gives a <frame> as <parent> and leaves the child link
// without a <pose> (Drake's four_bar_loop.sdf): then the joint is at zero where J meets that frame, and F is that
// frame.
// For joints that are open, or not at zero, in the pose our writer draws, <espalier:parent_pose> gives F in the parent
// link. Other readers skip it and take the drawn pose as zero, so all that stands in SDF's own elements (limits,
// spring_reference, mimic, gearbox) is measured from there, as theirs is; <espalier:position> says what our coordinates
// read there, one number an <axis>, and is added to it. It is not worked out from the frames: half a turn would come
// back as plus or as minus half a turn. Numbers in espalier: elements are in our coordinates and stay as they are.
// SDF wants the world as parent; espalier:reversed="true" on a joint says that parent and child, with their frames,
// stand for our b and a.

#include <string>
#include <vector>

#include "espalier/formats/detail/sdf_frames.hpp"
#include "espalier/formats/detail/xml.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

// The turn from our F to the joint frame of the same joint seen from the other side, its own inverse: with
// F' = M turn and M' = F turn, the pose of M' in F' has the same coordinates (of a universal joint: the other way
// round).
Eigen::Quaterniond sdf_reversing_turn(model::JointType type);
// The lists of a universal joint, the other way round.
void sdf_reverse_lists(model::JointSpec& joint);

// What the readers of joints and couplings share. Frames are resolved; `bodies` has the name of the body for each
// frame that is a link, and "ground" for the world.
struct SdfJointReader {
  XmlReader& xml;
  SdfFrames& frames;
  const std::vector<std::string>& bodies;
  int version_minor = 0;  // of 1.x

  const std::string& body(int frame) const { return bodies[frames.link(frame)]; }
};

// A <joint>, <drake:joint> or <espalier:joint> of `scope` whose frame is `frame`. Its name is the caller's business.
model::JointSpec read_sdf_joint(SdfJointReader& reader, const XMLElement* joint, int scope, int frame);

// <espalier:position> of a joint; empty where it is not given.
std::vector<double> read_sdf_drawn_position(XmlReader& xml, const XMLElement* joint);

// <parent> or <child> of a joint, or drake:parent, drake:child; "" (and a failure) where it is missing.
std::string sdf_joint_end(XmlReader& xml, const XMLElement* joint, const char* end);

// The type as written, in lower case.
std::string sdf_joint_type(XmlReader& xml, const XMLElement* joint);

}  // namespace espalier::formats::detail

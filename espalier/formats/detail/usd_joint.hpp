#pragma once

// Joints of UsdPhysics. A joint of type PhysicsJoint has six degrees of freedom, each named by a token; those that are
// locked make it one of ours. reader and writer share which coordinate of ours each token is.

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <Eigen/Geometry>

#include "espalier/formats/detail/usd_stage.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

// The rotation that takes z to this axis (0, 1, 2), and x and y to those that follow it: exact in double.
Eigen::Quaterniond usd_axis_turn(int axis);

// A type of ours as UsdPhysics has it.
struct UsdJointForm {
  model::JointType type = model::JointType::kFixed;
  // From USD's frame of the joint to ours, both in a and in b: our axis is z, theirs any.
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  // By coordinate, in velocity order: "rotZ", ...; "angular" and "linear" of joints with one axis.
  std::vector<std::string> tokens;
};

// How our type is written: about z where there is a choice. A screw is a cylindrical joint there.
UsdJointForm usd_written_form(model::JointType type);

inline constexpr std::string_view kUsdDirections[] = {"transX", "transY", "transZ", "rotX", "rotY", "rotZ"};

bool is_usd_joint(std::string_view type);

// What a joint prim is: a joint and perhaps loads on it, or the rope of a distance joint; nothing where it is disabled.
struct UsdJoint {
  std::vector<model::JointSpec> joints;
  std::vector<model::ForceSpec> forces;
};

// `bodies` are the names by node; of nodes that are no bodies the ground's.
UsdJoint read_usd_joint(UsdStage& stage, const UsdPrim& prim, const std::string& name,
                        std::span<const std::string> bodies);

// Limits, drives and what stands in attributes of our own. `form` says which coordinate each token is.
void read_usd_limits(UsdStage& stage, const UsdPrim& prim, const UsdJointForm& form, model::JointSpec& joint);
void read_usd_drives(UsdStage& stage, const UsdPrim& prim, const UsdJointForm& form, UsdJoint& read);
void read_usd_own(UsdStage& stage, const UsdPrim& prim, model::JointSpec& joint);

}  // namespace espalier::formats::detail

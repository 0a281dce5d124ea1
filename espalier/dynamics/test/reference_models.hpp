#pragma once

// The reference models of test/data: mechanisms with accelerations and trajectories from independent methods. Joints
// give a frame in each body; forces are springs between points, bushings to ground and constant joint efforts.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/model.hpp"

namespace espalier::dynamics {

// Springs along the world's axes between a point of a body and a fixed one. A BushingSpec cannot say this: its frames
// coincide in the drawn pose.
struct GroundBushing {
  std::string body;
  Eigen::Vector3d point, anchor, stiffness, damping;
};

struct ReferenceModel {
  std::string name;
  nlohmann::json data;
  model::ModelSpec spec;
  JointState state;  // of all joints at t = 0
  std::vector<GroundBushing> bushings;
};

inline Eigen::Vector3d read_vector(const nlohmann::json& list) {
  return {list[0].get<double>(), list[1].get<double>(), list[2].get<double>()};
}

inline Eigen::Matrix3d read_matrix(const nlohmann::json& rows) {
  Eigen::Matrix3d matrix;
  for (int r = 0; r < 3; ++r) matrix.row(r) = read_vector(rows[to_index(r)]).transpose();
  return matrix;
}

inline math::Pose read_pose(const nlohmann::json& frame) {
  return {read_vector(frame["p"]), Eigen::Quaterniond(read_matrix(frame["R"])).normalized()};
}

inline model::BodySpec read_body(const nlohmann::json& data) {
  model::BodySpec body;
  body.name = data["name"];
  body.mass = data["mass"].get<double>();
  body.com = read_vector(data["com"]);
  body.inertia = read_matrix(data["inertia_com"]);
  body.pose = read_pose(data["initial"]);
  body.velocity =
      model::VelocitySpec{read_vector(data["initial"]["v_origin_world"]), read_vector(data["initial"]["omega_world"])};
  return body;
}

inline model::JointSpec read_joint(const nlohmann::json& data) {
  model::JointSpec joint;
  joint.name = data["name"];
  const std::string type = data["type"];
  joint.type = *model::find_joint_type(type == "translational" ? "prismatic" : type);
  joint.a = data["body_a"];
  joint.b = data["body_b"];
  joint.in_a = read_pose(data["frame_a"]);
  joint.in_b = read_pose(data["frame_b"]);
  if (data.contains("pitch_m_per_rev")) joint.pitch = data["pitch_m_per_rev"];
  return joint;
}

inline model::ForceSpec read_force(const nlohmann::json& data) {
  model::ForceSpec force;
  force.name = data["name"];
  const std::string type = data["type"];
  if (type == "tsda") {
    model::SpringSpec spring;
    spring.a = data["body_a"];
    spring.b = data["body_b"];
    spring.point_a = read_vector(data["point_a"]);
    spring.point_b = read_vector(data["point_b"]);
    spring.stiffness = data["k"];
    spring.damping = data["c"];
    spring.length = data["l0"].get<double>();
    spring.tension = data["constant_tension"];
    force.law = spring;
  } else if (type == "joint_effort") {
    model::LoadSpec load;
    load.torque = true;
    load.joint = data["joint"];
    load.value = {model::constant_expression(data["effort"])};
    force.law = load;
  }
  return force;
}

inline ReferenceModel read_reference(const std::filesystem::path& file) {
  ReferenceModel reference;
  std::ifstream stream(file);
  reference.data = nlohmann::json::parse(stream);
  reference.name = file.stem().string();
  const nlohmann::json& data = reference.data["model"];
  reference.spec.name = reference.name;
  reference.spec.gravity = read_vector(data["gravity"]);
  reference.spec.impossible_inertia_allowed = true;
  for (const nlohmann::json& body : data["bodies"]) reference.spec.bodies.push_back(read_body(body));
  for (const nlohmann::json& joint : data["joints"]) {
    reference.spec.joints.push_back(read_joint(joint));
    reference.state.position.push_back(joint["q0"].get<std::vector<double>>());
    reference.state.velocity.push_back(joint["qd0"].get<std::vector<double>>());
  }
  for (const nlohmann::json& force : data["forces"]) {
    if (force["type"] == "bushing_to_ground") {
      reference.bushings.push_back({force["body"], read_vector(force["point"]), read_vector(force["anchor_world"]),
                                    read_vector(force["k"]), read_vector(force["c"])});
    } else {
      reference.spec.forces.push_back(read_force(force));
    }
  }
  return reference;
}

}  // namespace espalier::dynamics

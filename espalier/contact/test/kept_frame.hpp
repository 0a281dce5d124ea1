#pragma once

#include <cstdint>
#include <vector>

#include "espalier/model/run.hpp"

namespace espalier::contact {

// A frame that outlives the sink's call.
struct KeptFrame {
  explicit KeptFrame(const model::Frame& frame)
      : body_pose(frame.body_pose.begin(), frame.body_pose.end()),
        body_velocity(frame.body_velocity.begin(), frame.body_velocity.end()),
        body_acceleration(frame.body_acceleration.begin(), frame.body_acceleration.end()),
        joint_position(frame.joint_position.begin(), frame.joint_position.end()),
        joint_velocity(frame.joint_velocity.begin(), frame.joint_velocity.end()),
        joint_acceleration(frame.joint_acceleration.begin(), frame.joint_acceleration.end()),
        joint_drive(frame.joint_drive.begin(), frame.joint_drive.end()),
        joint_passive(frame.joint_passive.begin(), frame.joint_passive.end()),
        force(frame.force.begin(), frame.force.end()),
        owner(frame.owner.begin(), frame.owner.end()),
        contacts(frame.contacts.begin(), frame.contacts.end()),
        ranks(frame.ranks.begin(), frame.ranks.end()),
        kinetic(frame.kinetic),
        potential(frame.potential) {}

  std::vector<double> body_pose, body_velocity, body_acceleration;
  std::vector<double> joint_position, joint_velocity, joint_acceleration, joint_drive, joint_passive, force;
  std::vector<std::int32_t> owner;
  std::vector<model::ContactPoint> contacts;
  std::vector<model::RankLoad> ranks;
  double kinetic = 0, potential = 0;
};

}  // namespace espalier::contact

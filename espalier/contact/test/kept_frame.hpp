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
        owner(frame.owner.begin(), frame.owner.end()),
        contacts(frame.contacts.begin(), frame.contacts.end()),
        ranks(frame.ranks.begin(), frame.ranks.end()),
        kinetic(frame.kinetic),
        potential(frame.potential) {}

  std::vector<double> body_pose, body_velocity;
  std::vector<std::int32_t> owner;
  std::vector<model::ContactPoint> contacts;
  std::vector<model::RankLoad> ranks;
  double kinetic = 0, potential = 0;
};

}  // namespace espalier::contact

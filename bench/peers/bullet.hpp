#pragma once

// Bullet in double precision on the same pairs, as a function: shapes are made beforehand, nothing is kept between two
// pairs.

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/math/pose.hpp"

namespace bench {

class BulletPairs {
 public:
  // Boxes of these half lengths, or hulls of points; pair k is 2 k and 2 k + 1.
  static BulletPairs of_boxes(std::span<const Eigen::Vector3d> halves, std::span<const espalier::math::Pose> poses);
  static BulletPairs of_hulls(std::span<const std::vector<Eigen::Vector3d>> points,
                              std::span<const espalier::math::Pose> poses);
  BulletPairs(BulletPairs&&) noexcept;
  ~BulletPairs();

  int collide(int pair);  // contact points

 private:
  struct State;
  explicit BulletPairs(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bench

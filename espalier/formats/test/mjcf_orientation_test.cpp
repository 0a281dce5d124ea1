#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_support.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using Eigen::Vector3d;
using model::ModelSpec;

// Each way to turn a body, against the same rotation built by hand.
TEST(MjcfOrientation, AllFiveOrientationsAgree) {
  using Eigen::AngleAxisd;
  const Eigen::Quaterniond turn(AngleAxisd(kPi / 2, Vector3d::UnitZ()) * AngleAxisd(kPi / 2, Vector3d::UnitX()));
  const auto angle_to = [&](const std::string& attribute, const Eigen::Quaterniond& expected) {
    const ModelSpec spec = read(in_world(body("a", "", attribute), "", "<compiler eulerseq='zyx'/>"));
    return spec.bodies[0].pose.rotation.angularDistance(expected);
  };
  EXPECT_LT(angle_to("quat='1 1 1 1'", turn), 1e-7);
  EXPECT_LT(angle_to("euler='90 0 90'", turn), 1e-7);
  EXPECT_LT(angle_to("axisangle='1 1 1 120'", turn), 1e-7);
  EXPECT_LT(angle_to("xyaxes='0 1 0 0 0 1'", turn), 1e-7);
  EXPECT_LT(angle_to("zaxis='1 0 0'", Eigen::Quaterniond(AngleAxisd(kPi / 2, Vector3d::UnitY()))), 1e-7);
}

}  // namespace
}  // namespace espalier::formats

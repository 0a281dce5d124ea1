#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_round_trip.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using model::JointType;
using model::ModelSpec;

TEST(MjcfWrittenJoint, AllNineJointsComeBackFromTheTree) {
  for (int type = 0; type < 9; ++type) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      Draw draw(seed);
      ModelSpec spec = pair_of_bodies(draw);
      spec.joints.push_back(make_joint(spec, "root", JointType::kRevolute, -1, 0, draw));
      spec.joints.push_back(make_joint(spec, "j", type_number(type), 0, 1, draw));
      const RoundTrip trip = round_trip(spec);
      EXPECT_EQ(trip.differences, "") << model::joint_kind(type_number(type)).name << trip.text;
    }
  }
}

// The child holds F: axes are turned round in the file, and back again by the reader.
TEST(MjcfWrittenJoint, JointsSeenFromTheChildKeepTheirBodies) {
  for (int type = 0; type < 9; ++type) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      Draw draw(seed);
      ModelSpec spec = pair_of_bodies(draw);
      spec.joints.push_back(make_joint(spec, "root", JointType::kRevolute, -1, 0, draw));
      spec.joints.push_back(make_joint(spec, "j", type_number(type), 1, 0, draw));
      const RoundTrip trip = round_trip(spec);
      EXPECT_EQ(trip.differences, "") << model::joint_kind(type_number(type)).name << trip.text;
    }
  }
}

TEST(MjcfWrittenJoint, KeyframesOfManyCoordinatesComeBack) {
  for (const int type : {2, 3, 4, 6}) {  // screw, universal, cylindrical, planar
    for (const bool turned : {false, true}) {
      Draw draw(static_cast<unsigned>(type));
      ModelSpec spec = pair_of_bodies(draw);
      spec.joints.push_back(make_joint(spec, "i", JointType::kRevolute, -1, 0, draw));
      spec.joints.push_back(make_joint(spec, "j", type_number(type), turned ? 1 : 0, turned ? 0 : 1, draw));
      spec.keyframes.push_back({"home", {{"j", draw_position(type_number(type), draw)}, {"i", {0.1}}}, {}});
      EXPECT_EQ(round_trip(spec).differences, "") << type;
    }
  }
}

}  // namespace
}  // namespace espalier::formats

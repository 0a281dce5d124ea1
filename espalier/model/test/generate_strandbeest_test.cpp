#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/model/generate.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/test/support.hpp"

namespace espalier::model {
namespace {

TEST(GenerateStrandbeest, SixPairsHave36Loops) {
  const Model model = compiled(generate_strandbeest().value());
  EXPECT_EQ(model.bodies.size() - 1, 73u);
  EXPECT_EQ(model.joints.size(), 109u);
  EXPECT_EQ(model.joints.size() - (model.bodies.size() - 1), 36u);
  // In the plane a body has three coordinates and a pin takes two of them.
  EXPECT_EQ(3 * 73 - 2 * 109, 1);
  for (const Joint& joint : model.joints) {
    const math::PoseGap gap = drawn_gap(model, joint);
    EXPECT_LT(std::max(gap.distance, gap.angle), 1e-12) << joint.name;
  }
}

// The bars' lengths in the drawn pose are Jansen's, in every leg.
TEST(GenerateStrandbeest, KeepsJansensLengths) {
  const Result<ModelSpec> spec = generate_strandbeest(4);
  ASSERT_TRUE(spec);
  const std::map<std::string, std::vector<double>> expected = {{"j", {0.50}},
                                                               {"k", {0.619}},
                                                               {"c", {0.393}},
                                                               {"f", {0.394}},
                                                               {"upper", {0.415, 0.558, 0.401}},
                                                               {"lower", {0.367, 0.657, 0.49}}};
  int checked = 0;
  for (const BodySpec& body : spec->bodies) {
    const auto lengths = expected.find(body.name.substr(body.name.rfind('_') + 1));
    if (lengths == expected.end()) continue;
    ASSERT_EQ(body.shapes.size(), lengths->second.size());
    for (std::size_t s = 0; s < body.shapes.size(); ++s) {
      EXPECT_NEAR(body.shapes[s].size.x(), lengths->second[s], 1e-12);
    }
    ++checked;
  }
  EXPECT_EQ(checked, 4 * 2 * 6);
}

// The lower triangle's frame stands at U; its bars are U-T, T-S and S-U, with S the foot.
TEST(GenerateStrandbeest, FeetAreItsLowestPointsAndTheLegsMirrorEachOther) {
  const Result<ModelSpec> spec = generate_strandbeest(6);
  ASSERT_TRUE(spec);
  std::map<std::string, Eigen::Vector3d> foot;
  double lowest_pin = 10;
  for (const JointSpec& joint : spec->joints) lowest_pin = std::min(lowest_pin, joint.at->position.z());
  for (const BodySpec& body : spec->bodies) {
    if (!body.name.ends_with("lower")) continue;
    // The middle of S-U is half way to the foot.
    foot[body.name] = body.pose * Eigen::Vector3d(2 * body.shapes[2].pose.position);
    EXPECT_LT(foot[body.name].z(), lowest_pin);
  }
  ASSERT_EQ(foot.size(), 12u);
  // Pair 1 has its crank pin at angle 0, pair 4 at pi: the left leg of one is the mirror image of the other's right.
  EXPECT_NEAR(foot["left_1_lower"].x(), -foot["right_4_lower"].x(), 1e-12);
  EXPECT_NEAR(foot["left_1_lower"].z(), foot["right_4_lower"].z(), 1e-12);
}

}  // namespace
}  // namespace espalier::model

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/model/notes.hpp"
#include "espalier/plan/network.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

const std::filesystem::path kModels = source_dir() + "/models";

// What the head of each file says of it. Bricard's mechanism has one degree of freedom more than the count says.
struct Expected {
  int bodies, joints, loops, freedom, floating;
};
const std::map<std::string, Expected> kExpected = {
    {"andrews_squeezer", {7, 10, 3, 1, 0}},
    {"boxes", {7, 0, 0, 42, 7}},
    {"bricard", {5, 6, 1, 0, 0}},
    {"delta", {10, 15, 5, 3, 0}},
    {"double_wishbone", {21, 28, 8, 14, 1}},
    {"four_bar", {3, 4, 1, 1, 0}},
    {"governor", {6, 8, 2, 2, 0}},
    {"ladder", {11, 16, 5, 1, 0}},
    {"mlrs", {13, 16, 6, 60, 0}},
    {"slider_crank", {3, 4, 1, 1, 0}},
    {"stepped_beam", {1, 0, 0, 0, 0}},
    {"stewart", {13, 18, 5, 6, 0}},
    {"stiff_governor", {4, 4, 0, 4, 0}},
    {"strandbeest", {73, 109, 36, 1, 0}},
    {"ten_rods", {20, 0, 0, 0, 0}},
    {"ten_rods_uneven", {20, 0, 0, 0, 0}},
    {"y_frame", {5, 0, 0, 0, 0}},
};

model::Model read(const std::string& name) {
  const Result<model::ModelSpec> spec = read_model(kModels / (name + ".yaml"));
  if (!spec) {
    ADD_FAILURE() << to_string(spec.error());
    return {};
  }
  EXPECT_TRUE(spec->notes.empty()) << name << ": " << spec->notes.front().message;
  const Result<model::Model> model = model::compile(*spec);
  if (!model) ADD_FAILURE() << to_string(model.error());
  return model ? *model : model::Model();
}

class ShippedModel : public testing::TestWithParam<std::pair<const std::string, Expected>> {};

TEST_P(ShippedModel, HasTheCountsItsHeadSays) {
  const auto& [name, expected] = GetParam();
  const model::Model model = read(name);
  ASSERT_FALSE(model.bodies.empty());
  const plan::Count count = plan::count(model, plan::make_mechanism(model));
  EXPECT_EQ(count.bodies, expected.bodies);
  EXPECT_EQ(count.movable_joints, expected.joints);
  EXPECT_EQ(count.loops, expected.loops);
  EXPECT_EQ(count.freedom, expected.freedom);
  EXPECT_EQ(count.floating, expected.floating);
}

TEST_P(ShippedModel, IsDrawnClosedAndWithoutFindings) {
  const model::Model model = read(GetParam().first);
  for (const model::Joint& joint : model.joints) {
    const math::PoseGap gap = model::drawn_gap(model, joint);
    EXPECT_LT(gap.distance, 1e-9) << joint.name;
    EXPECT_LT(gap.angle, 1e-9) << joint.name;
  }
  for (const model::Finding& finding : model::lint(model)) ADD_FAILURE() << finding.kind << ": " << finding.message;
}

INSTANTIATE_TEST_SUITE_P(All, ShippedModel, testing::ValuesIn(kExpected),
                         [](const auto& shipped) { return shipped.param.first; });

TEST(ShippedModels, AreAllListedHere) {
  std::set<std::string> files, listed;
  for (const auto& entry : std::filesystem::directory_iterator(kModels)) {
    if (entry.path().extension() == ".yaml") files.insert(entry.path().stem());
  }
  for (const auto& [name, expected] : kExpected) listed.insert(name);
  EXPECT_EQ(files, listed);
}

void expect_equal(const std::string& name, const Result<model::ModelSpec>& generated) {
  ASSERT_TRUE(generated);
  const Result<model::Model> model = model::compile(*generated);
  ASSERT_TRUE(model);
  for (const model::Difference& d : model::find_differences(*model, read(name))) {
    ADD_FAILURE() << d.element << " " << d.name << " " << d.field << ": " << d.before << " became " << d.after;
  }
}

TEST(ShippedModels, LadderIsTheGeneratedOneOfFiveLoops) { expect_equal("ladder", model::generate_ladder(5)); }

TEST(ShippedModels, StrandbeestIsTheGeneratedOneOfSixPairs) {
  expect_equal("strandbeest", model::generate_strandbeest(6));
}

// The arms' ends, the links' ends and the sleeve: |link| = 0.5 m is what the drawing asks for.
TEST(ShippedModels, GovernorLinksAreHalfAMetreLong) {
  const model::Model model = read("governor");
  std::map<std::string, Eigen::Vector3d> place;
  for (const model::Joint& joint : model.joints) place[joint.name] = model::drawn_frame_a(model, joint).position;
  EXPECT_NEAR((place["ball_left"] - place["fork_left"]).norm(), 0.5, 1e-12);
  EXPECT_NEAR((place["ball_right"] - place["fork_right"]).norm(), 0.5, 1e-12);
}

TEST(ShippedModels, DeltaRodsAre800MillimetresLongAndPairwiseParallel) {
  const model::Model model = read("delta");
  std::map<std::string, Eigen::Vector3d> place;
  for (const model::Joint& joint : model.joints) place[joint.name] = model::drawn_frame_a(model, joint).position;
  for (const char* leg : {"1", "2", "3"}) {
    const auto rod = [&](const char* side) -> Eigen::Vector3d {
      return place[std::string("elbow_") + leg + side] - place[std::string("wrist_") + leg + side];
    };
    EXPECT_NEAR(rod("a").norm(), 0.8, 1e-12);
    EXPECT_LT((rod("a") - rod("b")).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace espalier::formats

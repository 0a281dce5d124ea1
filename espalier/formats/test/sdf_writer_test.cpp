#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/sdf_round_trip.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

using namespace sdf_test;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;

TEST(SdfWriter, RealFilesComeBackWhole) {
  for (const char* name : {"drake/four_bar_loop.sdf", "drake/four_bar_weld.sdf", "archirob/delta_robot.sdf"}) {
    const std::filesystem::path path = std::filesystem::path(source_dir()) / "../shared/data/models" / name;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "the shared model files are not here";
    const Result<ModelSpec> spec = read_model(path);
    ASSERT_TRUE(spec.has_value()) << to_string(spec.error());
    EXPECT_EQ(losses(*spec), "") << name;
  }
}

TEST(SdfWriter, WhatIsWrittenTwiceIsWrittenTheSame) {
  const Result<ModelSpec> spec = model::generate_random(12, 20, 3);
  ASSERT_TRUE(spec.has_value());
  const std::string once = text_of(*spec);
  const Result<ModelSpec> back = read_model_text(once, "once.sdf");
  ASSERT_TRUE(back.has_value()) << to_string(back.error());
  const Result<ModelSpec> twice = read_model_text(text_of(*back), "twice.sdf");
  ASSERT_TRUE(twice.has_value()) << to_string(twice.error());
  EXPECT_EQ(model::find_differences(*model::compile(*back), *model::compile(*twice), 1e-13).size(), 0u);
}

TEST(SdfWriter, CassieStandsInItsWrittenLimitsWhereItDoesInItsFile) {
  const std::filesystem::path path = source_dir() + "/../shared/data/models/menagerie/agility_cassie/cassie.xml";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the shared model files are not here";
  const Result<ModelSpec> spec = read_model(path);
  ASSERT_TRUE(spec.has_value()) << to_string(spec.error());
  const Result<model::Model> model = model::compile(*spec);
  ASSERT_TRUE(model.has_value()) << to_string(model.error());
  const ModelSpec others = as_others_read(text_of(*spec));
  ASSERT_EQ(others.joints.size(), model->joints.size());
  for (std::size_t j = 0; j < model->joints.size(); ++j) {
    const model::Joint& ours = model->joints[j];
    const JointSpec& seen = others.joints[j];
    ASSERT_EQ(seen.limits.size(), ours.spec.limits.size()) << ours.name;
    if (seen.limits.empty()) continue;
    EXPECT_NEAR(seen.limits[0][0], ours.spec.limits[0][0] - ours.position[0], 1e-12) << ours.name;
    EXPECT_NEAR(seen.limits[0][1], ours.spec.limits[0][1] - ours.position[0], 1e-12) << ours.name;
    // The file itself draws the feet at 0, outside of their range from -140 to -30 degrees.
    if (ours.name.find("foot") != std::string::npos) continue;
    EXPECT_TRUE(seen.limits[0][0] <= 1e-9 && seen.limits[0][1] >= -1e-9) << ours.name;
    EXPECT_TRUE(ours.name != "left-knee" || ours.position[0] != 0);
  }
  const Result<Conversion> conversion = convert(*spec, Format::kSdf);
  ASSERT_TRUE(conversion.has_value()) << to_string(conversion.error());
  for (const model::Difference& d : conversion->changes) {
    EXPECT_FALSE(d.field == "limits" || d.field == "rest" || d.element == "coupling") << describe({d});
  }
}

// Each of our own mechanisms, but for what SDF has no words for: springs, loads, motions, elastic bodies, contact.
TEST(SdfWriter, ShippedMechanismsKeepBodiesAndJoints) {
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const Result<ModelSpec> spec = read_model(entry.path());
    ASSERT_TRUE(spec.has_value()) << to_string(spec.error());
    const Result<Conversion> conversion = convert(*spec, Format::kSdf);
    ASSERT_TRUE(conversion.has_value()) << entry.path() << to_string(conversion.error());
    for (const model::Difference& d : conversion->changes) {
      const bool unsaid = d.element == "force" || d.element == "contact" || d.element == "keyframe" ||
                          d.field == "kind" || d.field == "active" || d.field == "velocity" ||
                          d.field == "angular velocity";
      // Bodies that only contact holds fly on free joints in SDF.
      const bool flies = d.element == "joint" && d.after == "new" && d.name.ends_with("_free");
      EXPECT_TRUE(unsaid || flies) << entry.path() << ": " << describe({d});
    }
  }
}

TEST(SdfWriter, GravityAndGroundShapesStandInAWorld) {
  ModelSpec spec;
  spec.name = "moon";
  spec.bodies = {brick("a", kSomewhere)};
  EXPECT_EQ(text_of(spec).find("<world"), std::string::npos);
  spec.gravity = {0, 0, -1.62};
  EXPECT_EQ(losses(spec), "");
  model::BodySpec ground;
  ground.name = "ground";
  model::ShapeSpec plane;
  plane.kind = model::ShapeKind::kPlane;
  plane.pose = kElsewhere;
  ground.shapes = {plane};
  spec.bodies.push_back(ground);
  EXPECT_EQ(losses(spec), "");
}

TEST(SdfWriter, NamesSdfKeepsForItselfAreChangedAndSaid) {
  ModelSpec spec;
  spec.name = "names";
  spec.bodies = {brick("world", kSomewhere), brick("a<&>\"'", kElsewhere)};
  spec.joints = {joint("a<&>\"'", JointType::kSpherical, "world", "a<&>\"'")};
  const Result<Conversion> conversion = convert(spec, Format::kSdf);
  ASSERT_TRUE(conversion.has_value()) << to_string(conversion.error());
  EXPECT_TRUE(noted(spec, "body 'world' is called 'world_'"));
  EXPECT_TRUE(noted(spec, "a link and a joint share a name"));
  ASSERT_FALSE(conversion->changes.empty());
  for (const model::Difference& d : conversion->changes) {
    EXPECT_TRUE(d.name == "world" || d.name == "world_" || d.field == "between") << describe({d});
  }
}

double random_between(double low, double high) { return low + (high - low) * *rc::gen::inRange(0, 1'000'000) / 1e6; }

// Now and then exactly upright.
math::Pose random_pose() {
  const auto number = [] { return random_between(-3, 3); };
  math::Pose pose;
  pose.position = {number(), number(), number()};
  if (*rc::gen::inRange(0, 3) > 0) pose.rotation = math::rotation_from_rpy({number(), number(), number()});
  return pose;
}

// Any graph of bodies and joints, drawn anyhow, survives the way through SDF.
TEST(SdfWriter, RandomGraphsComeBackWhole) {
  EXPECT_TRUE(rc::check([] {
    ModelSpec spec;
    spec.name = "random";
    const int bodies = *rc::gen::inRange(1, 7);
    for (int b = 0; b < bodies; ++b) spec.bodies.push_back(brick(fmt::format("b{}", b), random_pose()));
    const auto body_name = [](int k) { return k < 0 ? std::string("ground") : fmt::format("b{}", k); };
    const auto add = [&](int a, int b) {
      const auto type = static_cast<JointType>(*rc::gen::inRange(0, 9));
      JointSpec j = joint(fmt::format("j{}", spec.joints.size()), type, body_name(a), body_name(b));
      if (*rc::gen::arbitrary<bool>()) {
        j.at = random_pose();
      } else {
        j.in_a = random_pose();
        j.in_b = random_pose();
      }
      const int freedom = model::joint_kind(type).freedom;
      if (*rc::gen::arbitrary<bool>()) {
        for (int k = 0; k < freedom; ++k) j.damping.push_back(random_between(0, 2));
      }
      spec.joints.push_back(j);
    };
    for (int b = 0; b < bodies; ++b) *rc::gen::arbitrary<bool>() ? add(*rc::gen::inRange(-1, b), b) : add(b, -1);
    const int more = *rc::gen::inRange(0, 5);
    for (int k = 0; k < more; ++k) {
      const int a = *rc::gen::inRange(-1, bodies);
      const int b = *rc::gen::inRange(-1, bodies);
      if (a != b) add(a, b);
    }
    const std::string lost = losses(spec);
    RC_LOG(lost + text_of(spec));
    RC_ASSERT(lost.empty());
  }));
}

}  // namespace
}  // namespace espalier::formats

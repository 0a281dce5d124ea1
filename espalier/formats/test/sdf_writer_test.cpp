#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;

std::string describe(const std::vector<model::Difference>& differences) {
  std::string text;
  for (const model::Difference& d : differences) {
    text += fmt::format("{} '{}' {}: {} -> {}\n", d.element, d.name, d.field, d.before, d.after);
  }
  return text;
}

// What a model loses on its way through SDF; "" for nothing.
std::string losses(const ModelSpec& spec) {
  const Result<Conversion> conversion = convert(spec, Format::kSdf);
  return conversion ? describe(conversion->changes) : to_string(conversion.error());
}

std::string text_of(const ModelSpec& spec) {
  const Result<WrittenModel> written = write_model(spec, Format::kSdf);
  return written ? written->text : to_string(written.error());
}

bool noted(const ModelSpec& spec, const std::string& part) {
  const Result<WrittenModel> written = write_model(spec, Format::kSdf);
  return written && std::any_of(written->notes.begin(), written->notes.end(),
                                [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

model::BodySpec brick(const std::string& name, const math::Pose& pose) {
  model::BodySpec body;
  body.name = name;
  body.mass = 2;
  body.com = Vector3d(0.1, -0.2, 0.3);
  body.inertia = math::box_inertia(2, {1, 2, 3}).about_com;
  body.pose = pose;
  return body;
}

JointSpec joint(const std::string& name, JointType type, const std::string& a, const std::string& b) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.a = a;
  joint.b = b;
  if (type == JointType::kScrew) joint.pitch = -0.01;
  return joint;
}

const math::Pose kSomewhere = {Vector3d(1, -2, 0.5), math::rotation_from_rpy({0.3, -0.4, 2})};
const math::Pose kElsewhere = {Vector3d(-1, 0.25, 3), math::rotation_from_rpy({-1, 0.7, 0.1})};

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

// ground -- a -- b -- ground, one joint of each type between a and b, drawn anyhow.
TEST(SdfWriter, EveryJointTypeKeepsItsFramesAndNumbers) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    for (const bool to_ground : {false, true}) {
      for (const bool loaded : {false, true}) {
        ModelSpec spec;
        spec.name = "two";
        spec.bodies = {brick("a", kSomewhere), brick("b", kElsewhere)};
        spec.joints = {joint("base", JointType::kSpherical, "ground", "a"),
                       joint("j", kind.type, to_ground ? "b" : "a", to_ground ? "ground" : "b"),
                       joint("hold", JointType::kFree, "b", "a")};
        JointSpec& j = spec.joints[1];
        // In F and M at will: open as drawn, and no position zero.
        j.in_a = kElsewhere;
        j.in_b = kSomewhere;
        const auto n = to_index(kind.freedom);
        for (std::size_t k = 0; loaded && k < n; ++k) {
          const double x = static_cast<double>(k + 1);
          j.velocity.push_back(x), j.stiffness.push_back(2 * x), j.damping.push_back(3 * x), j.rest.push_back(-x);
          j.friction.push_back(0.1 * x), j.armature.push_back(0.2 * x);
          if (kind.position_size == kind.freedom) j.limits.push_back({-x, 2 * x});
        }
        if (loaded && n > 0) j.effort_limit = 3, j.velocity_limit = 4, j.actuated = true, j.reaction_wanted = true;
        EXPECT_EQ(losses(spec), "") << kind.name << " to ground " << to_ground << " loaded " << loaded << "\n"
                                    << text_of(spec);
      }
    }
  }
}

// Our text as a reader takes it that knows nothing of the namespace espalier: the drawn pose is zero.
ModelSpec as_others_read(std::string text) {
  const std::regex own_elements("<espalier:(parent_pose|position)[^<]*</espalier:[a-z_]*>");
  const Result<ModelSpec> spec = read_model_text(std::regex_replace(text, own_elements, ""), "others.sdf");
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error());
  return spec.value_or(ModelSpec());
}

ModelSpec read_back(const ModelSpec& spec) {
  const Result<ModelSpec> back = read_model_text(text_of(spec), "back.sdf");
  EXPECT_TRUE(back.has_value()) << to_string(back.error());
  return back.value_or(ModelSpec());
}

// One body on one joint of the ground, whose coordinates read `position` as drawn.
ModelSpec drawn_at(JointType type, const std::vector<double>& position) {
  ModelSpec spec;
  spec.name = "one";
  JointSpec j = joint("j", type, "ground", "a");
  spec.bodies = {brick("a", model::joint_pose(type, j.pitch, position))};
  spec.joints = {j};
  return spec;
}

TEST(SdfWriter, LimitsAndSpringCountFromTheDrawnPose) {
  ModelSpec spec = drawn_at(JointType::kRevolute, {0.5});
  spec.joints[0].limits = {{0.2, 1.0}};
  spec.joints[0].stiffness = {7};
  const JointSpec seen = as_others_read(text_of(spec)).joints[0];
  ASSERT_EQ(seen.limits.size(), 1u);
  EXPECT_NEAR(seen.limits[0][0], -0.3, 1e-14);
  EXPECT_NEAR(seen.limits[0][1], 0.5, 1e-14);
  ASSERT_EQ(seen.rest.size(), 1u);  // ours pulls to zero, which they see at -0.5
  EXPECT_NEAR(seen.rest[0], -0.5, 1e-14);
  const JointSpec back = read_back(spec).joints[0];
  ASSERT_EQ(back.limits.size(), 1u);
  EXPECT_NEAR(back.limits[0][0], 0.2, 1e-14);
  EXPECT_NEAR(back.limits[0][1], 1.0, 1e-14);
  EXPECT_EQ(losses(spec), "");
}

TEST(SdfWriter, RestAtTheDrawnPoseComesBackWithAndWithoutASpring) {
  ModelSpec spec = drawn_at(JointType::kPrismatic, {0.5});
  spec.joints[0].rest = {0};
  EXPECT_EQ(losses(spec), "");
  spec.joints[0].rest = {0.5};
  EXPECT_EQ(losses(spec), "");
  spec.joints[0].stiffness = {7};
  EXPECT_EQ(losses(spec), "");
  EXPECT_TRUE(as_others_read(text_of(spec)).joints[0].rest.empty());
}

// Half a turn is as near to one side as to the other; limits must not jump by a whole turn.
TEST(SdfWriter, LimitsOfAJointDrawnAtHalfATurnComeBack) {
  for (const double position : {M_PI, -M_PI, M_PI - 1e-15, -M_PI + 1e-15}) {
    for (const double tilt : {0.0, 0.1, 0.7, 2.0}) {
      ModelSpec spec = drawn_at(JointType::kRevolute, {position});
      spec.joints[0].in_b.rotation = math::rotation_from_rpy({tilt, 0.3 * tilt, -tilt});
      spec.bodies[0].pose = spec.bodies[0].pose * spec.joints[0].in_b.inverse();
      spec.joints[0].limits = {{3.0, 3.3}};
      EXPECT_EQ(losses(spec), "") << position << " " << tilt;
    }
  }
}

TEST(SdfWriter, EachAxisCountsFromItsOwnDrawnAngle) {
  ModelSpec spec = drawn_at(JointType::kUniversal, {0.5, -0.25});
  spec.joints[0].limits = {{0.2, 1.0}, {-1, 1}};
  spec.joints[0].rest = {0.1, 0.2};
  EXPECT_EQ(losses(spec), "");
  const JointSpec seen = as_others_read(text_of(spec)).joints[0];
  ASSERT_EQ(seen.limits.size(), 2u);
  EXPECT_NEAR(seen.limits[0][0], -0.3, 1e-14);
  EXPECT_NEAR(seen.limits[1][0], -0.75, 1e-14);
  EXPECT_NEAR(seen.rest[0], -0.4, 1e-14);
  EXPECT_NEAR(seen.rest[1], 0.45, 1e-14);
}

TEST(SdfWriter, ScrewDrawnTurnsAwayCountsFromThere) {
  ModelSpec spec = drawn_at(JointType::kScrew, {20});
  spec.joints[0].limits = {{19, 22}};
  EXPECT_EQ(losses(spec), "");
  const JointSpec seen = as_others_read(text_of(spec)).joints[0];
  ASSERT_EQ(seen.limits.size(), 1u);
  EXPECT_NEAR(seen.limits[0][0], -1, 1e-9);
  EXPECT_NEAR(seen.limits[0][1], 2, 1e-9);
}

// k = 2 j + offset, an offset that holds as drawn: others, to whom both joints read zero there, must see none.
TEST(SdfWriter, MimicCountsFromTheDrawnPose) {
  ModelSpec spec = drawn_at(JointType::kRevolute, {0.3});
  spec.bodies.push_back(brick("b", model::joint_pose(JointType::kRevolute, 0, std::vector{0.4})));
  spec.joints.push_back(joint("k", JointType::kRevolute, "ground", "b"));
  spec.couplings.push_back({"", {"k", "j"}, {1, -2}, 0.4 - 2 * 0.3, {}, {}});
  EXPECT_EQ(losses(spec), "");
  const ModelSpec seen = as_others_read(text_of(spec));
  ASSERT_EQ(seen.couplings.size(), 1u);
  EXPECT_EQ(seen.couplings[0].ratio, (std::vector<double>{1, -2}));
  EXPECT_NEAR(seen.couplings[0].offset, 0, 1e-14);
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

TEST(SdfWriter, FreeSideOfALimitIsNotWritten) {
  ModelSpec spec = drawn_at(JointType::kUniversal, {0.5, 0});
  spec.joints[0].limits = {{-1, 1e16}, {-1e16, 1e16}};
  EXPECT_EQ(losses(spec), "");
  EXPECT_NE(text_of(spec).find("<lower>"), std::string::npos);
  EXPECT_EQ(text_of(spec).find("<upper>"), std::string::npos) << text_of(spec);
  EXPECT_EQ(text_of(spec).find("e+16"), std::string::npos) << text_of(spec);
  EXPECT_EQ(text_of(spec).find("1e16"), std::string::npos) << text_of(spec);
}

TEST(SdfWriter, EachClosingTagHasItsOwnLine) {
  ModelSpec spec = drawn_at(JointType::kRevolute, {0});
  EXPECT_TRUE(text_of(spec).ends_with("</joint>\n    </model>\n</sdf>\n")) << text_of(spec);
  spec.gravity = {0, 0, -1.62};
  EXPECT_TRUE(text_of(spec).ends_with("        </model>\n    </world>\n</sdf>\n")) << text_of(spec);
  EXPECT_EQ(text_of(spec).find("\n\n"), std::string::npos) << text_of(spec);
}

// The frames come back as they were, not only as equivalent ones.
TEST(SdfWriter, FramesInBothBodiesComeBack) {
  ModelSpec spec;
  spec.name = "two";
  spec.bodies = {brick("a", kSomewhere), brick("b", kElsewhere)};
  for (const model::JointKind& kind : model::joint_kinds()) {
    spec.joints.push_back(joint(fmt::format("{}_ab", kind.name), kind.type, "a", "b"));
    spec.joints.push_back(joint(fmt::format("{}_bg", kind.name), kind.type, "b", "ground"));
  }
  for (JointSpec& j : spec.joints) j.in_a = kElsewhere, j.in_b = kSomewhere;
  const Result<ModelSpec> back = read_model_text(text_of(spec), "back.sdf");
  ASSERT_TRUE(back.has_value()) << to_string(back.error());
  ASSERT_EQ(back->joints.size(), spec.joints.size());
  for (const JointSpec& j : back->joints) {
    const math::PoseGap gap_a = math::gap_between(j.in_a, kElsewhere);
    const math::PoseGap gap_b = math::gap_between(j.in_b, kSomewhere);
    EXPECT_LE(gap_a.distance + gap_b.distance, 1e-13) << j.name;
    EXPECT_LE(gap_a.angle + gap_b.angle, 1e-13) << j.name;
  }
}

TEST(SdfWriter, RotationsAtThePoleOfRollPitchYawComeBack) {
  for (const double pitch : {M_PI / 2, -M_PI / 2, M_PI / 2 - 1e-10, M_PI / 2 - 1e-7, 1.5}) {
    for (const double roll : {0.0, 1.0, -3.0}) {
      ModelSpec spec;
      spec.name = "pole";
      const math::Pose pose{Vector3d(1, 2, 3), math::rotation_from_rpy({roll, pitch, 0.7})};
      spec.bodies = {brick("a", pose)};
      const Result<ModelSpec> back = read_model_text(text_of(spec), "back.sdf");
      ASSERT_TRUE(back.has_value()) << to_string(back.error());
      EXPECT_LE(math::gap_between(back->bodies[0].pose, pose).angle, 1e-14) << pitch << " " << roll;
    }
  }
}

TEST(SdfWriter, EvenDampingOfABallIsSaidInSdf) {
  ModelSpec spec;
  spec.name = "ball";
  spec.bodies = {brick("a", kSomewhere)};
  spec.joints = {joint("j", JointType::kSpherical, "ground", "a")};
  spec.joints[0].damping = {0.5, 0.5, 0.5};
  EXPECT_EQ(losses(spec), "");
  EXPECT_EQ(text_of(spec).find("espalier:damping"), std::string::npos);
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

TEST(SdfWriter, ClosedJointsNeedNoWordOfOurs) {
  const Result<ModelSpec> ladder = model::generate_ladder(3, model::LadderKind::kSpatial);
  ASSERT_TRUE(ladder.has_value());
  EXPECT_EQ(losses(*ladder), "");
  EXPECT_EQ(text_of(*ladder).find("espalier:parent_pose"), std::string::npos) << text_of(*ladder);
}

TEST(SdfWriter, FreeJointOfNothingIsLeftToFlyForOthers) {
  ModelSpec spec;
  spec.name = "one";
  spec.bodies = {brick("a", kSomewhere)};
  spec.joints = {joint("fly", JointType::kFree, "ground", "a")};
  EXPECT_EQ(losses(spec), "");
  EXPECT_NE(text_of(spec).find("<espalier:joint name=\"fly\" type=\"free\">"), std::string::npos);
  spec.joints[0].stiffness = {1, 1, 1, 1, 1, 1};
  EXPECT_EQ(losses(spec), "");
  EXPECT_NE(text_of(spec).find("<joint name=\"fly\" type=\"free\">"), std::string::npos);
  EXPECT_TRUE(noted(spec, "joints of type free: SDF has none"));
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

TEST(SdfWriter, ShapesKeepKindRoleNameAndPlace) {
  ModelSpec spec;
  spec.name = "shapes";
  spec.bodies = {brick("a", kSomewhere)};
  using model::ShapeKind;
  using model::ShapeRole;
  for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kBox, ShapeKind::kCapsule, ShapeKind::kCylinder,
                               ShapeKind::kEllipsoid, ShapeKind::kPlane, ShapeKind::kMesh}) {
    for (const ShapeRole role : {ShapeRole::kBoth, ShapeRole::kCollision, ShapeRole::kVisual}) {
      model::ShapeSpec shape;
      shape.kind = kind;
      shape.role = role;
      if (role != ShapeRole::kCollision) shape.name = fmt::format("{} & <{}>", model::word(kind), model::word(role));
      shape.pose = kElsewhere;
      if (kind == ShapeKind::kSphere) shape.size = {1, 0, 0};
      if (kind == ShapeKind::kBox || kind == ShapeKind::kEllipsoid) shape.size = {1, 2, 3};
      if (kind == ShapeKind::kCapsule || kind == ShapeKind::kCylinder) shape.size = {1, 2, 0};
      if (kind == ShapeKind::kMesh) shape.file = "a b & c.stl", shape.scale = {1, 2, 3};
      spec.bodies[0].shapes.push_back(shape);
    }
  }
  EXPECT_EQ(losses(spec), "");
}

TEST(SdfWriter, CouplingsComeBackInTheirOrder) {
  ModelSpec spec;
  spec.name = "gears";
  for (int k = 0; k < 4; ++k) {
    spec.bodies.push_back(brick(fmt::format("b{}", k), kSomewhere));
    spec.joints.push_back(joint(fmt::format("j{}", k), JointType::kRevolute, "ground", fmt::format("b{}", k)));
    spec.joints.back().in_a = kSomewhere;
  }
  const auto coupling = [&](std::vector<std::string> joints, std::vector<double> ratio, double offset,
                            std::vector<double> polynomial) {
    spec.couplings.push_back({"", std::move(joints), std::move(ratio), offset, std::move(polynomial), {}});
  };
  coupling({"j3", "j0"}, {2, -1}, 0.5, {});
  coupling({"j0", "j1", "j2"}, {1, 1, -2}, 0.25, {});
  coupling({"j1", "j0"}, {1, 3}, 0, {});
  coupling({"j1", "j2"}, {}, 0, {1, 2, 3});
  coupling({"j2", "j3"}, {}, 0, {1, 2});
  coupling({"j1", "j3"}, {1, 1}, 0, {});
  EXPECT_EQ(losses(spec), "");
  EXPECT_TRUE(noted(spec, "couplings that <mimic> cannot say"));
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

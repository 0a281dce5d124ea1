#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/mjcf_support.hpp"
#include "espalier/model/model.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using Eigen::Vector3d;
using model::JointType;
using model::Model;
using model::ModelSpec;

// Where each body stands when tree joints take the positions of a keyframe: closures are not asked.
std::map<std::string, math::Pose> poses_at(const Model& model, const model::Keyframe& keyframe) {
  std::map<int, std::vector<double>> given;
  for (const auto& [joint, position] : keyframe.positions) given[joint.value()] = position;
  std::map<std::string, math::Pose> poses = {{"ground", {}}};
  for (std::size_t pass = 0; pass < model.bodies.size(); ++pass) {
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      const model::Joint& joint = model.joints[j];
      const std::string& a = model.body(joint.a).name;
      const std::string& b = model.body(joint.b).name;
      if (joint.spec.closure || !poses.count(a) || poses.count(b)) continue;
      const auto found = given.find(static_cast<int>(j));
      const std::vector<double>& q = found == given.end() ? joint.position : found->second;
      poses[b] = poses[a] * joint.X_AF * model::joint_pose(joint.type, joint.pitch, q) * joint.X_BM.inverse();
    }
  }
  return poses;
}

std::optional<std::string> shared(const std::string& path) {
  const std::string full = source_dir() + "/../shared/data/models/menagerie/" + path;
  return std::filesystem::exists(full) ? std::optional(full) : std::nullopt;
}

int count(const Model& model, JointType type, bool closure) {
  return static_cast<int>(std::count_if(model.joints.begin(), model.joints.end(), [&](const model::Joint& joint) {
    return joint.type == type && joint.spec.closure == closure;
  }));
}

TEST(MjcfReader, CassieHas25BodiesAnd4Loops) {
  const auto path = shared("agility_cassie/cassie.xml");
  if (!path) GTEST_SKIP() << "the shared robot models are not here";
  const Result<ModelSpec> spec = read_model(*path);
  ASSERT_TRUE(spec) << to_string(spec.error());
  const Model model = compiled(*spec);
  EXPECT_EQ(model.bodies.size(), 1 + 25u);
  EXPECT_EQ(count(model, JointType::kFree, false), 1);
  EXPECT_EQ(count(model, JointType::kRevolute, false), 20);
  EXPECT_EQ(count(model, JointType::kSpherical, false), 2);
  EXPECT_EQ(count(model, JointType::kSpherical, true), 4);
  EXPECT_EQ(count(model, JointType::kFixed, false), 2);

  // ref = -45 degrees with a range of -164 to -37: the joint reads its ref as drawn.
  const auto knee = std::find_if(model.joints.begin(), model.joints.end(),
                                 [](const model::Joint& joint) { return joint.name == "left-knee"; });
  EXPECT_NEAR(knee->position[0], -kPi / 4, 1e-12);
  EXPECT_NEAR(knee->spec.limits[0][0], -164 * kPi / 180, 1e-12);
  EXPECT_TRUE(knee->spec.actuated);
  EXPECT_NEAR(*knee->spec.effort_limit, 16 * 12.2, 1e-12);
}

TEST(MjcfReader, CassieOpensItsLoopsBy2MillimetresAtHome) {
  const auto path = shared("agility_cassie/cassie.xml");
  if (!path) GTEST_SKIP() << "the shared robot models are not here";
  const Result<ModelSpec> spec = read_model(*path);
  ASSERT_TRUE(spec) << to_string(spec.error());
  const Model model = compiled(*spec);
  ASSERT_EQ(model.keyframes.size(), 1u);
  EXPECT_EQ(model.keyframes[0].name, "home");
  EXPECT_EQ(model.keyframes[0].positions.size(), 23u);
  const std::map<std::string, math::Pose> poses = poses_at(model, model.keyframes[0]);
  double widest = 0;
  for (const model::Joint& joint : model.joints) {
    if (!joint.spec.closure) continue;
    const Vector3d gap = poses.at(model.body(joint.a).name) * joint.X_AF.position -
                         poses.at(model.body(joint.b).name) * joint.X_BM.position;
    widest = std::max(widest, gap.norm());
  }
  EXPECT_NEAR(widest, 1.95e-3, 5e-6);
}

TEST(MjcfReader, RobotiqSaysWhichMassesItCannotKnow) {
  const auto path = shared("robotiq_2f85/2f85.xml");
  if (!path) GTEST_SKIP() << "the shared robot models are not here";
  const Result<ModelSpec> spec = read_model(*path);
  ASSERT_TRUE(spec) << to_string(spec.error());
  const Model model = compiled(*spec);
  EXPECT_EQ(model.bodies.size(), 1 + 14u);
  EXPECT_EQ(count(model, JointType::kRevolute, false), 8);
  EXPECT_EQ(count(model, JointType::kSpherical, true), 2);
  ASSERT_EQ(model.couplings.size(), 1u);
  EXPECT_EQ(model.couplings[0].ratio, (std::vector<double>{1, -1}));
  for (const char* name : {"base_mount", "left_silicone_pad", "right_silicone_pad"}) {
    EXPECT_TRUE(has_note(*spec, std::string("body '") + name + "' gets its mass only from mesh")) << name;
  }
  ASSERT_TRUE(model.contact.has_value());
  EXPECT_FALSE(model.contact->on);
  EXPECT_EQ(model.contact->exclude.size(), 6u);
  EXPECT_TRUE(has_note(*spec, "drives the tendon 'split'"));
}

TEST(MjcfReader, NothingThatMovesIsLeftOutInSilence) {
  const ModelSpec spec = read(in_world(
      body("a", "<joint name='j' type='ball' range='0 30' solreflimit='1 1'/><composite/>", "gravcomp='1'"),
      "<equality><tendon tendon1='t'/><connect body1='a' anchor='0 0 0' active='false'/></equality><tendon/><sensor/>"
      "<contact><pair geom1='g' geom2='h'/></contact>",
      "<option wind='1 0 0'/>"));
  for (const char* note : {"the range of a ball joint is a cone", "'solreflimit' of <joint>", "<composite> in <body>",
                           "'gravcomp' of <body>", "<tendon> in <equality>", "is not active", "<tendon> in <mujoco>",
                           "<sensor> in <mujoco>", "<pair> in <contact>", "wind of <option>"}) {
    EXPECT_TRUE(has_note(spec, note)) << note;
  }
}

TEST(MjcfReader, MistakesNameLineAndWayOut) {
  EXPECT_EQ(error_of("<mujoco>\n<worldbody>\n<body name='a'>\n<joint axis='0 0 0'/></body></worldbody></mujoco>"),
            "test.xml:4: axis='0 0 0' of <joint> has no direction; give a vector that is not zero");
  const auto fails = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(error_of(text).find(part), std::string::npos) << error_of(text);
  };
  fails(in_world("<body><joint class='arm'/></body>", "", "<default><default class='arms'/></default>"),
        "unknown default class 'arm'; did you mean 'arms'?");
  fails(in_world(body("a", "") + body("a", "")), "two bodies are named 'a'");
  fails(in_world(body("a", "<joint name='j'/>") + body("b", "<joint name='j'/>")), "two joints are named 'j'");
  fails(in_world(kTwo, "<equality><connect body1='aa' body2='b' anchor='0 0 0'/></equality>"), "unknown body 'aa'");
  fails(in_world(kTwo, "<equality><joint joint1='i' joint2='kk'/></equality>"), "unknown joint 'kk'");
  fails(in_world(kTwo, "<actuator><motor joint='ii'/></actuator>"), "unknown joint 'ii'");
  fails(in_world(kTwo, "<keyframe><key qpos='1 2 3'/></keyframe>"), "has 3 numbers; the joints of this file take 2");
  fails(in_world("<body quat='1 0 0 0' euler='0 0 0'/>"), "turned twice, by quat and by euler");
  fails(in_world("<body quat='0 0 0 0'/>"), "quat in <body> has no length");
  fails(in_world("<body pos='0 nan 0'/>"), "'nan' in pos of <body> is not a finite number");
  fails(in_world("<body pos='0 1'/>"), "must be three numbers");
  fails(in_world("<body><joint type='rotor'/></body>"), "type='rotor' in <joint>");
  fails(in_world("<body><joint range='2 1'/></body>"), "the lower limit comes first");
  fails(in_world("<body><joint limited='true'/></body>"), "has no range");
  fails(in_world("<body><geom type='box' size='1 1'/></body>"), "needs 3 numbers in size");
  fails(in_world("<body><geom type='mesh' mesh='m'/></body>"), "unknown mesh 'm'; list it in <asset>");
  fails(
      in_world("<body><geom type='mesh' mesh='whel'/></body>", "", "<asset><mesh name='wheel' file='w.stl'/></asset>"),
      "unknown mesh 'whel'; list it in <asset>; did you mean 'wheel'?");
  fails(in_world("<body><freejoint/><joint/></body>"), "must be its only joint");
  fails(in_world("", "", "<compiler coordinate='global'/>"), "coordinate=\"global\" is not read");
  fails("<mujoco><worldbody><body>", "test.xml:1:");
  fails("<mujoco><include file='not_there.xml'/></mujoco>", "test.xml:1: cannot include 'not_there.xml'");
}

TEST(MjcfReader, FlagsThatChangeTheMotionAreNoted) {
  const auto with = [](const std::string& flag) {
    return read(in_world(body("a", "<joint/>"), "", "<option><flag " + flag + "='disable'/></option>"));
  };
  EXPECT_TRUE(with("contact").notes.empty());
  EXPECT_TRUE(has_note(with("actuation"), "actuation=\"disable\" of <flag>: not read"));
  EXPECT_TRUE(has_note(with("damper"), "damper=\"disable\" of <flag>: not read"));
}

}  // namespace
}  // namespace espalier::formats

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/support.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::Model;
using model::ModelSpec;

constexpr double kPi = std::numbers::pi;

std::string in_world(const std::string& worldbody, const std::string& rest = "", const std::string& before = "") {
  return "<mujoco model=\"test\">" + before + "<worldbody>" + worldbody + "</worldbody>" + rest + "</mujoco>";
}

ModelSpec read(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.xml");
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error());
  return spec.value_or(ModelSpec());
}

Model compiled(const ModelSpec& spec) {
  const Result<Model> model = model::compile(spec);
  EXPECT_TRUE(model.has_value()) << to_string(model.error());
  return model.value_or(Model());
}

std::string error_of(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.xml");
  return spec ? "read" : to_string(spec.error());
}

const std::string kMass = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";

std::string body(const std::string& name, const std::string& inside, const std::string& attributes = "") {
  return "<body name='" + name + "' " + attributes + ">" + kMass + inside + "</body>";
}

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

TEST(MjcfReader, AnglesAreDegreesUnlessTheCompilerSaysRadian) {
  const std::string hinge = body("a", "<joint name='j' range='-90 45'/>");
  EXPECT_NEAR(read(in_world(hinge)).joints[0].limits[0][1], kPi / 4, 1e-15);
  EXPECT_NEAR(read(in_world(hinge, "", "<compiler angle='radian'/>")).joints[0].limits[0][1], 45, 0);
  EXPECT_TRUE(read(in_world(hinge, "", "<compiler autolimits='false'/>")).joints[0].limits.empty());
}

// Each way to turn a body, against the same rotation built by hand.
TEST(MjcfReader, AllFiveOrientationsAgree) {
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

TEST(MjcfReader, ClassesInheritAndChildclassReachesDown) {
  const ModelSpec spec = read(in_world(
      "<body name='a' childclass='inner'>" + kMass + "<joint name='j'/>" +
          body("b", "<joint name='k' class='outer'/>") + body("c", "<joint name='l' damping='9'/>") + "</body>",
      "",
      "<default><joint armature='3'/><default class='outer'><joint damping='1' axis='1 0 0'/>"
      "<default class='inner'><joint damping='2'/></default></default></default>"));
  EXPECT_EQ(spec.joints[0].damping, std::vector<double>{2});
  EXPECT_EQ(spec.joints[0].armature, std::vector<double>{3});
  EXPECT_TRUE((spec.joints[0].in_b.rotation * Vector3d::UnitZ()).isApprox(Vector3d::UnitX(), 1e-12));
  EXPECT_EQ(spec.joints[1].damping, std::vector<double>{1});
  EXPECT_EQ(spec.joints[2].damping, std::vector<double>{9});
}

// A box of 2 x 4 x 6 cm half sizes at density 1000 and a point-like sphere of given mass beside it.
TEST(MjcfReader, MassComesFromGeomsWhereThereIsNoInertial) {
  const ModelSpec spec = read(
      in_world("<body name='a'><geom type='box' size='.02 .04 .06'/><geom size='.001' mass='2' pos='1 0 0'/></body>"));
  const double box = 8 * 0.02 * 0.04 * 0.06 * 1000;
  EXPECT_NEAR(*spec.bodies[0].mass, box + 2, 1e-12);
  EXPECT_NEAR(spec.bodies[0].com->x(), 2 / (box + 2), 1e-12);
  const Vector3d half = {0.02, 0.04, 0.06};
  EXPECT_TRUE(spec.bodies[0].shapes[0].size.isApprox(2 * half));
  // Parallel axes: the reduced mass at distance 1 turns about y and z.
  EXPECT_NEAR((*spec.bodies[0].inertia)(2, 2),
              box / 3 * (0.02 * 0.02 + 0.04 * 0.04) + 0.4 * 2 * 1e-6 + box * 2 / (box + 2), 1e-12);
}

TEST(MjcfReader, FromToPlacesACapsuleOnItsLine) {
  const ModelSpec spec = read(in_world(body("a", "<geom type='capsule' size='.1' fromto='0 0 0 3 0 4'/>")));
  const model::ShapeSpec& shape = spec.bodies[0].shapes[0];
  EXPECT_NEAR(shape.size[1], 5, 1e-12);
  EXPECT_TRUE(shape.pose.position.isApprox(Vector3d(1.5, 0, 2)));
  EXPECT_NEAR(std::abs((shape.pose.rotation * Vector3d::UnitZ()).dot(Vector3d(0.6, 0, 0.8))), 1, 1e-12);
}

TEST(MjcfReader, GeomsThatTouchNothingAreOnlySeen) {
  const ModelSpec spec = read(
      in_world("<geom type='plane' size='0 0 1'/>" +
               body("a", "<geom size='1' contype='0' conaffinity='0'/><geom size='1'/><geom size='1' group='3'/>")));
  EXPECT_EQ(spec.bodies[0].name, "ground");
  EXPECT_EQ(spec.bodies[0].shapes[0].kind, model::ShapeKind::kPlane);
  EXPECT_EQ(spec.bodies[1].shapes[0].role, model::ShapeRole::kVisual);
  EXPECT_EQ(spec.bodies[1].shapes[1].role, model::ShapeRole::kBoth);
  EXPECT_EQ(spec.bodies[1].shapes[2].role, model::ShapeRole::kCollision);
}

JointType type_of(const std::string& joints) {
  const ModelSpec spec = read(in_world(body("a", joints)));
  EXPECT_EQ(spec.joints.size(), 1u);
  compiled(spec);
  return spec.joints[0].type;
}

TEST(MjcfReader, SeveralJointsOfOneBodyBecomeOneJoint) {
  EXPECT_EQ(type_of("<joint axis='1 0 0' pos='2 0 0'/><joint axis='0 1 0' pos='0 3 0'/>"), JointType::kUniversal);
  EXPECT_EQ(type_of("<joint type='slide' axis='1 0 0'/><joint axis='1 0 0'/>"), JointType::kCylindrical);
  EXPECT_EQ(type_of("<joint axis='1 0 0'/><joint type='slide' axis='1 0 0'/>"), JointType::kCylindrical);
  EXPECT_EQ(type_of("<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint axis='0 0 1'/>"),
            JointType::kPlanar);
  EXPECT_EQ(type_of("<joint type='slide' axis='0 1 0'/><joint type='slide' axis='1 0 0'/><joint axis='0 0 1'/>"),
            JointType::kPlanar);
  EXPECT_EQ(type_of("<joint axis='0 0 1'/><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"),
            JointType::kPlanar);
  EXPECT_EQ(type_of("<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                    "<joint type='slide' axis='0 0 1'/><joint type='ball'/>"),
            JointType::kFree);
}

TEST(MjcfReader, JointsThatMatchNoTypeAreChained) {
  const ModelSpec spec = read(in_world(body("a", "<joint name='i' axis='1 0 0'/><joint name='k' axis='1 1 0'/>")));
  ASSERT_EQ(spec.joints.size(), 2u);
  EXPECT_EQ(spec.joints[0].b, "a__1");
  EXPECT_EQ(spec.joints[1].a, "a__1");
  EXPECT_EQ(spec.joints[1].b, "a");
  EXPECT_TRUE(has_note(spec, "chained through bodies without mass"));
}

// MuJoCo's own rule for the joints of one body, step by step, against joint_pose() of what was read.
math::Pose mujoco_pose(const math::Pose& drawn, const std::vector<std::array<double, 9>>& joints) {
  math::Pose pose = drawn;
  // type (0 hinge, 1 slide), axis, pos, ref, q
  for (const auto& j : joints) {
    const Vector3d axis(j[1], j[2], j[3]);
    const Vector3d pos(j[4], j[5], j[6]);
    if (j[0] == 1) {
      pose.position += pose.rotation * axis * (j[8] - j[7]);
    } else {
      const Vector3d anchor = pose * pos;
      pose.rotation = pose.rotation * Eigen::AngleAxisd(j[8] - j[7], axis);
      pose.position = anchor - pose.rotation * pos;
    }
  }
  return pose;
}

void expect_same_motion(const std::vector<std::array<double, 9>>& joints) {
  std::string elements, qpos;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const auto& j = joints[k];
    elements += "<joint name='j" + std::to_string(k) + "' type='" + (j[0] == 1 ? "slide" : "hinge") + "' axis='" +
                std::to_string(j[1]) + " " + std::to_string(j[2]) + " " + std::to_string(j[3]) + "' pos='" +
                std::to_string(j[4]) + " " + std::to_string(j[5]) + " " + std::to_string(j[6]) + "' ref='" +
                std::to_string(j[7]) + "'/>";
    qpos += std::to_string(j[8]) + " ";
  }
  const ModelSpec spec =
      read(in_world(body("a", elements, "pos='1 2 3' quat='1 2 3 4'"),
                    "<keyframe><key name='k' qpos='" + qpos + "'/></keyframe>", "<compiler angle='radian'/>"));
  ASSERT_EQ(spec.joints.size(), 1u);
  const Model model = compiled(spec);
  const model::Joint& joint = model.joints[0];
  const std::vector<double>& q = model.keyframes[0].positions[0].second;
  const math::Pose X_AB = joint.X_AF * model::joint_pose(joint.type, joint.pitch, q) * joint.X_BM.inverse();
  const math::Pose found = model.body(joint.a).name == "a" ? X_AB.inverse() : X_AB;
  const math::Pose expected = mujoco_pose(spec.bodies[0].pose, joints);
  EXPECT_LT(math::gap_between(found, expected).distance, 1e-12);
  EXPECT_LT(math::gap_between(found, expected).angle, 1e-12);
  // As drawn, each coordinate reads its ref.
  std::vector<double> refs, positions = joint.position;
  for (const auto& j : joints) refs.push_back(j[7]);
  std::sort(refs.begin(), refs.end());
  std::sort(positions.begin(), positions.end());
  for (std::size_t k = 0; k < refs.size(); ++k) EXPECT_NEAR(positions[k], refs[k], 1e-12);
  EXPECT_LT(model::drawn_gap(model, joint).distance, 1e-12);
}

TEST(MjcfReader, JointsMoveAsMujocoMovesThem) {
  expect_same_motion({{0, 1, 0, 0, 0.1, 0.2, 0.3, 0.4, 1.1}});
  expect_same_motion({{1, 0, 1, 0, 0.1, 0.2, 0.3, 0.4, 1.1}});
  // Two hinges, crossing at (0.5, 0.2, 0.3).
  expect_same_motion({{0, 1, 0, 0, 0.1, 0.2, 0.3, 0.4, 1.1}, {0, 0, 0, 1, 0.5, 0.2, 0.7, -0.3, 0.8}});
  expect_same_motion({{1, 0, 1, 0, 0, 0, 0, 0.2, 0.9}, {0, 0, 1, 0, 0.1, 0.2, 0.3, 0.4, 1.1}});
  expect_same_motion({{0, 0, 1, 0, 0.1, 0.2, 0.3, 0.4, 1.1}, {1, 0, 1, 0, 0, 0, 0, 0.2, 0.9}});
  const std::array<double, 9> x = {1, 1, 0, 0, 0, 0, 0, 0.2, 0.9};
  const std::array<double, 9> y = {1, 0, 1, 0, 0, 0, 0, -0.3, 0.7};
  const std::array<double, 9> z = {0, 0, 0, 1, 0.1, 0.2, 0.3, 0.5, 1.4};
  expect_same_motion({x, y, z});
  expect_same_motion({y, x, z});
  expect_same_motion({z, x, y});
  expect_same_motion({z, y, x});
}

// A ref of a whole turn and more: our angles lie within half a turn, so all numbers of the joint move together.
TEST(MjcfReader, LargeRefsMoveLimitsAndKeyframesAlong) {
  const ModelSpec spec =
      read(in_world(body("a", "<joint name='j' ref='370' range='350 400' stiffness='1' springref='380'/>"),
                    "<keyframe><key qpos='365'/></keyframe>"));
  const Model model = compiled(spec);
  EXPECT_NEAR(model.joints[0].position[0], kPi / 18, 1e-12);
  EXPECT_NEAR(model.joints[0].spec.limits[0][0], -kPi / 18, 1e-12);
  EXPECT_NEAR(model.joints[0].spec.rest[0], kPi / 9, 1e-12);
  EXPECT_NEAR(model.keyframes[0].positions[0].second[0], 365 - 2 * kPi, 1e-9);
}

const std::string kTwo = body("a", "<joint name='i'/>") + body("b", "<joint name='k'/>", "pos='1 0 0'");

TEST(MjcfReader, ConnectIsABallWhereTheAnchorIsAsDrawn) {
  const ModelSpec spec =
      read(in_world(kTwo, "<equality><connect name='c' body1='a' body2='b' anchor='0.25 0 0'/></equality>"));
  const JointSpec& joint = spec.joints[2];
  EXPECT_EQ(joint.type, JointType::kSpherical);
  EXPECT_TRUE(joint.closure);
  EXPECT_TRUE(joint.in_a.position.isApprox(Vector3d(0.25, 0, 0)));
  EXPECT_TRUE(joint.in_b.position.isApprox(Vector3d(-0.75, 0, 0)));
}

TEST(MjcfReader, ConnectBySitesMayBeOpen) {
  const std::string bodies = body("a", "<joint name='i'/><site name='s' pos='0 1 0'/>") +
                             body("b", "<joint name='k'/><site name='t' pos='0 0 0'/>", "pos='1 0 0'");
  const Model model = compiled(read(in_world(bodies, "<equality><connect site1='s' site2='t'/></equality>")));
  EXPECT_NEAR(model::drawn_gap(model, model.joints[2]).distance, std::sqrt(2), 1e-12);
}

TEST(MjcfReader, TwoConnectsOfOnePairAreOneHinge) {
  const ModelSpec spec = read(in_world(kTwo,
                                       "<equality><connect body1='a' body2='b' anchor='0 1 0'/>"
                                       "<connect body1='b' body2='a' anchor='-1 1 2'/></equality>"));
  ASSERT_EQ(spec.joints.size(), 3u);
  EXPECT_EQ(spec.joints[2].type, JointType::kRevolute);
  EXPECT_TRUE((spec.joints[2].in_a.rotation * Vector3d::UnitZ()).isApprox(Vector3d::UnitZ()));
  EXPECT_TRUE(has_note(spec, "read as one revolute joint"));
}

TEST(MjcfReader, WeldKeepsItsRelativePose) {
  const Model model = compiled(read(
      in_world(kTwo, "<equality><weld body1='a' body2='b' relpose='1 0 0.5 1 0 0 0'/><weld body1='a'/></equality>")));
  EXPECT_EQ(model.joints[2].type, JointType::kFixed);
  EXPECT_NEAR(model::drawn_gap(model, model.joints[2]).distance, 0.5, 1e-12);
  EXPECT_EQ(model.body(model.joints[3].b).name, "ground");
  EXPECT_NEAR(model::drawn_gap(model, model.joints[3]).distance, 0, 1e-12);
}

// MuJoCo's polynomial counts from the drawn pose: y - y0 = 1 + 2 (x - x0) + 3 (x - x0)^2.
TEST(MjcfReader, CouplingsCountFromZeroHere) {
  const std::string bodies = body("a", "<joint name='y' type='slide' ref='0.5'/>") +
                             body("b", "<joint name='x' type='slide' ref='0.25'/>", "pos='1 0 0'");
  const ModelSpec spec = read(in_world(bodies,
                                       "<equality><joint joint1='y' joint2='x' polycoef='1 2 3 0 0'/>"
                                       "<joint joint1='y' joint2='x' polycoef='1 2'/>"
                                       "<joint joint1='y' polycoef='1'/></equality>"));
  ASSERT_EQ(spec.couplings.size(), 3u);
  const std::vector<double>& p = spec.couplings[0].polynomial;
  ASSERT_EQ(p.size(), 3u);
  const double x = 0.7;
  EXPECT_NEAR(p[0] + p[1] * x + p[2] * x * x, 0.5 + 1 + 2 * (x - 0.25) + 3 * (x - 0.25) * (x - 0.25), 1e-12);
  EXPECT_EQ(spec.couplings[1].ratio, (std::vector<double>{1, -2}));
  EXPECT_NEAR(spec.couplings[1].offset, 0.5 + 1 - 2 * 0.25, 1e-12);
  EXPECT_EQ(spec.couplings[2].joints, std::vector<std::string>{"y"});
  EXPECT_NEAR(spec.couplings[2].offset, 1.5, 1e-12);
}

TEST(MjcfReader, ASlideTiedToItsHingeIsAScrew) {
  const ModelSpec spec = read(in_world(body("a", "<joint name='s' type='slide'/><joint name='h'/>"),
                                       "<equality><joint joint1='s' joint2='h' polycoef='0 0.01 0 0 0'/></equality>"));
  ASSERT_EQ(spec.joints.size(), 1u);
  EXPECT_EQ(spec.joints[0].type, JointType::kScrew);
  EXPECT_NEAR(spec.joints[0].pitch, 0.01 * 2 * kPi, 1e-15);
  EXPECT_TRUE(spec.couplings.empty());
}

TEST(MjcfReader, CoupledJointsOfOneBodyStayApart) {
  const std::string bodies =
      body("a", "<joint name='s' type='slide'/><joint name='h'/>") + body("b", "<joint name='x'/>", "pos='1 0 0'");
  const ModelSpec spec = read(in_world(bodies, "<equality><joint joint1='x' joint2='h'/></equality>"));
  EXPECT_EQ(spec.joints.size(), 3u);
  compiled(spec);
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

// main.xml includes arm.xml, which includes motor.xml; a ring of includes ends with an error.
TEST(MjcfReader, IncludesKeepTheirOwnFileAndLine) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "espalier_mjcf_include_test";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("main.xml", "<mujoco><worldbody><include file='arm.xml'/></worldbody><include file='motor.xml'/></mujoco>");
  write("arm.xml", "<mujocoinclude>\n\n" + body("a", "<joint name='j'/>") + "</mujocoinclude>");
  write("motor.xml", "<mujoco><actuator>\n<motor joint='k'/></actuator></mujoco>");
  const std::string main = (folder / "main.xml").string();
  EXPECT_EQ(to_string(read_model(main).error()),
            (folder / "motor.xml").string() + ":2: <motor> drives an unknown joint 'k'; did you mean 'j'?");
  write("motor.xml", "<mujoco><actuator>\n<motor joint='j'/></actuator></mujoco>");
  const Result<ModelSpec> spec = read_model(main);
  ASSERT_TRUE(spec) << to_string(spec.error());
  EXPECT_EQ(spec->bodies[0].where.line, 3);
  EXPECT_EQ(spec->bodies[0].where.file, (folder / "arm.xml").string());
  EXPECT_TRUE(spec->joints[0].actuated);
  write("motor.xml", "<mujoco><include file='main.xml'/></mujoco>");
  EXPECT_NE(to_string(read_model(main).error()).find("included a second time"), std::string::npos);
  std::filesystem::remove_all(folder);
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

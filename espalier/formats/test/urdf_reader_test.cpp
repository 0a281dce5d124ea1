#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/support.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using Eigen::Vector3d;
using model::JointType;
using model::ModelSpec;

std::string robot(const std::string& content) { return "<robot name=\"r\">\n" + content + "</robot>\n"; }

ModelSpec read(const std::string& content, const ReadOptions& options = {}) {
  const Result<ModelSpec> spec = read_model_text(robot(content), "r.urdf", options);
  EXPECT_TRUE(spec) << (spec ? "" : to_string(spec.error()));
  return spec.value_or(ModelSpec());
}

// The whole error, with its place.
std::string problem(const std::string& content) {
  const Result<ModelSpec> spec = read_model_text(robot(content), "r.urdf");
  return spec ? "no error" : to_string(spec.error());
}

void expect_problem(const std::string& content, const std::string& part) {
  const std::string found = problem(content);
  EXPECT_NE(found.find(part), std::string::npos) << "wanted: " << part << "\nfound:  " << found;
}

const std::string kTwo = "<link name=\"a\"/><link name=\"b\"/>\n";

std::string two_with(const std::string& type, const std::string& content, const std::string& attributes = "") {
  return kTwo + fmt::format("<joint name=\"j\" type=\"{}\" {}><parent link=\"a\"/><child link=\"b\"/>{}</joint>\n",
                            type, attributes, content);
}

TEST(UrdfReader, TurnsTheInertiaIntoTheLinkFrame) {
  const ModelSpec spec = read(R"(<link name="a"><inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>
    <mass value="2"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link>)");
  const model::BodySpec& a = body(spec, "a");
  EXPECT_EQ(*a.mass, 2);
  EXPECT_EQ(*a.com, Vector3d(1, 2, 3));
  // A quarter turn about z swaps x and y.
  EXPECT_LT((*a.inertia - Eigen::Matrix3d(Vector3d(2, 1, 2.5).asDiagonal())).norm(), 1e-15);
}

TEST(UrdfReader, GivesALinkWithoutInertialNoMass) {
  const ModelSpec spec = read("<link name=\"a\"/>");
  EXPECT_EQ(*body(spec, "a").mass, 0);
  EXPECT_TRUE(body(spec, "a").inertia->isZero(0));
  EXPECT_TRUE(model::compile(spec));
}

TEST(UrdfReader, ReadsShapesWithTheirRoles) {
  const ModelSpec spec = read(R"(<link name="a">
    <visual name="v"><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry></visual>
    <visual><geometry><mesh filename="package://x/y.stl" scale="2 2 2"/></geometry></visual>
    <collision><geometry><mesh filename="package://x/y.stl" scale="2 2 2"/></geometry></collision>
    <collision><geometry><cylinder radius="0.5" length="2"/></geometry></collision>
    <collision><geometry><capsule radius="0.25" length="3"/></geometry></collision>
    <collision><geometry><sphere radius="4"/></geometry></collision></link>)");
  const std::vector<model::ShapeSpec>& shapes = body(spec, "a").shapes;
  ASSERT_EQ(shapes.size(), 5u);
  EXPECT_EQ(shapes[0].kind, model::ShapeKind::kBox);
  EXPECT_EQ(shapes[0].role, model::ShapeRole::kVisual);
  EXPECT_EQ(shapes[0].name, "v");
  EXPECT_EQ(shapes[0].size, Vector3d(1, 2, 3));
  EXPECT_EQ(shapes[0].pose.position, Vector3d(0, 0, 1));
  EXPECT_EQ(shapes[1].kind, model::ShapeKind::kMesh);
  EXPECT_EQ(shapes[1].role, model::ShapeRole::kBoth);
  EXPECT_EQ(shapes[1].file, "package://x/y.stl");
  EXPECT_EQ(shapes[1].scale, Vector3d(2, 2, 2));
  EXPECT_EQ(shapes[2].kind, model::ShapeKind::kCylinder);
  EXPECT_EQ(shapes[2].size, Vector3d(0.5, 2, 0));
  EXPECT_EQ(shapes[3].kind, model::ShapeKind::kCapsule);
  EXPECT_EQ(shapes[4].kind, model::ShapeKind::kSphere);
}

// URDF's pose of the child link at angle q is origin * R(axis, q).
TEST(UrdfReader, PutsTheAxisOnZOfBothJointFrames) {
  const ModelSpec spec =
      read(two_with("continuous", "<origin xyz=\"1 0 0\" rpy=\"0.1 0.2 0.3\"/><axis xyz=\"0 3 4\"/>"));
  const model::JointSpec& j = joint(spec, "j");
  const double q = 0.7;
  const math::Pose origin{{1, 0, 0}, math::rotation_from_rpy({0.1, 0.2, 0.3})};
  const math::Pose wanted = origin * math::Pose{Vector3d::Zero(), math::rotation_exp(q * Vector3d(0, 0.6, 0.8))};
  const std::array<double, 1> position = {q};
  const math::Pose found = j.in_a * model::joint_pose(j.type, 0, position) * j.in_b.inverse();
  EXPECT_LT(math::gap_between(found, wanted).angle, 1e-14);
  EXPECT_LT(math::gap_between(found, wanted).distance, 1e-14);
  EXPECT_LT(math::gap_between(body(spec, "b").pose, origin).angle, 1e-14);
}

TEST(UrdfReader, TakesXForAnAxisThatIsNotSaid) {
  const ModelSpec spec = read(two_with("continuous", ""));
  EXPECT_LT((joint(spec, "j").in_a.rotation * Vector3d::UnitZ() - Vector3d::UnitX()).norm(), 1e-15);
}

TEST(UrdfReader, KnowsTwelveWordsForNineJoints) {
  const std::vector<std::pair<std::string, JointType>> words = {
      {"revolute", JointType::kRevolute},       {"continuous", JointType::kRevolute},
      {"prismatic", JointType::kPrismatic},     {"fixed", JointType::kFixed},
      {"floating", JointType::kFree},           {"free", JointType::kFree},
      {"planar", JointType::kPlanar},           {"spherical", JointType::kSpherical},
      {"ball", JointType::kSpherical},          {"universal", JointType::kUniversal},
      {"cylindrical", JointType::kCylindrical}, {"screw", JointType::kScrew}};
  for (const auto& [word, type] : words) {
    const ModelSpec spec = read(two_with(word, "", "pitch=\"0.01\""));
    EXPECT_EQ(joint(spec, "j").type, type) << word;
    EXPECT_TRUE(model::compile(spec)) << word;
  }
}

TEST(UrdfReader, ReadsDrakesJoints) {
  const ModelSpec spec = read(kTwo + R"(<link name="c"/><link name="d"/>
    <drake:joint name="ball" type="ball"><parent link="a"/><child link="b"/></drake:joint>
    <drake:joint name="plane" type="planar"><parent link="b"/><child link="c"/>
      <dynamics damping="1 2 3"/></drake:joint>
    <drake:joint name="screw" type="screw"><parent link="c"/><child link="d"/>
      <drake:screw_thread_pitch value="0.02"/></drake:joint>)");
  EXPECT_EQ(joint(spec, "ball").type, JointType::kSpherical);
  EXPECT_TRUE(joint(spec, "plane").in_a.rotation.isApprox(Eigen::Quaterniond::Identity()));
  EXPECT_EQ(joint(spec, "plane").damping, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(joint(spec, "screw").pitch, 0.02);
}

TEST(UrdfReader, ReadsBothAxesOfAUniversalJoint) {
  const ModelSpec spec = read(two_with("universal", "<axis xyz=\"0 0 2\"/><axis2 xyz=\"1 0 0\"/>"));
  EXPECT_LT((joint(spec, "j").in_a.rotation * Vector3d::UnitX() - Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_LT((joint(spec, "j").in_b.rotation * Vector3d::UnitY() - Vector3d::UnitX()).norm(), 1e-15);
  expect_problem(two_with("universal", "<axis xyz=\"0 0 2\"/>"), "two perpendicular directions");
  expect_problem(two_with("universal", "<axis xyz=\"0 0 2\"/><axis2 xyz=\"1 0 1\"/>"), "two perpendicular directions");
}

TEST(UrdfReader, ReadsLimitsAndDynamics) {
  const ModelSpec spec = read(two_with(
      "revolute", R"(<limit lower="-1" upper="2" effort="3" velocity="4"/><dynamics damping="5" friction="6"/>)"));
  const model::JointSpec& j = joint(spec, "j");
  ASSERT_EQ(j.limits.size(), 1u);
  EXPECT_EQ(j.limits[0], (std::array<double, 2>{-1, 2}));
  EXPECT_EQ(j.effort_limit, 3);
  EXPECT_EQ(j.velocity_limit, 4);
  EXPECT_EQ(j.damping, std::vector<double>{5});
  EXPECT_EQ(j.friction, std::vector<double>{6});
}

TEST(UrdfReader, SaysThatAHingeWithoutLimitsIsUnlimited) {
  const ModelSpec spec = read(two_with("revolute", "<limit effort=\"1\" velocity=\"1\"/>"));
  EXPECT_TRUE(joint(spec, "j").limits.empty());
  EXPECT_TRUE(has_note(spec, "read as unlimited (joint 'j')"));
  EXPECT_FALSE(has_note(read(two_with("continuous", "")), "unlimited"));
}

TEST(UrdfReader, ReadsMimicAsACoupling) {
  const ModelSpec spec = read(two_with("continuous", "") + R"(<link name="c"/>
    <joint name="k" type="continuous"><parent link="b"/><child link="c"/>
      <mimic joint="j" multiplier="2" offset="0.5"/></joint>)");
  ASSERT_EQ(spec.couplings.size(), 1u);
  EXPECT_EQ(spec.couplings[0].joints, (std::vector<std::string>{"k", "j"}));
  EXPECT_EQ(spec.couplings[0].ratio, (std::vector<double>{1, -2}));
  EXPECT_EQ(spec.couplings[0].offset, 0.5);
  EXPECT_TRUE(has_note(spec, "<mimic>: read as a coupling"));
  EXPECT_TRUE(model::compile(spec));
}

TEST(UrdfReader, MarksJointsOfATransmissionAsActuated) {
  const ModelSpec spec = read(two_with("continuous", "") + R"(
    <transmission name="t"><type>x</type><joint name="j"/><actuator name="m"><drake:rotor_inertia value="3e-5"/>
    <drake:gear_ratio value="10"/></actuator></transmission>)");
  EXPECT_TRUE(joint(spec, "j").actuated);
  ASSERT_EQ(joint(spec, "j").armature.size(), 1u);
  EXPECT_NEAR(joint(spec, "j").armature[0], 3e-3, 1e-15);
}

TEST(UrdfReader, NotesWhatItDoesNotRead) {
  const ModelSpec spec = read(two_with("continuous", "<safety_controller k_velocity=\"1\"/><calibration/>") +
                              "<gazebo/><gazebo reference=\"a\"/>");
  EXPECT_TRUE(has_note(spec, "<safety_controller> in <joint>: not read"));
  EXPECT_TRUE(has_note(spec, "<calibration> in <joint>: not read"));
  EXPECT_TRUE(has_note(spec, "<gazebo> in <robot>: not read (2 times)"));
}

TEST(UrdfReader, LetsTheRootFloatOrFixesIt) {
  const ModelSpec floating = read(two_with("continuous", ""));
  EXPECT_EQ(floating.joints.size(), 1u);
  EXPECT_TRUE(has_note(floating, "the root link 'a' floats; --base fixed fixes it"));
  const ModelSpec fixed = read(two_with("continuous", ""), {.base = Base::kFixed});
  ASSERT_EQ(fixed.joints.size(), 2u);
  const model::JointSpec& base = joint(fixed, "base_fixed");
  EXPECT_EQ(base.type, JointType::kFixed);
  EXPECT_EQ(base.a, model::kGround);
  EXPECT_EQ(base.b, "a");
  EXPECT_FALSE(has_note(fixed, "floats"));
  EXPECT_TRUE(model::compile(fixed));
}

TEST(UrdfReader, MakesBallJointsOfHingesWithAWordInTheirNames) {
  const std::string content = kTwo + R"(<link name="c"/>
    <joint name="hip_spherical_x" type="revolute"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>
    <origin xyz="0 0 2"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
    <joint name="knee" type="revolute"><parent link="b"/><child link="c"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>)";
  const ModelSpec spec = read(content, {.base = Base::kFixed, .spherical = "spherical"});
  EXPECT_EQ(joint(spec, "hip_spherical_x").type, JointType::kSpherical);
  EXPECT_TRUE(joint(spec, "hip_spherical_x").limits.empty());
  EXPECT_EQ(body(spec, "b").pose.position, Vector3d(0, 0, 2));
  EXPECT_EQ(joint(spec, "knee").type, JointType::kRevolute);
  EXPECT_TRUE(has_note(spec, "hinges with 'spherical' in their names are read as ball joints ('hip_spherical_x')"));
  EXPECT_TRUE(model::compile(spec));

  const Result<ModelSpec> none = read_model_text(robot(content), "r.urdf", {.base = {}, .spherical = "nee_"});
  ASSERT_FALSE(none);
  EXPECT_EQ(to_string(none.error()),
            "r.urdf: --spherical 'nee_': no hinge has this in its name; hinges here: 'hip_spherical_x', 'knee'");
}

TEST(UrdfReader, TakesALinkCalledWorldForTheGround) {
  const std::string content = R"(<link name="world"><visual><geometry><sphere radius="1"/></geometry></visual></link>
    <link name="a"/><joint name="j" type="continuous"><parent link="world"/><child link="a"/>
    <origin xyz="0 0 2"/></joint>)";
  for (const Base base : {Base::kFloating, Base::kFixed}) {
    const ModelSpec spec = read(content, {.base = base});
    EXPECT_EQ(joint(spec, "j").a, model::kGround);
    EXPECT_EQ(body(spec, model::kGround).shapes.size(), 1u);
    EXPECT_EQ(body(spec, "a").pose.position, Vector3d(0, 0, 2));
    EXPECT_EQ(spec.joints.size(), 1u);
    EXPECT_FALSE(has_note(spec, "floats"));
    EXPECT_TRUE(model::compile(spec));
  }
  expect_problem(R"(<link name="world"/><link name="a"/>
    <joint name="j" type="fixed"><parent link="a"/><child link="world"/></joint>)",
                 "cannot be a joint's child");
}

TEST(UrdfReader, RenamesALinkCalledGroundThatMoves) {
  const ModelSpec spec = read(R"(<link name="a"/><link name="ground"/>
    <joint name="j" type="continuous"><parent link="a"/><child link="ground"/></joint>)");
  EXPECT_EQ(joint(spec, "j").b, "ground_link");
  EXPECT_TRUE(has_note(spec, "is read as 'ground_link'"));
  EXPECT_TRUE(model::compile(spec));
}

// a -j1- b -j2- c, c -loop- a.
TEST(UrdfReader, ReadsLoopsOfUrdfPlus) {
  const ModelSpec spec = read(kTwo + R"(<link name="c"/>
    <joint name="j1" type="continuous"><parent link="a"/><child link="b"/></joint>
    <joint name="j2" type="continuous"><parent link="b"/><child link="c"/></joint>
    <loop name="l" type="revolute"><predecessor link="c"><origin xyz="1 0 0" rpy="0 0 1"/></predecessor>
      <successor link="a"><origin xyz="0 2 0"/></successor><axis xyz="0 1 0"/></loop>)");
  const model::JointSpec& l = joint(spec, "l");
  EXPECT_TRUE(l.closure);
  EXPECT_FALSE(joint(spec, "j1").closure);
  EXPECT_EQ(l.a, "c");
  EXPECT_EQ(l.b, "a");
  EXPECT_EQ(l.in_a.position, Vector3d(1, 0, 0));
  EXPECT_EQ(l.in_b.position, Vector3d(0, 2, 0));
  EXPECT_LT((l.in_a.rotation * Vector3d::UnitZ() - Vector3d(-std::sin(1), std::cos(1), 0)).norm(), 1e-15);
  EXPECT_LT((l.in_b.rotation * Vector3d::UnitZ() - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_FALSE(has_note(spec, "unlimited"));
}

// a - b - d and a - c - d: d has two parents.
TEST(UrdfReader, ClosesALoopByTheSecondParent) {
  const ModelSpec spec = read(R"(<link name="a"/><link name="b"/><link name="c"/><link name="d"/>
    <joint name="ab" type="continuous"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/></joint>
    <joint name="ac" type="continuous"><parent link="a"/><child link="c"/><origin xyz="0 1 0"/></joint>
    <joint name="bd" type="continuous"><parent link="b"/><child link="d"/><origin xyz="0 1 0"/></joint>
    <joint name="cd" type="continuous"><parent link="c"/><child link="d"/><origin xyz="1 0 0"/></joint>)");
  EXPECT_FALSE(joint(spec, "bd").closure);
  EXPECT_TRUE(joint(spec, "cd").closure);
  EXPECT_EQ(body(spec, "d").pose.position, Vector3d(1, 1, 0));
  EXPECT_TRUE(has_note(spec, "child of several joints"));
  const Result<model::Model> compiled = model::compile(spec);
  ASSERT_TRUE(compiled);
  EXPECT_LT(model::drawn_gap(*compiled, compiled->joints[3]).distance, 1e-15);
}

// The ring b - c - d is entered by root-b, though b's first joint comes from the ring.
TEST(UrdfReader, EntersARingFromTheRoot) {
  const ModelSpec spec = read(R"(<link name="root"/><link name="b"/><link name="c"/><link name="d"/>
    <joint name="db" type="continuous"><parent link="d"/><child link="b"/></joint>
    <joint name="bc" type="continuous"><parent link="b"/><child link="c"/><origin xyz="1 0 0"/></joint>
    <joint name="cd" type="continuous"><parent link="c"/><child link="d"/><origin xyz="1 0 0"/></joint>
    <joint name="rb" type="continuous"><parent link="root"/><child link="b"/><origin xyz="0 5 0"/></joint>)");
  EXPECT_TRUE(joint(spec, "db").closure);
  EXPECT_FALSE(joint(spec, "rb").closure);
  EXPECT_EQ(body(spec, "d").pose.position, Vector3d(2, 5, 0));
}

// base - p1 - p2 and base - s1: two chains, coupled at their ends.
TEST(UrdfReader, CouplesAllJointsOnThePathsOfACoupling) {
  const ModelSpec spec = read(R"(<link name="base"/><link name="p1"/><link name="p2"/><link name="s1"/>
    <joint name="jp1" type="continuous"><parent link="base"/><child link="p1"/></joint>
    <joint name="jp2" type="continuous"><parent link="p1"/><child link="p2"/></joint>
    <joint name="js1" type="continuous"><parent link="base"/><child link="s1"/></joint>
    <coupling name="c"><predecessor link="p2"/><successor link="s1"/><ratio value="3"/></coupling>)");
  ASSERT_EQ(spec.couplings.size(), 1u);
  EXPECT_EQ(spec.couplings[0].joints, (std::vector<std::string>{"jp1", "jp2", "js1"}));
  EXPECT_EQ(spec.couplings[0].ratio, (std::vector<double>{3, 3, -1}));
  EXPECT_TRUE(model::compile(spec));
}

TEST(UrdfReader, NamesPlaceValueAndWayOutOfMistakes) {
  EXPECT_EQ(problem(kTwo + "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"bb\"/></joint>"),
            "r.urdf:3: joint 'j' names an unknown link 'bb'; did you mean 'b'?");
  EXPECT_EQ(problem("<link name=\"a\"/>\n<link name=\"a\"/>"),
            "r.urdf:3: two links are named 'a' (first in line 2); rename one");
  EXPECT_EQ(problem(two_with("fixed", "") +
                    "<joint name=\"j\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>"),
            "r.urdf:4: two joints are named 'j' (first in line 3); rename one");
  expect_problem(kTwo + "<joint name=\"j\" type=\"fixed\"><child link=\"b\"/></joint>",
                 "r.urdf:3: joint 'j' needs <parent");
  expect_problem(kTwo + "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>",
                 "r.urdf:3: joint 'j' needs <child");
  expect_problem(kTwo + "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"a\"/></joint>",
                 "r.urdf:3: joint 'j' joins link 'a' to itself");
  expect_problem(two_with("revolut", ""),
                 "r.urdf:3: joint 'j' has the unknown type 'revolut'; I read revolute, continuous, ");
  expect_problem(two_with("revolut", ""), "screw, free; did you mean 'revolute'?");
  expect_problem(two_with("continuous", "<axis xyz=\"0 0 0\"/>"), "r.urdf:3: joint 'j' has a zero <axis>");
  expect_problem(two_with("continuous", "<axis xyz=\"0 0 nan\"/>"), "'nan' in xyz of <axis> is not a finite number");
  expect_problem(two_with("continuous", "<axis xyz=\"0 0\"/>"), "must be three numbers");
  expect_problem(two_with("continuous", "<origin xyz=\"0 0 1e999\"/>"), "not a finite number");
  expect_problem(two_with("screw", ""), "r.urdf:3: screw joint 'j' needs pitch");
  expect_problem(kTwo, "two links are no joint's child: 'a' (line 2) and 'b'");
  expect_problem(
      two_with("fixed", "") + "<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>",
      "its parents form a ring");
  expect_problem("", "the robot has no <link>");
  expect_problem("<link/>", "r.urdf:2: <link> needs the attribute name");
  expect_problem("<link name=\"a\"><inertial/></link>", "needs <mass");
  expect_problem("<link name=\"a\"/><xacro:macro/>", "expand it first");
  expect_problem(two_with("continuous", "<mimic joint=\"jj\"/>"), "<mimic> of joint 'j' names an unknown joint 'jj'");
  expect_problem(two_with("continuous", "<dynamics damping=\"1 2\"/>"), "must be one number");
}

TEST(UrdfReader, NamesTheLineWhereTheXmlBreaksOff) {
  const Result<ModelSpec> spec = read_model_text("<robot name=\"r\">\n<link name=\"a\">\n", "r.urdf");
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().code, ErrorCode::kSyntax);
  EXPECT_GT(spec.error().where.line, 0);
}

TEST(UrdfReader, StandsAChainOfTwentyThousandLinks) {
  std::string content = "<link name=\"l0\"/>";
  constexpr int kLinks = 20000;
  for (int i = 1; i < kLinks; ++i) {
    content += fmt::format(
        "<link name=\"l{0}\"/><joint name=\"j{0}\" type=\"continuous\"><parent link=\"l{1}\"/>"
        "<child link=\"l{0}\"/><origin xyz=\"1 0 0\"/></joint>\n",
        i, i - 1);
  }
  const ModelSpec spec = read(content);
  ASSERT_EQ(spec.bodies.size(), to_index(kLinks));
  EXPECT_EQ(spec.bodies.back().pose.position.x(), kLinks - 1);
}

TEST(UrdfReader, BoundsWhatCouplingsMayRepeat) {
  std::string content = "<link name=\"l0\"/>";
  for (int i = 1; i < 2000; ++i) {
    content += fmt::format(
        "<link name=\"l{0}\"/><joint name=\"j{0}\" type=\"continuous\"><parent link=\"l{1}\"/>"
        "<child link=\"l{0}\"/></joint>\n",
        i, i - 1);
  }
  for (int i = 0; i < 2000; ++i)
    content += "<coupling><predecessor link=\"l0\"/><successor link=\"l1999\"/></coupling>";
  expect_problem(content, "more than 1000000 joints");
}

}  // namespace
}  // namespace espalier::formats

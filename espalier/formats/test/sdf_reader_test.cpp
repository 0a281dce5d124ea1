#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numbers>

#include <fmt/format.h>

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
using model::ModelSpec;

constexpr double kPi = std::numbers::pi;

ModelSpec read(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.sdf");
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error());
  return spec.value_or(ModelSpec());
}

// The text of a model of SDF 1.9 around `inside`.
std::string model_text(const std::string& inside, const std::string& version = "1.9") {
  return fmt::format("<sdf version='{}'>\n<model name='m'>\n{}\n</model></sdf>", version, inside);
}

std::string error_of(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.sdf");
  return spec ? "read" : to_string(spec.error());
}

void expect_near(const Vector3d& a, const Vector3d& b, double tolerance = 1e-12) {
  EXPECT_LE((a - b).norm(), tolerance) << a.transpose() << " is not " << b.transpose();
}

void expect_near(const math::Pose& a, const math::Pose& b, double tolerance = 1e-12) {
  const math::PoseGap gap = math::gap_between(a, b);
  EXPECT_LE(gap.distance, tolerance) << a.position.transpose() << " is not " << b.position.transpose();
  EXPECT_LE(gap.angle, tolerance);
}

int count(const ModelSpec& spec, JointType type) {
  return static_cast<int>(
      std::count_if(spec.joints.begin(), spec.joints.end(), [&](const JointSpec& j) { return j.type == type; }));
}

std::optional<ModelSpec> shared_model(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(source_dir()) / "../shared/data/models" / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Result<ModelSpec> spec = read_model(path);
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error());
  return spec.value_or(ModelSpec());
}

// The loop is drawn open: links lie at the origin, and joints hold frames that are not there yet.
TEST(SdfReader, FourBarLoopOfDrakeIsKeptUnassembled) {
  const std::optional<ModelSpec> spec = shared_model("drake/four_bar_loop.sdf");
  if (!spec) GTEST_SKIP() << "the shared model files are not here";
  EXPECT_EQ(spec->name, "four_bar_loop");
  EXPECT_EQ(spec->bodies.size(), 3u);
  EXPECT_EQ(count(*spec, JointType::kRevolute), 4);
  EXPECT_EQ(spec->joints.size(), 4u);
  expect_near(joint(*spec, "world_driver").in_a.position, {-2, 0, 0});
  expect_near(joint(*spec, "world_driver").in_b.position, {0, 0, 0});
  expect_near(joint(*spec, "coupler_rocker").in_a.position, {4.8, 0, 0});
  expect_near(joint(*spec, "coupler_rocker").in_b.position, {0, 2, 0});
  const Result<model::Model> model = model::compile(*spec);
  ASSERT_TRUE(model.has_value()) << to_string(model.error());
  // driver_coupler: Dc is 1 m up the driver, Co at the origin.
  EXPECT_NEAR(model::drawn_gap(*model, model->joints[2]).distance, 1.0, 1e-12);
}

TEST(SdfReader, FourBarWeldOfDrakeClosesItsLoopByAWeld) {
  const std::optional<ModelSpec> spec = shared_model("drake/four_bar_weld.sdf");
  if (!spec) GTEST_SKIP() << "the shared model files are not here";
  EXPECT_EQ(spec->bodies.size(), 4u);
  EXPECT_EQ(count(*spec, JointType::kRevolute), 4);
  ASSERT_EQ(count(*spec, JointType::kFixed), 1);
  const JointSpec& weld = joint(*spec, "coupler_shadow_weld");
  EXPECT_TRUE(weld.closure);
  expect_near(weld.in_a.position, {2.4, 0, 0});
  expect_near(weld.in_b.position, {2.4, 0, 0});
  EXPECT_TRUE(model::compile(*spec).has_value());
}

TEST(SdfReader, DeltaRobotOfArchirobHasFifteenJointsAndClosesAsDrawn) {
  const std::optional<ModelSpec> spec = shared_model("archirob/delta_robot.sdf");
  if (!spec) GTEST_SKIP() << "the shared model files are not here";
  EXPECT_EQ(spec->bodies.size(), 11u);
  EXPECT_EQ(count(*spec, JointType::kSpherical), 12);
  EXPECT_EQ(count(*spec, JointType::kRevolute), 3);
  EXPECT_EQ(spec->joints.size(), 15u);
  EXPECT_TRUE(has_note(*spec, "<plugin> in <model>"));
  const Result<model::Model> model = model::compile(*spec);
  ASSERT_TRUE(model.has_value()) << to_string(model.error());
  for (const model::Joint& j : model->joints) {
    EXPECT_LE(model::drawn_gap(*model, j).distance, 1e-12) << j.name;
  }
  // SDF 1.4 writes axes in the model frame: the axis of the third motor is -x of the world.
  const auto motor = std::find_if(model->joints.begin(), model->joints.end(),
                                  [](const model::Joint& j) { return j.name == "proximal_link_5_joint"; });
  ASSERT_NE(motor, model->joints.end());
  expect_near(model::drawn_frame_b(*model, *motor).rotation * Vector3d::UnitZ(), {-1, 0, 0});
  ASSERT_EQ(motor->spec.limits.size(), 1u);
  EXPECT_EQ(motor->spec.limits[0][0], -0.785398);
  EXPECT_EQ(motor->spec.friction, std::vector<double>{0.01});
  EXPECT_EQ(joint(*spec, "distal_link_1_joint").damping, std::vector<double>(3, 0.0001));
}

constexpr const char* kTwoLinks = R"(
  <link name='a'><pose>1 0 0 0 0 0</pose><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
  <link name='b'><pose>1 1 0 0 0 1.5707963267948966</pose><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
)";

std::string two_links(const std::string& joints, const std::string& version = "1.9") {
  return model_text(kTwoLinks + joints, version);
}

TEST(SdfReader, JointPoseIsRelativeToTheChildAndClosedAsDrawn) {
  const ModelSpec spec = read(two_links(
      "<joint name='j' type='revolute'><parent>a</parent><child>b</child><pose>0 2 0 0 0 0</pose>"
      "<axis><xyz>0 0 3</xyz><limit><lower>-1</lower><upper>2</upper><effort>5</effort><velocity>6</velocity></limit>"
      "<dynamics><damping>.1</damping><friction>.2</friction><spring_stiffness>3</spring_stiffness>"
      "<spring_reference>.4</spring_reference></dynamics></axis></joint>"));
  const JointSpec& j = joint(spec, "j");
  EXPECT_EQ(j.a, "a");
  EXPECT_EQ(j.b, "b");
  // b is turned a quarter: 2 m along its y is -2 m along x of the world, and a stands at x = 1.
  expect_near(j.in_b, {Vector3d(0, 2, 0), Eigen::Quaterniond::Identity()});
  expect_near(j.in_a, {Vector3d(-2, 1, 0), math::rotation_from_rpy({0, 0, kPi / 2})});
  EXPECT_EQ(j.limits, (std::vector<std::array<double, 2>>{{-1, 2}}));
  EXPECT_EQ(j.effort_limit, 5.0);
  EXPECT_EQ(j.velocity_limit, 6.0);
  EXPECT_EQ(j.damping, std::vector<double>{0.1});
  EXPECT_EQ(j.friction, std::vector<double>{0.2});
  EXPECT_EQ(j.stiffness, std::vector<double>{3});
  EXPECT_EQ(j.rest, std::vector<double>{0.4});
}

TEST(SdfReader, AxesStandInTheFrameTheVersionSays) {
  const std::string before = "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis>";
  const auto axis_in_world = [&](const std::string& axis, const std::string& version) -> Vector3d {
    const ModelSpec spec = read(two_links(before + axis + "</axis></joint>", version));
    return body(spec, "b").pose.rotation * (joint(spec, "j").in_b.rotation * Vector3d::UnitZ());
  };
  // Link b is turned by a quarter about z: its x is y of the model.
  expect_near(axis_in_world("<xyz>1 0 0</xyz>", "1.4"), {1, 0, 0});
  expect_near(axis_in_world("<xyz>1 0 0</xyz>", "1.6"), {0, 1, 0});
  expect_near(axis_in_world("<xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame>", "1.6"), {1, 0, 0});
  expect_near(axis_in_world("<xyz>1 0 0</xyz>", "1.9"), {0, 1, 0});
  expect_near(axis_in_world("<xyz expressed_in='__model__'>1 0 0</xyz>", "1.9"), {1, 0, 0});
  expect_near(axis_in_world("<xyz expressed_in='a'>0 -1 0</xyz>", "1.9"), {0, -1, 0});
  expect_near(axis_in_world("<xyz>0 1e-300 0</xyz>", "1.9"), {-1, 0, 0});
  expect_near(axis_in_world("<xyz>0 1e300 0</xyz>", "1.9"), {-1, 0, 0});
}

TEST(SdfReader, PosesFollowTheirFrames) {
  const ModelSpec spec = read(model_text(R"(
    <pose>0 0 10 0 0 0</pose>
    <frame name='f' attached_to='a'><pose>0 0 1 0 0 0</pose></frame>
    <frame name='g' attached_to='f'><pose relative_to='b'>1 0 0 0 0 0</pose></frame>
    <link name='a'><pose degrees='true'>1 0 0 0 0 90</pose></link>
    <link name='b'><pose relative_to='f'>1 0 0 0 0 0</pose></link>
    <link name='c'><pose relative_to='j'>0 0 0 0 0 0</pose></link>
    <link name='d'><pose rotation_format='quat_xyzw' relative_to='g'>0 0 5 0 0 2 0</pose></link>
    <link name='e'><pose relative_to='world'/></link>
    <joint name='j' type='fixed'><parent>a</parent><child>b</child><pose>0 0 0.5 0 0 0</pose></joint>
    <joint name='k' type='fixed'><parent>b</parent><child>c</child></joint>
    <joint name='l' type='fixed'><parent>c</parent><child>d</child></joint>
    <joint name='m' type='fixed'><parent>d</parent><child>e</child></joint>)"));
  const Eigen::Quaterniond quarter = math::rotation_from_rpy({0, 0, kPi / 2});
  expect_near(body(spec, "a").pose, {Vector3d(1, 0, 10), quarter});
  expect_near(body(spec, "b").pose, {Vector3d(1, 1, 11), quarter});
  expect_near(body(spec, "c").pose, {Vector3d(1, 1, 11.5), quarter});
  expect_near(body(spec, "d").pose, {Vector3d(1, 2, 16), math::rotation_from_rpy({0, 0, -kPi / 2})});
  expect_near(body(spec, "e").pose, {Vector3d(0, 0, 0), Eigen::Quaterniond::Identity()});
}

TEST(SdfReader, NamedParentFrameIsZeroOnlyWhereTheChildIsNotDrawn) {
  const std::string frame = "<frame name='p' attached_to='a'><pose>0 0 1 0 0 0</pose></frame>";
  const std::string hinge =
      "<joint name='j' type='revolute'><parent>p</parent><child>{}</child><axis><xyz>0 0 1</xyz></axis></joint>";
  // Drawn: SDF's rule, with a note.
  const ModelSpec drawn = read(two_links(frame + fmt::format(fmt::runtime(hinge), "b")));
  expect_near(joint(drawn, "j").in_a.position, {0, 1, 0});
  EXPECT_TRUE(has_note(drawn, "the drawn pose is its zero"));
  // Not drawn: the frames are to meet.
  const ModelSpec undrawn = read(two_links(frame + "<link name='c'/>" + fmt::format(fmt::runtime(hinge), "c")));
  expect_near(joint(undrawn, "j").in_a.position, {0, 0, 1});
  expect_near(joint(undrawn, "j").in_b.position, {0, 0, 0});
}

TEST(SdfReader, ThreadPitchIsLeftHandedRadiansPerMetre) {
  const std::string screw =
      "<joint name='j' type='screw'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>{}</joint>";
  const auto pitch = [&](const char* inside) {
    return joint(read(two_links(fmt::format(fmt::runtime(screw), inside))), "j").pitch;
  };
  EXPECT_EQ(pitch("<screw_thread_pitch>0.5</screw_thread_pitch>"), 0.5);
  EXPECT_NEAR(pitch("<thread_pitch>-12.566370614359172</thread_pitch>"), 0.5, 1e-15);
  EXPECT_EQ(pitch("<screw_thread_pitch>0.5</screw_thread_pitch><thread_pitch>1</thread_pitch>"), 0.5);
  EXPECT_EQ(
      error_of(two_links(fmt::format(fmt::runtime(screw), ""))),
      "test.sdf:6: screw 'j' needs <screw_thread_pitch> in metres per turn (or <thread_pitch> in -rad/m), not zero");
}

TEST(SdfReader, UniversalTakesXFromAxisAndYFromAxis2) {
  const ModelSpec spec =
      read(two_links("<joint name='j' type='universal'><parent>a</parent><child>b</child>"
                     "<axis><xyz>0 1 0</xyz><limit><lower>-1</lower></limit></axis>"
                     "<axis2><xyz>0 0 -1</xyz><dynamics><damping>2</damping></dynamics></axis2></joint>"));
  const JointSpec& j = joint(spec, "j");
  EXPECT_EQ(j.type, JointType::kUniversal);
  expect_near(j.in_b.rotation * Vector3d::UnitX(), {0, 1, 0});
  expect_near(j.in_b.rotation * Vector3d::UnitY(), {0, 0, -1});
  EXPECT_EQ(j.limits, (std::vector<std::array<double, 2>>{{-1, 1e16}, {-1e16, 1e16}}));
  EXPECT_EQ(j.damping, (std::vector<double>{0, 2}));
  EXPECT_TRUE(has_note(spec, "joint 'j': a limit on one side only: the other side is set to 1e16"));
  EXPECT_TRUE(has_note(spec, "joint 'j': a limit on one axis only: the other axis is set to 1e16"));
}

TEST(SdfReader, OwnPositionIsAddedToWhatSdfMeasuresFromTheDrawnPose) {
  const std::string limit = "<limit><lower>-1</lower><upper>inf</upper></limit>";
  const std::string spring = "<dynamics><spring_stiffness>3</spring_stiffness></dynamics>";
  const std::string mimic = "<mimic joint='k'><multiplier>2</multiplier><offset>0.5</offset></mimic>";
  const auto hinge = [](const char* name, const std::string& axis, double position) {
    return fmt::format(
        "<joint name='{}' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>{}</axis>"
        "<espalier:position>{}</espalier:position></joint>",
        name, axis, position);
  };
  const ModelSpec spec = read(two_links(hinge("j", limit + spring + mimic, 0.25) + hinge("k", "", 4)));
  EXPECT_EQ(joint(spec, "j").limits, (std::vector<std::array<double, 2>>{{-0.75, 1e16}}));
  EXPECT_EQ(joint(spec, "j").rest, std::vector<double>{0.25});
  EXPECT_TRUE(joint(spec, "k").limits.empty());
  EXPECT_TRUE(joint(spec, "k").rest.empty());
  // j - 0.25 = 2 (k - 4) + 0.5
  ASSERT_EQ(spec.couplings.size(), 1u);
  EXPECT_EQ(spec.couplings[0].offset, 0.5 + 0.25 - 2 * 4);
}

TEST(SdfReader, LimitsOfNothingAreNoLimits) {
  for (const char* none : {"", "<lower>-1e16</lower><upper>1e16</upper>", "<lower>-inf</lower><upper>+Inf</upper>",
                           "<effort>-1</effort><velocity>-1</velocity>", "<effort>inf</effort>"}) {
    const ModelSpec spec =
        read(two_links(fmt::format("<joint name='j' type='prismatic'><parent>a</parent><child>b</child><axis><xyz>0 0 "
                                   "1</xyz><limit>{}</limit></axis></joint>",
                                   none)));
    EXPECT_TRUE(joint(spec, "j").limits.empty()) << none;
    EXPECT_FALSE(joint(spec, "j").effort_limit.has_value()) << none;
    EXPECT_FALSE(joint(spec, "j").velocity_limit.has_value()) << none;
  }
}

TEST(SdfReader, MimicAndGearboxBecomeCouplings) {
  const std::string hinge =
      "<joint name='{}' type='continuous'><parent>{}</parent><child>{}</child>"
      "<axis><xyz>0 0 {}</xyz>{}</axis></joint>";
  const auto text = [&](const char* name, const char* parent, const char* child, int z, const char* more) {
    return fmt::format(fmt::runtime(hinge), name, parent, child, z, more);
  };
  const ModelSpec spec = read(
      two_links(text("ja", "base", "a", 1, "") + text("jb", "b", "base", 1, "") + "<link name='base'/>" +
                text("jc", "base", "c", 1,
                     "<mimic joint='ja'><multiplier>3</multiplier><offset>1</offset><reference>2</reference></mimic>") +
                "<link name='c'/><joint name='gear' type='gearbox'><parent>a</parent><child>b</child>"
                "<gearbox_reference_body>base</gearbox_reference_body><gearbox_ratio>5</gearbox_ratio>"
                "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>"));
  ASSERT_EQ(spec.couplings.size(), 2u);
  // qc = 3 (qa - 2) + 1.
  EXPECT_EQ(spec.couplings[0].joints, (std::vector<std::string>{"jc", "ja"}));
  EXPECT_EQ(spec.couplings[0].ratio, (std::vector<double>{1, -3}));
  EXPECT_EQ(spec.couplings[0].offset, -5);
  // theta_b = -5 theta_a; jb runs from b to the base, so theta_b = -q_b: -q_b + 5 q_a = 0.
  EXPECT_EQ(spec.couplings[1].joints, (std::vector<std::string>{"ja", "jb"}));
  EXPECT_EQ(spec.couplings[1].ratio, (std::vector<double>{5, -1}));
  EXPECT_EQ(spec.joints.size(), 3u);
  EXPECT_TRUE(model::compile(spec).has_value());
}

TEST(SdfReader, InertiaIsTurnedIntoTheLinkAndMissingOnesAreSaid) {
  const ModelSpec spec =
      read(model_text(R"(<link name='a'><inertial><pose>1 2 3 0 0 1.5707963267948966</pose><mass>4</mass>
    <inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz><ixy>.1</ixy><ixz>.2</ixz><iyz>.3</iyz></inertia></inertial></link>)"));
  const model::BodySpec& a = body(spec, "a");
  EXPECT_EQ(a.mass, 4.0);
  expect_near(*a.com, {1, 2, 3});
  // A quarter about z: x -> y, y -> -x.
  Eigen::Matrix3d expected;
  expected << 2, -.1, -.3, -.1, 1, .2, -.3, .2, 2.5;
  EXPECT_LE((*a.inertia - expected).norm(), 1e-12) << *a.inertia;
  const ModelSpec bare = read(model_text("<link name='a'/>"));
  EXPECT_EQ(body(bare, "a").mass, 1.0);
  EXPECT_TRUE(has_note(bare, "link 'a' has no <inertial>: SDF's default, 1 kg and 1 kg m^2 about each axis"));
}

TEST(SdfReader, ShapesKeepTheirRolesAndTwinsAreOne) {
  const ModelSpec spec = read(model_text(R"(<link name='a'>
    <visual name='v'><geometry><box><size>1 2 3</size></box></geometry><material/></visual>
    <collision name='v'><geometry><box><size>1 2 3</size></box></geometry></collision>
    <visual name='w'><pose>0 0 1 0 0 0</pose><geometry><mesh><uri>model://x/y.dae</uri><scale>2 2 2</scale></mesh></geometry></visual>
    <collision name='c'><geometry><capsule><radius>1</radius><length>2</length></capsule></geometry><surface/></collision>
    <collision name='d'><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry></collision>
    <collision name='p'><geometry><plane><normal>1 0 0</normal></plane></geometry></collision>
    <collision name='h'><geometry><heightmap/></geometry></collision></link>)"));
  const std::vector<model::ShapeSpec>& shapes = body(spec, "a").shapes;
  ASSERT_EQ(shapes.size(), 5u);
  EXPECT_EQ(shapes[0].role, model::ShapeRole::kBoth);
  expect_near(shapes[0].size, {1, 2, 3});
  EXPECT_EQ(shapes[1].kind, model::ShapeKind::kMesh);
  EXPECT_EQ(shapes[1].file, "model://x/y.dae");
  EXPECT_EQ(shapes[1].role, model::ShapeRole::kVisual);
  expect_near(shapes[1].scale, {2, 2, 2});
  expect_near(shapes[2].size, {1, 2, 0});
  EXPECT_EQ(shapes[3].kind, model::ShapeKind::kEllipsoid);
  expect_near(shapes[4].pose.rotation * Vector3d::UnitZ(), {1, 0, 0});
  EXPECT_TRUE(has_note(spec, "<heightmap> in <geometry>: not read"));
  EXPECT_TRUE(has_note(spec, "<surface> in <collision>: not read"));
}

TEST(SdfReader, WorldOfSeveralModelsPrefixesNamesAndFloatsEachPiece) {
  const ModelSpec spec = read(R"(<sdf version='1.8'><world name='w'><gravity>0 0 -1.6</gravity>
    <frame name='there'><pose>5 0 0 0 0 0</pose></frame>
    <include><uri>model://sun</uri></include><light name='l'/>
    <model name='m'><pose relative_to='there'/><link name='a'/><link name='b'/>
      <joint name='j' type='ball'><parent>a</parent><child>b</child></joint></model>
    <model name='n'><pose relative_to='m::a'>0 1 0 0 0 0</pose><link name='a'/></model>
    <model name='table'><static>1</static><link name='top'><pose>0 0 3 0 0 0</pose></link></model>
    <joint name='rope' type='fixed'><parent>n::a</parent><child>m::b</child></joint>
    <model name='o'><link name='a'/></model></world></sdf>)");
  EXPECT_EQ(spec.name, "w");
  expect_near(spec.gravity, {0, 0, -1.6});
  expect_near(body(spec, "n::a").pose.position, {5, 1, 0});
  EXPECT_EQ(joint(spec, "rope").a, "n::a");
  EXPECT_EQ(joint(spec, "m::j").b, "m::b");
  EXPECT_EQ(joint(spec, "table::top_static").type, JointType::kFixed);
  expect_near(joint(spec, "table::top_static").in_a.position, {0, 0, 3});
  EXPECT_EQ(joint(spec, "m::a_free").type, JointType::kFree);
  EXPECT_EQ(joint(spec, "o::a_free").type, JointType::kFree);
  EXPECT_EQ(spec.joints.size(), 5u);
  EXPECT_TRUE(has_note(spec, "2 pieces are held by no joint to the world"));
  EXPECT_TRUE(has_note(spec, "<light> in <world>: not read"));
  EXPECT_TRUE(model::compile(spec).has_value());
}

TEST(SdfReader, OneMechanismFloatsWithoutAWord) {
  const ModelSpec spec = read(two_links("<joint name='j' type='ball'><parent>a</parent><child>b</child></joint>"));
  EXPECT_EQ(spec.joints.size(), 1u);
  EXPECT_TRUE(model::compile(spec).has_value());
}

TEST(SdfReader, LinkNamedGroundIsNotTheWorld) {
  const ModelSpec spec =
      read(model_text("<link name='ground'/><link name='b'/><joint name='j' "
                      "type='ball'><parent>ground</parent><child>b</child></joint>"));
  EXPECT_EQ(joint(spec, "j").a, "ground_link");
  EXPECT_TRUE(has_note(spec, "link 'ground' is called 'ground_link' here"));
}

TEST(SdfReader, DrakePlanarJointLiesInItsFrame) {
  const ModelSpec spec =
      read(two_links("<drake:joint name='j' type='planar'><drake:parent>a</drake:parent>"
                     "<drake:child>b</drake:child><drake:damping>1 2 3</drake:damping></drake:joint>"));
  EXPECT_EQ(joint(spec, "j").type, JointType::kPlanar);
  EXPECT_EQ(joint(spec, "j").damping, (std::vector<double>{1, 2, 3}));
}

TEST(SdfReader, HintsOfPhysicsEnginesAreOurs) {
  const ModelSpec spec =
      read(two_links("<joint name='j' type='ball'><parent>a</parent><child>b</child><physics>"
                     "<provide_feedback>true</provide_feedback><simbody>"
                     "<must_be_loop_joint>1</must_be_loop_joint></simbody></physics></joint>"));
  EXPECT_TRUE(joint(spec, "j").reaction_wanted);
  EXPECT_TRUE(joint(spec, "j").closure);
}

TEST(SdfReader, TwoDashesInACommentAreNoMistake) {
  EXPECT_EQ(read(model_text("<!-- a -- b ---> <link name='a'/>")).bodies.size(), 1u);
}

TEST(SdfReader, MistakesHaveALineAndAWayOut) {
  const auto hinge = [](const std::string& inside, const std::string& type = "revolute") {
    return two_links(fmt::format("<joint name='j' type='{}'>{}</joint>", type, inside));
  };
  const std::string ends = "<parent>a</parent><child>b</child>";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {hinge("<child>b</child>"), "test.sdf:6: joint 'j' needs <parent>: the name of a link or frame, or world"},
      {hinge("<parent>a</parent>"), "test.sdf:6: joint 'j' needs <child>: the name of a link or frame, or world"},
      {hinge("<parent>a</parent><child>linkb</child>"),
       "test.sdf:6: joint 'j' names an unknown link or frame 'linkb'; name a link, joint or frame of this model, or "
       "world"},
      {hinge("<parent>wrld</parent><child>b</child>"),
       "test.sdf:6: joint 'j' names an unknown link or frame 'wrld'; did you mean 'world'?"},
      {hinge("<parent>b</parent><child>b</child><axis/>"),
       "test.sdf:6: joint 'j' joins 'b' to itself; name two different links"},
      {hinge(ends), "test.sdf:6: joint 'j' of type 'revolute' needs <axis><xyz>...</xyz></axis>"},
      {hinge(ends + "<axis><xyz>0 0 0</xyz></axis>"),
       "test.sdf:6: the axis must not be zero; give its direction, as 0 0 1"},
      {hinge(ends + "<axis><xyz>0 0</xyz></axis>"), "test.sdf:6: <xyz> must hold three numbers, not '0 0'"},
      {hinge(ends + "<axis><xyz>0 0 nan</xyz></axis>"),
       "test.sdf:6: 'nan' in the text of <xyz> is not a finite number"},
      {hinge(ends + "<axis/>\n<espalier:position>1 2</espalier:position>"),
       "test.sdf:7: <espalier:position> holds 2 numbers, joint 'j' has 1 axis; give one number for each axis"},
      {hinge(ends, "revolut"), "test.sdf:6: joint 'j' has an unknown type 'revolut'; did you mean 'revolute'?"},
      {hinge(ends + "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>1 1 0</xyz></axis2>", "revolute2"),
       "test.sdf:6: the two axes of joint 'j' stand at 45 degrees; only 90 is read: make them square, or write two "
       "revolute joints with a link between"},
      {hinge(ends + "<gearbox_reference_body>a</gearbox_reference_body>", "gearbox"),
       "test.sdf:6: gearbox 'j': no revolute joint along its axis joins the reference body 'a' to 'a'; only gears that "
       "such joints hold are read"},
      {model_text("<link name='a'/>\n<link name='a'/>"),
       "test.sdf:4: the name 'a' of this link is taken by the link in line 3; rename one"},
      {model_text("<link name='a'/>\n<frame name='a'/>"),
       "test.sdf:4: the name 'a' of this frame is taken by the link in line 3; rename one"},
      {model_text("<link name='world'/>"), "test.sdf:3: SDF keeps the name 'world' for itself; rename the link"},
      {model_text("<link/>"), "test.sdf:3: <link> needs the attribute name=\"...\""},
      {model_text("<link name='a'><pose>1 2 3</pose></link>"),
       "test.sdf:3: a pose has 6 numbers, x y z roll pitch yaw; this one has 3"},
      {model_text("<link name='a'>\n<pose relative_to='f'/></link>\n<frame name='f'><pose relative_to='a'/></frame>"),
       "test.sdf:3: the link 'a' is placed relative to itself, over 'f'; break the ring by naming a link, __model__ or "
       "world"},
      {model_text("<link name='a'/>\n<frame name='f' attached_to='f'/>"),
       "test.sdf:4: the frame 'f' is placed relative to itself, over 'f'; break the ring by naming a link, __model__ "
       "or "
       "world"},
      {model_text("<link name='a'>\n<pose relative_to='links'/></link>\n<frame name='link1'/>"),
       "test.sdf:4: the pose of link 'a' names an unknown link or frame 'links'; did you mean 'link1'?"},
      {model_text("<link name='a'/>\n<model name='n'/>"),
       "test.sdf:4: a model inside a model is not read; move its links, joints and frames into the outer one"},
      {model_text("<include>\n<uri>model://arm</uri></include>"),
       "test.sdf:3: <include> of 'model://arm' is not followed, and without it the model would be another one; put the "
       "text of the included <model> in its place"},
      {model_text("<link name='a'><visual name='v'><geometry><box/></geometry></visual>"
                  "<collision name='v'><geometry><box/></geometry></collision>\n"
                  "<visual name='v'><geometry><box/></geometry></visual></link>"),
       "test.sdf:4: two shapes of link 'a' are named 'v'; rename one"},
      {model_text("<link name='a'/>", "2.0"), "test.sdf:1: SDF version '2.0' is not read; I read 1.4 to 1.12"},
      {"<sdf version='1.9'><world name='w'/>\n<model name='m'/></sdf>",
       "test.sdf:2: a <model> beside a <world>; move it into the world"},
      {"<sdf version='1.9'></sdf>", "test.sdf:1: the file holds no <model>; add one with its links"},
      {"<sdf version='1.9'>\n<model name='m'>\n<link name='a'>",
       "test.sdf:3: an element is not closed, or is closed by another name than it was opened with; mend the XML "
       "there"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message) << text;
}

// Chains of frames are followed without recursion, and names are found in constant time.
TEST(SdfReader, LongChainOfFramesIsReadInOnePass) {
  std::string inside = "<link name='a'/><link name='b'><pose relative_to='f0'/></link>";
  constexpr int kCount = 20000;
  for (int k = 0; k < kCount; ++k) {
    inside += fmt::format("<frame name='f{}' attached_to='{}'><pose>0.001 0 0 0 0 0</pose></frame>", k,
                          k + 1 < kCount ? fmt::format("f{}", k + 1) : "a");
  }
  const ModelSpec spec =
      read(model_text(inside + "<joint name='j' type='fixed'><parent>f0</parent><child>b</child></joint>"));
  expect_near(body(spec, "b").pose.position, {kCount * 0.001, 0, 0}, 1e-9);
  EXPECT_EQ(joint(spec, "j").a, "a");
}

}  // namespace
}  // namespace espalier::formats

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/sdf_support.hpp"
#include "espalier/model/model.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

using namespace sdf_test;
using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;

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

}  // namespace
}  // namespace espalier::formats

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/support.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::formats {
namespace {

using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;
using model::ShapeKind;

// What a model loses on its way through USD; "" for nothing.
std::string losses(const ModelSpec& spec) {
  const Result<Conversion> conversion = convert(spec, Format::kUsd);
  if (!conversion) return to_string(conversion.error());
  std::string text;
  for (const model::Difference& d : conversion->changes) {
    text += fmt::format("{} '{}' {}: {} -> {}\n", d.element, d.name, d.field, d.before, d.after);
  }
  return text;
}

std::string text_of(const ModelSpec& spec, const WriteOptions& options = {}) {
  const Result<WrittenModel> written = write_model(spec, Format::kUsd, options);
  return written ? written->text : to_string(written.error());
}

bool noted(const ModelSpec& spec, const std::string& part) {
  const Result<WrittenModel> written = write_model(spec, Format::kUsd);
  return written && std::any_of(written->notes.begin(), written->notes.end(),
                                [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

ModelSpec read_back(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "back.usda");
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error()) << "\n" << text;
  return spec.value_or(ModelSpec());
}

ModelSpec shipped(const std::string& name) {
  const auto found = std::find_if(shipped_models().begin(), shipped_models().end(),
                                  [&](const ShippedModel& each) { return each.name == name; });
  return *read_model_text(found->text, name + ".yaml");
}

const math::Pose kSomewhere = {Vector3d(1, -2, 0.5), math::rotation_from_rpy({0.3, -0.4, 2})};
const math::Pose kElsewhere = {Vector3d(-1, 0.25, 3), math::rotation_from_rpy({-1, 0.7, 0.1})};

model::BodySpec brick(const std::string& name, const math::Pose& pose) {
  model::BodySpec body;
  body.name = name;
  body.mass = 2;
  body.com = Vector3d(0.1, -0.2, 0.3);
  // Askew, so that its principal axes are not those of the body.
  body.inertia =
      math::transformed(kElsewhere, {2, Vector3d::Zero(), math::box_inertia(2, {1, 2, 3}).about_com}).about_com;
  body.pose = pose;
  return body;
}

JointSpec make_joint(const std::string& name, JointType type, const std::string& a, const std::string& b) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.a = a;
  joint.b = b;
  if (type == JointType::kScrew) joint.pitch = -0.01;
  return joint;
}

// ground -- a -- b -- ground, one joint of each type between a and b, drawn anyhow.
TEST(UsdWriter, EveryJointTypeKeepsItsFramesAndNumbers) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    for (const bool to_ground : {false, true}) {
      for (const bool loaded : {false, true}) {
        ModelSpec spec;
        spec.name = "two";
        spec.bodies = {brick("a", kSomewhere), brick("b", kElsewhere)};
        spec.joints = {make_joint("base", JointType::kSpherical, "ground", "a"),
                       make_joint("j", kind.type, to_ground ? "b" : "a", to_ground ? "ground" : "b"),
                       make_joint("hold", JointType::kFree, "b", "a")};
        JointSpec& j = spec.joints[1];
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

TEST(UsdWriter, FourBarLosesItsMotorAlone) {
  EXPECT_EQ(losses(shipped("four_bar")), "force 'motor' : present -> \n");
  EXPECT_TRUE(noted(shipped("four_bar"), "motions: they are lost ('motor')"));
}

TEST(UsdWriter, WhatIsWrittenTwiceIsWrittenTheSame) {
  const Result<ModelSpec> spec = model::generate_random(12, 20, 3);
  ASSERT_TRUE(spec.has_value());
  const ModelSpec once = read_back(text_of(*spec));
  const ModelSpec twice = read_back(text_of(once));
  EXPECT_EQ(twice.joints.size(), spec->joints.size());
  EXPECT_TRUE(model::find_differences(*model::compile(once), *model::compile(twice), 1e-12).empty());
}

TEST(UsdWriter, HingesAreWrittenAsUsdCountsThem) {
  ModelSpec spec;
  spec.name = "arm";
  spec.bodies = {brick("a", kSomewhere)};
  spec.joints = {make_joint("pin", JointType::kRevolute, "ground", "a")};
  spec.joints[0].in_a.position = {1, 2, 3};
  spec.joints[0].limits = {{-std::numbers::pi / 2, 1e6}};
  spec.joints[0].stiffness = {18};
  spec.joints[0].rest = {std::numbers::pi};
  const std::string text = text_of(spec);
  for (const char* line :
       {"def PhysicsRevoluteJoint \"pin\"", "rel physics:body1 = </arm/a>", "point3f physics:localPos0 = (1, 2, 3)",
        "uniform token physics:axis = \"Z\"", "float physics:lowerLimit = -90", "float physics:upperLimit = inf",
        "float drive:angular:physics:targetPosition = 180", "prepend apiSchemas = [\"PhysicsDriveAPI:angular\"]"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
  // 18 N m/rad are 18 pi / 180 N m/deg.
  const std::string key = "float drive:angular:physics:stiffness = ";
  EXPECT_NEAR(std::stod(text.substr(text.find(key) + key.size())), std::numbers::pi / 10, 1e-15);
  EXPECT_EQ(text.find("body0"), std::string::npos);
  // A side without a limit comes back as the number that stands for none.
  EXPECT_EQ(joint(read_back(text), "pin").limits[0][1], 1e16);
}

TEST(UsdWriter, OnlyTheJointsOfTheListAreExcluded) {
  ModelSpec spec = shipped("four_bar");
  spec.joints[1].closure = true;
  const auto excluded = [&](const WriteOptions& options) {
    std::set<std::string> names;
    const ModelSpec back = read_back(text_of(spec, options));
    for (const JointSpec& each : back.joints) {
      if (each.closure) names.insert(each.name);
    }
    return names;
  };
  EXPECT_EQ(excluded({}), std::set<std::string>{"B"});
  EXPECT_EQ(excluded({std::vector<std::string>{"C"}}), std::set<std::string>{"C"});
  EXPECT_EQ(excluded({std::vector<std::string>{}}), std::set<std::string>{});
}

TEST(UsdWriter, ShapesAndMaterialsComeBack) {
  ModelSpec spec;
  spec.name = "shapes";
  spec.gravity = {1, 2, -3};
  spec.materials = {{"hard rubber", 1200, {}, {}, 0.8, 0.1, {}}, {"felt", {}, {}, {}, {}, {}, {}}};
  spec.bodies = {brick("a", kSomewhere)};
  model::BodySpec ground;
  ground.name = "ground";
  const auto add = [](model::BodySpec& body, ShapeKind kind, const Vector3d& size) -> model::ShapeSpec& {
    model::ShapeSpec shape;
    shape.kind = kind;
    shape.size = size;
    shape.pose = kElsewhere;
    body.shapes.push_back(shape);
    return body.shapes.back();
  };
  add(spec.bodies[0], ShapeKind::kBox, {1, 2, 3}).material = "hard rubber";
  add(spec.bodies[0], ShapeKind::kSphere, {0.5, 0, 0}).material = "felt";
  add(spec.bodies[0], ShapeKind::kCapsule, {0.5, 2, 0}).role = model::ShapeRole::kCollision;
  add(spec.bodies[0], ShapeKind::kCylinder, {0.5, 2, 0}).role = model::ShapeRole::kVisual;
  add(spec.bodies[0], ShapeKind::kEllipsoid, {1, 2, 3}).name = "an egg";
  add(spec.bodies[0], ShapeKind::kHull, {0, 0, 0}).points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  add(ground, ShapeKind::kPlane, {0, 0, 0});
  spec.bodies.push_back(ground);
  spec.bodies[0].velocity = model::VelocitySpec{{1, 2, 3}, {0.1, 0.2, 0.3}};
  EXPECT_EQ(losses(spec), "") << text_of(spec);
  EXPECT_TRUE(noted(spec, "materials that do not say their friction"));
}

TEST(UsdWriter, NamesThatUsdHasNotStandInAnAttribute) {
  ModelSpec spec;
  spec.name = "two arms";
  spec.bodies = {brick("left arm", kSomewhere), brick("left_arm", kElsewhere), brick("joints", kElsewhere)};
  spec.joints = {make_joint("1\"st\\", JointType::kRevolute, "ground", "left arm"),
                 make_joint("pin", JointType::kRevolute, "left arm", "left_arm"),
                 make_joint("end", JointType::kRevolute, "joints", "left_arm")};
  EXPECT_EQ(losses(spec), "");
  EXPECT_EQ(read_back(text_of(spec)).name, "two arms");
}

TEST(UsdWriter, PointsObstaclesAndMasslessBodiesStayWhatTheyAre) {
  ModelSpec spec;
  spec.bodies = {brick("point", kSomewhere), brick("wall", kElsewhere), brick("frame", kElsewhere)};
  spec.bodies[0].kind = model::BodyKind::kPoint;
  spec.bodies[0].inertia.reset();
  spec.bodies[1].kind = model::BodyKind::kObstacle;
  spec.bodies[1].mass.reset();
  spec.bodies[1].com.reset();
  spec.bodies[1].inertia.reset();
  spec.bodies[2].mass = 0;
  spec.bodies[2].inertia.reset();
  spec.joints = {make_joint("p", JointType::kRevolute, "wall", "point"),
                 make_joint("q", JointType::kRevolute, "ground", "frame")};
  EXPECT_EQ(losses(spec), "");
  EXPECT_TRUE(noted(spec, "bodies without mass"));
}

TEST(UsdWriter, RopesAndConstantDrivesAreForcesThatUsdHas) {
  ModelSpec spec;
  spec.bodies = {brick("a", kSomewhere)};
  spec.joints = {make_joint("pin", JointType::kRevolute, "ground", "a")};
  spec.joints[0].damping = {2};
  spec.joints[0].actuated = true;
  model::LoadSpec load;
  load.joint = "pin";
  load.torque = true;
  load.value = {*model::parse_expression("-3")};
  model::SpringSpec rope;
  rope.a = "ground";
  rope.b = "a";
  rope.point_b = {1, 0, 0};
  rope.limits = {{0.5, 2}};
  spec.forces = {{"pin_drive", load, {}}, {"rope", rope, {}}};
  const std::string text = text_of(spec);
  EXPECT_NE(text.find("targetVelocity"), std::string::npos);
  EXPECT_EQ(losses(spec), "") << text;
  // A formula of the time is none.
  std::get<model::LoadSpec>(spec.forces[0].law).value = {*model::parse_expression("3*t")};
  EXPECT_NE(losses(spec), "");
}

TEST(UsdWriter, PairsThatNeverTouchComeBack) {
  ModelSpec spec = shipped("four_bar");
  spec.forces.clear();
  spec.contact.emplace();
  spec.contact->on = false;
  spec.contact->exclude = {{"crank", "rocker"}, {"ground", "coupler"}};
  EXPECT_EQ(losses(spec), "");
}

}  // namespace
}  // namespace espalier::formats

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "espalier/base/numbers.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::formats {
namespace {

using Eigen::Vector3d;
using model::JointType;
using model::ModelSpec;

ModelSpec read(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.yaml");
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error());
  return spec.value_or(ModelSpec());
}

std::string error_of(const std::string& text) {
  const Result<ModelSpec> spec = read_model_text(text, "test.yaml");
  return spec ? "read" : to_string(spec.error());
}

TEST(NativeReader, ReadsTheWholeSchema) {
  const ModelSpec spec = read(R"yaml(
espalier: 1
name: everything
gravity: [0, -9.81, 0]
active: [x, y, rz]
materials: {steel: {density: 7850, E: 2.1e11, G: 8.1e10, friction: 0.5, restitution: 0.1}}
bodies:
  - {name: ground, shapes: [{plane: {}, material: steel}]}
  - {name: arm, mass: 5.3, com: [0, 0, 0.5], inertia: [0.02, 0.02, 0.01, 0.001, 0, 0], pose: {position: [-0.05, 0, 1], rpy: [0, 0, 1]},
     velocity: {linear: [1, 2, 3], angular: [4, 5, 6]}, active: [x]}
  - {name: ball, material: steel, shapes: [{sphere: {radius: 0.1}, at: {position: [0, 0, 1]}, role: collision, name: s}]}
  - {name: boom, kind: beam, from: [0, 0, 0], to: [4, 0, 0], section: {b: [0.04, 0.02], h: 0.04, shear_factors: [0.8, 0.9]}, material: steel,
     theory: timoshenko, y_axis: [0, 1, 0], damping: {viscous: 40, kelvin_voigt: 0.001}, foundation: 3, segments: 50}
joints:
  - {name: pin, type: revolute, between: [ground, arm], at: {position: [0, 0, 0], axis: [0, 1, 0]}, velocity: 6.283, limits: [-1, 1],
     friction: 0.1, damping: 0.2, stiffness: 3, rest: 0.5, armature: 0.01, effort_limit: 10, velocity_limit: 20, actuated: true, reaction: wanted}
  - {name: mount, type: free, between: [arm, ball], in: {arm: {position: [1, 2, 3]}, ball: {}}, stiffness: [1, 2, 3, 4, 5, 6]}
  - {name: foot, type: fixed, between: [ground, boom], at: {position: [0, 0, 0]}, closure: true}
  - {name: nut, type: screw, between: [ground, ball], at: {axis: [1, 0, 0]}, pitch: 0.002}
couplings:
  - {name: gear, joints: [pin, nut], ratio: [1, -2], offset: 0.5}
  - {joints: [pin, nut], polynomial: [0, 1, 2]}
forces:
  - {name: s1, spring: {between: [arm, ball], at: [[0, 0, 0], [1, 0, 0]], stiffness: 8e5, damping: 4e4, length: 0.5, tension: 2, limits: [0.2, 0.9]}}
  - {bushing: {between: [arm, ball], in: {arm: {position: [1, 0, 0]}}, stiffness: [1, 1, 1, 2, 2, 2]}}
  - {torque: {joint: pin, value: "0.5*sin(2*pi*t)"}}
  - {force: {body: ball, value: [0, 1, "t"], frame: body, point: [0, 0, 1]}}
  - {motion: {joint: nut, velocity: "10*t"}}
contact: {engine: on, margin: 1e-3, friction: 0.4, pairs: {exclude: [[arm, ball]]}}
keyframes:
  - {name: home, positions: {pin: 0.3, mount: [0, 0, 1, 1, 0, 0, 0]}}
)yaml");
  EXPECT_EQ(spec.name, "everything");
  EXPECT_EQ(spec.gravity, Vector3d(0, -9.81, 0));
  ASSERT_TRUE(spec.active.has_value());
  EXPECT_EQ(*spec.active, (model::ActiveDirections{true, true, false, false, false, true}));
  ASSERT_EQ(spec.bodies.size(), 4u);
  EXPECT_EQ(spec.bodies[0].shapes[0].kind, model::ShapeKind::kPlane);
  EXPECT_EQ(*spec.bodies[1].mass, 5.3);
  EXPECT_EQ((*spec.bodies[1].inertia)(0, 1), 0.001);
  EXPECT_NEAR(spec.bodies[1].pose.rotation.w(), std::cos(0.5), 1e-15);
  EXPECT_EQ(spec.bodies[1].velocity->angular, Vector3d(4, 5, 6));
  EXPECT_EQ(spec.bodies[2].shapes[0].role, model::ShapeRole::kCollision);
  const model::BeamSpec& beam = *spec.bodies[3].beam;
  EXPECT_EQ(beam.section.b, (std::array{0.04, 0.02}));
  EXPECT_EQ(beam.section.h, (std::array{0.04, 0.04}));
  EXPECT_EQ(beam.theory, model::BeamTheory::kTimoshenko);
  EXPECT_EQ(beam.kelvin_voigt, 0.001);
  EXPECT_EQ(beam.segments, 50);
  ASSERT_EQ(spec.joints.size(), 4u);
  EXPECT_TRUE((spec.joints[0].at->rotation * Vector3d::UnitZ()).isApprox(Vector3d::UnitY(), 1e-15));
  EXPECT_EQ(spec.joints[0].rest, std::vector{0.5});
  EXPECT_TRUE(spec.joints[0].actuated && spec.joints[0].reaction_wanted);
  EXPECT_EQ(spec.joints[1].in_a.position, Vector3d(1, 2, 3));
  EXPECT_TRUE(spec.joints[2].closure);
  EXPECT_EQ(spec.joints[3].pitch, 0.002);
  EXPECT_EQ(spec.couplings[1].polynomial, (std::vector<double>{0, 1, 2}));
  ASSERT_EQ(spec.forces.size(), 5u);
  EXPECT_EQ(std::get<model::SpringSpec>(spec.forces[0].law).tension, 2);
  EXPECT_EQ(std::get<model::SpringSpec>(spec.forces[0].law).limits, (std::array{0.2, 0.9}));
  EXPECT_EQ(std::get<model::LoadSpec>(spec.forces[3].law).value[2].text, "t");
  EXPECT_TRUE(std::get<model::MotionSpec>(spec.forces[4].law).is_velocity);
  EXPECT_EQ(spec.contact->exclude.size(), 1u);
  EXPECT_EQ(spec.keyframes[0].positions[1].second.size(), 7u);
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model.has_value()) << to_string(model.error());
}

TEST(NativeReader, JsonIsYaml) {
  const ModelSpec spec =
      read(R"({"espalier": 1, "bodies": [{"name": "a", "kind": "point", "mass": 1.5e-3}], "joints": []})");
  EXPECT_EQ(*spec.bodies[0].mass, 1.5e-3);
}

// One length is 1 mm, one angle 1 degree: every quantity changes by the power its dimension has.
TEST(NativeReader, UnitsConvertEveryDimension) {
  const ModelSpec spec = read(R"(
espalier: 1
units: {length: mm, angle: deg}
gravity: [0, 0, -9810]
materials: {m: {density: 7.85e-6, E: 2.1e5}}
bodies:
  - {name: a, mass: 2, inertia: [3e6, 3e6, 3e6], pose: {position: [1000, 0, 0], rpy: [0, 0, 90]}}
joints:
  - {name: r, type: revolute, between: [ground, a], at: {position: [500, 0, 0]}, limits: [-90, 90], stiffness: 1000, friction: 1000, armature: 1e6}
  - {name: p, type: prismatic, between: [ground, a], at: {}, limits: [-10, 10], stiffness: 2, friction: 3}
couplings: [{joints: [r, p], ratio: [1, 2], offset: 4}]
forces:
  - {torque: {joint: r, value: "1000*t"}}
  - {motion: {joint: p, position: "10*t"}}
keyframes: [{name: k, positions: {r: 180, p: 1}}]
)");
  const double degree = std::numbers::pi / 180;
  EXPECT_DOUBLE_EQ(spec.gravity.z(), -9.81);
  EXPECT_DOUBLE_EQ(*spec.materials[0].density, 7850);
  EXPECT_DOUBLE_EQ(*spec.materials[0].young, 2.1e11);
  EXPECT_DOUBLE_EQ((*spec.bodies[0].inertia)(0, 0), 3);
  EXPECT_DOUBLE_EQ(spec.bodies[0].pose.position.x(), 1);
  EXPECT_NEAR(spec.bodies[0].pose.rotation.z(), std::sin(std::numbers::pi / 4), 1e-15);
  const model::JointSpec& r = spec.joints[0];
  EXPECT_DOUBLE_EQ(r.limits[0][1], std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(r.stiffness[0], 1.0 / degree);  // 1000 N mm/deg
  EXPECT_DOUBLE_EQ(r.friction[0], 1);
  EXPECT_DOUBLE_EQ(r.armature[0], 1);
  const model::JointSpec& p = spec.joints[1];
  EXPECT_DOUBLE_EQ(p.limits[0][1], 0.01);
  EXPECT_DOUBLE_EQ(p.stiffness[0], 2000);
  EXPECT_DOUBLE_EQ(p.friction[0], 3);
  // 1 q_r[deg] + 2 q_p[mm] = 4.
  EXPECT_DOUBLE_EQ(spec.couplings[0].ratio[0] * degree, 1);
  EXPECT_DOUBLE_EQ(spec.couplings[0].ratio[1] * 0.001, 2);
  EXPECT_DOUBLE_EQ(model::evaluate(std::get<model::LoadSpec>(spec.forces[0].law).value[0], 2), 2);
  EXPECT_DOUBLE_EQ(model::evaluate(std::get<model::MotionSpec>(spec.forces[1].law).value, 2), 0.02);
  EXPECT_DOUBLE_EQ(spec.keyframes[0].positions[0].second[0], std::numbers::pi);
  EXPECT_DOUBLE_EQ(spec.keyframes[0].positions[1].second[0], 0.001);
}

TEST(NativeReader, ErrorsNameTheLineAndTheWayOut) {
  EXPECT_EQ(error_of("espalier: 1\nbodies:\n  - {name: a, mas: 1}\n"),
            "test.yaml:3: body 'a' has no field 'mas'; did you mean 'mass'?");
  EXPECT_EQ(error_of("espalier: 1\nbodies:\n  - {name: a, mass: .nan}\n"),
            "test.yaml:3: body 'a': `mass` is '.nan'; it must be a finite number");
  EXPECT_EQ(error_of("espalier: 1\nname: a\nname: b\n"),
            "test.yaml:3: the key 'name' stands twice in one map; keep one");
}

TEST(NativeReader, AliasesAreExpandedButNotWithoutEnd) {
  const ModelSpec spec = read(
      "espalier: 1\nbodies:\n  - &p {name: a, kind: point, mass: 1}\njoints:\n  - {name: j, type: free, between: "
      "[ground, a], at: &w {position: [1, 2, 3]}}\n  - {name: k, type: free, between: [ground, a], at: *w}\n");
  EXPECT_EQ(spec.joints[1].at->position, Vector3d(1, 2, 3));
  std::string laughs = "espalier: 1\nname: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 12; ++k) {
    laughs += fmt::format("k{}: &a{} [", k, k);
    for (int i = 0; i < 10; ++i) laughs += fmt::format("*a{}{}", k - 1, i < 9 ? ", " : "]\n");
  }
  EXPECT_NE(error_of(laughs).find("more than 100 MiB"), std::string::npos) << error_of(laughs);
}

// A model with every field in use somewhere, drawn from `random`.
class RandomSpec {
 public:
  explicit RandomSpec(std::uint64_t seed) : random_(seed) {}

  ModelSpec make() {
    ModelSpec spec;
    spec.name = random_.below(2) ? "a name" : "Größe: \"x\"\\ # 1";
    spec.gravity = vector(10);
    spec.materials = {{"m1", 1000 + std::abs(number()), 1e11, 1e10, 0.3, 0.5, {}}, {"2nd", {}, {}, {}, {}, {}, {}}};
    const int bodies = 1 + random_.below(6);
    for (int b = 0; b < bodies; ++b) spec.bodies.push_back(body(b));
    for (int b = 0; b < bodies; ++b)
      spec.joints.push_back(
          joint(b, b == 0 ? model::kGround : spec.bodies[random_.below(b)].name, spec.bodies[b].name));
    const int loops = random_.below(4);
    for (int k = 0; k < loops && bodies > 1; ++k) {
      const int a = random_.below(bodies);
      const int b = (a + 1 + random_.below(bodies - 1)) % bodies;
      spec.joints.push_back(joint(bodies + k, spec.bodies[a].name, spec.bodies[b].name));
    }
    forces(spec);
    if (random_.below(2)) spec.contact = model::ContactSpec{random_.below(2) == 0, 0.001, 0.3, {}, {}, {}};
    return spec;
  }

 private:
  double number() { return random_.normal() * std::pow(10.0, random_.below(7) - 3); }
  Vector3d vector(double scale) { return scale * Vector3d(random_.normal(), random_.normal(), random_.normal()); }
  math::Pose pose() { return {vector(1), math::rotation_exp(vector(1.5))}; }

  model::BodySpec body(int b) {
    model::BodySpec body;
    body.name = fmt::format("{}{}", random_.below(2) ? "body_" : "no. ", b);
    body.pose = pose();
    body.mass = std::abs(number());
    body.com = vector(0.3);
    const Vector3d d = vector(1).cwiseAbs2();
    const Eigen::Matrix3d R = math::rotation_exp(vector(1)).toRotationMatrix();
    const Eigen::Matrix3d I = R * Vector3d(d[1] + d[2], d[0] + d[2], d[0] + d[1]).asDiagonal() * R.transpose();
    body.inertia = 0.5 * (I + I.transpose());
    if (random_.below(2)) body.velocity = model::VelocitySpec{vector(1), vector(1)};
    if (random_.below(2)) body.material = "m1";
    for (int k = random_.below(3); k > 0; --k) body.shapes.push_back(shape());
    return body;
  }

  model::ShapeSpec shape() {
    model::ShapeSpec shape;
    shape.kind = static_cast<model::ShapeKind>(random_.below(8));
    shape.pose = pose();
    shape.role = static_cast<model::ShapeRole>(random_.below(3));
    const Vector3d size = vector(1).cwiseAbs() + Vector3d::Constant(0.01);
    using enum model::ShapeKind;
    if (shape.kind == kSphere) shape.size[0] = size[0];
    if (shape.kind == kBox || shape.kind == kEllipsoid) shape.size = size;
    if (shape.kind == kCapsule || shape.kind == kCylinder) shape.size.head<2>() = size.head<2>();
    if (shape.kind == kHull) shape.points = {vector(1), vector(1), vector(1), vector(1), vector(1)};
    if (shape.kind == kMesh) {
      shape.file = "package://a b/mesh.stl";
      shape.scale = size;
    }
    if (random_.below(2)) shape.material = "2nd";
    return shape;
  }

  std::vector<double> list(int n, bool positive) {
    std::vector<double> values;
    if (random_.below(2) == 0) return values;
    for (int k = 0; k < n; ++k) values.push_back(positive ? std::abs(number()) : number());
    return values;
  }

  model::JointSpec joint(int k, const std::string& a, const std::string& b) {
    model::JointSpec joint;
    joint.name = fmt::format("j{}", k);
    joint.type = static_cast<JointType>(random_.below(9));
    joint.a = a;
    joint.b = b;
    if (random_.below(2))
      joint.at = pose();
    else
      joint.in_a = pose(), joint.in_b = pose();
    if (random_.below(2) && joint.at) joint.at->rotation = math::rotation_with_z(vector(1));
    if (joint.type == JointType::kScrew) joint.pitch = 0.01 + std::abs(number());
    const model::JointKind& kind = model::joint_kind(joint.type);
    joint.velocity = list(kind.freedom, false);
    joint.stiffness = list(kind.freedom, true);
    joint.damping = list(kind.freedom, true);
    joint.rest = list(kind.freedom, false);
    joint.friction = list(kind.freedom, true);
    joint.armature = list(kind.freedom, true);
    if (kind.freedom == kind.position_size && random_.below(2)) {
      for (int c = 0; c < kind.freedom; ++c) joint.limits.push_back({-std::abs(number()), std::abs(number())});
    }
    if (random_.below(2)) joint.effort_limit = std::abs(number());
    joint.actuated = random_.below(2);
    joint.reaction_wanted = random_.below(2);
    joint.closure = random_.below(2);
    return joint;
  }

  void forces(ModelSpec& spec) {
    const std::string& body = spec.bodies[0].name;
    spec.forces.push_back({"s",
                           model::SpringSpec{model::kGround, body, vector(1), vector(1), random_.below(2) == 0, 3, 4,
                                             0.5, -1, std::array{0.1, 2.0}},
                           {}});
    spec.forces.push_back(
        {"",
         model::BushingSpec{
             model::kGround, body, pose(), random_.below(2) == 0, {1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}},
         {}});
    const auto t = *model::parse_expression("sin(2*pi*t) - 3");
    spec.forces.push_back({"",
                           model::LoadSpec{random_.below(2) == 0,
                                           "",
                                           body,
                                           vector(1),
                                           random_.below(2) == 0,
                                           {t, model::constant_expression(number()), t}},
                           {}});
    for (const model::JointSpec& joint : spec.joints) {
      const model::JointKind& kind = model::joint_kind(joint.type);
      if (kind.freedom == 1) spec.forces.push_back({"", model::MotionSpec{joint.name, random_.below(2) == 0, t}, {}});
      if (kind.freedom == 1) spec.couplings.push_back({"c", {joint.name}, {}, 0, {1, 2}, {}});
      spec.keyframes.push_back(
          {"k" + joint.name, {{joint.name, model::joint_position(joint.type, joint.pitch, pose())}}, {}});
    }
  }

  Random random_;
};

TEST(NativeWriter, RandomModelsSurviveTheRoundTrip) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const ModelSpec spec = RandomSpec(seed).make();
    const Result<Conversion> conversion = convert(spec, Format::kNative);
    if (!conversion) RC_FAIL(to_string(conversion.error()));
    for (const model::Difference& d : conversion->changes)
      RC_FAIL(d.element + " " + d.name + " " + d.field + ": " + d.before + " -> " + d.after);
    // What was read from what was written is written the same: not one bit has moved.
    const Result<ModelSpec> again = read_model_text(conversion->written.text, "again.yaml");
    RC_ASSERT(again.has_value());
    RC_ASSERT(write_model(*again, Format::kNative)->text == conversion->written.text);
  }));
}

}  // namespace
}  // namespace espalier::formats

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "espalier/base/numbers.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using Eigen::Vector3d;
using model::JointType;
using model::ModelSpec;

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

// Names with quotes and backslashes pass through the text of a formula.
TEST(NativeWriter, KeepsTheNamesInFormulas) {
  ModelSpec spec;
  const std::string text = "-5*v(\"it's\") + q('a\\b\"')";
  std::string last = model::kGround;
  for (const char* name : {"it's", "a\\b\""}) {
    model::BodySpec body;
    body.name = std::string("body of ") + name;
    body.mass = 1;
    body.inertia = Eigen::Matrix3d::Identity();
    model::JointSpec joint;
    joint.name = name;
    joint.a = last;
    joint.b = last = body.name;
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
  }
  model::LoadSpec load;
  load.torque = true;
  load.joint = "it's";
  load.value = {*model::parse_expression(text)};
  spec.forces.push_back({"", load, {}});
  const Result<WrittenModel> written = write_model(spec, Format::kNative);
  ASSERT_TRUE(written) << to_string(written.error());
  const Result<ModelSpec> again = read_model_text(written->text, "again.yaml");
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(std::get<model::LoadSpec>(again->forces.at(0).law).value.at(0).text, text);
}

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

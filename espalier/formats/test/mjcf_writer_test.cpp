#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <filesystem>
#include <random>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::Model;
using model::ModelSpec;

struct RoundTrip {
  std::string text;
  std::vector<std::string> notes;
  ModelSpec after;
  std::string differences;  // one a line; empty where nothing was lost
};

RoundTrip round_trip(const ModelSpec& spec) {
  RoundTrip trip;
  const Result<Model> before = model::compile(spec);
  const Result<WrittenModel> written = write_model(spec, Format::kMjcf);
  if (!before || !written) {
    trip.differences = to_string(before ? written.error() : before.error());
    return trip;
  }
  trip.text = written->text;
  trip.notes = written->notes;
  const Result<ModelSpec> again = read_model_text(written->text, "written.xml");
  if (!again) {
    trip.differences = to_string(again.error()) + "\n" + trip.text;
    return trip;
  }
  trip.after = *again;
  const Result<Model> after = model::compile(*again);
  if (!after) {
    trip.differences = to_string(after.error()) + "\n" + trip.text;
    return trip;
  }
  for (const model::Difference& d : model::find_differences(*before, *after)) {
    trip.differences += fmt::format("{} {} {}: {} -> {}\n", d.element, d.name, d.field, d.before, d.after);
  }
  return trip;
}

std::optional<std::string> shared(const std::string& path) {
  const std::string full = source_dir() + "/../shared/data/models/menagerie/" + path;
  return std::filesystem::exists(full) ? std::optional(full) : std::nullopt;
}

void expect_nothing_lost(const std::string& file) {
  const Result<ModelSpec> spec = read_model(file);
  ASSERT_TRUE(spec) << to_string(spec.error());
  const RoundTrip trip = round_trip(*spec);
  EXPECT_EQ(trip.differences, "");
  ASSERT_EQ(trip.after.keyframes.size(), spec->keyframes.size());
  EXPECT_EQ(trip.after.couplings.size(), spec->couplings.size());
}

TEST(MjcfWriter, CassieComesBackWhole) {
  const auto path = shared("agility_cassie/cassie.xml");
  if (!path) GTEST_SKIP() << "the shared robot models are not here";
  expect_nothing_lost(*path);
}

TEST(MjcfWriter, RobotiqComesBackWhole) {
  const auto path = shared("robotiq_2f85/2f85.xml");
  if (!path) GTEST_SKIP() << "the shared robot models are not here";
  expect_nothing_lost(*path);
}

// Draws the same numbers again for the same seed.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int index(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  Vector3d vector() { return {number(-1, 1), number(-1, 1), number(-1, 1)}; }
  math::Pose pose() { return {vector(), math::rotation_exp(2 * vector())}; }

 private:
  std::mt19937 engine_;
};

model::BodySpec make_body(const std::string& name, Draw& draw) {
  model::BodySpec body;
  body.name = name;
  body.mass = draw.number(0.1, 5);
  body.com = draw.vector();
  const Eigen::Matrix3d R = draw.pose().rotation.toRotationMatrix();
  body.inertia = R * Vector3d(2, 3, 4).asDiagonal() * R.transpose();
  body.pose = draw.pose();
  return body;
}

// Quaternions and free positions are left alone: ball joints count from the drawn pose in MJCF.
std::vector<double> draw_position(JointType type, Draw& draw) {
  const model::JointKind& kind = model::joint_kind(type);
  if (kind.position_size == kind.freedom) {
    std::vector<double> q;
    for (int k = 0; k < kind.freedom; ++k) q.push_back(draw.number(-1.4, 1.4));
    return q;
  }
  return model::joint_position(type, 0, {});
}

// A joint of this type that is closed in the drawn pose of the two bodies, at a position of its own.
JointSpec make_joint(const ModelSpec& spec, const std::string& name, JointType type, int a, int b, Draw& draw) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.pitch = type == JointType::kScrew ? 0.02 : 0;
  const auto pose = [&](int k) { return k < 0 ? math::Pose() : spec.bodies[to_index(k)].pose; };
  const auto body = [&](int k) {
    return k < 0 ? std::string("ground") : spec.bodies[to_index(k)].name;
  };
  joint.a = body(a);
  joint.b = body(b);
  const math::Pose X_WF = draw.pose();
  const math::Pose X_WM = X_WF * model::joint_pose(type, joint.pitch, draw_position(type, draw));
  joint.in_a = math::relative_pose(pose(a), X_WF);
  joint.in_b = math::relative_pose(pose(b), X_WM);
  const int freedom = model::joint_kind(type).freedom;
  const bool quaternion = model::joint_kind(type).position_size != freedom;
  if (freedom == 0 || type == JointType::kFree || draw.index(3) > 0) return joint;
  const double same = draw.number(0.1, 1);
  for (int k = 0; k < freedom; ++k) {
    joint.damping.push_back(same);
    joint.armature.push_back(same);
    if (quaternion) continue;
    joint.stiffness.push_back(draw.number(1, 2));
    joint.rest.push_back(draw.number(-1, 1));
    joint.limits.push_back({-2, draw.number(1.5, 3)});
  }
  if (freedom == 1) {
    joint.actuated = draw.index(2) == 0;
    joint.effort_limit = draw.number(1, 9);
  }
  return joint;
}

JointType type_number(int k) { return model::joint_kinds()[to_index(k)].type; }

ModelSpec pair_of_bodies(Draw& draw) {
  ModelSpec spec;
  spec.name = "pair";
  spec.bodies = {make_body("p", draw), make_body("q", draw)};
  return spec;
}

TEST(MjcfWriter, AllNineJointsComeBackFromTheTree) {
  for (int type = 0; type < 9; ++type) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      Draw draw(seed);
      ModelSpec spec = pair_of_bodies(draw);
      spec.joints.push_back(make_joint(spec, "root", JointType::kRevolute, -1, 0, draw));
      spec.joints.push_back(make_joint(spec, "j", type_number(type), 0, 1, draw));
      const RoundTrip trip = round_trip(spec);
      EXPECT_EQ(trip.differences, "") << model::joint_kind(type_number(type)).name << trip.text;
    }
  }
}

// The child holds F: axes are turned round in the file, and back again by the reader.
TEST(MjcfWriter, JointsSeenFromTheChildKeepTheirBodies) {
  for (int type = 0; type < 9; ++type) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      Draw draw(seed);
      ModelSpec spec = pair_of_bodies(draw);
      spec.joints.push_back(make_joint(spec, "root", JointType::kRevolute, -1, 0, draw));
      spec.joints.push_back(make_joint(spec, "j", type_number(type), 1, 0, draw));
      const RoundTrip trip = round_trip(spec);
      EXPECT_EQ(trip.differences, "") << model::joint_kind(type_number(type)).name << trip.text;
    }
  }
}

//  ground --R-- p --R-- q --any-- ground
TEST(MjcfWriter, AllNineJointsCloseALoop) {
  for (int type = 0; type < 9; ++type) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      Draw draw(seed);
      ModelSpec spec = pair_of_bodies(draw);
      spec.joints.push_back(make_joint(spec, "i", type_number(type), -1, 0, draw));
      spec.joints.push_back(make_joint(spec, "j", type_number(type), 0, 1, draw));
      spec.joints.push_back(make_joint(spec, "k", type_number(type), 1, -1, draw));
      const RoundTrip trip = round_trip(spec);
      EXPECT_EQ(trip.differences, "") << model::joint_kind(type_number(type)).name << trip.text;
    }
  }
}

TEST(MjcfWriter, RandomLoopsSurviveTheRoundTrip) {
  EXPECT_TRUE(rc::check("any graph of joints comes back from MJCF", [] {
    Draw draw(*rc::gen::arbitrary<unsigned>());
    ModelSpec spec;
    spec.name = "random";
    const int bodies = *rc::gen::inRange(1, 12);
    const int loops = *rc::gen::inRange(0, 6);
    for (int k = 0; k < bodies; ++k) {
      spec.bodies.push_back(make_body(fmt::format("b{}", k), draw));
      const int parent = draw.index(k + 1) - 1;
      const bool turned = draw.index(2) == 0;
      spec.joints.push_back(make_joint(spec, fmt::format("t{}", k), type_number(draw.index(9)), turned ? k : parent,
                                       turned ? parent : k, draw));
    }
    for (int k = 0; k < loops; ++k) {
      const int a = draw.index(bodies + 1) - 1;
      const int b = draw.index(bodies + 1) - 1;
      if (a == b) continue;
      spec.joints.push_back(make_joint(spec, fmt::format("c{}", k), type_number(draw.index(9)), a, b, draw));
      spec.joints.back().closure = true;
    }
    const RoundTrip trip = round_trip(spec);
    RC_ASSERT(trip.differences == "");
  }));
}

// Ball and hinge loops need no help: a connect, and two connects along the axis.
TEST(MjcfWriter, PlainLoopsAreConnectsAndWelds) {
  Draw draw(7);
  ModelSpec spec = pair_of_bodies(draw);
  for (model::BodySpec& body : spec.bodies) body.pose = {};
  const auto joint = [&](const char* name, JointType type, const char* a, const char* b, bool closure) {
    JointSpec made;
    made.name = name;
    made.type = type;
    made.a = a;
    made.b = b;
    made.at = draw.pose();
    made.closure = closure;
    spec.joints.push_back(made);
  };
  joint("i", JointType::kRevolute, "ground", "p", false);
  joint("j", JointType::kRevolute, "p", "q", false);
  joint("hinge", JointType::kRevolute, "q", "ground", true);
  const RoundTrip hinge = round_trip(spec);
  EXPECT_EQ(hinge.differences, "");
  EXPECT_NE(hinge.text.find("<connect name=\"hinge__2\""), std::string::npos);
  EXPECT_EQ(hinge.text.find("__half"), std::string::npos);
  spec.joints.back().type = JointType::kFixed;
  const RoundTrip weld = round_trip(spec);
  EXPECT_EQ(weld.differences, "");
  EXPECT_NE(weld.text.find("<weld name=\"hinge\""), std::string::npos);
  spec.joints.back().type = JointType::kSpherical;
  const RoundTrip ball = round_trip(spec);
  EXPECT_EQ(ball.differences, "");
  EXPECT_NE(ball.text.find("<connect name=\"hinge\""), std::string::npos);
}

TEST(MjcfWriter, AnOpenLoopStaysOpen) {
  Draw draw(3);
  ModelSpec spec = pair_of_bodies(draw);
  spec.joints.push_back(make_joint(spec, "i", JointType::kRevolute, -1, 0, draw));
  spec.joints.push_back(make_joint(spec, "j", JointType::kRevolute, 0, 1, draw));
  spec.joints.push_back(make_joint(spec, "k", JointType::kSpherical, 1, -1, draw));
  spec.joints.back().in_b.position += Vector3d(0.01, 0.02, 0);
  EXPECT_EQ(round_trip(spec).differences, "");
}

TEST(MjcfWriter, CouplingsAndKeyframesComeBack) {
  Draw draw(5);
  ModelSpec spec = pair_of_bodies(draw);
  spec.joints.push_back(make_joint(spec, "i", JointType::kRevolute, -1, 0, draw));
  spec.joints.push_back(make_joint(spec, "j", JointType::kPrismatic, 1, 0, draw));
  model::CouplingSpec linear;
  linear.name = "gear";
  linear.joints = {"i", "j"};
  linear.ratio = {2, -3};
  linear.offset = 0.25;
  model::CouplingSpec curved;
  curved.name = "cam";
  curved.joints = {"j", "i"};
  curved.polynomial = {0.1, 0.2, 0.3, 0.4, 0.5};
  model::CouplingSpec still;
  still.name = "still";
  still.joints = {"j"};
  still.ratio = {2};
  still.offset = 1;
  spec.couplings = {linear, curved, still};
  spec.keyframes.push_back({"home", {{"j", {0.3}}, {"i", {-0.2}}}, {}});
  EXPECT_EQ(round_trip(spec).differences, "");
}

TEST(MjcfWriter, KeyframesOfManyCoordinatesComeBack) {
  for (const int type : {2, 3, 4, 6}) {  // screw, universal, cylindrical, planar
    for (const bool turned : {false, true}) {
      Draw draw(static_cast<unsigned>(type));
      ModelSpec spec = pair_of_bodies(draw);
      spec.joints.push_back(make_joint(spec, "i", JointType::kRevolute, -1, 0, draw));
      spec.joints.push_back(make_joint(spec, "j", type_number(type), turned ? 1 : 0, turned ? 0 : 1, draw));
      spec.keyframes.push_back({"home", {{"j", draw_position(type_number(type), draw)}, {"i", {0.1}}}, {}});
      EXPECT_EQ(round_trip(spec).differences, "") << type;
    }
  }
}

TEST(MjcfWriter, ShapesKeepSizesRolesAndFriction) {
  Draw draw(9);
  ModelSpec spec = pair_of_bodies(draw);
  spec.joints.push_back(make_joint(spec, "i", JointType::kFixed, -1, 0, draw));
  spec.joints.push_back(make_joint(spec, "j", JointType::kFixed, 0, 1, draw));
  model::MaterialSpec rubber;
  rubber.name = "rubber";
  rubber.friction = 0.9;
  spec.materials.push_back(rubber);
  using enum model::ShapeKind;
  for (const model::ShapeKind kind : {kSphere, kBox, kCapsule, kCylinder, kEllipsoid, kHull, kMesh}) {
    model::ShapeSpec shape;
    shape.kind = kind;
    shape.size = kind == kSphere                         ? Vector3d(0.1, 0, 0)
                 : kind == kCapsule || kind == kCylinder ? Vector3d(0.1, 0.3, 0)
                 : kind == kHull || kind == kMesh        ? Vector3d::Zero()
                                                         : Vector3d(0.1, 0.2, 0.3);
    if (kind == kHull) shape.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (kind == kMesh) shape.file = "part.stl";
    if (kind == kMesh) shape.scale = {1, -1, 1};
    if (kind == kBox) shape.material = "rubber";
    shape.role = static_cast<model::ShapeRole>(static_cast<int>(kind) % 3);
    shape.pose = draw.pose();
    spec.bodies[1].shapes.push_back(shape);
  }
  EXPECT_EQ(round_trip(spec).differences, "");
}

TEST(MjcfWriter, APieceThatFloatsGetsAFreeJointAndANote) {
  Draw draw(4);
  ModelSpec spec = pair_of_bodies(draw);
  spec.joints.push_back(make_joint(spec, "j", JointType::kSpherical, 0, 1, draw));
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "joint p_free :  -> new\n");
  ASSERT_EQ(trip.notes.size(), 1u);
  EXPECT_EQ(trip.notes[0], "a body that floats gets a free joint to the world (body 'p', joint 'p_free')");
}

// A chain of hinges but for the joint of body number `fixed`; each body with a ball that reaches into the next.
ModelSpec chain_of_balls(int count, int fixed = -1) {
  Draw draw(1);
  ModelSpec spec;
  spec.name = "chain";
  model::ShapeSpec ball;
  ball.size = {1, 0, 0};
  for (int k = 0; k < count; ++k) {
    spec.bodies.push_back(make_body(fmt::format("b{}", k), draw));
    spec.bodies.back().shapes.push_back(ball);
    const JointType type = k == fixed ? JointType::kFixed : JointType::kRevolute;
    spec.joints.push_back(make_joint(spec, fmt::format("j{}", k), type, k - 1, k, draw));
  }
  return spec;
}

TEST(MjcfWriter, ShapesTouchOnlyWhereContactIsAskedFor) {
  const char* off = "<flag contact=\"disable\"/>";
  ModelSpec spec = chain_of_balls(2);
  const RoundTrip silent = round_trip(spec);
  EXPECT_EQ(silent.differences, "");
  EXPECT_NE(silent.text.find(off), std::string::npos) << silent.text;
  EXPECT_TRUE(silent.after.notes.empty());
  spec.contact.emplace();
  EXPECT_EQ(round_trip(spec).text.find(off), std::string::npos);
  spec.contact->on = false;
  EXPECT_NE(round_trip(spec).text.find(off), std::string::npos);
}

TEST(MjcfWriter, BodiesThatMuJoCoRefusesAreNamedOnce) {
  ModelSpec spec = chain_of_balls(6, 1);
  spec.bodies[0].mass = 0;
  for (const std::size_t k : {0u, 1u, 3u, 4u, 5u}) {
    spec.bodies[k].inertia.reset();
    spec.bodies[k].com = Vector3d::Zero();
    spec.bodies[k].kind = model::BodyKind::kPoint;
  }
  const RoundTrip trip = round_trip(spec);
  ASSERT_FALSE(trip.notes.empty()) << trip.differences;
  EXPECT_EQ(trip.notes.back(),
            "MuJoCo refuses moving bodies without mass or without rotational inertia (body 'b0', body 'b3', body 'b4' "
            "and 1 more)");
}

TEST(MjcfWriter, AFixedPartLendsItsInertia) {
  ModelSpec spec = chain_of_balls(2, 1);
  spec.bodies[0].mass = 0;
  spec.bodies[0].inertia.reset();
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "");
  for (const std::string& note : trip.notes) EXPECT_EQ(note.find("refuses"), std::string::npos) << note;
}

TEST(MjcfWriter, WhatHoldsForManyJointsIsSaidOnce) {
  ModelSpec spec = chain_of_balls(5);
  for (JointSpec& joint : spec.joints) {
    joint.effort_limit = 3;
    joint.actuated = false;
  }
  const RoundTrip trip = round_trip(spec);
  ASSERT_EQ(trip.notes.size(), 1u);
  EXPECT_EQ(trip.notes[0],
            "an effort limit is written as actuatorfrcrange, which MuJoCo 2.2 does not know yet (joint 'j0', joint "
            "'j1', joint 'j2' and 2 more)");
}

TEST(MjcfWriter, DustOfTurnedFramesIsNotWritten) {
  Draw draw(2);
  ModelSpec spec = pair_of_bodies(draw);
  spec.bodies.resize(1);
  spec.bodies[0].pose = {};
  JointSpec joint;
  joint.name = "j";
  joint.type = JointType::kRevolute;
  joint.a = "ground";
  joint.b = "p";
  joint.at = math::Pose{{1e-17, 2, 0}, math::rotation_exp(Vector3d(0, std::acos(-1.0) / 2, 0))};
  spec.joints.push_back(joint);
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.differences, "");
  EXPECT_NE(trip.text.find("pos=\"0 2 0\" axis=\"1 0 0\"/>"), std::string::npos) << trip.text;
}

}  // namespace
}  // namespace espalier::formats

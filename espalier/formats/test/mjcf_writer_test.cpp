#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/mjcf_round_trip.hpp"
#include "espalier/model/model.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;

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

}  // namespace
}  // namespace espalier::formats

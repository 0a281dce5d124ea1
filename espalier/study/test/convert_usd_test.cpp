// Which joints of a USD file stand outside the tree: the answer of `plan`.

#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/study/convert.hpp"
#include "espalier/study/plan.hpp"
#include "espalier/study/test/shipped.hpp"

namespace espalier::study {
namespace {

using model::JointType;

model::BodySpec bar(const std::string& name) {
  model::BodySpec body;
  body.name = name;
  body.mass = 1;
  body.inertia = Eigen::Matrix3d::Identity();
  return body;
}

//   left_2 --- rung_2 --- right_2     six rungs, one above the other: loop k runs through all
//      |                     |        sides up to k and over rung k, so that each loop lies in
//   left_1 --- rung_1 --- right_1     the next. A plate is welded to the first rung, twice.
//      |                     |
//   ===================== ground
model::ModelSpec tower() {
  model::ModelSpec spec;
  spec.name = "tower";
  const auto join = [&](const std::string& a, const std::string& b, JointType type, double x, double z) {
    model::JointSpec joint;
    joint.name = a + "_" + b;
    joint.type = type;
    joint.a = a;
    joint.b = b;
    joint.at = math::Pose{{x, 0, z}, Eigen::Quaterniond::Identity()};
    spec.joints.push_back(joint);
  };
  for (int k = 1; k <= 6; ++k) {
    const auto name = [](const char* part, int level) {
      return level == 0 ? std::string(model::kGround) : fmt::format("{}_{}", part, level);
    };
    for (const char* part : {"left", "rung", "right"}) spec.bodies.push_back(bar(name(part, k)));
    join(name("left", k - 1), name("left", k), JointType::kRevolute, 0, k - 1);
    join(name("right", k - 1), name("right", k), JointType::kUniversal, 1, k - 1);
    join(name("left", k), name("rung", k), JointType::kRevolute, 0, k);
    join(name("rung", k), name("right", k), JointType::kSpherical, 1, k);
  }
  spec.bodies.push_back(bar("plate"));
  join("rung_1", "plate", JointType::kFixed, 0.5, 1);
  join("plate", "rung_1", JointType::kFixed, 0.6, 1);
  return spec;
}

std::set<std::string> cut_by_plan(const LoadedModel& loaded) {
  std::set<std::string> names;
  const plan::Mechanism mechanism = plan::make_mechanism(loaded.model);
  const PlanAnswer answer = plan(loaded).value();
  for (const int edge : answer.plan.cut) {
    names.insert(loaded.model.joint(mechanism.joints[static_cast<std::size_t>(edge)]).name);
  }
  return names;
}

std::set<std::string> excluded(const model::Model& model) {
  std::set<std::string> names;
  for (const model::Joint& joint : model.joints) {
    if (joint.spec.closure) names.insert(joint.name);
  }
  return names;
}

LoadedModel through_usd(const LoadedModel& loaded) {
  const Result<ConvertAnswer> answer = convert(loaded, {.to = formats::Format::kUsd});
  EXPECT_TRUE(answer) << to_string(answer.error());
  EXPECT_TRUE(answer->conversion.changes.empty());
  return load_text(answer->conversion.written.text, "written.usda").value();
}

TEST(ConvertToUsd, ExcludesTheJointsThatThePlanCuts) {
  const LoadedModel loaded = load_spec(tower(), "tower").value();
  const std::set<std::string> cut = cut_by_plan(loaded);
  EXPECT_EQ(cut.size(), 6u);
  const LoadedModel once = through_usd(loaded);
  // Of the two welds one holds the plate; the other would close a loop of welds.
  std::set<std::string> expected = cut;
  expected.insert("plate_rung_1");
  EXPECT_EQ(excluded(once.model), expected);
  // Loops survive reading, writing and reading again.
  const LoadedModel twice = through_usd(once);
  EXPECT_EQ(twice.model.joints.size(), loaded.model.joints.size());
  EXPECT_EQ(cut_by_plan(twice), cut);
  EXPECT_EQ(excluded(twice.model), expected);
}

TEST(ConvertToUsd, LeavesASpanningTree) {
  const LoadedModel written = through_usd(load_spec(tower(), "tower").value());
  DisjointSets pieces(written.model.bodies.size());
  std::size_t kept = 0;
  for (const model::Joint& joint : written.model.joints) {
    if (joint.spec.closure) continue;
    EXPECT_TRUE(pieces.join(joint.a.value(), joint.b.value())) << joint.name << " closes a loop";
    ++kept;
  }
  EXPECT_EQ(kept, written.model.bodies.size() - 1);
}

TEST(ConvertToUsd, TellsWhichJointsItExcludes) {
  const ConvertAnswer answer = convert(shipped("four_bar"), {.to = formats::Format::kUsd}).value();
  const std::string& note = answer.conversion.written.notes.at(0);
  EXPECT_EQ(note, "excluded from the articulation, as `plan` cuts them: " + *cut_by_plan(shipped("four_bar")).begin());
}

}  // namespace
}  // namespace espalier::study

#include "espalier/dynamics/run_tree.hpp"

#include <array>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

using model::JointType;

math::Pose at(double x, double y, double z, const Eigen::Vector3d& axis) {
  return {{x, y, z}, Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), axis)};
}

model::BodySpec block(const std::string& name, const Eigen::Vector3d& position, double mass = 1) {
  model::BodySpec body = make_body(name, mass, {0.1, 0.05, -0.1}, mass * Eigen::Vector3d(0.02, 0.03, 0.04));
  body.pose.position = position;
  return body;
}

// A loop in space with freedom to spare; the joint under test is edge 0.
//
//   ground --X-- one --S-- two --U-- three --S-- ground
model::ModelSpec make_ring(JointType type) {
  model::ModelSpec spec;
  spec.gravity = {1, -2, -9.81};
  spec.bodies = {block("one", {0.3, 0, 0.1}), block("two", {0.8, 0.2, 0.3}), block("three", {0.6, 0.7, 0.2})};
  spec.joints = {make_joint("X", type, "ground", "one", at(0, 0, 0, {0.2, 0.1, 1})),
                 make_joint("Y", JointType::kSpherical, "one", "two", at(0.5, 0, 0.2, {0, 0, 1})),
                 make_joint("Z", JointType::kUniversal, "two", "three", at(0.9, 0.5, 0.3, {0.3, 1, 0})),
                 make_joint("V", JointType::kSpherical, "three", "ground", at(0.3, 0.9, 0, {0, 1, 0}))};
  if (type == JointType::kScrew) spec.joints[0].pitch = 0.2;
  return spec;
}

struct Cut {
  model::Model model;
  plan::Mechanism mechanism;
  plan::Plan plan;
  System system;
};

Cut cut_at(const model::ModelSpec& spec, const std::vector<int>& cut) {
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model) << model.error().message;
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  plan::PlanOptions options;
  options.cut = cut;
  const Result<plan::Plan> plan = plan::make_plan(plan::make_network(*model, mechanism, plan::Weights::kLiu), options);
  EXPECT_TRUE(plan) << plan.error().message;
  return {*model, mechanism, *plan, make_system(*model, mechanism, *plan)};
}

// Accelerations of all bodies at the drawn pose at rest.
Eigen::VectorXd accelerations(const System& system) {
  Workspace work(system);
  const std::vector<double> still(to_index(system.velocity_size()), 0);
  choose_rows(system, 0, system.drawn(), work);
  EXPECT_TRUE(evaluate(system, 0, system.drawn(), still, work));
  return body_accelerations(system, work);
}

// Poses of all bodies after a run.
Eigen::VectorXd run_poses(const System& system, double end) {
  Eigen::VectorXd poses;
  const model::Sink sink = [&](const model::Frame& frame) {
    poses =
        Eigen::Map<const Eigen::VectorXd>(frame.body_pose.data(), static_cast<Eigen::Index>(frame.body_pose.size()));
    for (Eigen::Index k = 3; k < poses.size(); k += 7) {
      if (poses[k] < 0) poses.segment<4>(k) *= -1;
    }
    return true;
  };
  SimulateOptions options;
  options.run.end_time = end;
  options.run.output_step = end;
  options.tolerance = 1e-10;
  const RunStatus status = simulate(system, start_run(system, drawn_state(system)), sink, options);
  EXPECT_EQ(status.outcome, model::Outcome::kDone) << status.message;
  return poses;
}

std::string error_of(const System& system) {
  const Result<std::vector<model::Note>> checked = check_laws(system);
  return checked ? "no error" : checked.error().message;
}

struct Law {
  const char* name;
  std::function<void(model::ModelSpec&, std::size_t)> add;  // to a joint of so many coordinates
  bool needs_angle;                                         // or needs the coordinate whatever it is
};

const std::vector<Law>& laws() {
  static const std::vector<Law> all = {
      {"armature", [](model::ModelSpec& spec, std::size_t f) { spec.joints[0].armature.assign(f, 0.7); }, false},
      {"spring",
       [](model::ModelSpec& spec, std::size_t f) {
         spec.joints[0].stiffness.assign(f, 30);
         spec.joints[0].rest.assign(f, f < 3 ? 5.0 : 0.4);
       },
       true},
      {"limits",
       [](model::ModelSpec& spec, std::size_t f) {
         spec.joints[0].limits.assign(f, {0.2, 9});
       },
       true},
      {"damping", [](model::ModelSpec& spec, std::size_t f) { spec.joints[0].damping.assign(f, 2); }, false},
  };
  return all;
}

bool turns_are_lost(JointType type) {
  return type == JointType::kRevolute || type == JointType::kUniversal || type == JointType::kCylindrical ||
         type == JointType::kPlanar;
}

constexpr JointType kMovable[] = {JointType::kRevolute,    JointType::kPrismatic, JointType::kScrew,
                                  JointType::kUniversal,   JointType::kSpherical, JointType::kPlanar,
                                  JointType::kCylindrical, JointType::kFree};

TEST(RunTree, EveryLawOfEveryJointActsTheSameWhereThePlanCutsIt) {
  for (const JointType type : kMovable) {
    for (const Law& law : laws()) {
      const bool unlimited = type == JointType::kSpherical || type == JointType::kFree;
      if (unlimited && law.name == std::string("limits")) continue;
      SCOPED_TRACE(std::string(model::joint_kind(type).name) + " " + law.name);
      model::ModelSpec spec = make_ring(type);
      law.add(spec, to_index(model::joint_kind(type).freedom));
      const Cut kept = cut_at(spec, {2}), cut = cut_at(spec, {0});
      const bool needs = law.name == std::string("armature") || (law.needs_angle && turns_are_lost(type));
      EXPECT_EQ(cut.system->link_of[0] >= 0, needs);
      EXPECT_EQ(error_of(cut.system), "no error");
      const Eigen::VectorXd wanted = accelerations(kept.system);
      EXPECT_LT((accelerations(cut.system) - wanted).norm(), 1e-9 * wanted.norm());
    }
  }
}

TEST(RunTree, MotionsWithArmatureAreTheSameOnEveryTree) {
  for (const JointType type : {JointType::kRevolute, JointType::kCylindrical, JointType::kSpherical}) {
    SCOPED_TRACE(model::joint_kind(type).name);
    model::ModelSpec spec = make_ring(type);
    laws()[0].add(spec, to_index(model::joint_kind(type).freedom));
    const Eigen::VectorXd wanted = run_poses(cut_at(spec, {2}).system, 0.4);
    EXPECT_LT((run_poses(cut_at(spec, {0}).system, 0.4) - wanted).norm(), 1e-7);
  }
}

TEST(RunTree, PlansWithoutNeedStayAsTheyAre) {
  for (const ReferenceModel& reference : reference_models()) {
    SCOPED_TRACE(reference.name);
    const Result<model::Model> model = model::compile(reference.spec);
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const RunTree tree = make_run_tree(*model, mechanism, *plan::make_plan(*model));
    EXPECT_TRUE(tree.kept.empty());
  }
}

TEST(RunTree, PlannerKeepsWhatLawsNeed) {
  model::ModelSpec spec = make_ring(JointType::kRevolute);
  spec.joints[1].armature = {1, 1, 1};
  const Cut cut = cut_at(spec, {});
  const plan::PlanOptions options = options_for_run(cut.model, cut.mechanism, {});
  EXPECT_EQ(options.pin, std::vector<int>{1});
  // All of them want to be kept: one is left over, and a body is cut for it.
  for (model::JointSpec& joint : spec.joints) {
    joint.armature.assign(to_index(model::joint_kind(joint.type).freedom), 1.0);
  }
  const Cut all = cut_at(spec, {});
  EXPECT_EQ(options_for_run(all.model, all.mechanism, {}).pin.size(), 3u);
  const RunTree tree = make_run_tree(all.model, all.mechanism, all.plan);
  ASSERT_EQ(tree.kept.size(), 1u);
  EXPECT_EQ(tree.plan.cut.size(), 0u);
  EXPECT_EQ(tree.plan.half_bodies.size(), 1u);
  EXPECT_NE(kept_text(all.model, tree.kept[0]).find("its armature needs its coordinate"), std::string::npos);
}

// A four-bar in the x-y plane whose links weigh what `mass` says.
//
//        B------C
//       /        |      A at the origin, D at (1, 0)
//      A         D
model::ModelSpec make_four_bar(const std::array<double, 3>& mass) {
  model::ModelSpec spec;
  spec.gravity = {0, -9.81, 0};
  spec.bodies = {block("crank", {0.1, 0.2, 0}, mass[0]), block("coupler", {0.6, 0.55, 0}, mass[1]),
                 block("rocker", {1.05, 0.4, 0}, mass[2])};
  const Eigen::Vector3d z(0, 0, 1);
  spec.joints = {make_joint("A", JointType::kRevolute, "ground", "crank", at(0, 0, 0, z)),
                 make_joint("B", JointType::kRevolute, "crank", "coupler", at(0.2, 0.35, 0, z)),
                 make_joint("C", JointType::kRevolute, "coupler", "rocker", at(1.1, 0.8, 0, z)),
                 make_joint("D", JointType::kRevolute, "ground", "rocker", at(1, 0, 0, z))};
  return spec;
}

TEST(RunTree, MasslessLinksRunOnEveryTree) {
  for (const auto& mass : {std::array<double, 3>{1, 0, 1.5}, std::array<double, 3>{0, 1, 1},
                           std::array<double, 3>{1, 1, 0}, std::array<double, 3>{0, 1, 0}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", mass[0], mass[1], mass[2]));
    // The massless link with hardly any mass instead.
    std::array<double, 3> heavier = mass;
    for (double& m : heavier) m = m == 0 ? 1e-9 : m;
    const Eigen::VectorXd wanted = accelerations(cut_at(make_four_bar(heavier), {}).system);
    for (const int edge : {0, 1, 2, 3}) {
      SCOPED_TRACE(edge);
      const Cut cut = cut_at(make_four_bar(mass), {edge});
      EXPECT_EQ(error_of(cut.system), "no error");
      EXPECT_LT((accelerations(cut.system) - wanted).norm(), 1e-6 * wanted.norm());
    }
  }
}

TEST(RunTree, PlannerLeavesMasslessLinksInsideBranches) {
  const Cut cut = cut_at(make_four_bar({1, 0, 1.5}), {});
  EXPECT_EQ(options_for_run(cut.model, cut.mechanism, {}).pin, (std::vector<int>{1, 2}));
  const Result<plan::Plan> plan = plan::make_plan(cut.plan.network, options_for_run(cut.model, cut.mechanism, {}));
  EXPECT_TRUE(make_run_tree(cut.model, cut.mechanism, *plan).kept.empty());
}

// Ball joints written as three hinges with two massless links between them, at both ends of a rod: the way of URDF.
//
//   ground =m=m= rod =m=m= ground, each = a hinge about another axis
model::ModelSpec make_ball_rod() {
  model::ModelSpec spec;
  spec.bodies = {block("m1", {0, 0, 0}, 0), block("m2", {0, 0, 0}, 0), block("rod", {0.5, 0, 0.1}),
                 block("m3", {1, 0, 0}, 0), block("m4", {1, 0, 0}, 0), block("arm", {1, 0.5, 0}),
                 block("base", {0, 0.5, 0})};
  const Eigen::Vector3d x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  const auto hinge = [&](const char* name, const char* a, const char* b, double at_x, const Eigen::Vector3d& axis) {
    spec.joints.push_back(make_joint(name, JointType::kRevolute, a, b, at(at_x, 0, 0, axis)));
  };
  hinge("h1", "arm", "m1", 0, x);
  hinge("h2", "m1", "m2", 0, y);
  hinge("h3", "m2", "rod", 0, z);
  hinge("h4", "rod", "m3", 1, x);
  hinge("h5", "m3", "m4", 1, y);
  hinge("h6", "m4", "base", 1, z);
  spec.joints.push_back(make_joint("left", JointType::kRevolute, "ground", "arm", at(0, 1, 0, x)));
  spec.joints.push_back(make_joint("right", JointType::kRevolute, "ground", "base", at(1, 1, 0, {0.1, 0, 1})));
  return spec;
}

TEST(RunTree, ThreeHingesForABallRunOnThePlansOfRuns) {
  const Cut any = cut_at(make_ball_rod(), {});
  const Result<plan::Plan> plan = plan::make_plan(any.plan.network, options_for_run(any.model, any.mechanism, {}));
  const System planned = make_system(any.model, any.mechanism, *plan);
  EXPECT_EQ(error_of(planned), "no error");
  const Eigen::VectorXd wanted = accelerations(planned);
  for (const int edge : {0, 2, 3, 5, 6, 7}) {
    SCOPED_TRACE(edge);
    const Cut cut = cut_at(make_ball_rod(), {edge});
    EXPECT_EQ(error_of(cut.system), "no error");
    EXPECT_LT((accelerations(cut.system) - wanted).norm(), 1e-8 * wanted.norm());
  }
}

// Between two massless links no body can be cut in two: the message says on which tree that is, and which one runs.
TEST(RunTree, CutsBetweenMasslessLinksNameTreeAndWayOut) {
  const std::string error = error_of(cut_at(make_ball_rod(), {1}).system);
  EXPECT_NE(error.find("hangs by joint 'h"), std::string::npos) << error;
  EXPECT_NE(error.find("in the tree that cuts 'h2'"), std::string::npos) << error;
  EXPECT_NE(error.find("can be computed"), std::string::npos) << error;
  EXPECT_EQ(error.find("that cuts 'h2' can be computed"), std::string::npos) << error;
}

}  // namespace
}  // namespace espalier::dynamics

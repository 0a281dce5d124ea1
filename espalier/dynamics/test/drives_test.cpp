#include "espalier/dynamics/drives.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

using model::JointType;

model::Expression expression(const std::string& text) { return *model::parse_expression(text); }

model::ForceSpec make_motion(const std::string& joint, const std::string& value, bool is_velocity = false) {
  return {"", model::MotionSpec{joint, is_velocity, expression(value)}, {}};
}

model::CouplingSpec make_coupling(std::vector<std::string> joints, std::vector<double> ratio, double offset = 0,
                                  std::vector<double> polynomial = {}) {
  return {"", std::move(joints), std::move(ratio), offset, std::move(polynomial), {}};
}

std::vector<std::string> single_joints(const model::ModelSpec& spec) {
  std::vector<std::string> names;
  for (const model::JointSpec& joint : spec.joints) {
    if (model::joint_kind(joint.type).freedom == 1) names.push_back(joint.name);
  }
  return names;
}

// Accelerations on four trees. False where the equations added no rank: they contradict the loops then, and which part
// of them wins is nobody's business.
bool compare_trees(const ReferenceModel& reference, const model::ModelSpec& driven, int drives) {
  const Result<model::Model> plain = model::compile(reference.spec);
  const Result<model::Model> model = model::compile(driven);
  EXPECT_TRUE(model) << model.error().message;
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
  Eigen::VectorXd expected;
  double scale = 0;
  for (std::uint32_t key = 0; key < 4; ++key) {
    const plan::Plan tree = random_plan(network, key);
    const System system = make_system(*model, mechanism, tree);
    Workspace work(system);
    std::vector<double> q, v;
    gather_state(system, reference.state, q, v);
    evaluate(system, 0.3, q, v, work);
    const Eigen::VectorXd found = body_accelerations(system, work.links);
    if (key == 0) {
      const System free = make_system(*plain, mechanism, tree);
      Workspace free_work(free);
      evaluate(free, 0.3, q, v, free_work);
      if (work.rank != free_work.rank + drives) return false;
      expected = found;
      scale = std::max(found.cwiseAbs().maxCoeff(), body_accelerations(free, free_work.links).cwiseAbs().maxCoeff());
    }
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-8 * scale) << "tree " << key;
  }
  return true;
}

TEST(Drives, MotionsActTheSameOnEveryTree) {
  int compared = 0;
  for (const std::filesystem::path& file : reference_files()) {
    const ReferenceModel reference = read_reference(file);
    const std::vector<std::string> names = single_joints(reference.spec);
    for (std::size_t j = 0; j < names.size(); j += 1 + names.size() / 3) {
      SCOPED_TRACE(reference.name + " " + names[j]);
      model::ModelSpec driven = reference.spec;
      driven.forces.push_back(make_motion(names[j], "sin(3*t)", j % 2 == 1));
      compared += compare_trees(reference, driven, 1) ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 20);
}

TEST(Drives, CouplingsActTheSameOnEveryTree) {
  int compared = 0;
  for (const std::filesystem::path& file : reference_files()) {
    const ReferenceModel reference = read_reference(file);
    const std::vector<std::string> names = single_joints(reference.spec);
    for (std::size_t j = 1; j < names.size(); j += 1 + names.size() / 3) {
      SCOPED_TRACE(reference.name + " " + names[j]);
      model::ModelSpec geared = reference.spec;
      geared.couplings.push_back(make_coupling({names[j - 1], names[j]}, {1, 2.5}, 0.1));
      compared += compare_trees(reference, geared, 1) ? 1 : 0;
      model::ModelSpec curved = reference.spec;
      curved.couplings.push_back(make_coupling({names[j - 1], names[j]}, {}, 0, {0.1, 0.5, 0.7, -0.3}));
      compared += compare_trees(reference, curved, 1) ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 20);
}

}  // namespace
}  // namespace espalier::dynamics

#include "espalier/dynamics/forces.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

using model::JointType;

// Springs, dampers, friction and limits on every coordinate; rest positions near where the joint stands, so that whole
// turns play no part, and limits that are broken every other time.
void add_random_laws(ReferenceModel& reference, Random& random) {
  for (std::size_t j = 0; j < reference.spec.joints.size(); ++j) {
    model::JointSpec& joint = reference.spec.joints[j];
    const auto f = static_cast<std::size_t>(model::joint_kind(joint.type).freedom);
    const bool turns = joint.type == JointType::kSpherical || joint.type == JointType::kFree;
    for (std::size_t k = 0; k < f; ++k) {
      const double q = turns ? 0 : reference.state.position[j][k];
      joint.stiffness.push_back(random.uniform(1, 20));
      joint.damping.push_back(random.uniform(0.1, 2));
      joint.rest.push_back(q + random.uniform(-0.5, 0.5));
      joint.friction.push_back(random.uniform(0, 1));
      if (turns) continue;
      const double low = q - random.uniform(-0.01, 0.5);
      joint.limits.push_back({low, low + random.uniform(0, 0.5)});
    }
  }
}

TEST(AddForces, LawsOfJointsActTheSameOnEveryTree) {
  for (const std::filesystem::path& file : reference_files()) {
    SCOPED_TRACE(file.stem().string());
    ReferenceModel reference = read_reference(file);
    Random random(3);
    add_random_laws(reference, random);
    const Result<model::Model> model = model::compile(reference.spec);
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    Eigen::VectorXd expected;
    LawEnergy energy;
    for (std::uint32_t key = 0; key < 6; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      Workspace work(system);
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      evaluate(system, 0, q, v, work);
      const Eigen::VectorXd found = body_accelerations(system, work.links);
      const LawEnergy held = law_energy(system, q, v, work.links);
      if (key == 0) {
        expected = found;
        energy = held;
      }
      EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-8 * expected.cwiseAbs().maxCoeff()) << "tree " << key;
      EXPECT_NEAR(held.stored, energy.stored, 1e-9 * energy.stored) << "tree " << key;
      EXPECT_NEAR(held.power, energy.power, 1e-9 * std::abs(energy.power)) << "tree " << key;
      EXPECT_NEAR(held.rate, energy.rate, 1e-8 * (std::abs(energy.rate) + std::abs(energy.power))) << "tree " << key;
    }
  }
}

}  // namespace
}  // namespace espalier::dynamics

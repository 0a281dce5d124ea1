#include "espalier/dynamics/evaluation.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/base/random.hpp"
#include "espalier/dynamics/dense.hpp"
#include "espalier/dynamics/forces.hpp"
#include "espalier/dynamics/test/random_trees.hpp"
#include "espalier/dynamics/test/reference_models.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::dynamics {
namespace {

constexpr int kTrees = 12;

// The kernel and the dense method share no formula but the joints' table.
TEST(Evaluate, AgreesWithDenseMatricesOnEveryTree) {
  for (const std::filesystem::path& file : reference_files()) {
    SCOPED_TRACE(file.stem().string());
    const ReferenceModel reference = read_reference(file);
    const Result<model::Model> model = model::compile(reference.spec);
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    double worst = 0;
    int left_out = 0;
    for (std::uint32_t key = 0; key < kTrees; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      DenseWorkspace dense(system);
      update_kinematics(system, 0, q, v, dense);
      Eigen::VectorXd effort = Eigen::VectorXd::Zero(system.velocity_size);
      add_forces(system, 0, q, v, dense.links, effort);
      update_bias(system, dense);
      update_mass_matrix(system, dense);
      solve_accelerations(system, effort, 1e-6, dense);
      Workspace work(system);
      EXPECT_TRUE(evaluate(system, 0, q, v, work));
      left_out = static_cast<int>(std::count(work.dropped.begin(), work.dropped.end(), true));
      EXPECT_EQ(system.rows - left_out, dense.rank) << "tree " << key;
      update_links(system, work);
      double largest = 0, error = 0;
      for (std::size_t i = 1; i < system.links.size(); ++i) {
        largest = std::max(largest, dense.links.acceleration[i].norm());
        error = std::max(error, (dense.links.acceleration[i] - work.links.acceleration[i]).norm());
      }
      worst = std::max(worst, error / std::max(largest, 1e-30));
    }
    std::printf("%-34s %.1e  %d rows left out\n", reference.name.c_str(), worst, left_out);
    EXPECT_LT(worst, 1e-9);
  }
}

}  // namespace
}  // namespace espalier::dynamics

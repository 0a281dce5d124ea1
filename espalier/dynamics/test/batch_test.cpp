#include "espalier/dynamics/evaluation.hpp"

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/detail/kernel.hpp"
#include "espalier/dynamics/test/random_trees.hpp"
#include "espalier/dynamics/test/reference_models.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::dynamics {
namespace {

// Eight states near the reference's own, loops a little open, evaluated at once and one by one.
TEST(EvaluateBatch, GivesTheBitsOfSingleStates) {
  for (const std::filesystem::path& file : reference_files()) {
    SCOPED_TRACE(file.stem().string());
    const ReferenceModel reference = read_reference(file);
    const Result<model::Model> model = model::compile(reference.spec);
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    for (std::uint32_t key = 0; key < 3; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      Workspace single(system);
      evaluate(system, 0, q, v, single);
      BatchWorkspace batch(system, single.dropped());
      std::vector<Lanes> all_q(q.size()), all_v(v.size()), expected(v.size());
      Lanes time;
      Random random(3, key);
      for (int lane = 0; lane < kBatch; ++lane) {
        std::vector<double> lane_q = q, lane_v = v;
        for (double& number : lane_q) number += random.uniform(-1e-3, 1e-3);
        for (double& number : lane_v) number += random.uniform(-1, 1);
        set_lane(lane_q, lane, all_q);
        set_lane(lane_v, lane, all_v);
        time.of[to_index(lane)] = 0.3 + 0.1 * lane;
        evaluate(system, time.of[to_index(lane)], lane_q, lane_v, single);
        set_lane({single.qdd().data(), v.size()}, lane, expected);
      }
      EXPECT_TRUE(evaluate_batch(system, time, all_q, all_v, batch));
      for (std::size_t k = 0; k < v.size(); ++k) EXPECT_EQ(batch.qdd()[k].of, expected[k].of) << "tree " << key;
    }
  }
}

}  // namespace
}  // namespace espalier::dynamics

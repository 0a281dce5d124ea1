#include "espalier/dynamics/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/detail/dense.hpp"
#include "espalier/dynamics/detail/forces.hpp"
#include "espalier/dynamics/detail/program.hpp"
#include "espalier/dynamics/test/random_trees.hpp"
#include "espalier/dynamics/test/reference_models.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/schedule.hpp"

namespace espalier::dynamics {
namespace {

using detail::add_forces;
using detail::DenseWorkspace;
using detail::solve_accelerations;
using detail::update_bias;
using detail::update_mass_matrix;

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
      Eigen::VectorXd effort = Eigen::VectorXd::Zero(system.velocity_size());
      add_forces(system, 0, q, v, dense.links, effort);
      update_bias(system, dense);
      update_mass_matrix(system, dense);
      solve_accelerations(system, effort, 1e-6, dense);
      Workspace work(system);
      EXPECT_TRUE(evaluate(system, 0, q, v, work));
      left_out = static_cast<int>(std::count(work.dropped().begin(), work.dropped().end(), true));
      EXPECT_EQ(system.rows() - left_out, dense.rank) << "tree " << key;
      update_links(system, work);
      double largest = 0, error = 0;
      for (std::size_t i = 1; i < system.links().size(); ++i) {
        largest = std::max(largest, dense.links.acceleration[i].norm());
        error = std::max(error, (dense.links.acceleration[i] - work.links().acceleration[i]).norm());
      }
      worst = std::max(worst, error / std::max(largest, 1e-30));
    }
    std::printf("%-34s %.1e  %d rows left out\n", reference.name.c_str(), worst, left_out);
    EXPECT_LT(worst, 1e-9);
  }
}

// The ladder of generate_ladder swings as one pendulum:
//   L [(N+1) m/3 + N M] a'' = -g [(N+1) m/2 + N M] sin a
// Here from the accelerations of all links at rest: every crank's is the same, whatever parts the world is divided
// into.
System long_ladder(int loops) {
  const Result<model::Model> model = model::compile(*model::generate_ladder(loops));
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
  plan::PlanOptions options;
  options.method = plan::Method::kBfs;
  return make_system(*model, mechanism, *plan::make_plan(network, options));
}

TEST(Evaluate, LongLadderSwingsAsOneBody) {
  const System small = long_ladder(20);
  const System large = long_ladder(700);
  Workspace few(small), many(large);
  ASSERT_TRUE(evaluate(small, 0, small.drawn(), small.drawn_rate(), few));
  ASSERT_TRUE(evaluate(large, 0, large.drawn(), large.drawn_rate(), many));
  EXPECT_GT(sharing(large, many).tasks, 10);
  EXPECT_EQ(sharing(small, few).tasks, 2);
  update_links(large, many);
  double crank = 0;
  for (std::size_t i = 1; i < large.links().size(); ++i) {
    const double turn = many.links().acceleration[i].head<3>().norm();
    if (large.links()[i].parent == 0 && crank == 0) crank = turn;
    EXPECT_NEAR(turn, large.links()[i].parent == 0 ? crank : 0, 1e-9 * crank) << "link " << i;
  }
  EXPECT_GT(crank, 0.1);
}

System large_tree() {
  const Result<model::Model> model = model::compile(*model::generate_tree(11));
  return make_system(*model, plan::make_mechanism(*model), *plan::make_plan(*model));
}

// Tasks count themselves while they run: each of the plan once a pass, and on its level.
TEST(Evaluate, RunsTheTasksThatWerePlannedOncePerPass) {
  constexpr int kEvaluations = 5;
  for (const System& system : {large_tree(), long_ladder(2000)}) {
    Workspace work(system);
    use_threads(system, 3, work);
    // The first one chooses rows, with passes of its own.
    evaluate(system, 0, system.drawn(), system.drawn_rate(), work);
    const std::int64_t before = sharing(system, work).passes;
    for (int k = 0; k < kEvaluations; ++k) evaluate(system, 0, system.drawn(), system.drawn_rate(), work);
    const Sharing found = sharing(system, work);
    EXPECT_TRUE(found.shared);
    EXPECT_GT(found.tasks, 20);
    EXPECT_EQ(found.passes - before, 3 * kEvaluations);
    EXPECT_EQ(found.tasks_run, found.passes * found.tasks);
    EXPECT_EQ(found.levels_run, found.levels);
    EXPECT_GT(found.speed_up, 1.5);
    EXPECT_LE(found.speed_up, 3);
  }
}

// Where the world is not divided, the tasks together are the work that the plan counts.
TEST(Evaluate, DoesTheWorkThatThePlanCounts) {
  for (const Result<model::ModelSpec>& spec : {model::generate_tree(7), model::generate_ladder(20)}) {
    const Result<model::Model> model = model::compile(*spec);
    const plan::Plan plan = *plan::make_plan(*model);
    const System system = make_system(*model, plan::make_mechanism(*model), plan);
    Workspace work(system);
    evaluate(system, 0, system.drawn(), system.drawn_rate(), work);
    const detail::Program program = detail::make_program(system, work.dropped());
    plan::WorkCount sum;
    for (const plan::Task& task : program.task_tree.tasks) sum += detail::count_work(program, task.begin, task.end);
    const plan::WorkCount planned = plan::count_work(plan);
    for (std::size_t k = 0; k < plan::kWorkKinds; ++k)
      EXPECT_DOUBLE_EQ(sum.amount[k], planned.amount[k]) << plan::work_names()[k];
  }
}

TEST(Evaluate, ThreadsChooseTheSameRows) {
  const System system = long_ladder(700);
  Workspace one(system);
  evaluate(system, 0, system.drawn(), system.drawn_rate(), one);
  EXPECT_TRUE(std::find(one.dropped().begin(), one.dropped().end(), true) != one.dropped().end());
  for (int repeat = 0; repeat < 20; ++repeat) {
    Workspace several(system);
    use_threads(system, 3, several);
    evaluate(system, 0, system.drawn(), system.drawn_rate(), several);
    ASSERT_EQ(one.dropped(), several.dropped());
    ASSERT_EQ(one.qdd(), several.qdd());
    EXPECT_TRUE(sharing(system, several).shared);
  }
}

TEST(Evaluate, ThreadsChangeNoBit) {
  const System system = long_ladder(700);
  Workspace one(system), several(system);
  use_threads(system, 3, several);
  EXPECT_TRUE(sharing(system, several).shared);
  EXPECT_FALSE(sharing(system, one).shared);
  std::vector<double> v = system.drawn_rate();
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = std::sin(static_cast<double>(k));
  for (int repeat = 0; repeat < 20; ++repeat) {
    project_velocities(system, 0, system.drawn(), v, one);
    evaluate(system, 0, system.drawn(), v, one);
    evaluate(system, 0, system.drawn(), v, several);
    ASSERT_EQ(one.qdd(), several.qdd());
    ASSERT_EQ(one.lambda(), several.lambda());
    v[to_index(repeat)] += 0.1;
  }
}

}  // namespace
}  // namespace espalier::dynamics

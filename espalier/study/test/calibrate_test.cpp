#include "espalier/study/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/plan/schedule.hpp"

namespace espalier::study {
namespace {

// The prediction leaves three equations of a planar loop out; the solver finds out by itself.
TEST(CalibrationTrees, HaveAsManyIndependentEquationsAsCounted) {
  for (const CalibrationTree& tree : calibration_trees()) {
    const dynamics::System system = dynamics::make_system(tree.model, plan::make_mechanism(tree.model), tree.plan);
    dynamics::Workspace work(system);
    const std::vector<double> rest(to_index(system.velocity_size()), 0.0);
    ASSERT_TRUE(dynamics::evaluate(system, 0, system.drawn(), rest, work)) << tree.name;
    const auto dropped = std::count(work.dropped().begin(), work.dropped().end(), true);
    EXPECT_EQ(system.rows() - dropped, plan::count_work(tree.plan)[plan::Work::kRow]) << tree.name;
    EXPECT_EQ(system.links().size() - 1, plan::count_work(tree.plan)[plan::Work::kJoint]) << tree.name;
    EXPECT_EQ(system.velocity_size(), plan::count_work(tree.plan)[plan::Work::kCoordinate]) << tree.name;
  }
}

std::vector<TreeTiming> made_up_timings(const plan::MachineConstants& machine) {
  std::vector<TreeTiming> timings;
  for (const CalibrationTree& tree : calibration_trees()) {
    const plan::WorkCount work = plan::count_work(tree.plan);
    timings.push_back({tree.name, work, plan::time_of(work, machine), 0});
  }
  return timings;
}

// The trees tell all nine constants apart.
TEST(FitMachine, FindsTheConstantsOfExactTimes) {
  plan::MachineConstants machine;
  machine.seconds = {70e-9, 11e-9, 33e-9, 7e-9, 5e-9, 3e-9, 0.9e-9, 0.7e-9, 21e-9};
  const Calibration found = fit_machine(made_up_timings(machine));
  for (std::size_t k = 0; k < plan::kWorkKinds; ++k)
    EXPECT_NEAR(found.machine.seconds[k], machine.seconds[k], 1e-3 * machine.seconds[k]) << plan::work_names()[k];
  EXPECT_LT(found.largest_error, 1e-6);
}

// Two families of two sizes each, by two methods. 10 s for a joint and 1 s for its coordinate are a level of 11 s; a
// row takes 1 s. From 7 to 17 equations the good trees have 20 and 30 rows more, the bad ones 200: b is 2 and 3, or 20.
TEST(FitMachine, SuggestsABetaFromWhatEquationsTake) {
  std::vector<TreeTiming> timings;
  const auto add = [&](const std::string& family, double joints, double coordinates, double rows, int equations) {
    TreeTiming timing;
    timing.family = family;
    timing.work[plan::Work::kJoint] = joints;
    timing.work[plan::Work::kCoordinate] = coordinates;
    timing.work[plan::Work::kRow] = rows;
    timing.seconds = 10 * joints + coordinates + rows;
    timing.equations = equations;
    timings.push_back(timing);
  };
  add("", 4, 9, 0, 4);
  add("", 2, 30, 0, 2);
  add("a, bfs", 3, 4, 5, 7);
  add("a, dfs", 3, 5, 6, 7);
  add("b, bfs", 3, 3, 5, 7);
  add("a, bfs", 6, 9, 25, 17);
  add("a, dfs", 6, 8, 206, 17);
  add("b, bfs", 6, 7, 35, 17);
  const Calibration found = fit_machine(timings);
  ASSERT_TRUE(found.beta);
  EXPECT_NEAR(found.beta->level_seconds, 11, 1e-3);
  EXPECT_NEAR(found.beta->equation_seconds, 3, 1e-3);
  EXPECT_NEAR(found.beta->value, 6.0 / 11, 1e-3);
  EXPECT_NEAR(found.beta->least, 4.0 / 11, 1e-3);
  EXPECT_NEAR(found.beta->most, 40.0 / 11, 1e-3);
  EXPECT_FALSE(fit_machine({timings[0], timings[1]}).beta);
}

TEST(FitMachine, GivesNoConstantBelowZero) {
  std::vector<TreeTiming> timings = made_up_timings({});
  // Times that no constants explain: loops that cost less than nothing.
  for (TreeTiming& timing : timings) timing.seconds /= 1 + timing.work[plan::Work::kLoop];
  const Calibration found = fit_machine(timings);
  EXPECT_GE(*std::min_element(found.machine.seconds.begin(), found.machine.seconds.end()), 0);
  EXPECT_GT(found.largest_error, found.typical_error);
  EXPECT_GT(found.typical_error, 0.01);
  for (const TreeTiming& timing : found.timings)
    EXPECT_LE(std::abs(timing.predicted / timing.seconds - 1), found.largest_error);
}

TEST(Calibrate, MeasuresEveryTree) {
  const Calibration found = calibrate({.seconds = 1e-4});
  EXPECT_EQ(found.timings.size(), calibration_trees().size());
  for (const TreeTiming& timing : found.timings) EXPECT_GT(timing.seconds, 0) << timing.name;
  EXPECT_GT(found.machine[plan::Work::kJoint] + found.machine[plan::Work::kCoordinate], 0);
}

}  // namespace
}  // namespace espalier::study

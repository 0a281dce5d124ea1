#include "espalier/study/calibrate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include <Eigen/Core>
#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/plan/schedule.hpp"

namespace espalier::study {
namespace {

using model::JointType;
using model::LadderKind;
using plan::kWorkKinds;
using plan::Method;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void add_trees(std::vector<CalibrationTree>& trees, const std::string& name, const Result<model::ModelSpec>& spec,
               const std::vector<Method>& methods, const std::string& family = "") {
  // Our own models: whatever fails here is a mistake of this program and none of the user.
  ESPALIER_CHECK(spec.has_value(), "generated models of calibration exist");
  const Result<model::Model> model = model::compile(*spec);
  ESPALIER_CHECK(model.has_value(), "generated models of calibration are correct");
  for (const Method method : methods) {
    plan::PlanOptions options;
    options.method = method;
    Result<plan::Plan> plan = plan::make_plan(*model, options);
    ESPALIER_CHECK(plan.has_value(), "generated models of calibration can be planned");
    trees.push_back({fmt::format("{}, {}", name, to_string(method)), *model, *std::move(plan),
                     family.empty() ? "" : fmt::format("{}, {}", family, to_string(method))});
  }
}

// Minimises |A x - b| for x >= 0, one unknown after the other. The columns are scaled to length one, and there are few
// of them, so that the many rounds cost nothing.
Eigen::VectorXd solve_nonnegative(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  constexpr int kRounds = 200'000;
  Eigen::VectorXd scale = A.colwise().norm();
  // A kind of work that no tree has is a column of zeros.
  for (double& s : scale) s = s > 0 ? s : 1;
  const Eigen::MatrixXd scaled = A * scale.cwiseInverse().asDiagonal();
  // Normal equations are good enough: constants are known to some percent, however they are solved.
  const Eigen::MatrixXd normal = scaled.transpose() * scaled;
  const Eigen::VectorXd right = scaled.transpose() * b;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(A.cols());
  for (int round = 0; round < kRounds; ++round) {
    double change = 0;
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      // Such a constant stays 0: these timings say nothing about it.
      if (normal(k, k) == 0) continue;
      // The minimum along one unknown, cut off at 0: each step makes the sum of squares smaller, so that it converges.
      const double next = std::max(0.0, x[k] + (right[k] - normal.row(k).dot(x)) / normal(k, k));
      change = std::max(change, std::abs(next - x[k]));
      x[k] = next;
    }
    if (change <= 1e-14 * x.cwiseAbs().maxCoeff()) break;
  }
  return x.cwiseQuotient(scale);
}

// The part of S2: all that a tree without loops would not take.
double loop_seconds(plan::WorkCount work, const plan::MachineConstants& machine) {
  for (const plan::Work part : {plan::Work::kJoint, plan::Work::kCoordinate}) work[part] = 0;
  return plan::time_of(work, machine);
}

// What one equation more takes from one size of a family to the next, family by family.
std::map<std::string, std::vector<double>> equation_times(const Calibration& found) {
  std::map<std::string, const TreeTiming*> last;
  std::map<std::string, std::vector<double>> times;
  for (const TreeTiming& timing : found.timings) {
    if (timing.family.empty()) continue;
    const TreeTiming*& before = last[timing.family];
    if (before != nullptr && timing.equations != before->equations) {
      // As predicted and not as measured: the difference of two noisy times is noise.
      times[timing.family].push_back(
          (loop_seconds(timing.work, found.machine) - loop_seconds(before->work, found.machine)) /
          (timing.equations - before->equations));
    }
    before = &timing;
  }
  return times;
}

// The least time of all methods on each mechanism, size by size: a plan takes the better tree.
std::vector<double> times_of_best(const std::map<std::string, std::vector<double>>& times) {
  std::map<std::pair<std::string, std::size_t>, double> best;
  for (const auto& [family, list] : times) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      // The method stands behind the comma.
      const auto [at, is_new] = best.emplace(std::pair(family.substr(0, family.find(',')), k), list[k]);
      if (!is_new) at->second = std::min(at->second, list[k]);
    }
  }
  std::vector<double> values;
  for (const auto& [key, value] : best) values.push_back(value);
  std::sort(values.begin(), values.end());
  return values;
}

std::optional<BetaRange> suggest_beta(const Calibration& found) {
  const std::map<std::string, std::vector<double>> times = equation_times(found);
  const double level = found.machine[plan::Work::kJoint] + found.machine[plan::Work::kCoordinate];
  if (times.empty() || !(level > 0)) return std::nullopt;
  const std::vector<double> best = times_of_best(times);
  BetaRange beta;
  beta.level_seconds = level;
  beta.equation_seconds = best[best.size() / 2];
  beta.value = 2 * beta.equation_seconds / level;
  beta.least = std::numeric_limits<double>::infinity();
  for (const auto& [family, list] : times) {
    for (const double b : list) {
      beta.least = std::min(beta.least, 2 * b / level);
      beta.most = std::max(beta.most, 2 * b / level);
    }
  }
  return beta;
}

// Half a round trip between two threads that spin on each other's word [s]. No value on a machine so busy that the two
// never ran side by side: then each trip waits for the scheduler.
std::optional<double> time_synchronisation(double budget) {
  // A batch of trips is long for the clock; the time limit lies far above a trip and far below a time slice.
  constexpr int kTrips = 10;
  constexpr double kTookTurns = 20e-6;
  std::atomic<int> word = 0;  // even: ours, odd: the other's, negative: the end
  // Spins like the worker threads of an evaluation, which never sleep between two tasks.
  std::thread other([&] {
    for (int seen = word.load(); seen >= 0; seen = word.load()) {
      if (seen % 2 == 1) word.store(seen + 1);
    }
  });
  double best = std::numeric_limits<double>::infinity();
  int next = 0;
  for (const Clock::time_point start = Clock::now(); seconds_since(start) < budget;) {
    const Clock::time_point batch = Clock::now();
    for (int trip = 0; trip < kTrips; ++trip, next += 2) {
      word.store(next + 1);
      while (word.load() != next + 2) {
      }
    }
    best = std::min(best, seconds_since(batch) / (2 * kTrips));
    // Far from the largest integer, whatever the machine.
    if (next > 1'000'000'000) break;
  }
  // Negative numbers end the other's loop, whatever it has seen last.
  word.store(-1);
  other.join();
  return best < kTookTurns ? std::optional(best) : std::nullopt;
}

}  // namespace

// The trees must tell the kinds of work apart: rows differ in coordinates per joint, ladders in loops, and methods in
// how long the branches of the same mechanism are.
std::vector<CalibrationTree> calibration_trees() {
  std::vector<CalibrationTree> trees;
  // A mechanism without loops has one tree, whatever the method.
  const std::vector<Method> one = {Method::kBfs};
  const std::vector<Method> several = {Method::kBfs, Method::kDfs, Method::kPrim};
  // Short and long: the fixed cost of an evaluation shows beside that of a joint.
  for (const int bodies : {8, 40, 120})
    add_trees(trees, fmt::format("chain {}", bodies), model::generate_chain(bodies), one);
  add_trees(trees, "tree 6", model::generate_tree(6), one);
  // In a row, so that nothing changes but the coordinates of a joint.
  for (const JointType type : {JointType::kPrismatic, JointType::kUniversal, JointType::kCylindrical,
                               JointType::kSpherical, JointType::kPlanar, JointType::kFree}) {
    add_trees(trees, fmt::format("row of {}", model::joint_kind(type).name), model::generate_lattice(1, 30, type), one);
  }
  // Few and many loops, nested and side by side: their cost grows with what is open at a time.
  for (const int loops : {1, 4, 12, 40}) {
    add_trees(trees, fmt::format("ladder {}", loops), model::generate_ladder(loops), several, "ladder");
    add_trees(trees, fmt::format("spatial ladder {}", loops), model::generate_ladder(loops, LadderKind::kSpatial),
              several, "spatial ladder");
  }
  for (const int pairs : {1, 3})
    add_trees(trees, fmt::format("strandbeest {}", pairs), model::generate_strandbeest(pairs), several, "strandbeest");
  return trees;
}

double time_evaluation(const CalibrationTree& tree, double budget) {
  // Outside of what is timed, as in a run.
  const dynamics::System system = dynamics::make_system(tree.model, plan::make_mechanism(tree.model), tree.plan);
  dynamics::Workspace work(system);
  const std::vector<double> rest(to_index(system.velocity_size()), 0.0);
  // At rest in the drawn pose, since the work does not depend on the numbers.
  const auto run = [&](int times) {
    const Clock::time_point start = Clock::now();
    for (int k = 0; k < times; ++k) {
      ESPALIER_CHECK(dynamics::evaluate(system, 0, system.drawn(), rest, work),
                     "every joint of a tree moves some mass");
    }
    return seconds_since(start) / times;
  };
  // The first one chooses the independent rows. A batch is long for the clock and short for what may interrupt it.
  run(2);
  const int times = std::max(1, static_cast<int>(20e-6 / run(3)));
  // The least of many: whatever interrupts a batch makes it longer.
  double best = std::numeric_limits<double>::infinity();
  for (const Clock::time_point start = Clock::now(); seconds_since(start) < budget;) best = std::min(best, run(times));
  return best;
}

// (1) Equations: what each tree consists of; (2) the constants; (3) how well they predict what was measured;
// (4) the beta of L + beta W that they stand for.
Calibration fit_machine(std::vector<TreeTiming> timings) {
  Eigen::MatrixXd parts(static_cast<Eigen::Index>(timings.size()), static_cast<Eigen::Index>(kWorkKinds));
  // (1) Rows are divided by the times measured: relative errors are made small, and long chains do not outweigh short
  // ones.
  for (std::size_t row = 0; row < timings.size(); ++row) {
    for (std::size_t k = 0; k < kWorkKinds; ++k)
      parts(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(k)) =
          timings[row].work.amount[k] / timings[row].seconds;
  }
  // (2) Right sides are all 1, since each row is divided by its own time.
  const Eigen::VectorXd constants = solve_nonnegative(parts, Eigen::VectorXd::Ones(parts.rows()));
  Calibration result;
  std::copy(constants.begin(), constants.end(), result.machine.seconds.begin());
  // (3) On the same trees: nine constants for forty times leave room to be wrong.
  double squares = 0;
  for (TreeTiming& timing : timings) {
    timing.predicted = plan::time_of(timing.work, result.machine);
    const double error = std::abs(timing.predicted / timing.seconds - 1);
    squares += error * error;
    result.largest_error = std::max(result.largest_error, error);
  }
  result.typical_error = std::sqrt(squares / static_cast<double>(timings.size()));
  result.timings = std::move(timings);
  // (4) What a unit of weight is worth in levels.
  result.beta = suggest_beta(result);
  return result;
}

Calibration calibrate(const CalibrateOptions& options) {
  std::vector<TreeTiming> timings;
  for (const CalibrationTree& tree : calibration_trees())
    timings.push_back({tree.name, plan::count_work(tree.plan), time_evaluation(tree, options.seconds), 0, tree.family,
                       tree.plan.equations.value_or(0)});
  // The cost of handing over is measured and not fitted: these evaluations run on one thread.
  Calibration result = fit_machine(std::move(timings));
  // With one core the two threads would only wait for each other.
  if (std::thread::hardware_concurrency() < 2) return result;
  result.machine.synchronisation = time_synchronisation(options.seconds).value_or(result.machine.synchronisation);
  return result;
}

}  // namespace espalier::study

// Question: what does the planned tree gain over others, and does the predicted time rank trees as the clock does?
//   planned  plan::make_plan as it comes
//   timed    the same with the predicted time as its objective
//   bfs, dfs the first breadth-first and depth-first tree
//   random   20 trees, joints cut in random order; the table shows the slowest
// Each tree is evaluated in the drawn state, all trees of a model in turns. Times are the least of all passes [us],
// ratios are to the planned tree; `rank` is Spearman's correlation between predicted and measured time over all trees.
// Usage: plan_pays [CSV [PART]]: only models whose name holds PART.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bench/models.hpp"
#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/plan/schedule.hpp"

namespace {

namespace formats = espalier::formats;
namespace dynamics = espalier::dynamics;
namespace model = espalier::model;
namespace plan = espalier::plan;
using bench::need;
using plan::Method;
using plan::Objective;

constexpr int kNamedTrees = 4;  // planned, timed, bfs, dfs; random ones follow
constexpr int kRandomTrees = 20;
constexpr double kBudget = 0.1;  // [s] a tree
constexpr double kClosed = 1e-10;

struct Mechanism {
  explicit Mechanism(const model::ModelSpec& spec)
      : compiled(need(model::compile(spec))),
        graph(plan::make_mechanism(compiled)),
        network(plan::make_network(compiled, graph, plan::Weights::kLiu)) {}

  model::Model compiled;
  plan::Mechanism graph;
  plan::Network network;
};

// One tree and what was found about it.
struct Tree {
  Tree(std::string given_name, plan::Plan given_plan) : name(std::move(given_name)), plan(std::move(given_plan)) {}

  std::string name;
  plan::Plan plan;
  double predicted = 0;  // [s]
  int n = 0;             // coordinates
  int rows = 0;
  bench::Times measured;
};

plan::Plan plan_by(const plan::Network& network, Objective objective, Method method) {
  plan::PlanOptions options;
  options.objective = objective;
  options.method = method;
  return need(plan::make_plan(network, options));
}

// Joints in random order stay as far as they close no loop.
plan::Plan random_plan(const plan::Network& network, std::uint32_t key) {
  espalier::Random random(17, key);
  std::vector<std::pair<double, int>> shuffled;
  for (int e = 0; e < static_cast<int>(network.graph.edges.size()); ++e) shuffled.emplace_back(random.uniform(), e);
  std::sort(shuffled.begin(), shuffled.end());
  espalier::DisjointSets joined(static_cast<std::size_t>(network.graph.vertices));
  plan::PlanOptions options;
  for (const auto& [order, e] : shuffled) {
    const auto& edge = network.graph.edges[static_cast<std::size_t>(e)];
    if (!joined.join(edge.a, edge.b)) options.cut.push_back(e);
  }
  return need(plan::make_plan(network, options));
}

std::vector<Tree> make_trees(const plan::Network& network) {
  std::vector<Tree> trees;
  trees.emplace_back("planned", plan_by(network, Objective::kMccst, Method::kAuto));
  trees.emplace_back("timed", plan_by(network, Objective::kTime, Method::kAuto));
  trees.emplace_back("bfs", plan_by(network, Objective::kMccst, Method::kBfs));
  trees.emplace_back("dfs", plan_by(network, Objective::kMccst, Method::kDfs));
  for (int k = 0; k < kRandomTrees; ++k) {
    trees.emplace_back("random", random_plan(network, static_cast<std::uint32_t>(k)));
  }
  for (Tree& tree : trees) {
    tree.predicted = predicted_time(tree.plan).total;
  }
  return trees;
}

// A system with a state of its own, closed.
struct Evaluation {
  explicit Evaluation(dynamics::System made) : system(std::move(made)), work(system), q(system.drawn()) {
    dynamics::project_positions(system, 0, q, kClosed, work);
  }

  dynamics::System system;
  dynamics::Workspace work;
  std::vector<double> q;
};

void measure(const Mechanism& mechanism, std::vector<Tree>& trees) {
  std::vector<std::function<void(int)>> calls;
  for (Tree& tree : trees) {
    auto evaluation =
        std::make_shared<Evaluation>(dynamics::make_system(mechanism.compiled, mechanism.graph, tree.plan));
    tree.n = evaluation->system.velocity_size();
    tree.rows = evaluation->system.rows();
    calls.emplace_back([evaluation](int) {
      Evaluation& it = *evaluation;
      dynamics::evaluate(it.system, 0, it.q, it.system.drawn_rate(), it.work);
    });
  }
  const std::vector<bench::Times> times = bench::time_in_turns(calls, kBudget);
  for (std::size_t k = 0; k < trees.size(); ++k) trees[k].measured = times[k];
}

// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    for (std::size_t k = first; k <= last; ++k) result[order[k]] = 1 + static_cast<double>(first + last) / 2;
    first = last + 1;
  }
  return result;
}

double spearman(const std::vector<Tree>& trees) {
  std::vector<double> predicted, measured;
  for (const Tree& tree : trees) {
    predicted.push_back(tree.predicted);
    measured.push_back(tree.measured.least);
  }
  const std::vector<double> a = ranks(predicted), b = ranks(measured);
  const double mean = (static_cast<double>(a.size()) + 1) / 2;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    ab += (a[k] - mean) * (b[k] - mean);
    aa += (a[k] - mean) * (a[k] - mean);
    bb += (b[k] - mean) * (b[k] - mean);
  }
  return ab / std::sqrt(std::max(aa * bb, 1e-30));
}

std::vector<model::ModelSpec> make_models() {
  std::vector<model::ModelSpec> specs;
  specs.push_back(need(model::generate_ladder(10)));
  specs.push_back(need(model::generate_ladder(50)));
  specs.push_back(need(model::generate_ladder(20, model::LadderKind::kSpatial)));
  specs.push_back(bench::make_scissor_lift(10));
  specs.push_back(bench::make_stewart());
  specs.push_back(need(model::generate_strandbeest()));
  const std::filesystem::path kangaroo =
      ESPALIER_SOURCE_DIR "/../shared/data/models/gepetto/kangaroo_like_2legs/robot.urdf";
  if (std::filesystem::exists(kangaroo)) {
    specs.push_back(need(formats::read_model(kangaroo)));
    specs.back().name = "kangaroo";
  }
  return specs;
}

void print_row(const std::string& name, const std::vector<Tree>& trees) {
  const Tree& planned = trees[0];
  const auto slowest = std::max_element(trees.begin() + kNamedTrees, trees.end(), [](const Tree& a, const Tree& b) {
    return a.measured.least < b.measured.least;
  });
  std::printf("%-34s %4d %4d %9.2f %9.2f |", name.c_str(), planned.n, planned.rows, 1e6 * planned.measured.least,
              1e6 * planned.predicted);
  for (const Tree* tree : {&trees[1], &trees[2], &trees[3], &*slowest}) {
    std::printf(" %7.2f (%7.2f)", tree->measured.least / planned.measured.least, tree->predicted / planned.predicted);
  }
  std::printf(" | %5.2f\n", spearman(trees));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 1 && csv == nullptr) return 1;
  if (csv != nullptr) std::fprintf(csv, "model,tree,n,rows,predicted_us,least_us,median_us,passes\n");
  const std::string part = argc > 2 ? argv[2] : "";
  std::printf("%-34s %4s %4s %9s %9s | %17s %17s %17s %17s | %5s\n", "time [us], ratios (predicted)", "n", "rows",
              "planned", "predicted", "timed", "bfs", "dfs", "slowest random", "rank");
  for (const model::ModelSpec& spec : make_models()) {
    if (spec.name.find(part) == std::string::npos) continue;
    const Mechanism mechanism(spec);
    std::vector<Tree> trees = make_trees(mechanism.network);
    measure(mechanism, trees);
    print_row(spec.name, trees);
    if (csv == nullptr) continue;
    for (const Tree& tree : trees) {
      std::fprintf(csv, "%s,%s,%d,%d,%.4f,%.4f,%.4f,%d\n", spec.name.c_str(), tree.name.c_str(), tree.n, tree.rows,
                   1e6 * tree.predicted, 1e6 * tree.measured.least, 1e6 * tree.measured.median, tree.measured.passes);
    }
  }
  if (csv != nullptr) std::fclose(csv);
}

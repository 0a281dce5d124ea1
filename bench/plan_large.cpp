// Question: how good and how fast is the search on large graphs, and what can be said for certain?
//   reference  Kruskal's method alone: the lightest tree
//   search     make_plan by Method::kSearch with its bounds, beta = 1, on random graphs
//   a3         the far-first exchanges of [Liu99] from the shortest-path tree of the centre
//   beta_tenth, beta_ten       search with beta = 0.1 and 10
//   grid, ladder, multibody    search on other graphs, beta = 1
// on N vertices. Random graphs have 4 N edges and whole weights 1 to 17, l = w: the weight of the tree is then 3 N, as
// in [Liu99] Table 3 (2.8 N to 3.2 N). The others have weights 1 to 10, mechanisms 1 to 3. Counters: length and weight
// of the tree; gap, its cost above LB10 [%]; peak, memory taken beyond the network [bytes a word], where [Liu99] counts
// 8 V + 4 E - 4 words.

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "espalier/graph/graph.hpp"
#include "espalier/plan/generate.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/plan/trace.hpp"

namespace {

using espalier::graph::Tree;
using espalier::plan::Measure;
using espalier::plan::Network;
using espalier::plan::Plan;

// A line of /proc/self/status [bytes].
double status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word) {
    double kilobytes = 0;
    if (word == name && file >> kilobytes) return 1024 * kilobytes;
  }
  return 0;
}

// Forgets the peak so far.
void reset_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
}

Network make_network(const std::string& family, int n) {
  const int side = static_cast<int>(std::lround(std::sqrt(n)));
  if (family == "grid") return espalier::plan::generate_grid(side, side);
  if (family == "ladder") return espalier::plan::generate_ladder(n / 2 - 1);
  if (family == "multibody") return espalier::plan::generate_multibody(n, {.most_weight = 3});
  return espalier::plan::generate_random(n, 4 * n, {.most_weight = 17});
}

// The last one made: benchmarks of one network follow each other only by chance, and two large ones take much memory.
const Network& network(const std::string& family, int n) {
  static std::pair<std::string, int> kept;
  static Network made;
  if (kept != std::pair(family, n)) {
    made = make_network(family, n);
    kept = {family, n};
  }
  return made;
}

Plan plan_by_search(const Network& given, double beta) {
  return espalier::plan::make_plan(given, {.method = espalier::plan::Method::kSearch, .beta = beta}).value();
}

// A lower bound, found once a network and goal, outside of the clock.
double bound(const std::string& family, int n, double beta) {
  static std::map<std::tuple<std::string, int, double>, double> known;
  const auto [at, added] = known.try_emplace({family, n, beta}, 0);
  if (added) at->second = plan_by_search(network(family, n), beta).lower_bound;
  return at->second;
}

using Method = Measure (*)(const Network&, double beta);

void measure(benchmark::State& state, const std::string& family, double beta, Method method) {
  const auto n = static_cast<int>(state.range(0));
  const Network& given = network(family, n);
  Measure found;
  reset_peak();
  const double before = status("VmRSS:");
  for (auto _ : state) found = method(given, beta);
  const double words = 8.0 * given.graph.vertices + 4.0 * static_cast<double>(given.graph.edges.size()) - 4;
  state.counters["length"] = found.length;
  state.counters["weight"] = found.weight;
  state.counters["peak"] = (status("VmHWM:") - before) / words;
  state.counters["gap"] = 100 * ((found.length + beta * found.weight) / bound(family, n, beta) - 1);
}

Measure measure_tree(const Network& given, const Tree& tree) {
  Measure found;
  for (const double depth : espalier::graph::depths(tree, given.length)) found.length = std::max(found.length, depth);
  for (const int e : espalier::graph::tree_edges(tree)) found.weight += given.weight[e];
  return found;
}

Measure lightest(const Network& given, double) {
  const Tree tree = hang_tree(given.graph, espalier::graph::kruskal(given.graph, given.weight), 0);
  const int centre = find_centres(tree, given.length).vertices.front();
  return measure_tree(given, reroot(given.graph, tree, centre));
}

Measure search(const Network& given, double beta) { return plan_by_search(given, beta).measure; }

// The run that `plan --trace` prints: the same exchanges, without the lower bound that a plan carries.
Measure a3(const Network& given, double beta) {
  const auto traced =
      espalier::plan::trace_exchange(given, {.method = espalier::plan::Method::kA3, .beta = beta}).value();
  return measure_tree(given, traced.run.tree);
}

void add(const char* name, const std::string& family, double beta, Method method, std::initializer_list<int> sizes) {
  for (const int n : sizes) {
    auto* added =
        benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { measure(state, family, beta, method); });
    added->Arg(n)->Unit(benchmark::kMillisecond);
    // A minute each.
    if (n >= 1'000'000) added->Repetitions(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  add("reference", "random", 1, lightest, {1000, 2000, 3000, 4000, 10'000, 100'000, 1'000'000});
  add("search", "random", 1, search, {1000, 2000, 3000, 4000, 10'000, 100'000, 1'000'000});
  add("a3", "random", 1, a3, {1000, 2000, 3000, 4000});
  add("beta_tenth", "random", 0.1, search, {1000, 4000, 10'000, 100'000});
  add("beta_ten", "random", 10, search, {1000, 4000, 10'000, 100'000});
  for (const char* family : {"grid", "ladder", "multibody"}) {
    add(family, family, 1, search, {1000, 10'000, 100'000, 1'000'000});
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

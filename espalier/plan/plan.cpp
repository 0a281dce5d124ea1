#include "espalier/plan/plan.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/plan/detail/objectives.hpp"
#include "espalier/plan/detail/pieces.hpp"
#include "espalier/plan/detail/time_search.hpp"
#include "espalier/plan/plan_cost.hpp"

namespace espalier::plan {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Result<void> check_positive(const char* option, double value) {
  if (value > 0 && value <= kMostWeight) return {};
  return make_error(
      ErrorCode::kOption, {},
      fmt::format("{} is {}; it must be positive and at most {:g}", option, number_text(value), kMostWeight));
}

bool needs_length(Objective objective) { return objective == Objective::kBcbmwst || objective == Objective::kBcbbwst; }
bool needs_weight(Objective objective) { return objective == Objective::kBwscbst || objective == Objective::kBcbbwst; }

Result<void> check_limit(const char* option, const std::optional<double>& limit, bool needed, Objective objective) {
  if (needed == limit.has_value()) return limit ? check_positive(option, *limit) : Result<void>();
  return make_error(ErrorCode::kOption, {},
                    needed
                        ? fmt::format("--objective {} needs {} K", to_string(objective), option)
                        : fmt::format("--objective {} has no use for {}; leave it out", to_string(objective), option));
}

Result<void> check_options(const Network& network, const PlanOptions& options) {
  for (const Result<void>& checked :
       {check_positive("--beta", options.beta),
        check_limit("--max-length", options.max_length, needs_length(options.objective), options.objective),
        check_limit("--max-weight", options.max_weight, needs_weight(options.objective), options.objective)}) {
    ESPALIER_TRY(checked);
  }
  if (!(options.exponent > 2 && options.exponent < 3)) {
    return make_error(ErrorCode::kOption, {},
                      fmt::format("--exponent is {}; it must lie between 2 and 3", number_text(options.exponent)));
  }
  if (!(options.time_limit >= 0 && std::isfinite(options.time_limit))) {
    return make_error(ErrorCode::kOption, {},
                      fmt::format("--time-limit is {}; it must be a number of seconds, or 0 for no limit",
                                  number_text(options.time_limit)));
  }
  if (options.root >= network.graph.vertices) {
    return make_error(ErrorCode::kOption, {},
                      fmt::format("the root is vertex number {}; there are {}", options.root, network.graph.vertices));
  }
  const bool counts = options.objective == Objective::kSequential || options.objective == Objective::kTime;
  // A network of one body alone has no joints to know.
  if (counts && network.freedom.size() != network.graph.edges.size()) {
    return make_error(ErrorCode::kOption, {},
                      fmt::format("--objective {} counts equations, and a plain graph has no joint types; use mwst",
                                  to_string(options.objective)));
  }
  if (options.workers < 1) {
    return make_error(ErrorCode::kOption, {}, fmt::format("--workers is {}; at least 1 is needed", options.workers));
  }
  return {};
}

// Which of the papers' methods leaves a pinned edge out.
Result<void> check_pins_kept(const std::vector<Piece>& pieces, const std::vector<Solved>& solved,
                             const Network& network, Method method) {
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (!solved[p].tree) continue;
    for (const int e : graph::chords(*solved[p].tree, pieces[p].edges.size())) {
      if (!pieces[p].problem.is_pinned(e)) continue;
      return make_error(
          ErrorCode::kOption, {},
          fmt::format("method {} knows no pins and cuts {}; use auto, exact, search, a1, a2, a3, exchange "
                      "or kruskal",
                      to_string(method), in_quotes(edge_name(network, pieces[p].edges[e]))));
    }
  }
  return {};
}

// The trees of all pieces as one forest in the network's numbers; the largest piece gives the main root.
void join_trees(const std::vector<Piece>& pieces, const std::vector<Solved>& solved, Plan& plan) {
  const auto n = static_cast<std::size_t>(plan.network.graph.vertices);
  plan.tree.parent.assign(n, -1);
  plan.tree.parent_edge.assign(n, -1);
  plan.tree.order.reserve(n);
  std::size_t largest = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const Piece& piece = pieces[p];
    const graph::Tree& tree = *solved[p].tree;
    for (const int v : tree.order) {
      plan.tree.order.push_back(piece.vertices[v]);
      if (tree.parent[v] < 0) continue;
      plan.tree.parent[piece.vertices[v]] = piece.vertices[tree.parent[v]];
      plan.tree.parent_edge[piece.vertices[v]] = piece.edges[tree.parent_edge[v]];
    }
    plan.roots.push_back(piece.vertices[tree.root]);
    if (piece.vertices.size() > pieces[largest].vertices.size()) largest = p;
  }
  plan.tree.root = plan.roots[largest];
  plan.method = solved[largest].method;
  plan.cut = graph::chords(plan.tree, plan.network.graph.edges.size());
}

void add_up(const std::vector<Solved>& solved, Plan& plan) {
  for (const Solved& piece : solved) {
    plan.measure.length = std::max(plan.measure.length, piece.measure.length);
    plan.measure.weight += piece.measure.weight;
    plan.nodes += piece.nodes;
    plan.exchanges.rounds += piece.exchanges.rounds;
    plan.exchanges.discussed += piece.exchanges.discussed;
    plan.exchanges.exchanges += piece.exchanges.exchanges;
  }
  // What is said of the whole is what was said of the piece that was hardest.
  const auto hardest = std::max_element(solved.begin(), solved.end(), [](const Solved& a, const Solved& b) {
    return std::pair(!a.proved, a.nodes) < std::pair(!b.proved, b.nodes);
  });
  const auto larger = std::find_if(solved.begin(), solved.end(), [&](const Solved& piece) {
    return piece.proved == hardest->proved && piece.nodes == hardest->nodes && piece.measure.length > 0;
  });
  plan.proof = larger == solved.end() ? hardest->proof : larger->proof;
}

void count_equations(const PlanOptions& options, Plan& plan) {
  // Bodies without any joint have their six equations each; a plain graph knows of no equations.
  if (plan.network.freedom.empty() && plan.network.ground < 0) return;
  plan.equations = count_equations(plan);
  if (options.objective == Objective::kSequential) {
    // Cost and bound were counted in coordinates of the tree; each of them is two equations.
    const double most_saved = 2 * (plan.cost - plan.lower_bound);
    plan.cost = *plan.equations;
    plan.lower_bound = plan.cost - most_saved;
  }
  plan.cost_sequential = sequential_cost(plan, options.exponent);
  plan.cost_parallel = parallel_cost(plan, options.exponent);
}

}  // namespace

double gap(const Plan& plan) {
  if (plan.optimal || plan.lower_bound <= 0) return plan.optimal ? 0 : std::numeric_limits<double>::infinity();
  return std::max(0.0, plan.cost / plan.lower_bound - 1);
}

Result<Plan> make_plan(const Network& network, const PlanOptions& options) {
  const Clock::time_point start = Clock::now();
  for (const Result<void>& checked : {check_network(network), check_options(network, options)}) ESPALIER_TRY(checked);
  Result<Pieces> pieces = make_pieces(network, options);
  ESPALIER_TRY(pieces);
  std::function<bool()> stop;
  if (options.time_limit > 0) stop = [&] { return seconds_since(start) > options.time_limit; };

  const Result<Answer> found = options.objective == Objective::kTime
                                   ? find_time_answer(*pieces, options, stop)
                                   : find_answer(pieces->pieces, pieces->network.freedom, options, stop);
  ESPALIER_TRY(found);
  const Result<void> pins = check_pins_kept(pieces->pieces, found->pieces, pieces->network, options.method);
  ESPALIER_TRY(pins);

  Plan plan;
  plan.objective = options.objective;
  plan.beta = options.beta;
  plan.network = std::move(pieces->network);
  plan.half_bodies = std::move(pieces->half_bodies);
  plan.cost = found->cost;
  plan.lower_bound = std::min(found->lower_bound, found->cost);
  plan.optimal = found->optimal;
  plan.feasible = found->feasible;
  join_trees(pieces->pieces, found->pieces, plan);
  add_up(found->pieces, plan);
  count_equations(options, plan);
  if (options.front) {
    ExactOptions limits;
    limits.stop = stop;
    limits.watch = options.watch;
    const JointFront front = find_joint_front(pieces->pieces, limits);
    plan.front = front_points(front);
    plan.front_proved = front.finished;
    plan.nodes += front.nodes;
  }
  plan.seconds = seconds_since(start);
  return plan;
}

Result<Plan> make_plan(const model::Model& model, const PlanOptions& options) {
  return make_plan(make_network(model, make_mechanism(model), Weights::kLiu), options);
}

const char* to_string(Objective objective) {
  switch (objective) {
    case Objective::kMccst:
      return "mccst";
    case Objective::kMwst:
      return "mwst";
    case Objective::kScbst:
      return "scbst";
    case Objective::kScbmwst:
      return "scbmwst";
    case Objective::kMwscbst:
      return "mwscbst";
    case Objective::kBcbmwst:
      return "bcbmwst";
    case Objective::kBwscbst:
      return "bwscbst";
    case Objective::kBcbbwst:
      return "bcbbwst";
    case Objective::kSequential:
      return "sequential";
    case Objective::kTime:
      return "time";
  }
  return "";
}

const char* to_string(Method method) {
  switch (method) {
    case Method::kAuto:
      return "auto";
    case Method::kExact:
      return "exact";
    case Method::kSearch:
      return "search";
    case Method::kA1:
      return "a1";
    case Method::kA2:
      return "a2";
    case Method::kA3:
      return "a3";
    case Method::kExchange:
      return "exchange";
    case Method::kDfs:
      return "dfs";
    case Method::kBfs:
      return "bfs";
    case Method::kPrim:
      return "prim";
    case Method::kKruskal:
      return "kruskal";
  }
  return "";
}

}  // namespace espalier::plan

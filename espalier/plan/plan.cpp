#include "espalier/plan/plan.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/plan/detail/objectives.hpp"
#include "espalier/plan/detail/pieces.hpp"
#include "espalier/plan/detail/plan_cost.hpp"
#include "espalier/plan/detail/time_search.hpp"

namespace espalier::plan {
namespace {

using Clock = std::chrono::steady_clock;
using detail::Piece;
using detail::Solved;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Result<void> check_positive(const char* option, double value) {
  if (value > 0 && value <= kMostWeight) return {};
  return make_option_error(option, fmt::format("`{}` is {}", option, number_text(value)),
                           fmt::format("it must be positive and at most {:g}", kMostWeight));
}

Result<void> check_limit(const char* option, const std::optional<double>& given, Limit limit, Objective objective) {
  const bool needed = limit == Limit::kAsked;
  if (needed == given.has_value()) return given ? check_positive(option, *given) : Result<void>();
  if (needed) return make_option_error(option, fmt::format("`objective` {} needs `{}`", to_string(objective), option));
  return make_option_error(option, fmt::format("`objective` {} has no use for `{}`", to_string(objective), option),
                           "leave it out");
}

Result<void> check_options(const Network& network, const PlanOptions& options) {
  const Meaning meaning = meaning_of(options.objective, options.beta);
  for (const Result<void>& checked :
       {check_positive("beta", options.beta),
        check_limit("max_length", options.max_length, meaning.length_limit, options.objective),
        check_limit("max_weight", options.max_weight, meaning.weight_limit, options.objective)}) {
    ESPALIER_TRY(checked);
  }
  // The negation refuses NaN too.
  if (!(options.exponent > 2 && options.exponent < 3)) {
    return make_option_error("exponent", fmt::format("`exponent` is {}", number_text(options.exponent)),
                             "it must lie between 2 and 3");
  }
  if (!(options.time_limit >= 0 && std::isfinite(options.time_limit))) {
    return make_option_error("time_limit", fmt::format("`time_limit` is {}", number_text(options.time_limit)),
                             "it must be a number of seconds, or 0 for no limit");
  }
  if (options.root >= network.graph.vertices) {
    return make_option_error("root", fmt::format("the root is vertex number {}", options.root),
                             fmt::format("there are {}", network.graph.vertices));
  }
  const bool counts = meaning.unit == Meaning::Unit::kEquations || meaning.unit == Meaning::Unit::kSeconds;
  // A network of one body alone has no joints to know.
  if (counts && network.freedom.size() != network.graph.edges.size()) {
    return make_option_error("objective",
                             fmt::format("`objective` {} counts equations, and a plain graph has no joint types",
                                         to_string(options.objective)),
                             "use mwst");
  }
  if (options.workers < 1) {
    return make_option_error("workers", fmt::format("`workers` is {}", options.workers), "at least 1 is needed");
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
      return make_option_error("method",
                               fmt::format("method {} knows no pins and cuts {}", to_string(method),
                                           in_quotes(edge_name(network, pieces[p].edges[e]))),
                               "use auto, exact, search, a1, a2, a3, exchange or kruskal");
    }
  }
  return {};
}

// The trees of all pieces as one forest in the network's numbers; the largest piece gives the main root.
void join_trees(const std::vector<Piece>& pieces, const std::vector<Solved>& solved, Plan& plan) {
  const auto n = to_index(plan.network.graph.vertices);
  plan.tree.parent.assign(n, -1);
  plan.tree.parent_edge.assign(n, -1);
  plan.tree.order.reserve(n);
  // Of pieces of one size the first one is the main one.
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
  // Not the sentence of a lone body, though, which says that there is one tree only.
  const auto larger = std::find_if(solved.begin(), solved.end(), [&](const Solved& piece) {
    return piece.proved == hardest->proved && piece.nodes == hardest->nodes && piece.measure.length > 0;
  });
  plan.proof = larger == solved.end() ? hardest->proof : larger->proof;
}

void add_equations(const PlanOptions& options, Plan& plan) {
  // Bodies without any joint have their six equations each; a plain graph knows of no equations.
  if (plan.network.freedom.empty() && plan.network.ground < 0) return;
  plan.equations = detail::count_equations(plan);
  if (meaning_of(options.objective).unit == Meaning::Unit::kEquations) {
    // (P2) Cost and bound were counted in coordinates of the tree; each of them is two equations.
    const double most_saved = 2 * (plan.cost - plan.lower_bound);
    plan.cost = *plan.equations;
    plan.lower_bound = plan.cost - most_saved;
  }
  plan.cost_sequential = detail::sequential_cost(plan, options.exponent);
  plan.cost_parallel = detail::parallel_cost(plan, options.exponent);
}

}  // namespace

double gap(const Plan& plan) {
  // Without a bound the plan may be any amount above the optimum.
  if (plan.optimal || plan.lower_bound <= 0) return plan.optimal ? 0 : std::numeric_limits<double>::infinity();
  return std::max(0.0, plan.cost / plan.lower_bound - 1);
}

Result<Plan> make_plan(const Network& network, const PlanOptions& options) {
  // 1. What was asked for makes sense, and the network falls into pieces that can be searched.
  const Clock::time_point start = Clock::now();
  for (const Result<void>& checked : {check_network(network), check_options(network, options)}) ESPALIER_TRY(checked);
  Result<detail::Pieces> pieces = detail::make_pieces(network, options);
  ESPALIER_TRY(pieces);
  // No clock is read unless a limit is set, so that every machine makes the same plan.
  std::function<bool()> stop;
  if (options.time_limit > 0) stop = [&] { return seconds_since(start) > options.time_limit; };

  // 2. A tree for each piece.
  const bool by_time = meaning_of(options.objective).unit == Meaning::Unit::kSeconds;
  const Result<detail::Answer> found =
      by_time ? detail::find_time_answer(*pieces, options, stop)
              : detail::find_answer(pieces->pieces, pieces->network.freedom, options, stop);
  ESPALIER_TRY(found);
  const Result<void> pins = check_pins_kept(pieces->pieces, found->pieces, pieces->network, options.method);
  ESPALIER_TRY(pins);

  // 3. One forest, and what it costs.
  Plan plan;
  plan.objective = options.objective;
  plan.beta = options.beta;
  plan.network = std::move(pieces->network);
  plan.half_bodies = std::move(pieces->half_bodies);
  plan.cost = found->cost;
  // A bound and a cost that were summed in different orders may cross in their last digits.
  plan.lower_bound = std::min(found->lower_bound, found->cost);
  plan.optimal = found->optimal;
  plan.feasible = found->feasible;
  join_trees(pieces->pieces, found->pieces, plan);
  add_up(found->pieces, plan);
  add_equations(options, plan);
  // The front asks for no method: exact, whatever found the tree, and with no limit of work but the clock.
  if (options.front) {
    detail::ExactOptions limits;
    limits.stop = stop;
    limits.watch = options.watch;
    const detail::JointFront front = detail::find_joint_front(pieces->pieces, limits);
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

}  // namespace espalier::plan

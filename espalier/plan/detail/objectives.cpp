#include "espalier/plan/detail/objectives.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kBoundMeetsCost = "the lower bound meets the cost";

// All pieces run beside each other, so that the longest branch counts; their equations are all solved.
Measure whole(const std::vector<Solved>& pieces) {
  Measure sum;
  for (const Solved& piece : pieces) {
    sum.length = std::max(sum.length, piece.measure.length);
    sum.weight += piece.measure.weight;
  }
  return sum;
}

// An optimum of the whole is one of every piece, where each is looked at for itself.
bool all_proved(const std::vector<Solved>& pieces) {
  return std::all_of(pieces.begin(), pieces.end(), [](const Solved& piece) { return piece.proved; });
}

// The answer may exist, but the work allowed did not reach it.
tl::unexpected<Error> not_found(std::string option, std::string message, std::string hint) {
  return tl::unexpected<Error>(Error{ErrorCode::kLimit, std::move(message), {}, std::move(option), std::move(hint)});
}

bool is_own(Method method) { return method == Method::kAuto || method == Method::kExact || method == Method::kSearch; }

class Answering {
 public:
  Answering(const std::vector<Piece>& pieces, const PlanOptions& options, const std::function<bool()>& stop)
      : pieces_(pieces), options_(options), stop_(stop) {
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      // A lone body has one tree, whatever is asked.
      if (pieces[p].vertices.size() > 1) large_.push_back(p);
    }
  }

  // A goal that looks at each piece for itself: only L, or only W. `limit` may differ from piece to piece.
  Result<Answer> separate(const std::function<Goal(std::size_t)>& goal_of) const {
    Answer found;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const Goal goal = goal_of(p);
      found.pieces.push_back(solve(pieces_[p].problem, goal, options_, stop_));
      const Solved& piece = found.pieces.back();
      const Result<void> kept = check_kept(goal, piece);
      ESPALIER_TRY(kept);
      // The longest piece bounds L, the sum of all bounds W.
      found.lower_bound = goal.length_factor > 0 ? std::max(found.lower_bound, piece.lower_bound)
                                                 : found.lower_bound + piece.lower_bound;
    }
    const Goal goal = goal_of(0);
    found.cost = cost(goal, whole(found.pieces));
    found.optimal = all_proved(found.pieces);
    if (!found.optimal && found.cost <= found.lower_bound * (1 + kSameCost)) {
      // L of the whole is proved where its longest piece is; the others may be anything shorter.
      found.optimal = true;
      for (Solved& piece : found.pieces) piece.proof = kBoundMeetsCost;
    }
    return found;
  }

  Result<Answer> separate(const Goal& goal) const {
    return separate([&](std::size_t) { return goal; });
  }

  // A goal that weighs L of the whole against W of the whole.
  Result<Answer> together(const Goal& goal) const {
    // With one piece that has a choice the others are constants; a paper's method knows of no front.
    if (large_.size() <= 1 || !is_own(options_.method)) return one_by_one(goal);
    ExactOptions limits;
    limits.stop = stop_;
    if (options_.method != Method::kExact) limits.most_nodes = 100'000;
    // What is best for one piece depends on how long the others are. On the fronts it can be read off.
    const JointFront front = find_joint_front(pieces_, limits);
    if (!front.finished) return one_by_one(goal);
    return from_front(goal, front);
  }

  Result<Answer> sequential(const std::vector<int>& freedom) const {
    // (P2) N(T) falls and rises with the coordinates of the tree: the lightest tree under the weights f.
    std::vector<Piece> by_freedom = pieces_;
    for (Piece& piece : by_freedom) {
      std::transform(piece.edges.begin(), piece.edges.end(), piece.problem.weight.begin(),
                     [&](int e) { return static_cast<double>(freedom[e]); });
    }
    Result<Answer> found = Answering(by_freedom, options_, stop_).separate(Goal{0, 1});
    ESPALIER_TRY(found);
    // L and W of that tree are shown in the network's own weights.
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      found->pieces[p].measure = measure(pieces_[p].problem, *found->pieces[p].tree);
    }
    return found;
  }

  // L and W that no tree can undercut; by any method, since they are facts of the graph.
  Result<double> shortest_length() const { return extreme(Goal{1, 0}); }
  Result<double> least_weight() const { return extreme(Goal{0, 1}); }

  Result<Answer> shortest_then_lightest() const {
    // L of the whole: a piece that is shorter by itself may be as long as the longest one.
    const Result<double> radius = shortest_length();
    ESPALIER_TRY(radius);
    return separate(Goal{0, 1, *radius});
  }

  Result<Answer> lightest_then_shortest() const {
    // W of the whole is smallest where that of every piece is, so that each has a limit of its own.
    std::vector<double> least;
    for (const Piece& piece : pieces_) {
      least.push_back(measure(piece.problem, lightest(piece.problem)).weight);
    }
    return separate([&](std::size_t p) { return Goal{1, 0, kInfinity, least[p]}; });
  }

  Result<Answer> lightest_within(double most_length) const {
    const Result<double> radius = shortest_length();
    ESPALIER_TRY(radius);
    if (*radius > most_length * (1 + kSameCost)) {
      return make_option_error("max_length",
                               fmt::format("no tree has a critical branch of {} or less", number_text(most_length)),
                               fmt::format("the shortest is {}, {} more: raise `max_length`", number_text(*radius),
                                           number_text(*radius - most_length)));
    }
    return separate(Goal{0, 1, most_length});
  }

  Result<Answer> shortest_within(double most_weight) const {
    const Result<double> least = least_weight();
    ESPALIER_TRY(least);
    if (*least > most_weight * (1 + kSameCost)) {
      return make_option_error("max_weight", fmt::format("no tree weighs {} or less", number_text(most_weight)),
                               fmt::format("the lightest weighs {}, {} more: raise `max_weight`", number_text(*least),
                                           number_text(*least - most_weight)));
    }
    return together(Goal{1, 0, kInfinity, most_weight});
  }

  Result<Answer> decide(double most_length, double most_weight) const {
    const Result<double> radius = shortest_length();
    ESPALIER_TRY(radius);
    const Result<double> least = least_weight();
    ESPALIER_TRY(least);
    // 1. One of the limits alone may be out of reach. 2. One piece: any tree within both. 3. Several: the lightest
    // trees within K2, whose sum either keeps K1 or shows that nothing does.
    Answer found;
    if (*radius > most_length * (1 + kSameCost) || *least > most_weight * (1 + kSameCost)) {
      found.feasible = false;
    } else if (large_.size() <= 1) {
      decide_one(Goal{0, 0, most_length, most_weight}, found);
    } else {
      decide_several(Goal{0, 1, most_length}, most_weight, found);
    }
    if (found.pieces.empty()) found.pieces = all_lightest({});
    if (found.feasible) {
      found.pieces[main_piece()].proof =
          *found.feasible ? "this tree keeps both limits" : why_not(*radius, most_length, *least, most_weight);
    }
    found.cost = whole(found.pieces).weight;
    found.lower_bound = *least;
    found.optimal = found.feasible.has_value();
    return found;
  }

 private:
  std::size_t main_piece() const { return large_.empty() ? 0 : large_.front(); }

  static graph::Tree lightest(const Problem& problem) {
    return hang_best(problem, graph::kruskal(problem.graph, problem.weight, problem.pinned));
  }

  static Solved lightest_solved(const Problem& problem) {
    Solved solved;
    solved.tree = lightest(problem);
    solved.measure = measure(problem, *solved.tree);
    solved.method = Method::kKruskal;
    return solved;
  }

  static std::string why_not(double radius, double most_length, double least, double most_weight) {
    if (radius > most_length * (1 + kSameCost)) {
      return fmt::format("the shortest critical branch is {}, {} above the limit", number_text(radius),
                         number_text(radius - most_length));
    }
    if (least > most_weight * (1 + kSameCost)) {
      return fmt::format("the lightest tree weighs {}, {} above the limit", number_text(least),
                         number_text(least - most_weight));
    }
    return "each limit can be kept, but branch and bound closed every tree that keeps both";
  }

  // With factors 0 the first tree within both limits is the answer; a proved end without one is the other.
  void decide_one(const Goal& goal, Answer& found) const {
    std::vector<Solved> solved;
    for (const Piece& piece : pieces_) solved.push_back(solve(piece.problem, goal, options_, stop_));
    const Solved& main = solved[main_piece()];
    const bool kept = main.tree && is_allowed(goal, main.measure);
    if (kept || main.proved) found.feasible = kept;
    if (kept) {
      found.pieces = std::move(solved);
    } else if (!main.proved) {
      found.pieces = all_lightest(main.proof);
    }
  }

  // Each piece as light as K2 allows: if their sum passes K1 although all are proved, no forest keeps both.
  void decide_several(const Goal& goal, double most_weight, Answer& found) const {
    Result<Answer> least = separate(goal);
    const bool kept = least && least->cost <= most_weight * (1 + kSameCost);
    if (kept || (least && least->optimal)) found.feasible = kept;
    if (kept) {
      found.pieces = std::move(least->pieces);
    } else if (!found.feasible) {
      found.pieces = all_lightest("the pieces were not searched to the end");
    }
  }

  // What is shown where no tree within the limits is known.
  std::vector<Solved> all_lightest(std::string_view why) const {
    constexpr std::string_view kNotProved = "not proved: ";
    if (why.starts_with(kNotProved)) why.remove_prefix(kNotProved.size());
    std::vector<Solved> solved;
    for (const Piece& piece : pieces_) {
      solved.push_back(lightest_solved(piece.problem));
      if (!why.empty()) solved.back().proof = fmt::format("no tree within both limits was found; {}", why);
    }
    return solved;
  }

  Result<double> extreme(const Goal& goal) const {
    // Kruskal's method or the graph's centre answer these directly; pins alone make a search of it.
    PlanOptions options = options_;
    options.method = Method::kExact;
    const Result<Answer> found = Answering(pieces_, options, stop_).separate(goal);
    ESPALIER_TRY(found);
    if (!found->optimal) {
      return not_found("time_limit", "the time limit struck before the limits themselves were known",
                       "give more time, or `objective` mccst, which needs none");
    }
    return found->cost;
  }

  // Three reasons for no tree, each with its own way out: a paper's method knows no limits; pins and limits
  // contradict each other; the search ended too soon.
  Result<void> check_kept(const Goal& goal, const Solved& piece) const {
    if (piece.tree && is_allowed(goal, piece.measure)) return {};
    if (piece.tree) {
      const bool too_long = !is_allowed(Goal{0, 0, goal.most_length}, piece.measure);
      return make_option_error("method",
                               fmt::format("the tree of method {} has {} {}, above the limit {}",
                                           to_string(options_.method), too_long ? "length" : "weight",
                                           number_text(too_long ? piece.measure.length : piece.measure.weight),
                                           number_text(too_long ? goal.most_length : goal.most_weight)),
                               "`method` auto keeps limits");
    }
    if (piece.proved) {
      return make_option_error("pin", "no tree keeps the limits together with the pinned joints", "pin fewer");
    }
    return not_found("method", "no tree within the limits was found in the time given",
                     "try `method` exact, or more time");
  }

  // Each piece as if it were alone. Exact where there is one of more than a vertex.
  Result<Answer> one_by_one(const Goal& goal) const {
    Answer found;
    for (const Piece& piece : pieces_) {
      found.pieces.push_back(solve(piece.problem, goal, options_, stop_));
      const Result<void> kept = check_kept(goal, found.pieces.back());
      ESPALIER_TRY(kept);
    }
    found.cost = cost(goal, whole(found.pieces));
    if (large_.size() <= 1) {
      found.lower_bound = found.pieces[main_piece()].lower_bound;
      found.optimal = all_proved(found.pieces);
      return found;
    }
    const Result<void> kept = keep_whole(goal, found);
    ESPALIER_TRY(kept);
    // (P7) for the whole: no L is below that of the hardest piece, no W below the sum of the lightest.
    Measure least;
    for (const Piece& piece : pieces_) {
      least.length = std::max(least.length, solve(piece.problem, Goal{1, 0}, PlanOptions{}, stop_).lower_bound);
      least.weight += measure(piece.problem, lightest(piece.problem)).weight;
    }
    found.lower_bound = cost(goal, least);
    found.optimal = found.cost <= found.lower_bound * (1 + kSameCost);
    for (Solved& piece : found.pieces) {
      piece.proof = found.optimal ? kBoundMeetsCost : "not proved: each piece was planned as if it were alone";
    }
    return found;
  }

  // Pieces that keep a limit on W one by one may break it together.
  Result<void> keep_whole(const Goal& goal, Answer& found) const {
    // (P1) limits the sum.
    const Measure sum = whole(found.pieces);
    if (is_allowed(goal, sum)) return {};
    if (!is_own(options_.method)) {
      Solved all = found.pieces.front();
      all.measure = sum;
      return check_kept(goal, all);
    }
    // The lightest trees keep the limit, or nothing does: shortest_within() has asked before.
    std::transform(pieces_.begin(), pieces_.end(), found.pieces.begin(),
                   [](const Piece& piece) { return lightest_solved(piece.problem); });
    found.cost = cost(goal, whole(found.pieces));
    return {};
  }

  Result<Answer> from_front(const Goal& goal, const JointFront& front) const {
    const std::vector<Measure> points = front_points(front);
    double best_length = kInfinity;
    double best_cost = kInfinity;
    for (const Measure& point : points) {
      if (!is_allowed(goal, point) || cost(goal, point) >= best_cost) continue;
      // (P1) at a point of the front: L of the whole and the least W within it.
      best_cost = cost(goal, point);
      best_length = point.length;
    }
    Answer found;
    for (const FrontResult& piece : front.pieces) {
      // The lightest tree of the piece that is no longer than the best L of the whole.
      Solved solved;
      for (std::size_t i = 0; i < piece.points.size(); ++i) {
        if (piece.points[i].length > best_length) break;
        solved.measure = piece.points[i];
        solved.tree = piece.trees[i];
      }
      solved.method = Method::kExact;
      solved.proved = true;
      solved.proof = "the fronts of all pieces are known, and no sum of their points is better";
      found.pieces.push_back(std::move(solved));
    }
    found.pieces.front().nodes = front.nodes;
    found.cost = found.lower_bound = best_cost;
    found.optimal = true;
    return found;
  }

  const std::vector<Piece>& pieces_;
  const PlanOptions& options_;
  const std::function<bool()>& stop_;
  std::vector<std::size_t> large_;  // pieces of more than one vertex
};

}  // namespace

Result<Answer> find_answer(const std::vector<Piece>& pieces, const std::vector<int>& freedom,
                           const PlanOptions& options, const std::function<bool()>& stop) {
  const Answering answering(pieces, options, stop);
  const Meaning meaning = meaning_of(options.objective, options.beta);
  switch (meaning.unit) {
    case Meaning::Unit::kYesOrNo:
      return answering.decide(*options.max_length, *options.max_weight);
    case Meaning::Unit::kEquations:
      return answering.sequential(freedom);
    case Meaning::Unit::kLengthAndWeight:
      break;
    case Meaning::Unit::kSeconds:
      return make_error(ErrorCode::kOption, {}, "this objective is not answered by length and weight");
  }
  if (meaning.length_limit == Limit::kSmallest) return answering.shortest_then_lightest();
  if (meaning.weight_limit == Limit::kSmallest) return answering.lightest_then_shortest();
  if (meaning.length_limit == Limit::kAsked) return answering.lightest_within(*options.max_length);
  if (meaning.weight_limit == Limit::kAsked) return answering.shortest_within(*options.max_weight);
  const Goal goal{meaning.length_factor, meaning.weight_factor};
  const bool ties_pieces = goal.length_factor > 0 && goal.weight_factor > 0;
  return ties_pieces ? answering.together(goal) : answering.separate(goal);
}

JointFront find_joint_front(const std::vector<Piece>& pieces, const ExactOptions& options) {
  JointFront front;
  ExactOptions left = options;
  for (const Piece& piece : pieces) {
    front.pieces.push_back(find_front(piece.problem, left));
    front.nodes += front.pieces.back().nodes;
    // One allowance for all pieces.
    left.most_nodes -= front.pieces.back().nodes;
    front.finished = front.finished && front.pieces.back().finished;
  }
  return front;
}

std::vector<Measure> front_points(const JointFront& front) {
  // L of the whole is that of one of the pieces, so only those lengths can be points of the joint front.
  std::vector<double> lengths;
  for (const FrontResult& piece : front.pieces) {
    for (const Measure& point : piece.points) lengths.push_back(point.length);
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  std::vector<Measure> points;
  for (const double length : lengths) {
    Measure sum{length, 0};
    for (const FrontResult& piece : front.pieces) {
      const auto past = std::find_if(piece.points.begin(), piece.points.end(),
                                     [&](const Measure& point) { return point.length > length; });
      // No tree of this piece is so short: then none of the whole is.
      sum.weight += past == piece.points.begin() ? kInfinity : std::prev(past)->weight;
    }
    const bool better = points.empty() || sum.weight < points.back().weight * (1 - kSameCost);
    if (std::isfinite(sum.weight) && better) points.push_back(sum);
  }
  return points;
}

}  // namespace espalier::plan::detail

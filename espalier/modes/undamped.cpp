#include "espalier/modes/range.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/modes/detail/isolated_roots.hpp"

namespace espalier::modes {
namespace {

// Brackets of an eigenfrequency are tried in these relative widths, until the counts there are beyond doubt.
constexpr std::array<double, 8> kBracket = {1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4};
// A wider bracket than this says that rounding blurs the eigenfrequency itself. It is then looked at from so far at
// least, and corrected where it is off by more than so much.
constexpr double kBlurred = 2e-9, kApart = 1e-6, kMoved = 1e-10;
// Where intervals are divided.
constexpr std::array<double, 5> kParts = {0.5, 0.4, 0.6, 0.29, 0.71};
// Frequencies nearer to each other are one frequency.
constexpr double kSameFrequency = 1e-10;
constexpr int kMostSteps = 60;
// Newton's method doubles the digits: after a step of this relative size nothing is left to do, times the square root
// of the relative distance to the next eigenfrequency where that is taken part in. A step below kSmallStep that is not
// half of the one before is rounding.
constexpr double kLastStep = 1e-8, kSmallStep = 1e-6;
// The same for a try, which knows nothing of the others.
constexpr double kLastTry = 1e-9;

// An interval with several frequencies is tried for one of that multiplicity where it gets narrower than each of these,
// relative: halving alone would take a count for every binary digit.
constexpr std::array<double, 4> kTryWidths = {1e-2, 1e-4, 1e-6, 1e-8};
constexpr int kTrySteps = 8;
// Where double-double is at hand, so many brackets are tried before the root is refined by it, in no more steps.
constexpr std::size_t kPolished = 2;
constexpr int kPolishSteps = 6;

struct Interval {
  double low = 0, high = 0;
  int below_low = 0, below_high = 0;
  double log_low = 0, log_high = 0;  // of the determinant there
  std::size_t tries = 0;             // of kTryWidths

  int inside() const { return below_high - below_low; }
  bool is_due() const { return inside() > 1 && tries < kTryWidths.size() && high - low < kTryWidths[tries] * low; }
  // Equal frequencies need not be told apart: halving them would never end.
  bool is_one() const { return inside() == 1 || high <= low * (1 + kSameFrequency); }
};

// A root on its way.
struct Approach {
  Interval within;  // as narrow as the counts of all steps have made it, beyond doubt or not
  double at = 0, step = 0;
  double last_at = 0;  // where the last evaluation was
  Count last;
  bool done = false;
};

// How a search is done where double-double is at hand.
enum class Search {
  kFast,     // in double, and the proof alone in double-double
  kPrecise,  // all of it
};

// Eigenfrequencies below a bound, counted and proved; equations are those of docs/theory/modes.md, section 4.
//   1. counts (M8) at the top and above the free motions say how many there are
//   2. intervals are halved by counts until each holds one, or one of several equal ones
//   3. Newton's method (M9) refines all of them together, kept inside by the counts
//   4. brackets: counts with the bounds (M10) on both sides of each
//   5. the proof compares both: as many brackets as counted, and none of them overlap
class Finder {
 public:
  Finder(const comm::Comm& comm, const Pass& pass, double upto, std::optional<int> free_motions,
         const std::function<void(int, int)>& watch, const std::atomic<bool>* stop, Search search)
      : comm_(comm),
        pass_(pass),
        work_(pass),
        upto_(upto),
        free_motions_(free_motions),
        watch_(watch),
        stop_(stop),
        search_(search) {}

  RootSet find() {
    RootSet set;
    // 1. The bound above: more than that many there cannot be.
    const Count top = safe_bound(upto_, Bound::kUpper);
    top_ = safe_at_;
    set.upto = top_ * (1 - pass_.slack);
    const Count bottom = count_free();
    floor_ = safe_at_;
    set.counted = top.below;
    // Free motions are roots of the determinant too, and (M9) takes them out like any other.
    places_.at_zero = bottom.below;
    if (bottom.below > 0) set.roots.push_back({0, bottom.below, 0, floor_, 0});
    expected_ = top.below;
    found_ = bottom.below;
    // 2.
    const std::vector<Interval> intervals =
        isolate({floor_, top_, bottom.below, top.below, bottom.log_determinant, top.log_determinant});
    // 3 and 4.
    refine(intervals, set);
    // 5.
    set.stopped = stopped_;
    set.proved = !stopped_ && safe_ && found_ == set.counted && are_apart(set.roots);
    set.counts = counts_;
    set.evaluations = evaluations_;
    return set;
  }

 private:
  // The proof: no more eigenfrequencies than counted lie below the top by an upper bound, and as many lie in brackets
  // that do not overlap, each by an upper bound at its low end and a lower bound at its high end.
  static bool are_apart(const std::vector<Root>& roots) {
    for (std::size_t k = 1; k < roots.size(); ++k) {
      if (roots[k].low < roots[k - 1].high) return false;
    }
    return true;
  }

  // Collective.
  bool is_stopped() {
    stopped_ = stopped_ || comm::any_of(comm_, stop_ != nullptr && stop_->load());
    return stopped_;
  }

  // On the way to a root.
  Count count(double omega) {
    ++counts_;
    // A repeated search trusts no count in double: that is why it is repeated.
    if (search_ == Search::kPrecise) return count_precisely(pass_, omega, work_);
    return count_with_digits(omega, Bound::kNone);
  }

  // For the proof.
  Count bound(double omega, Bound bound) {
    ++counts_;
    // Where stiff and soft directions mix, a margin in double says nothing of what rounding has done.
    if (pass_.mixes) return count_precisely(pass_, omega, work_, bound);
    return count_with_digits(omega, bound);
  }

  // With as many as it takes.
  Count count_with_digits(double omega, Bound bound) {
    // Double-double costs twenty times as much, so it is asked only where double has no answer.
    const Count here = count_below(pass_, omega, work_, bound);
    return here.is_safe() || !pass_.precise ? here : count_precisely(pass_, omega, work_, bound);
  }

  Evaluation evaluate_at(double omega) {
    ++evaluations_;
    return search_ == Search::kPrecise ? evaluate_precisely(pass_, omega, work_) : evaluate(pass_, omega, work_);
  }

  // A bound beyond doubt at omega or a little above; safe_at_ says where.
  Count safe_bound(double omega, Bound kind) {
    double at = omega;
    for (int k = 0; k < 20; ++k) {
      const Count here = bound(at, kind);
      safe_at_ = at;
      if (here.is_safe()) return here;
      // Ever farther from the eigenfrequency that spoils the count.
      at = omega * (1 + 1e-6 * (k + 1) * (k + 1));
    }
    // The proof is lost with it, and the search continues.
    safe_ = false;
    return count(safe_at_ = omega);
  }

  // Above all free motions and below all vibrations. Near 0 a count may drown in the rounding of the stiffness; where
  // the number of free motions is known, a higher bound that is beyond doubt and equal to it says the same.
  Count count_free() {
    for (double omega = kFreeMotion; free_motions_ && omega < upto_; omega *= 10) {
      const Count here = bound(safe_at_ = omega, Bound::kUpper);
      if (here.is_safe() && here.below == *free_motions_) return here;
    }
    const Count here = safe_bound(kFreeMotion, Bound::kNone);
    safe_ = safe_ && !free_motions_ && (!pass_.blurs || bound(safe_at_, Bound::kLower).below == here.below);
    return here;
  }

  // Halves level by level: the intervals of a level are counted together, spread over the ranks. Only counts beyond
  // doubt divide; where there is none, the rest is one eigenfrequency for all that can be told.
  std::vector<Interval> isolate(const Interval& all) {
    std::vector<Interval> done;
    std::vector<Interval> level;
    if (all.inside() > 0) level.push_back(all);
    while (!level.empty() && !is_stopped()) {
      try_multiples(level);
      std::vector<Interval> divided;
      for (const Interval& interval : level) {
        (interval.is_one() ? done : divided).push_back(interval);
      }
      const std::vector<Division> divisions = divide(divided);
      level.clear();
      for (std::size_t k = 0; k < divided.size(); ++k) {
        const Interval& i = divided[k];
        const Division& d = divisions[k];
        if (!d.safe) {
          done.push_back(i);
          continue;
        }
        // Halves without an eigenfrequency are dropped; the tries of the whole are not repeated in its parts.
        const Interval lower{i.low, d.at, i.below_low, d.below, i.log_low, d.log, i.tries},
            upper{d.at, i.high, d.below, i.below_high, d.log, i.log_high, i.tries};
        if (lower.inside() > 0) level.push_back(lower);
        if (upper.inside() > 0) level.push_back(upper);
      }
    }
    // Levels finish out of order, and brackets are compared with their neighbours.
    std::sort(done.begin(), done.end(), [](const Interval& a, const Interval& b) { return a.low < b.low; });
    return done;
  }

  // Intervals that are due are narrowed to one frequency of their multiplicity, where they have one.
  void try_multiples(std::vector<Interval>& level) {
    std::vector<std::size_t> due;
    for (std::size_t k = 0; k < level.size(); ++k) {
      if (!level[k].is_one() && level[k].is_due()) due.push_back(k);
    }
    if (due.empty()) return;
    // One after the other over the ranks. The numbers of counts are those of all, the same on every rank.
    const auto ranks = to_index(comm_.size());
    const std::int64_t before[2] = {counts_, evaluations_};
    std::vector<Interval> mine;
    for (std::size_t k = to_index(comm_.rank()); k < due.size(); k += ranks) {
      mine.push_back(narrowed(level[due[k]]));
    }
    counts_ = before[0] + comm::sum(comm_, counts_ - before[0]);
    evaluations_ = before[1] + comm::sum(comm_, evaluations_ - before[1]);
    const comm::PerRank<Interval> all = comm::all_gather_v(comm_, std::span<const Interval>(mine));
    for (std::size_t k = 0; k < due.size(); ++k) level[due[k]] = all.of(static_cast<int>(k % ranks))[k / ranks];
  }

  // By Newton's method for a root of that multiplicity. Two counts decide whether it is one.
  Interval narrowed(Interval i) {
    while (i.is_due()) ++i.tries;
    double x = (i.low + i.high) / 2;
    for (int k = 0; k < kTrySteps; ++k) {
      const double step = -i.inside() / evaluate_at(x).log_derivative;
      x += step;
      // A step that leaves the interval says that this is no root of that multiplicity.
      if (!(x > i.low && x < i.high)) return i;
      if (std::abs(step) > kLastTry * x) continue;
      // So narrow that the interval counts as one frequency from here on.
      const double low = x * (1 - kSameFrequency / 4), high = x * (1 + kSameFrequency / 4);
      const Count below = count(low), above = count(high);
      if (below.is_safe() && above.is_safe() && below.below == i.below_low && above.below == i.below_high) {
        i.low = low, i.log_low = below.log_determinant;
        i.high = high, i.log_high = above.log_determinant;
      }
      return i;
    }
    return i;
  }

  // A count that is beyond doubt inside an interval, in the middle or beside it.
  struct Division {
    double at = 0;
    int below = 0;
    double log = 0;
    bool safe = false;
  };
  std::vector<Division> divide(const std::vector<Interval>& intervals) {
    std::vector<Division> divisions(intervals.size());
    // Each part is tried for all intervals at once, so that every rank has work as long as one of them is open.
    for (const double part : kParts) {
      std::vector<std::size_t> open;
      std::vector<double> points;
      for (std::size_t k = 0; k < intervals.size(); ++k) {
        if (divisions[k].safe) continue;
        open.push_back(k);
        points.push_back(point_of(intervals[k], part));
      }
      const std::vector<Count> counts = counts_at(points);
      for (std::size_t p = 0; p < open.size(); ++p) {
        const Interval& i = intervals[open[p]];
        const int below = counts[p].below;
        // A count that contradicts those at the ends is rounding.
        const bool fits = below >= i.below_low && below <= i.below_high;
        divisions[open[p]] = {points[p], below, counts[p].log_determinant, fits && counts[p].is_safe()};
      }
    }
    return divisions;
  }

  // Low frequencies are divided by their logarithm, the many of a range by their number.
  static double point_of(const Interval& i, double part) {
    return i.high > 4 * i.low ? i.low * elementary::pow(i.high / i.low, part) : i.low + part * (i.high - i.low);
  }

  std::vector<Count> counts_at(const std::vector<double>& points) {
    std::vector<Count> mine;
    const auto ranks = to_index(comm_.size());
    const std::int64_t before = counts_;
    for (std::size_t k = to_index(comm_.rank()); k < points.size(); k += ranks) {
      mine.push_back(count(points[k]));
    }
    // Every rank knows how many all have made.
    counts_ = before + static_cast<std::int64_t>(points.size());
    const comm::PerRank<Count> all = comm::all_gather_v(comm_, std::span<const Count>(mine));
    std::vector<Count> counts(points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      counts[k] = all.of(static_cast<int>(k % ranks))[k / ranks];
    }
    return counts;
  }

  // All together, step by step: each step takes the others for where they are by then. Then the counts on both sides.
  void refine(const std::vector<Interval>& intervals, RootSet& set) {
    if (stopped_) return;
    std::vector<Approach> approaches = start(intervals);
    for (int k = 0; k < kMostSteps && !is_stopped() && step_all(approaches); ++k) {
    }
    // Roots are spread one by one: neighbours cost alike, and a share of consecutive ones would not.
    std::vector<Root> mine;
    const auto ranks = to_index(comm_.size());
    const std::int64_t before[2] = {counts_, evaluations_};
    for (std::size_t k = to_index(comm_.rank()); k < intervals.size(); k += ranks) {
      // Not is_stopped(), which is collective: ranks are at roots of their own here.
      if (stop_ != nullptr && stop_->load()) break;
      mine.push_back(bracketed(intervals[k], widened(intervals, k), approaches[k]));
      // Other ranks are taken to be as far as this one: in the last round not all of them have a root.
      const int done = found_ + static_cast<int>(mine.size() * ranks);
      if (watch_ && comm_.is_root()) watch_(std::min(done, expected_), expected_);
    }
    counts_ = before[0] + comm::sum(comm_, counts_ - before[0]);
    evaluations_ = before[1] + comm::sum(comm_, evaluations_ - before[1]);
    const comm::PerRank<Root> all = comm::all_gather_v(comm_, std::span<const Root>(mine));
    // All have come here: a stop of one is a stop of all.
    if (is_stopped()) return;
    for (std::size_t k = 0; k < intervals.size(); ++k) {
      // Back in the order of the intervals, whoever has worked on them: the same list on any number of ranks.
      const Root& root = all.of(static_cast<int>(k % ranks))[k / ranks];
      set.roots.push_back(root);
      found_ += root.multiplicity;
    }
    safe_ = comm::all_of(comm_, safe_);
  }

  std::vector<Approach> start(const std::vector<Interval>& intervals) {
    std::vector<Approach> approaches(intervals.size());
    // In x = omega^2 the determinant is c prod (1 - x / x_j): its values at the ends say where the roots are.
    for (const Interval& i : intervals) {
      places_.roots.push_back({i.low * i.low, i.high * i.high, i.log_high - i.log_low, i.inside(), 0});
    }
    detail::guess_roots(places_);
    for (std::size_t k = 0; k < intervals.size(); ++k) {
      approaches[k].within = intervals[k];
      // guess_roots() works in omega^2, where the determinant is a product of linear factors.
      approaches[k].at = std::sqrt(places_.roots[k].at);
    }
    return approaches;
  }

  // One evaluation of each that is not done, spread over the ranks. False where all are done.
  bool step_all(std::vector<Approach>& approaches) {
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < approaches.size(); ++k) {
      if (!approaches[k].done) open.push_back(k);
    }
    if (open.empty()) return false;
    std::vector<Evaluation> mine;
    const auto ranks = to_index(comm_.size());
    const std::int64_t before = evaluations_;
    for (std::size_t p = to_index(comm_.rank()); p < open.size(); p += ranks) {
      mine.push_back(evaluate_at(approaches[open[p]].at));
    }
    evaluations_ = before + static_cast<std::int64_t>(open.size());
    const comm::PerRank<Evaluation> all = comm::all_gather_v(comm_, std::span<const Evaluation>(mine));
    for (std::size_t p = 0; p < open.size(); ++p) {
      // Every rank takes every step from the same numbers: places need not be sent.
      step(open[p], all.of(static_cast<int>(p % ranks))[p / ranks], approaches[open[p]]);
    }
    for (std::size_t p = 0; p < open.size(); ++p) {
      // Only after the last step, so that no root sees another one half moved: the order would change the bits.
      places_.roots[open[p]].at = approaches[open[p]].at * approaches[open[p]].at;
    }
    return true;
  }

  // (M9) Newton's method on the logarithm of the determinant less the factors of the other roots, kept inside the
  // interval by the counts.
  void step(std::size_t k, const Evaluation& here, Approach& root) {
    const double x = root.at, square = x * x;
    Interval& i = root.within;
    const double slope = here.log_derivative / (2 * x) - detail::others_part(places_, k, square);
    // The root of x + change without its cancellation: sqrt(x^2 + change) - x.
    const double change = -i.inside() / slope;
    const double step = change / (x + std::sqrt(std::max(0.0, square + change)));
    const bool stalls = std::abs(step) < kSmallStep * x && std::abs(step) > std::abs(root.step) / 2 && root.step != 0;
    root.step = step;
    root.last_at = x;
    root.last = here.count;
    // Near another root the others' part is known less well, and the last step has to be smaller.
    if (stalls || std::abs(step) <= kLastStep * x * std::sqrt(distance_to_next(k) / x)) {
      root.at = x + step;
      root.done = true;
      return;
    }
    // The count is made by the same evaluation and costs nothing more.
    if (here.count.below <= i.below_low) {
      i.low = std::max(i.low, x);
    } else if (here.count.below >= i.below_high) {
      i.high = std::min(i.high, x);
    }
    const double next = x + step;
    // A step out of the interval goes to its middle instead: then it is halved at least.
    root.at = next > i.low && next < i.high ? next : (i.low + i.high) / 2;
  }

  // From root k, as far as is known; no more than to 0.
  double distance_to_next(std::size_t k) const {
    const std::vector<detail::IsolatedRoot>& all = places_.roots;
    const double x = std::sqrt(all[k].at);
    // A free motion at 0 is the nearest neighbour of the lowest root.
    double distance = x;
    if (k > 0) distance = std::min(distance, x - std::sqrt(all[k - 1].at));
    if (k + 1 < all.size()) distance = std::min(distance, std::sqrt(all[k + 1].at) - x);
    return distance;
  }

  // To the middle of the gaps beside it: a bracket may have to be wider than counts without bounds have made it.
  Interval widened(const std::vector<Interval>& intervals, std::size_t k) const {
    Interval i = intervals[k];
    i.low = ((k > 0 ? intervals[k - 1].high : floor_) + i.low) / 2;
    i.high = (i.high + (k + 1 < intervals.size() ? intervals[k + 1].low : top_)) / 2;
    return i;
  }

  Root bracketed(const Interval& i, const Interval& wider, const Approach& approach) {
    Root root;
    root.multiplicity = i.inside();
    // Not outside of what counts beyond doubt have left.
    root.omega = std::clamp(approach.at, i.low, i.high);
    root.step = std::abs(approach.step) / root.omega;
    bracket(wider, approach, root);
    return root;
  }

  // Bounds beyond doubt on both sides. The last evaluation has been one, if it was near and not too near.
  void bracket(const Interval& i, const Approach& approach, Root& root) {
    const double x = root.omega;
    bool below = false, above = false;
    const double apart = std::abs(approach.last_at - x);
    // Where a count is a bound by itself, the evaluation beside the root saves one of two counts.
    if (!pass_.blurs && !pass_.mixes && approach.last.is_safe() && apart >= kBracket.front() * x &&
        apart <= kBlurred * x) {
      below = approach.last_at < x && approach.last.below == i.below_low;
      above = approach.last_at > x && approach.last.below == i.below_high;
      (below ? root.low : root.high) = approach.last_at;
    }
    const double width = widen(i, root, below, above, pass_.precise ? kPolished : kBracket.size());
    if (width > 0) return end_bracket(i, width, root);
    // No width was wide enough, and there are no more digits to ask.
    if (!pass_.precise) return void(safe_ = false);
    // The root itself may be off by more than the brackets are wide.
    polish(i, root);
    below = above = false;
    const double again = widen(i, root, below, above, kBracket.size());
    if (!(again > 0)) return void(safe_ = false);
    end_bracket(i, again, root);
  }

  // Until both sides are sure, of the first so many widths. Returns the last one, 0 where they are not.
  double widen(const Interval& i, Root& root, bool below, bool above, std::size_t widths) {
    const double x = root.omega;
    const auto is_sure = [&](double at, Bound kind, int expected) {
      const Count here = bound(at, kind);
      return here.is_safe() && here.below == expected;
    };
    for (std::size_t k = 0; k < widths; ++k) {
      if (!below) {
        // Never into a neighbour's interval: brackets that overlap prove nothing.
        root.low = std::max(i.low, x * (1 - kBracket[k]));
        below = is_sure(root.low, Bound::kUpper, i.below_low);
      }
      if (!above) {
        root.high = std::min(i.high, x * (1 + kBracket[k]));
        above = is_sure(root.high, Bound::kLower, i.below_high);
      }
      if (below && above) return kBracket[k];
    }
    return 0;
  }

  void end_bracket(const Interval& i, double width, Root& root) {
    // A bound holds for a structure whose numbers are off by the slack.
    root.low *= 1 - pass_.slack;
    root.high *= 1 + pass_.slack;
    if (width > kBlurred || (root.multiplicity > 1 && !pass_.mixes)) look_from_afar(i, root);
  }

  // The last steps in double-double, where those in double have ended beside the root.
  void polish(const Interval& i, Root& root) {
    for (int k = 0; k < kPolishSteps; ++k) {
      ++evaluations_;
      const double step = -root.multiplicity / evaluate_precisely(pass_, root.omega, work_).log_derivative;
      const double next = root.omega + step;
      if (!(next > i.low && next < i.high)) return;
      root.omega = next;
      root.step = std::abs(step) / next;
      if (root.step < kLastTry) return;
    }
  }

  // Where counts are sure only at some distance, so may be evaluations: nearer by, rounding moves the root, and
  // multiple ones most. At x from the middle the logarithmic derivative is m / (x - e) + a + b x + c x^2 + ..., e being
  // how far the root is off the middle. Its sums over x = -d, d and over x = -2 d, 2 d differ by 3 m e / 2 d^2, and by
  // 6 c d^2.
  void look_from_afar(const Interval& i, Root& root) {
    // As near as counts are sure: farther away the other eigenfrequencies are no smooth rest any more.
    const double d = std::max(root.high - root.omega, kApart * root.omega);
    double middle = root.omega;
    for (int time = 0; time < 2; ++time) {
      std::array<double, 2> sum{};
      for (const int x : {-2, -1, 1, 2}) {
        const Evaluation here = evaluate_at(middle + x * d);
        // Another eigenfrequency stands between.
        if (here.count.below != (x < 0 ? i.below_low : i.below_high)) return;
        sum[to_index(std::abs(x)) - 1] += here.log_derivative;
      }
      const double off = 2 * d * d * (sum[0] - sum[1]) / (3 * root.multiplicity);
      // The second time is taken about the corrected middle, where the terms left out of the expansion are smaller.
      if (time == 0 && !(std::abs(off) > kMoved * middle)) return;
      middle += off;
    }
    const double moved = std::abs(middle - root.omega) / middle;
    if (!(moved > kMoved) || !(middle > root.low && middle < root.high)) return;
    root.omega = middle;
    // Of two digits more than the root had. The error that is reported is the square of the step.
    root.step = std::sqrt(moved / 100);
  }

  const comm::Comm& comm_;
  const Pass& pass_;
  PassWorkspace work_;
  double upto_;
  std::optional<int> free_motions_;
  const std::function<void(int, int)>& watch_;
  const std::atomic<bool>* stop_;
  bool stopped_ = false;
  Search search_;
  double safe_at_ = 0, floor_ = 0, top_ = 0;
  bool safe_ = true;
  int expected_ = 0, found_ = 0;
  detail::IsolatedRoots places_;
  std::int64_t counts_ = 0, evaluations_ = 0;
};

}  // namespace

RootSet find_roots(const comm::Comm& comm, const Pass& pass, double upto, std::optional<int> free_motions,
                   const std::function<void(int, int)>& watch, const std::atomic<bool>* stop) {
  RootSet set = Finder(comm, pass, upto, free_motions, watch, stop, Search::kFast).find();
  // Only a search that has failed is worth one that takes twenty times as long.
  if (set.proved || set.stopped || !pass.precise) return set;
  RootSet again = Finder(comm, pass, upto, free_motions, watch, stop, Search::kPrecise).find();
  again.counts += set.counts;
  again.evaluations += set.evaluations;
  return again;
}

}  // namespace espalier::modes

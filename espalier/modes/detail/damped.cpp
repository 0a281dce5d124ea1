#include "espalier/modes/detail/damped.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "espalier/base/numbers.hpp"
#include "espalier/modes/detail/approach.hpp"
#include "espalier/modes/detail/edge_count.hpp"
#include "espalier/modes/detail/rational.hpp"
#include "espalier/modes/detail/slopes.hpp"

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;

constexpr int kFirstNodes = 16, kMostNodes = 256;  // a side, doubled until all agrees
// The same where as many roots are found as are proved, and samples only confirm them.
constexpr int kFewNodes = 8;
constexpr int kMostFitted = 64;        // nodes a side through which a rational function is laid
constexpr double kFit = 1e-13;         // of the rational function
constexpr double kInteger = 0.05;      // so near must the number of missing roots be to none,
constexpr double kHalfInteger = 0.2;   // and so near by half of the nodes
constexpr double kSmallResidue = 0.3;  // poles with less are noise
constexpr double kSame = 1e-8;         // relative distance of equal roots
constexpr double kZero = 1e-13;        // of the region's size: beside a root at 0 no other one is seen
constexpr int kMostRounds = 8;
// Circles around multiple roots: their radius, relative, and the points on them.
constexpr double kCircle = 1e-3;
constexpr int kCirclePoints = 12;
// Roots so far outside of the region, in parts of its size, are taken out of the samples too: near the edge they would
// make them rough.
constexpr double kAround = 0.6;
// The real axis is looked at in so many points a decade, over so many decades.
constexpr int kPerDecade = 8, kDecades = 6;

class Finder {
 public:
  Finder(const comm::Comm& comm, const Pass& pass, const Region& region, const KnownRoots& known,
         const RootSearchOptions& options)
      : comm_(comm),
        slopes_(comm, pass, kMostEvaluations + kMostEvaluationsEach * static_cast<std::int64_t>(known.starts.size()),
                options.stop),
        region_(region),
        edge_(region),
        watch_(options.watch) {
    const double around = kAround * std::max(region.top, -region.left);
    zone_ = {std::max(region.left - around, (region.left + known.barrier) / 2), region.right, region.top + around};
    ask_ = [this](std::span<const Complex> points) { return slopes_.at(points); };
    if (known.at_zero > 0 && region.contains(0)) roots_.push_back({0, known.at_zero, 0});
  }

  // Phases, of docs/theory/modes.md, section 5:
  //   1. each start is followed to its eigenvalue, all of them at once (M11)
  //   2. the winding number along the edge says how many the region has
  //   3. what is missing is hunted, first where no mode leads: on the real axis, and at poles of what is left
  //   4. 2 and 3 again with twice as many samples, until count and list agree
  ComplexRootSet find(const KnownRoots& known) {
    ComplexRootSet set;
    // A start stands for a pair: the mirror image below the real axis is never followed by itself.
    std::vector<ComplexRoot> inside, around;
    for (const ComplexRoot& start : known.starts) {
      if (is_around(start.s)) (region_.contains(start.s) ? inside : around).push_back(start);
    }
    // Modes of the region first: those around it cost as much, and are seldom needed.
    // 1.
    follow(inside);
    // 2 to 4.
    const int first = known.expected == number_found() ? kFewNodes : kFirstNodes;
    for (int n = first; n <= kMostNodes && !set.checked; n *= 2) {
      if (!edge_.sample(slopes_, n)) break;
      set.samples = static_cast<std::int64_t>(edge_.points().size());
      // A determinant that is no number there is none with more nodes either.
      set.counted = number_found() + edge_.missing(roots_);
      if (!std::isfinite(set.counted)) break;
      // An eigenvalue beside the edge makes the samples rough, so that those around are found before any is hunted.
      if (n == first && !agrees()) follow(around);
      hunt(n);
      set.counted = number_found() + edge_.missing(roots_);
      set.checked = agrees();
      report(set.counted);
    }
    // The list is ordered by frequency, whatever the order in which eigenvalues were found.
    set.found = number_found();
    for (const ComplexRoot& root : roots_) {
      if (region_.contains(root.s)) set.roots.push_back(root);
    }
    std::sort(set.roots.begin(), set.roots.end(), [](const ComplexRoot& a, const ComplexRoot& b) {
      return a.s.imag() != b.s.imag() ? a.s.imag() < b.s.imag() : a.s.real() < b.s.real();
    });
    set.exhausted = !set.checked && slopes_.is_over();
    set.stopped = slopes_.is_stopped();
    set.evaluations = slopes_.evaluations();
    return set;
  }

 private:
  bool agrees() const {
    // A rule with half of the nodes that agrees says that the other half is more than enough.
    return std::abs(edge_.missing(roots_)) < kInteger && std::abs(edge_.missing_by_half(roots_)) < kHalfInteger;
  }
  int number_missing() const { return static_cast<int>(std::lround(edge_.missing(roots_))); }

  int number_found() const {
    int found = 0;
    for (const ComplexRoot& root : roots_) {
      // A pair counts twice, the region being its own mirror image.
      if (region_.contains(root.s)) found += root.multiplicity * (root.s.imag() > 0 ? 2 : 1);
    }
    return found;
  }

  void report(double counted) {
    if (watch_ && comm_.is_root()) watch_(number_found(), static_cast<int>(std::lround(counted)));
  }

  // True if there is a new one among those that the starts lead to. What is said to be multiple is counted.
  bool follow(std::span<const ComplexRoot> starts) {
    const std::vector<ComplexRoot> before = roots_;
    // Only the new ones are followed; those known already are taken out of D' / D.
    for (const ComplexRoot& root : approach_roots(ask_, roots_, starts, zone_)) add(root);
    bool is_new = roots_.size() > before.size();
    for (std::size_t k = 0; k < roots_.size(); ++k) {
      const int known = k < before.size() ? before[k].multiplicity : 1;
      if (roots_[k].s == 0.0 || roots_[k].multiplicity == known) continue;
      roots_[k].multiplicity = std::max(known, count_at(k));
      is_new = is_new || roots_[k].multiplicity > known;
    }
    return is_new;
  }

  // By the integral along a small circle around root k, which holds no other. A search that comes back to a root, where
  // nothing is left but rounding, has not found it twice.
  int count_at(std::size_t k) {
    const Complex centre = roots_[k].s;
    double radius = kCircle * std::abs(centre);
    // Not as far as the real axis: the conjugate root lies behind it.
    if (centre.imag() > 0) radius = std::min(radius, centre.imag() / 2);
    std::vector<ComplexRoot> others;
    for (std::size_t j = 0; j < roots_.size(); ++j) {
      if (j == k) continue;
      // No other root on the circle or inside: their parts are taken out, but not their rounding.
      radius = std::min(radius, std::abs(roots_[j].s - centre) / 3);
      others.push_back(roots_[j]);
    }
    std::vector<Complex> points;
    for (int j = 0; j < kCirclePoints; ++j) {
      points.push_back(centre + elementary::polar(radius, 2 * std::numbers::pi * (j + 0.5) / kCirclePoints));
    }
    const std::vector<Complex> slopes = slopes_.at(points);
    double sum = 0;
    for (std::size_t j = 0; j < slopes.size(); ++j) {
      // Equal weights on a circle, where that rule converges geometrically.
      sum += ((slopes[j] - known_part(others, points[j])) * (points[j] - centre)).real() / kCirclePoints;
    }
    return static_cast<int>(std::lround(sum));
  }

  // Equal ones of one approach are one of a higher multiplicity.
  void add(const ComplexRoot& root) {
    for (ComplexRoot& other : roots_) {
      // Kinematics says how often 0 is a root; what is found beside it is rounding of the same.
      if (other.s == 0.0 && std::abs(root.s) <= kZero * zone_.size()) return;
      if (other.s == 0.0 || std::abs(other.s - root.s) > kSame * std::abs(root.s)) continue;
      other.multiplicity += root.multiplicity;
      return;
    }
    roots_.push_back(root);
  }

  // What is missing on the real axis, where overdamped motions are, and by the poles of what is left.
  void hunt(int nodes) {
    for (int round = 0; round < kMostRounds && !slopes_.is_over() && number_missing() != 0; ++round) {
      // Once is enough: the same points would show the same signs again.
      const bool real = round == 0 && hunt_on_axis();
      if (real && number_missing() == 0) return;
      if (nodes > kMostFitted) return;
      const std::vector<ComplexRoot> seen = poles();
      if (!follow(seen) && !real) return;
    }
  }

  // Real roots between two points where the determinant has different signs, but for those that are known.
  bool hunt_on_axis() {
    std::vector<double> points;
    for (int k = 0; k <= kPerDecade * kDecades; ++k) {
      // Overdamped motions spread over decades, so that equal ratios miss fewer of them than equal steps.
      points.push_back(zone_.left * elementary::pow(10.0, -static_cast<double>(k) / kPerDecade));
    }
    const std::vector<char> negative = slopes_.negative_at(points);
    if (negative.empty()) return false;
    std::vector<ComplexRoot> starts;
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      int changes = negative[k] != negative[k + 1] ? 1 : 0;
      for (const ComplexRoot& root : roots_) {
        const bool between = root.s.imag() == 0 && root.s.real() > points[k] && root.s.real() < points[k + 1];
        if (between) changes += root.multiplicity;
      }
      // An odd number is left: one root at least that nobody knows.
      if (changes % 2 != 0) starts.push_back({(points[k] + points[k + 1]) / 2, 1, 0});
    }
    return follow(starts);
  }

  std::vector<ComplexRoot> poles() const {
    const std::vector<Complex> left = edge_.left_over(roots_);
    std::vector<Complex> points, values;
    for (std::size_t k = 0; k < left.size(); ++k) {
      const Complex s = edge_.points()[k];
      // Corners belong to two sides and are sampled for both.
      if (k > 0 && s == edge_.points()[k - 1]) continue;
      points.push_back(s);
      values.push_back(left[k]);
      // The other half of the edge is the mirror image, with conjugate values.
      if (!(s.imag() > 0)) continue;
      points.push_back(std::conj(s));
      values.push_back(std::conj(left[k]));
    }
    std::vector<ComplexRoot> seen;
    for (const Pole& pole : find_poles(points, values, kFit)) {
      const Complex s = pole.at;
      // The residue of D' / D is a multiplicity: what is far below 1 is the rational function's own noise.
      if (!(std::abs(pole.residue) > kSmallResidue) || !is_around(s) || s.imag() < -1e-6 * region_.top) continue;
      seen.push_back({s, std::max(1, static_cast<int>(std::lround(pole.residue.real()))), 0});
    }
    return seen;
  }
  bool is_around(Complex s) const {
    return s.real() >= zone_.left && s.real() <= zone_.right && std::abs(s.imag()) <= zone_.top;
  }

  const comm::Comm& comm_;
  Slopes slopes_;
  Region region_;
  Zone zone_;
  EdgeCount edge_;
  SlopesAt ask_;
  const std::function<void(int, int)>& watch_;
  std::vector<ComplexRoot> roots_;  // in the region and around it
};

}  // namespace

ComplexRootSet find_roots(const comm::Comm& comm, const Pass& pass, const Region& region, const KnownRoots& known,
                          const RootSearchOptions& options) {
  return Finder(comm, pass, region, known, options).find(known);
}

}  // namespace espalier::modes::detail

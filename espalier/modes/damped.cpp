#include "espalier/modes/damped.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "espalier/comm/collectives.hpp"
#include "espalier/modes/rational.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;

constexpr int kFirstNodes = 16, kMostNodes = 512;  // a side, doubled until all agrees
constexpr double kFit = 1e-13;                     // of the rational function
constexpr double kInteger = 0.05;                  // so near must the number of missing roots be to none
constexpr double kClearResidue = 0.1;              // so near must a residue be to a whole number at first
constexpr double kSmallResidue = 0.3;              // poles with less are noise
constexpr double kSame = 1e-8;                     // relative distance of equal roots
constexpr double kZero = 1e-13;                    // of the region's size: beside a root at 0 no other one is seen
constexpr double kRealPart = 1e-9;                 // below this relative imaginary part a root is real
constexpr double kRefined = 1e-6;                  // a last step below this is a root
// Newton's method doubles the digits: after a step of this relative size nothing is left to do.
constexpr double kLastStep = 1e-9;
constexpr int kMostSteps = 25;
constexpr int kMostRounds = 12;

// Clenshaw-Curtis on [-1, 1]: nodes cos(k pi / n) and weights, n even.
double node(int k, int n) { return std::cos(std::numbers::pi * k / n); }
double weight(int k, int n) {
  double sum = 1;
  for (int j = 1; j <= n / 2; ++j) {
    const double half = j == n / 2 ? 1 : 2;
    sum -= half * std::cos(2 * std::numbers::pi * j * k / n) / (4.0 * j * j - 1);
  }
  return sum * (k == 0 || k == n ? 1.0 : 2.0) / n;
}

// A point of the upper half of the edge. Its mirror image counts as well.
struct Sample {
  Complex s;
  Complex slope;   // of the logarithm of the determinant
  Complex weight;  // ds of the integral along the upper half, counter-clockwise
};

class Finder {
 public:
  Finder(const comm::Comm& comm, const Sweep& sweep, const Region& region, const KnownRoots& known)
      : comm_(comm), sweep_(sweep), work_(sweep), region_(region), guesses_(known.guesses) {
    if (known.at_zero > 0 && region.contains(0)) roots_.push_back({0, known.at_zero, 0});
  }

  ComplexRootSet find(const std::function<void(int, int)>& watch) {
    ComplexRootSet set;
    for (int n = kFirstNodes; n <= kMostNodes; n *= 2) {
      sample_edge(n);
      set.samples = evaluations_;
      find_all();
      set.found = number_found();
      const double missing = count_missing();
      set.counted = set.found + missing;
      if (watch && comm_.is_root()) watch(set.found, static_cast<int>(std::lround(set.counted)));
      set.checked = std::abs(missing) < kInteger;
      if (set.checked) break;
    }
    set.roots = roots_;
    std::sort(set.roots.begin(), set.roots.end(), [](const ComplexRoot& a, const ComplexRoot& b) {
      return a.s.imag() != b.s.imag() ? a.s.imag() < b.s.imag() : a.s.real() < b.s.real();
    });
    set.evaluations = evaluations_;
    return set;
  }

 private:
  // What is found is taken out of the samples, so that those which were hidden behind it come to light.
  void find_all() {
    for (int round = 0; round < kMostRounds && std::lround(count_missing()) != 0; ++round) {
      const Candidates found = candidates();
      if (!add_roots(found.clear) && !add_roots(found.blurred)) break;
    }
    if (std::lround(count_missing()) != 0) add_roots(guesses_);
  }

  int number_found() const {
    int found = 0;
    for (const ComplexRoot& root : roots_) found += root.multiplicity * (root.s.imag() > 0 ? 2 : 1);
    return found;
  }

  // What the roots that are known, and their mirror images, have in the logarithmic derivative.
  Complex known_part(Complex s) const {
    Complex sum = 0;
    for (const ComplexRoot& root : roots_) {
      const double m = root.multiplicity;
      sum += m / (s - root.s);
      if (root.s.imag() > 0) sum += m / (s - std::conj(root.s));
    }
    return sum;
  }

  // Right side upwards from the axis, top from right to left, left side downwards to the axis.
  void sample_edge(int n) {
    samples_.clear();
    const double r = region_.right, l = region_.left, t = region_.top;
    const auto add = [&](Complex s, Complex ds) { samples_.push_back({s, {}, ds}); };
    // On the axis half of a node belongs to the mirror image.
    for (int k = n / 2; k >= 0; --k) add({r, t * node(k, n)}, {0, t * weight(k, n) * (2 * k == n ? 0.5 : 1)});
    for (int k = 0; k <= n; ++k) {
      add({(r + l) / 2 + (r - l) / 2 * node(k, n), t}, {-(r - l) / 2 * weight(k, n), 0});
    }
    for (int k = 0; k <= n / 2; ++k) add({l, t * node(k, n)}, {0, -t * weight(k, n) * (2 * k == n ? 0.5 : 1)});
    evaluate_samples();
  }

  // Points of coarser edges, and corners, are known.
  void evaluate_samples() {
    std::vector<std::size_t> fresh;
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      const Complex s = samples_[k].s;
      const bool twice = k > 0 && same(samples_[k - 1].s, s);
      if (!twice && !find_known(s)) fresh.push_back(k);
    }
    std::vector<Complex> mine;
    const auto ranks = static_cast<std::size_t>(comm_.size());
    for (std::size_t k = static_cast<std::size_t>(comm_.rank()); k < fresh.size(); k += ranks) {
      mine.push_back(evaluate(sweep_, samples_[fresh[k]].s, work_).log_derivative);
    }
    evaluations_ += static_cast<std::int64_t>(fresh.size());
    const comm::PerRank<Complex> all = comm::all_gather_v(comm_, std::span<const Complex>(mine));
    for (std::size_t k = 0; k < fresh.size(); ++k) {
      known_.push_back({samples_[fresh[k]].s, all.of(static_cast<int>(k % ranks))[k / ranks]});
    }
    for (Sample& sample : samples_) sample.slope = *find_known(sample.s);
  }
  bool same(Complex a, Complex b) const {
    return std::abs(a - b) <= 1e-12 * (region_.top + region_.right - region_.left);
  }
  std::optional<Complex> find_known(Complex s) const {
    for (const auto& [at, slope] : known_) {
      if (same(at, s)) return slope;
    }
    return std::nullopt;
  }

  // (1 / 2 pi i) times the integral along the whole edge, which is twice the imaginary part along the upper half. With
  // the known roots taken out the integrand is smooth, and few nodes are enough.
  double count_missing() const {
    double sum = 0;
    for (const Sample& sample : samples_) sum += ((sample.slope - known_part(sample.s)) * sample.weight).imag();
    return sum / std::numbers::pi;
  }

  // Those whose residue is a whole number are seen clearly; the others may be several, and wait for them to be gone.
  struct Candidates {
    std::vector<ComplexRoot> clear, blurred;
  };
  Candidates candidates() const {
    std::vector<Complex> points, values;
    for (const auto& [s, slope] : known_) {
      const Complex left = slope - known_part(s);
      points.push_back(s);
      values.push_back(left);
      if (s.imag() > 1e-12 * region_.top) {
        points.push_back(std::conj(s));
        values.push_back(std::conj(left));
      }
    }
    Candidates found;
    for (const Pole& pole : find_poles(points, values, kFit)) {
      const Complex s = pole.at;
      if (!(std::abs(pole.residue) > kSmallResidue) || !region_.contains(s)) continue;
      if (s.imag() < -1e-6 * region_.top) continue;
      const int multiplicity = std::max(1, static_cast<int>(std::lround(pole.residue.real())));
      const bool is_clear = std::abs(pole.residue - static_cast<double>(multiplicity)) < kClearResidue;
      (is_clear ? found.clear : found.blurred).push_back({s, multiplicity, 0});
    }
    return found;
  }

  // True if there is a new one among them.
  bool add_roots(const std::vector<ComplexRoot>& starts) {
    std::vector<ComplexRoot> mine;
    const auto ranks = static_cast<std::size_t>(comm_.size());
    const std::int64_t before = evaluations_;
    for (std::size_t k = static_cast<std::size_t>(comm_.rank()); k < starts.size(); k += ranks) {
      mine.push_back(refine(starts[k]));
    }
    evaluations_ = before + comm::sum(comm_, evaluations_ - before);
    const comm::PerRank<ComplexRoot> all = comm::all_gather_v(comm_, std::span<const ComplexRoot>(mine));
    const std::size_t old = roots_.size();
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const ComplexRoot& root = all.of(static_cast<int>(k % ranks))[k / ranks];
      const bool known = std::any_of(roots_.begin(), roots_.end(), [&](const ComplexRoot& other) {
        return std::abs(other.s - root.s) <= kSame * std::abs(root.s) ||
               (other.s == 0.0 && std::abs(root.s) <= kZero * region_size());
      });
      if (!known && root.step < kRefined && region_.contains(root.s)) roots_.push_back(root);
    }
    return roots_.size() > old;
  }

  // Newton's method on the logarithm of the determinant without the roots that are known.
  ComplexRoot refine(ComplexRoot root) {
    const double m = root.multiplicity;
    for (int k = 0; k < kMostSteps; ++k) {
      ++evaluations_;
      const Complex step = -m / (evaluate(sweep_, root.s, work_).log_derivative - known_part(root.s));
      root.s += step;
      root.step = std::abs(step) / std::abs(root.s);
      if (root.step <= kLastStep || !std::isfinite(root.step)) break;
      if (std::abs(root.s - region_middle()) > 2 * region_size()) break;
    }
    if (std::abs(root.s.imag()) <= kRealPart * std::abs(root.s)) root.s = root.s.real();
    if (root.s.imag() < 0) root.s = std::conj(root.s);
    return root;
  }
  Complex region_middle() const { return (region_.left + region_.right) / 2; }
  double region_size() const { return std::hypot((region_.right - region_.left) / 2, region_.top); }

  const comm::Comm& comm_;
  const Sweep& sweep_;
  SweepWorkspace work_;
  Region region_;
  const std::vector<ComplexRoot>& guesses_;
  std::vector<Sample> samples_;
  std::vector<std::pair<Complex, Complex>> known_;
  std::vector<ComplexRoot> roots_;
  std::int64_t evaluations_ = 0;
};

}  // namespace

ComplexRootSet find_roots(const comm::Comm& comm, const Sweep& sweep, const Region& region, const KnownRoots& known,
                          const std::function<void(int, int)>& watch) {
  return Finder(comm, sweep, region, known).find(watch);
}

}  // namespace espalier::modes

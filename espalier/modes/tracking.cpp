#include "espalier/modes/tracking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/SVD>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/shapes.hpp"
#include "espalier/modes/results.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Frequencies that differ by less, relative, are equal.
constexpr double kEqual = 1e-9;
// Below it a mode is another one.
constexpr double kRelated = 0.2;

// Any basis of equal modes is as good as another: the one that is nearest to those before.
void align_group(const MatrixXcd& before, Index first, Index size, MatrixXcd& now) {
  const MatrixXcd part = now.middleCols(first, size).adjoint() * before;
  std::vector<Index> order(to_index(before.cols()));
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Index>(k);
  // The modes before of which most is in this group; equal shares in their order, so that no rounding decides.
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return part.col(a).squaredNorm() > part.col(b).squaredNorm() * (1 + 1e-9);
  });
  if (static_cast<Index>(order.size()) < size) return;
  order.resize(to_index(size));
  std::sort(order.begin(), order.end());
  MatrixXcd chosen(size, size);
  for (Index k = 0; k < size; ++k) chosen.col(k) = part.col(order[to_index(k)]);
  // The nearest orthogonal matrix is U V* of the singular value decomposition: Procrustes' problem.
  const Eigen::JacobiSVD<MatrixXcd> svd(chosen, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const MatrixXcd turned = now.middleCols(first, size) * (svd.matrixU() * svd.matrixV().adjoint());
  now.middleCols(first, size) = turned;
}

void align(const TrackStep& before, TrackStep& now) {
  const auto size = static_cast<Index>(now.group.size());
  for (Index first = 0, last = 0; first < size; first = last) {
    for (last = first; last < size && now.group[to_index(last)] == now.group[to_index(first)];) {
      ++last;
    }
    if (last - first > 1) align_group(before.coordinates, first, last - first, now.coordinates);
  }
}

// By mode of `now`: the mode before, or -1; and the MAC (M17) between them.
struct Match {
  std::vector<int> before;
  std::vector<double> mac;
};

// The most alike first; what is as alike goes to the lower numbers.
Match match(const TrackStep& before, const TrackStep& now) {
  Match result{std::vector<int>(now.s.size(), -1), std::vector<double>(now.s.size(), 0)};
  struct Pair {
    double mac;
    int a, b;
  };
  std::vector<Pair> pairs;
  // (M17)
  const MatrixXcd products = before.coordinates.adjoint() * now.coordinates;
  for (Index a = 0; a < products.rows(); ++a) {
    for (Index b = 0; b < products.cols(); ++b) {
      const double mac = std::norm(products(a, b));
      // Less than that says nothing, and would only order what is left over.
      if (mac > kRelated) pairs.push_back({mac, static_cast<int>(a), static_cast<int>(b)});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.mac > b.mac; });
  std::vector<bool> used(before.s.size(), false);
  for (const Pair& pair : pairs) {
    const auto a = to_index(pair.a), b = to_index(pair.b);
    // Each mode has one before and one after.
    if (used[a] || result.before[b] >= 0) continue;
    used[a] = true;
    result.before[b] = pair.a;
    result.mac[b] = pair.mac;
  }
  return result;
}

class Tracker {
 public:
  Tracker(const StepAt& at, const TrackOptions& options) : at_(at), options_(options) {}

  Result<TrackSet> run(const std::vector<double>& values) {
    set_.values = values;
    for (std::size_t k = 0; k < values.size(); ++k) {
      Result<TrackStep> step = at_(values[k]);
      ESPALIER_TRY(step);
      ++set_.steps;
      if (k == 0) {
        start(*std::move(step));
      } else {
        const Result<void> done = advance(values[k - 1], values[k], *std::move(step), options_.max_halvings);
        ESPALIER_TRY(done);
      }
      record(k);
    }
    sort_tracks();
    return std::move(set_);
  }

 private:
  void start(TrackStep step) {
    last_ = std::move(step);
    mac_.assign(last_.s.size(), 1);
    for (std::size_t b = 0; b < last_.s.size(); ++b) track_of_.push_back(next_track_++);
  }

  // Shapes that are alike, in the same order: two modes that veer sharply look as if they crossed where a step jumps
  // over it.
  bool is_clear(const Match& found) const {
    // Beyond those asked for, modes come and go at the end of the range.
    const std::size_t count = std::min(found.before.size(), to_index(options_.count));
    double highest = 0;
    for (std::size_t b = 0; b < count; ++b) {
      if (found.mac[b] < options_.clear) return false;
      const double before = last_.s[to_index(found.before[b])].imag();
      // Another order than before: a crossing, or a veering that the step has jumped over.
      if (before < highest * (1 - kEqual)) return false;
      highest = std::max(highest, before);
    }
    return true;
  }

  // From the last step to `now`, by halves where modes cannot be told apart.
  Result<void> advance(double from, double to, TrackStep now, int halvings) {
    align(last_, now);
    const Match found = match(last_, now);
    const double middle = 0.5 * (from + to);
    // Between neighbouring doubles there is no middle.
    if (halvings > 0 && !is_clear(found) && middle != from && middle != to) {
      Result<TrackStep> between = at_(middle);
      ESPALIER_TRY(between);
      ++set_.steps;
      const Result<void> first = advance(from, middle, *std::move(between), halvings - 1);
      ESPALIER_TRY(first);
      return advance(middle, to, std::move(now), halvings - 1);
    }
    std::vector<int> tracks;
    std::vector<double> mac;
    for (std::size_t b = 0; b < now.s.size(); ++b) {
      const int a = found.before[b];
      tracks.push_back(a < 0 ? next_track_++ : track_of_[to_index(a)]);
      // What is told of a track is its weakest step since the last value.
      mac.push_back(a < 0 ? kNan : std::min(found.mac[b], mac_[to_index(a)]));
    }
    track_of_ = std::move(tracks);
    mac_ = std::move(mac);
    last_ = std::move(now);
    return {};
  }

  void record(std::size_t k) {
    const std::size_t size = set_.values.size();
    // Tracks that begin later have no numbers before.
    set_.tracks.resize(to_index(next_track_),
                       {std::vector<Complex>(size, Complex(kNan, kNan)), std::vector<double>(size, kNan)});
    for (std::size_t b = 0; b < last_.s.size(); ++b) {
      Track& track = set_.tracks[to_index(track_of_[b])];
      track.s[k] = last_.s[b];
      track.mac[k] = mac_[b];
      mac_[b] = 1;
    }
    set_.certainty.push_back(last_.certainty);
  }

  // Tracks of steps between values alone are dropped.
  void sort_tracks() {
    const auto first = [](const Track& track) {
      const auto found =
          std::find_if(track.s.begin(), track.s.end(), [](const Complex& s) { return !std::isnan(s.imag()); });
      return to_index(found - track.s.begin());
    };
    std::erase_if(set_.tracks, [&](const Track& track) { return first(track) == track.s.size(); });
    std::stable_sort(set_.tracks.begin(), set_.tracks.end(), [&](const Track& a, const Track& b) {
      const std::size_t ka = first(a), kb = first(b);
      return ka != kb ? ka < kb : a.s[ka].imag() < b.s[kb].imag();
    });
  }

  const StepAt& at_;
  const TrackOptions& options_;
  TrackSet set_;
  TrackStep last_;
  std::vector<int> track_of_;  // by mode of the last step
  std::vector<double> mac_;    // since the last value
  int next_track_ = 0;
};

}  // namespace

Result<TrackStep> make_track_step(const Structure& structure, const Tree& tree, const ModeSet& set,
                                  const std::vector<int>& slices) {
  const CutStructure cut = cut_beams(structure, tree, slices);
  // Slices are short enough up to a largest |s|, which has to be known beforehand.
  double largest = 1e-3 * set.upto;
  for (const Mode& mode : set.modes) largest = std::max(largest, std::abs(mode.s));
  const Result<Pass> pass = make_pass(cut.structure, cut.tree, 1.01 * largest);
  ESPALIER_TRY(pass);
  TrackStep step;
  step.certainty = set.certainty;
  std::vector<Eigen::VectorXcd> columns;
  for (std::size_t k = 0; k < set.modes.size(); ++k) {
    const Mode& mode = set.modes[k];
    // Free and overdamped motions have no frequency to follow.
    if (!(mode.s.imag() > 0)) continue;
    const std::vector<Shape> shapes = set.damped
                                          ? detail::find_shapes(cut.structure, *pass, mode.s, mode.multiplicity)
                                          : detail::find_shapes(cut.structure, *pass, mode.s.imag(), mode.multiplicity);
    const std::size_t first = columns.size();
    for (const Shape& shape : shapes) {
      Eigen::VectorXcd q = mass_coordinates(cut, shape, mode.s);
      // Twice, since little may be left of it.
      for (int time = 0; time < 2; ++time) {
        for (std::size_t c = first; c < columns.size(); ++c) q -= columns[c] * columns[c].dot(q);
        q.normalize();
      }
      columns.push_back(std::move(q));
      step.s.push_back(mode.s);
      step.group.push_back(static_cast<int>(k));
    }
  }
  step.coordinates.resize(columns.empty() ? 0 : columns.front().size(), static_cast<Index>(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c) step.coordinates.col(static_cast<Index>(c)) = columns[c];
  return step;
}

Result<TrackSet> track_modes(const StepAt& at, const std::vector<double>& values, const TrackOptions& options) {
  return Tracker(at, options).run(values);
}

}  // namespace espalier::modes

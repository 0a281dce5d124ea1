#include "espalier/modes/detail/approach.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;

constexpr int kMostRounds = 60;
// Newton's method doubles the digits: after a step of this relative size nothing is left to do.
constexpr double kLastStep = 1e-9;
// Below this relative imaginary part a root is real.
constexpr double kRealPart = 1e-9;
// A step of no more than this part of the root's size, so that none is thrown far away by a flat spot.
constexpr double kLongest = 0.5;
// A root that was thought to be multiple and does not settle is several after so many rounds.
constexpr int kPatience = 8;
// What has been outside for so many rounds does not come back.
constexpr int kOutside = 4;
// Steps this small that do not shrink any more, so many times, are rounding.
constexpr double kStall = 1e-7;
constexpr int kMostStalls = 4;

struct Item {
  Complex s;
  int multiplicity = 1;
  double step = 1;  // relative
  int rounds = 0, outside = 0, stalls = 0;
  int partner = -1;  // real: the other half of a pair that has met on the axis
  bool done = false, gone = false;

  bool is_open() const { return !done && !gone; }
  bool is_pair() const { return s.imag() > 0; }
};

// All roots at once, round by round:
//   1. one evaluation of D' / D for each that is open
//   2. the step of each, Newton's less the parts of known roots and of all others (Aberth's method [Aberth73])
//   3. steps are taken: by a pair as a quadratic factor (M11), by two real ones of a pair together, else alone
//   4. roots that settle are done, those that leave the zone are gone
//   5. multiple roots that find no rest are several, and lonely real ones may be a pair
class Approach {
 public:
  Approach(const SlopesAt& slopes, std::span<const ComplexRoot> known, std::span<const ComplexRoot> starts,
           const Zone& zone)
      : slopes_(slopes), known_(known), zone_(zone) {
    for (const ComplexRoot& start : starts) items_.push_back({start.s, start.multiplicity});
    // The upper half stands for both.
    for (Item& item : items_) {
      if (item.s.imag() < 0) item.s = std::conj(item.s);
    }
  }

  std::vector<ComplexRoot> run() {
    for (int round = 0; round < kMostRounds && step_all(); ++round) split_restless();
    std::vector<ComplexRoot> roots;
    for (const Item& item : items_) {
      const bool settled = item.done || item.step < kRefined;
      if (!item.gone && settled) roots.push_back({item.s, item.multiplicity, item.step});
    }
    return roots;
  }

 private:
  // One evaluation of each that is open. All steps are found before any is taken.
  bool step_all() {
    std::vector<std::size_t> open;
    std::vector<Complex> points;
    for (std::size_t k = 0; k < items_.size(); ++k) {
      if (!items_[k].is_open()) continue;
      open.push_back(k);
      points.push_back(items_[k].s);
    }
    if (open.empty()) return false;
    // 1.
    const std::vector<Complex> slopes = slopes_(points);
    if (slopes.empty()) return false;
    // 2.
    std::vector<Complex> steps;
    for (std::size_t p = 0; p < open.size(); ++p) {
      const Item& item = items_[open[p]];
      const Complex left = slopes[p] - known_part(known_, item.s) - others_part(open[p]);
      const Complex u = static_cast<double>(item.multiplicity) / left;
      // Where two roots stand at one place, or D' / D is 0, a step aside in a direction without symmetry parts them.
      steps.push_back(std::isfinite(std::abs(u)) ? u : 0.1 * size_of(item.s) * Complex(0.6, 0.8));
    }
    for (std::size_t p = 0; p < open.size(); ++p) {
      // 3 and 4. An item may have ended by the step of its partner.
      if (items_[open[p]].is_open()) take(open[p], steps[p], open, steps);
    }
    return true;
  }

  // At 0 itself nothing is relative, so that the zone gives a least size.
  double size_of(Complex s) const { return std::max(std::abs(s), 1e-6 * zone_.size()); }
  Complex shortened(const Item& item, Complex step) const {
    const double most = kLongest * size_of(item.s);
    return std::abs(step) > most ? step * (most / std::abs(step)) : step;
  }

  // Of all items but k, which has its own mirror image left.
  Complex others_part(std::size_t k) const {
    Complex sum = 0;
    const Complex s = items_[k].s;
    for (std::size_t j = 0; j < items_.size(); ++j) {
      // Two real halves of a pair are one quadratic factor, and do not repel each other.
      if (j == k || items_[j].gone || (static_cast<int>(j) == items_[k].partner && items_[j].is_open())) continue;
      const double m = items_[j].multiplicity;
      sum += m / (s - items_[j].s);
      if (items_[j].is_pair()) sum += m / (s - std::conj(items_[j].s));
    }
    return sum;
  }

  void take(std::size_t k, Complex u, const std::vector<std::size_t>& open, const std::vector<Complex>& steps) {
    Item& item = items_[k];
    ++item.rounds;
    // A root and its conjugate move together, so that the factor stays real.
    if (item.is_pair()) {
      take_pair(item, u);
    } else if (item.partner >= 0 && items_[to_index(item.partner)].is_open()) {
      const auto other = to_index(item.partner);
      const auto at = to_index(std::find(open.begin(), open.end(), other) - open.begin());
      // Both steps are taken with the first of the two.
      if (k < other) take_two(k, other, u.real(), steps[at].real());
      return;
    } else {
      move(item, item.s - u.real());
    }
    settle(item);
  }

  // The quadratic factor of a pair.
  void take_pair(Item& item, Complex u) {
    const double x = item.s.real(), y = item.s.imag();
    // (M11) would divide by 0: the step is as long as the root is high.
    if (y == u.imag()) return move(item, item.s - u);
    // (M11)
    const double a = y * u.real() / (y - u.imag());
    const double square = y * y - 2 * y * u.imag() + 2 * a * u.real() - a * a;
    // Still above the axis.
    if (square > 0) {
      return move(item, {x - a, std::sqrt(square)});
    }
    // Two real roots now.
    const double middle = x - shortened(item, a).real(), half = shortened(item, std::sqrt(-square)).real();
    Item other = item;
    other.partner = index_of(item);
    item.s = middle - half;
    other.s = middle + half;
    split_off_.push_back(other);
  }

  // The quadratic factor of two real ones: z^2 + 2 p z + q = u (2 z + 2 p) at both of them.
  void take_two(std::size_t k, std::size_t j, double u, double v) {
    Item &first = items_[k], &second = items_[j];
    ++second.rounds;
    const double z = first.s.real(), w = second.s.real();
    // Two linear equations for p and q, one from each root.
    const double below = 2 * (z - u) - 2 * (w - v);
    const double p = (2 * z * u - z * z - 2 * w * v + w * w) / below;
    const double q = 2 * z * u - z * z - p * 2 * (z - u);
    const double square = p * p - q;
    if (!std::isfinite(square) || z == w) {
      // From one place alone there is no telling where they go.
      move(first, z - 0.01 * size_of(z));
      move(second, w + 0.01 * size_of(w));
    } else if (square >= 0) {
      // Each keeps its side, so that the halving below does not take their exchange for a long step.
      const double low = -p - std::sqrt(square), high = -p + std::sqrt(square);
      move(first, z < w ? low : high);
      move(second, z < w ? high : low);
    } else {
      move(first, {-p, std::sqrt(-square)});
      // A pair above the axis again: one item stands for both.
      first.partner = -1;
      second.gone = true;
    }
    settle(first);
    settle(second);
  }

  void move(Item& item, Complex to) {
    const double before = item.step;
    const Complex step = shortened(item, to - item.s);
    item.s += step;
    item.step = std::abs(step) / size_of(item.s);
    // Newton's steps shrink quadratically; small ones that do not are made of rounding.
    if (item.step < kStall && item.step > before / 2) ++item.stalls;
    item.done = item.step <= kLastStep || item.stalls >= kMostStalls;
  }

  void settle(Item& item) {
    // What crosses the axis is the other half of the pair.
    if (item.s.imag() < 0) item.s = std::conj(item.s);
    if (item.done && item.s.imag() <= kRealPart * std::abs(item.s)) item.s = item.s.real();
    const bool inside = item.s.real() >= zone_.left && item.s.real() <= zone_.right && item.s.imag() <= zone_.top;
    item.outside = inside ? 0 : item.outside + 1;
    // Nothing there is asked for, and the pass is not made for so large an |s|.
    const bool far = std::abs(item.s) > 4 * zone_.size();
    if (!item.done && (item.outside >= kOutside || far)) item.gone = true;
  }

  int index_of(const Item& item) const { return static_cast<int>(&item - items_.data()); }

  // Two real ones whose own halves have settled, and that find no real root, are a pair above the axis together.
  void pair_lonely() {
    std::vector<std::size_t> lonely;
    for (std::size_t k = 0; k < items_.size(); ++k) {
      const Item& item = items_[k];
      // The one whose partner has settled is alone from then on.
      const bool paired = item.partner >= 0 && items_[to_index(item.partner)].is_open();
      if (item.is_open() && !item.is_pair() && !paired && item.rounds >= kPatience) lonely.push_back(k);
    }
    std::sort(lonely.begin(), lonely.end(),
              [&](std::size_t a, std::size_t b) { return items_[a].s.real() < items_[b].s.real(); });
    for (std::size_t i = 0; i + 1 < lonely.size(); i += 2) {
      items_[lonely[i]].partner = static_cast<int>(lonely[i + 1]);
      items_[lonely[i + 1]].partner = static_cast<int>(lonely[i]);
    }
  }

  // New halves of pairs, and multiple roots that are several.
  void split_restless() {
    for (const Item& item : split_off_) {
      items_[to_index(item.partner)].partner = static_cast<int>(items_.size());
      items_.push_back(item);
    }
    split_off_.clear();
    pair_lonely();
    const std::size_t count = items_.size();
    for (std::size_t k = 0; k < count; ++k) {
      const Item item = items_[k];
      if (!item.is_open() || item.multiplicity == 1 || item.rounds < kPatience) continue;
      const int m = item.multiplicity;
      // 5. Around the place where it was, as far apart as its last step was long.
      const double radius = std::clamp(item.step, 1e-6, 0.05) * size_of(item.s);
      for (int j = 0; j < m; ++j) {
        const double angle = 0.7 + 2 * std::numbers::pi * j / m;
        Item part = item;
        part.s += item.is_pair() ? elementary::polar(radius, angle) : Complex(radius * (j - 0.5 * (m - 1)), 0);
        part.multiplicity = 1;
        part.rounds = 0;
        part.partner = -1;
        // Not onto the real axis, where a pair could not move any more.
        if (item.is_pair()) part.s.imag(std::max(part.s.imag(), 0.1 * item.s.imag()));
        if (j == 0) {
          items_[k] = part;
        } else {
          items_.push_back(part);
        }
      }
    }
  }

  const SlopesAt& slopes_;
  std::span<const ComplexRoot> known_;
  Zone zone_;
  std::vector<Item> items_, split_off_;
};

}  // namespace

double Zone::size() const { return elementary::hypot(std::max(-left, right), top); }

Complex known_part(std::span<const ComplexRoot> known, Complex s) {
  Complex sum = 0;
  for (const ComplexRoot& root : known) {
    const double m = root.multiplicity;
    sum += m / (s - root.s);
    if (root.s.imag() > 0) sum += m / (s - std::conj(root.s));
  }
  return sum;
}

std::vector<ComplexRoot> approach_roots(const SlopesAt& slopes, std::span<const ComplexRoot> known,
                                        std::span<const ComplexRoot> starts, const Zone& zone) {
  return Approach(slopes, known, starts, zone).run();
}

}  // namespace espalier::modes::detail

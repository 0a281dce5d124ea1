// Winding numbers of small matrices in long double: without optimisation minutes.
#pragma GCC optimize("O2")

// Thousands of small systems at random, made to be hard, against counts that share nothing with the room: inertia of
// the dense matrices in quadruple precision, and the winding number of their determinant along a finely divided edge.

#include "espalier/modes/modes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/modes/pass.hpp"
#include "espalier/modes/test/reference_check.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

__extension__ typedef __float128 Quad;
using Complex = std::complex<double>;
using LongComplex = std::complex<long double>;
using Eigen::MatrixXd;

enum Kind {
  kWide,
  kNearlyEqual,
  kOverdamped,
  kMassless,
  kWeaklyCoupled,
  kLoops,
  kFree,
  kNearCritical,
  kStiffLoops,
  kKinds
};
const std::array<const char*, kKinds> kWords = {"wide",           "nearly equal", "overdamped", "massless points",
                                                "weakly coupled", "loops",        "free",       "near critical",
                                                "stiff loops"};

bool is_wide(Kind kind) { return kind == kWide || kind == kStiffLoops; }

double power_of_ten(Random& random, double low, double high) { return std::pow(10.0, random.uniform(low, high)); }

// Masses along a line, with springs and dampers between them and to the ground.
class HardSystem {
 public:
  HardSystem(Kind kind, bool damped, Random& random)
      : size(2 + random.below(7)), M(MatrixXd::Zero(size, size)), K(M), C(M), kind_(kind), damped_(damped) {
    structure.vertices.push_back(vertex_at(Eigen::Vector3d::Zero(), kSupport));
    for (int k = 0; k < size; ++k) {
      structure.vertices.push_back(vertex_at({static_cast<double>(k + 1), 0, 0}, kAlongX));
      structure.vertices.back().name = std::to_string(k);
      M(k, k) = structure.vertices.back().mass(0, 0) = mass(k, random);
    }
    join_all(random);
  }

  int size;
  Structure structure;
  MatrixXd M, K, C;

 private:
  double mass(int k, Random& random) const {
    if (kind_ == kNearlyEqual || kind_ == kNearCritical) return 1;
    if (kind_ == kMassless && k % 2 == 1) return 0;
    return is_wide(kind_) ? power_of_ten(random, -3, 3) : power_of_ten(random, -1, 1);
  }

  double spring(Random& random) const {
    if (is_wide(kind_)) return power_of_ten(random, -6, 9);
    if (kind_ == kNearlyEqual) return 100 * (1 + power_of_ten(random, -13, -3));
    return power_of_ten(random, -1, 3);
  }
  double damper(double stiffness, Random& random) const {
    if (!damped_) return 0;
    if (kind_ == kOverdamped) return power_of_ten(random, 0, 4);
    if (kind_ == kNearCritical)
      return 2 * std::sqrt(stiffness) * (1 + (random.below(3) - 1) * power_of_ten(random, -9, -1));
    if (kind_ == kNearlyEqual) return 0.5 * (1 + power_of_ten(random, -13, -3));
    return random.below(3) == 0 ? 0 : power_of_ten(random, -4, 2);
  }

  void join_all(Random& random) {
    // Oscillators of their own, coupled or hardly.
    const bool apart = kind_ == kNearlyEqual || kind_ == kNearCritical || kind_ == kWeaklyCoupled;
    for (int k = 1; k <= size; ++k) {
      const double stiffness = spring(random);
      const int to = apart ? 0 : kind_ == kFree ? random.below(std::max(1, k - 1)) + 1 : random.below(k);
      if (to != k) connect(to, k, stiffness, damper(stiffness, random));
    }
    const int more = kind_ == kLoops || kind_ == kStiffLoops ? 3 * size : size / 2;
    for (int j = 0; j < more; ++j) {
      const int a = 1 + random.below(size), b = 1 + random.below(size);
      if (a == b) continue;
      const double stiffness = apart ? power_of_ten(random, -12, -3) : spring(random);
      connect(std::min(a, b), std::max(a, b), stiffness, apart ? 0 : damper(stiffness, random));
    }
  }

  void connect(int a, int b, double stiffness, double damping) {
    add_spring(structure, a, b, stiffness, damping);
    for (const auto& [matrix, value] : {std::pair(&K, stiffness), std::pair(&C, damping)}) {
      (*matrix)(b - 1, b - 1) += value;
      if (a == 0) continue;
      (*matrix)(a - 1, a - 1) += value;
      (*matrix)(a - 1, b - 1) -= value;
      (*matrix)(b - 1, a - 1) -= value;
    }
    exact_.push_back({a, b, stiffness, damping});
  }

  struct Spring {
    int a, b;
    double stiffness, damping;
  };
  std::vector<Spring> exact_;
  Kind kind_;
  bool damped_;

 public:
  // Negative pivots of K - omega^2 M, summed up without rounding of the double numbers.
  int count_below(Quad omega) const {
    std::vector<Quad> a(to_index(size * size), 0);
    const auto at = [&](int r, int c) -> Quad& { return a[to_index(r * size + c)]; };
    for (int k = 0; k < size; ++k) at(k, k) = -omega * omega * static_cast<Quad>(M(k, k));
    for (const Spring& spring : exact_) {
      const Quad k = spring.stiffness;
      at(spring.b - 1, spring.b - 1) += k;
      if (spring.a == 0) continue;
      at(spring.a - 1, spring.a - 1) += k;
      at(spring.a - 1, spring.b - 1) -= k;
      at(spring.b - 1, spring.a - 1) -= k;
    }
    int negative = 0;
    for (int p = 0; p < size; ++p) {
      negative += at(p, p) < 0 ? 1 : 0;
      for (int r = p + 1; r < size; ++r) {
        const Quad factor = at(r, p) / at(p, p);
        for (int c = p + 1; c < size; ++c) at(r, c) -= factor * at(p, c);
      }
    }
    return negative;
  }

  // Argument of det(s^2 M + s C + K), each column by its own size.
  long double argument(LongComplex s) const {
    using Matrix = Eigen::Matrix<LongComplex, Eigen::Dynamic, Eigen::Dynamic>;
    const Matrix P = s * s * M.cast<LongComplex>() + s * C.cast<LongComplex>() + K.cast<LongComplex>();
    const Eigen::PartialPivLU<Matrix> lu(P);
    long double sum = lu.permutationP().determinant() < 0 ? std::numbers::pi_v<long double> : 0;
    for (int k = 0; k < size; ++k) sum += std::arg(lu.matrixLU()(k, k));
    return sum;
  }

  // Eigenvalues in |Re s| <= decay side of the axis and a half plane's worth beyond, |Im s| <= top.
  double winding(double decay, double top) const {
    const std::array<LongComplex, 4> corner = {LongComplex(top, 0), {top, top}, {-decay, top}, {-decay, 0}};
    long double turned = 0;
    for (std::size_t k = 0; k + 1 < corner.size(); ++k) {
      constexpr int kParts = 64;
      for (int p = 0; p < kParts; ++p) {
        const auto point = [&](int n) {
          return corner[k] + (corner[k + 1] - corner[k]) * (static_cast<long double>(n) / kParts);
        };
        turned += angle_between(point(p), point(p + 1), 0);
      }
    }
    return static_cast<double>(turned / std::numbers::pi_v<long double>);
  }

 private:
  static long double folded(long double angle) { return std::remainder(angle, 2 * std::numbers::pi_v<long double>); }

  // Halved until both halves turn little.
  long double angle_between(LongComplex a, LongComplex b, int depth) const {
    const LongComplex middle = (a + b) / 2.0L;
    const long double first = folded(argument(middle) - argument(a)), second = folded(argument(b) - argument(middle));
    if (depth >= 30 || (std::abs(first) < 0.3L && std::abs(second) < 0.3L)) return first + second;
    return angle_between(a, middle, depth + 1) + angle_between(middle, b, depth + 1);
  }
};

struct Tally {
  int systems = 0, proved = 0, checked = 0;
};

TEST(RandomSystems, UndampedCountsAreThoseOfQuadruplePrecision) {
  std::array<Tally, kKinds> tally;
  for (std::uint32_t seed = 0; seed < 320; ++seed) {
    Random random(17, seed);
    const auto kind = static_cast<Kind>(seed % kKinds);
    const HardSystem system(kind, false, random);
    SCOPED_TRACE(fmt::format("seed {}, {}", seed, kWords[kind]));
    ModesOptions options;
    options.max_frequency = power_of_ten(random, 0, is_wide(kind) ? 6 : 2);
    const Result<ModeSet> set = modes_below(system.structure, options);
    ASSERT_TRUE(set.has_value()) << to_string(set.error());
    ++tally[kind].systems;
    if (set->certainty != Certainty::kProved) {
      EXPECT_EQ(kind, kStiffLoops) << set->certificate;
      continue;
    }
    ++tally[kind].proved;
    EXPECT_EQ(set->counted, system.count_below(set->upto)) << set->certificate;
    int below = 0;
    for (const Mode& mode : set->modes) {
      const Quad low = mode.bracket[0], high = mode.bracket[1];
      if (low > 0) {
        EXPECT_EQ(system.count_below(low), below) << mode.s;
      }
      below += mode.multiplicity;
      EXPECT_EQ(system.count_below(high), below) << mode.s;
    }
  }
  for (int kind = 0; kind < kKinds; ++kind) {
    const Tally& row = tally[to_index(kind)];
    std::printf("%-16s %3d systems, %3d proved\n", kWords[to_index(kind)], row.systems, row.proved);
  }
}

// Eigenfrequencies by halving, in quadruple precision.
std::vector<Quad> eigenfrequencies(const HardSystem& system, double upto) {
  std::vector<Quad> roots;
  const int all = system.count_below(upto);
  for (int k = system.count_below(1e-4); k < all; ++k) {
    Quad low = 1e-4, high = upto;
    while (high - low > 1e-26 * high) {
      const Quad middle =
          high > 2 * low ? static_cast<Quad>(std::sqrt(static_cast<double>(low * high))) : (low + high) / 2;
      (system.count_below(middle) > k ? high : low) = middle;
    }
    roots.push_back(high);
  }
  return roots;
}

// Very near eigenfrequencies, where the last pivots drown in rounding.
TEST(RandomSystems, BoundsOfCountsHoldInQuadruplePrecision) {
  std::array<std::array<int, 2>, kKinds> tally{};  // equal, wider
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    Random random(23, seed);
    const auto kind = static_cast<Kind>(seed % kKinds);
    const HardSystem system(kind, false, random);
    SCOPED_TRACE(fmt::format("seed {}, {}", seed, kWords[kind]));
    const double upto = power_of_ten(random, 0, is_wide(kind) ? 6 : 2);
    const Result<Tree> tree = plan_tree(system.structure);
    ASSERT_TRUE(tree.has_value());
    const Result<Pass> pass = make_pass(system.structure, *tree, 1.01 * upto);
    if (!pass) {
      // Next to springs of 1e9 N/m one of 1e-6 N/m is none at all.
      EXPECT_EQ(kind, kStiffLoops) << to_string(pass.error());
      continue;
    }
    PassWorkspace work(*pass);
    for (const Quad root : eigenfrequencies(system, upto)) {
      for (double apart = 1e-15; apart < 1e-5; apart *= 3) {
        for (const int side : {-1, 1}) {
          const auto omega = static_cast<double>(root * (1 + side * static_cast<Quad>(apart)));
          const int upper = count_below(*pass, omega, work, Bound::kUpper).below;
          const int lower = count_below(*pass, omega, work, Bound::kLower).below;
          EXPECT_GE(upper, system.count_below(omega * (1 - static_cast<Quad>(kBoundSlack))))
              << omega << ", " << side * apart;
          EXPECT_LE(lower, system.count_below(omega * (1 + static_cast<Quad>(kBoundSlack))))
              << omega << ", " << side * apart;
          ++tally[kind][upper == lower ? 0 : 1];
        }
      }
    }
  }
  for (int kind = 0; kind < kKinds; ++kind) {
    const auto& row = tally[to_index(kind)];
    std::printf("%-16s %5d bounds equal, %5d wider\n", kWords[to_index(kind)], row[0], row[1]);
  }
}

TEST(RandomSystems, DampedCountsAreThoseOfAFineWalkAroundTheRegion) {
  std::array<Tally, kKinds> tally;
  for (std::uint32_t seed = 0; seed < 320; ++seed) {
    Random random(19, seed);
    const auto kind = static_cast<Kind>(seed % kKinds);
    const HardSystem system(kind, true, random);
    if (!is_damped(system.structure)) continue;
    SCOPED_TRACE(fmt::format("seed {}, {}", seed, kWords[kind]));
    ModesOptions options;
    options.max_frequency = power_of_ten(random, 0, is_wide(kind) ? 4 : 2);
    options.max_decay = options.max_frequency * power_of_ten(random, -1, 0.5);
    const Result<ModeSet> set = modes_below(system.structure, options);
    ASSERT_TRUE(set.has_value()) << to_string(set.error());
    ++tally[kind].systems;
    if (set->certainty == Certainty::kNone) continue;
    int listed = 0;
    bool near_edge = false;
    for (const Mode& mode : set->modes) {
      listed += mode.multiplicity * (mode.s.imag() > 0 ? 2 : 1);
      near_edge = near_edge || std::abs(mode.s.imag() - options.max_frequency) < 1e-6 * options.max_frequency ||
                  std::abs(mode.s.real() + options.max_decay) < 1e-6 * options.max_decay;
    }
    if (near_edge) continue;
    ++(set->certainty == Certainty::kProved ? tally[kind].proved : tally[kind].checked);
    EXPECT_NEAR(system.winding(options.max_decay, options.max_frequency), listed, 1e-6)
        << word_of(set->certainty) << ": " << set->certificate;
  }
  for (int kind = 0; kind < kKinds; ++kind) {
    const Tally& row = tally[to_index(kind)];
    std::printf("%-16s %3d systems, %3d proved, %3d checked\n", kWords[to_index(kind)], row.systems, row.proved,
                row.checked);
  }
}

}  // namespace
}  // namespace espalier::modes

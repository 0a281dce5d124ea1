// Single joints against curves of Adams: a body of 1 kg, its centre of mass 2 m from a joint to the ground, falls from
// rest for 5 s. The curves are others' data and lie beside the repository; without them the tests are skipped.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::dynamics {
namespace {

using model::JointType;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kArm = 2;  // from the joint to the centre of mass [m]
const std::filesystem::path kFolder = source_dir() + "/../shared/data/adams";

// The numbers of a deck test_<name>_Case01.adm. All its markers are turned the same way, about x; the body's frame is
// its marker at the centre of mass, to which the curves and the moments of inertia belong.
struct Deck {
  const char* name;
  JointType type;
  Eigen::Vector3d com;      // marker 201 [m]
  double turn;              // of all markers about x [rad]
  Eigen::Vector3d moments;  // IP [kg m^2]
  double stiffness = 0;     // of the spring about the joint's axis [N m/rad]
  double damping = 0;       // [N m s/rad]
};

// The deck of the spring says 1 N m and 0.05 N m s a degree; its curves were made with another. Their torque is 200
// N m/rad times the angle and 10 N m s/rad times the rate, to 1.4e-5 N m at all times.
const std::array<Deck, 6> kDecks = {{
    {"Revolute", JointType::kRevolute, {2, 0, 0}, -90 * kDegree, {0.04, 0.1, 0.1}},
    {"Prismatic", JointType::kPrismatic, {2, 0, 0}, 0, {0.04, 0.1, 0.1}},
    {"Universal", JointType::kUniversal, {0, 2, 0}, 90 * kDegree, {0.1, 0.1, 0.04}},
    {"Cylindrical", JointType::kCylindrical, {2, 0, 0}, 0, {0.04, 0.1, 0.1}},
    {"Spherical", JointType::kSpherical, {2, 0, 0}, 0, {0.04, 0.1, 0.1}},
    {"RotSpring", JointType::kRevolute, {2, 0, 0}, -90 * kDegree, {0.04, 0.1, 0.1}, 200, 10},
}};

// Columns of a curve file by its ending.
constexpr std::array<const char*, 8> kCurves = {"Pos", "Vel", "Acc", "Quat", "Avel", "Aacc", "Rforce", "Rtorque"};
using Sample = std::vector<double>;   // three numbers, or four of a quaternion
using Curve = std::vector<Sample>;    // every 0.01 s
using Curves = std::array<Curve, 8>;  // in the order of kCurves

Curve read_curve(const std::filesystem::path& file) {
  Curve curve;
  std::ifstream stream(file);
  std::string line;
  for (int k = 0; k < 3; ++k) std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::istringstream words(line);
    double time = 0, value = 0;
    if (!(words >> time)) continue;
    curve.emplace_back();
    while (words >> value) curve.back().push_back(value);
  }
  return curve;
}

Curves read_curves(const Deck& deck) {
  Curves curves;
  for (std::size_t c = 0; c < kCurves.size(); ++c)
    curves[c] = read_curve(kFolder / (std::string(deck.name) + "_Case01_ADAMS_" + kCurves[c] + ".txt"));
  return curves;
}

model::ModelSpec deck_model(const Deck& deck, bool cut) {
  model::ModelSpec spec;
  spec.gravity = {0, 0, -9.80665};
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(deck.turn, Eigen::Vector3d::UnitX()));
  spec.bodies.push_back(make_body("pendulum", 1, {0, 0, 0}, deck.moments));
  spec.bodies.back().pose = {deck.com, turn};
  spec.joints.push_back(make_joint("joint", deck.type, "ground", "pendulum", {Eigen::Vector3d::Zero(), turn}));
  if (deck.stiffness > 0) {
    spec.joints.back().stiffness = {deck.stiffness};
    spec.joints.back().damping = {deck.damping};
  }
  // A joint that holds nothing carries the body in the tree, and the deck's joint closes a loop.
  if (cut) spec.joints.push_back(make_joint("carrier", JointType::kFree, "ground", "pendulum"));
  return spec;
}

System deck_system(const Deck& deck, bool cut) {
  const model::Model model = *model::compile(deck_model(deck, cut));
  const plan::Mechanism mechanism = plan::make_mechanism(model);
  plan::PlanOptions options;
  if (cut) options.cut = {0};
  return make_system(model, mechanism,
                     *plan::make_plan(plan::make_network(model, mechanism, plan::Weights::kLiu), options));
}

Curves run_deck(const Deck& deck, bool cut) {
  const System system = deck_system(deck, cut);
  EXPECT_EQ(system.closures().size(), cut ? 1u : 0u);
  Curves curves;
  const model::Sink keep = [&](const model::Frame& frame) {
    const auto add = [&](std::size_t curve, std::span<const double> from, std::size_t first, std::size_t count,
                         double sign) {
      curves[curve].emplace_back();
      for (std::size_t k = first; k < first + count; ++k) curves[curve].back().push_back(sign * from[k]);
    };
    add(0, frame.body_pose, 7, 3, 1);
    add(1, frame.body_velocity, 6, 3, 1);
    add(2, frame.body_acceleration, 6, 3, 1);
    add(3, frame.body_pose, 10, 4, 1);
    add(4, frame.body_velocity, 9, 3, 1);
    add(5, frame.body_acceleration, 9, 3, 1);
    // The decks ask for what the joint does to the ground.
    add(6, frame.reaction, 0, 3, -1);
    add(7, frame.reaction, 3, 3, -1);
    return true;
  };
  SimulateOptions options;
  options.run.end_time = 5;
  options.run.output_step = 0.01;
  options.tolerance = 1e-9;
  options.integrator = Integrator::kRunge;
  const RunStatus run = simulate(system, start_run(system, drawn_state(system)), keep, options);
  EXPECT_EQ(run.outcome, model::Outcome::kDone) << run.message;
  EXPECT_LT(run.loop_distance, 1e-10);
  return curves;
}

// Each run is made once for all tests.
const Curves& our_curves(const Deck& deck, bool cut) {
  static std::map<std::pair<std::string, bool>, Curves> made;
  const auto [found, is_new] = made.try_emplace({deck.name, cut});
  if (is_new) found->second = run_deck(deck, cut);
  return found->second;
}

// Largest difference of any component at any time. A quaternion and its negative are one rotation.
double worst_difference(const Curve& ours, const Curve& theirs) {
  double worst = 0;
  for (std::size_t k = 0; k < theirs.size(); ++k) {
    double plus = 0, minus = 0;
    for (std::size_t c = 0; c < theirs[k].size(); ++c) {
      plus = std::max(plus, std::abs(ours[k][c] - theirs[k][c]));
      minus = std::max(minus, std::abs(ours[k][c] + theirs[k][c]));
    }
    worst = std::max(worst, theirs[k].size() == 4 ? std::min(plus, minus) : plus);
  }
  return worst;
}

double largest_value(const Curve& curve) {
  double largest = 0;
  for (const Sample& sample : curve) {
    for (const double value : sample) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

// How rough a curve is: its sixth differences, of which a smooth motion sampled every 0.01 s has none, over what they
// make of independent noise of size one. Rounding to six digits is in it, and what the corrector of Adams leaves.
double noise(const Curve& curve) {
  constexpr std::array<double, 7> kWeight = {1, -6, 15, -20, 15, -6, 1};
  double worst = 0;
  for (std::size_t k = 6; k < curve.size(); ++k) {
    for (std::size_t c = 0; c < curve[k].size(); ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < 7; ++i) sum += kWeight[i] * curve[k - i][c];
      worst = std::max(worst, std::abs(sum) / std::sqrt(924.0));
    }
  }
  return worst;
}

// What may be wrong with a curve, as far as it shows: twice its noise; what the noise of its rate makes in one
// interval; and the same of the quantities it follows from. Our own arithmetic rounds below 1e-12.
double own_error(const Deck& deck, std::size_t curve, const Curves& theirs) {
  const double error = 2 * noise(theirs[curve]) + 1e-12;
  switch (curve) {
    case 0:
    case 1:
    case 4:
      return error + 0.01 * own_error(deck, curve + 1, theirs);
    case 3:
      return error + own_error(deck, 0, theirs) / (2 * kArm);
    case 7:
      return error + deck.stiffness * own_error(deck, 0, theirs) / kArm + deck.damping * own_error(deck, 4, theirs);
    default:
      return error;
  }
}

// The pendulum's own components: two of a vector in its plane, one of an angular quantity; of a quaternion half the
// angle, from the place of the centre of mass.
Sample in_plane(const Deck& deck, std::size_t curve, std::size_t k, const Curves& curves) {
  const bool turned = deck.com.y() != 0;  // falls in the plane of y and z instead of x and z
  const Sample& s = curves[curve == 3 ? 0 : curve][k];
  if (curve == 4 || curve == 5 || curve == 7) return {turned ? -s[0] : s[1]};
  const double across = turned ? s[1] : s[0];
  if (curve == 3) return {std::atan2(-s[2], across) / 2};
  return {across, s[2]};
}

// Revolute, universal and spherical decks hold one and the same pendulum. How far the curves of `deck` are from those
// of the revolute one is the step error of Adams itself.
double step_error(const Deck& deck, std::size_t curve, const Curves& theirs, const Curves& revolute) {
  double worst = 0;
  for (std::size_t k = 0; k < revolute[curve].size(); ++k) {
    const Sample a = in_plane(kDecks[0], curve, k, revolute), b = in_plane(deck, curve, k, theirs);
    for (std::size_t c = 0; c < a.size(); ++c) worst = std::max(worst, std::abs(a[c] - b[c]));
  }
  return worst;
}

class Adams : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kFolder)) GTEST_SKIP() << "the curves of Adams are not here: " << kFolder;
  }
};

void print_line(const Deck& deck, bool cut, std::size_t curve, double worst, double scale, double bound) {
  std::printf("%-11s %-4s %-7s worst %8.1e of %8.1e, bound %8.1e\n", deck.name, cut ? "cut" : "tree", kCurves[curve],
              worst, scale, bound);
}

TEST_F(Adams, CurvesOfSixJointsAreMet) {
  const Curves revolute = read_curves(kDecks[0]);
  for (const Deck& deck : kDecks) {
    const Curves theirs = read_curves(deck);
    const bool drifts = deck.type == JointType::kUniversal || deck.type == JointType::kSpherical;
    for (const bool cut : {false, true}) {
      const Curves& ours = our_curves(deck, cut);
      for (std::size_t c = 0; c < kCurves.size(); ++c) {
        SCOPED_TRACE(std::string(deck.name) + " " + kCurves[c] + (cut ? ", cut" : ""));
        ASSERT_EQ(theirs[c].size(), 501u);
        ASSERT_EQ(ours[c].size(), 501u);
        double bound = own_error(deck, c, theirs);
        if (drifts) bound += step_error(deck, c, theirs, revolute) + own_error(kDecks[0], c, revolute);
        const double worst = worst_difference(ours[c], theirs[c]);
        print_line(deck, cut, c, worst, largest_value(theirs[c]), bound);
        EXPECT_LE(worst, bound);
      }
    }
  }
}

// Far below what the curves can tell: the multipliers of a cut joint are what a joint of the tree transmits.
TEST(AdamsDecks, CutOrNotAJointMovesAndHoldsTheSame) {
  for (const Deck& deck : kDecks) {
    const Curves& tree = our_curves(deck, false);
    const Curves& cut = our_curves(deck, true);
    for (std::size_t c = 0; c < kCurves.size(); ++c) {
      SCOPED_TRACE(std::string(deck.name) + " " + kCurves[c]);
      ASSERT_EQ(tree[c].size(), 501u);
      EXPECT_LE(worst_difference(tree[c], cut[c]), 1e-6 * std::max(1.0, largest_value(tree[c])));
    }
  }
}

}  // namespace
}  // namespace espalier::dynamics

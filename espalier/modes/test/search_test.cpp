#include "espalier/modes/baseline/search.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {

using namespace baseline;

namespace {

ModeSet found(const Structure& structure, const ModesOptions& options) {
  const Result<Tree> tree = plan_tree(structure);
  const Result<ModeSet> set = find_modes(comm::Comm::serial(), structure, *tree, options);
  if (!set) {
    ADD_FAILURE() << to_string(set.error());
    return {};
  }
  return *set;
}

ModesOptions by(Method method, double upto) {
  ModesOptions options;
  options.method = method;
  options.max_frequency = upto;
  options.grid.resolution = 1e-6;
  return options;
}

// 3 springs and masses, all 1: omega = 2 sin((2k - 1) pi / 14).
double omega_of_three(int k) { return 2 * std::sin((2 * k - 1) * std::numbers::pi / 14); }

TEST(SearchModes, BaselinesFindAChainsFrequencies) {
  for (const Method method : {Method::kRecursive, Method::kBisection}) {
    SCOPED_TRACE(word_of(method));
    const ModeSet set = found(spring_chain({1, 1, 1}, {1, 1, 1}), by(method, 2));
    ASSERT_EQ(set.modes.size(), 3u);
    for (int k = 1; k <= 3; ++k) {
      EXPECT_NEAR(set.modes[to_index(k - 1)].s.imag(), omega_of_three(k), 1e-6);
    }
    EXPECT_EQ(set.certainty, Certainty::kNone);
    EXPECT_EQ(set.method, method);
    EXPECT_NE(set.certificate.find("does not know"), std::string::npos);
    EXPECT_EQ(set.modes[0].shapes.size(), 1u);
  }
}

// A mass on a spring and a damper: s^2 + 2 d s + 1 = 0.
TEST(SearchModes, RecursiveSearchOfAnOscillator) {
  Structure structure = spring_chain({1}, {1});
  std::get<Hinge>(structure.elements[0].law).damping[0] = 0.4;
  ModesOptions options = by(Method::kRecursive, 0);
  options.box = Box{-1, 0.5, 0, 2};
  const ModeSet set = found(structure, options);
  ASSERT_EQ(set.modes.size(), 1u);
  EXPECT_LT(std::abs(set.modes[0].s - std::complex(-0.2, std::sqrt(1 - 0.04))), 2e-6);
  EXPECT_EQ(set.found, 2);
  EXPECT_TRUE(set.damped);
}

// A rod's modes are known by the general matrix, a bending beam's by the product of 4 x 4 matrices.
TEST(SearchModes, ChainsAndTheGeneralMatrixHaveTheSameZeros) {
  const Structure beam = stepped_beam(5, 40);
  const Result<SearchFunction> fast = make_search_function(beam, *plan_tree(beam));
  ASSERT_TRUE(fast.has_value());
  ASSERT_TRUE(fast->chain.has_value());
  SearchFunction general = *fast;
  general.chain.reset();
  general.equation = *make_overall(beam, *plan_tree(beam));
  ModesOptions options;
  options.max_frequency = 200;
  for (const Mode& mode : found(beam, options).modes) {
    const std::complex<double> beside = mode.s * 1.01;
    EXPECT_LT(fast->size(mode.s), 1e-8 * fast->size(beside));
    EXPECT_LT(general.size(mode.s), general.size(beside) + std::log(1e-8));
  }
}

TEST(SearchModes, BisectionRefusesDamping) {
  const Structure beam = stepped_beam(5, 40);
  const Result<ModeSet> set = find_modes(comm::Comm::serial(), beam, *plan_tree(beam), by(Method::kBisection, 100));
  ASSERT_FALSE(set.has_value());
  EXPECT_EQ(set.error().code, ErrorCode::kOption);
}

TEST(SearchModes, SaysWhenALimitEndedIt) {
  ModesOptions options = by(Method::kRecursive, 2);
  options.grid.max_evaluations = 150;
  const ModeSet set = found(spring_chain({1, 1, 1}, {1, 1, 1}), options);
  EXPECT_NE(set.certificate.find("stopped after"), std::string::npos) << set.certificate;
}

TEST(FindModes, ABoxKeepsWhatLiesInIt) {
  const Structure beam = stepped_beam();
  ModesOptions all, box;
  all.max_frequency = 1200;
  box.box = Box{-10.5, -9, 100, 600};
  all.shapes = box.shapes = false;
  const ModeSet reference = found(beam, all), kept = found(beam, box);
  EXPECT_NE(kept.certainty, Certainty::kNone) << kept.certificate;
  ASSERT_EQ(kept.modes.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LT(std::abs(kept.modes[k].s - reference.modes[k + 2].s), 1e-10 * std::abs(kept.modes[k].s));
  }
  EXPECT_GT(kept.found, 6);
}

TEST(FindModes, ABoxKeepsWhatLiesInItOfAnUndampedStructure) {
  ModesOptions options;
  options.box = Box{-1, 1, 1, 1.5};
  const ModeSet set = found(spring_chain({1, 1, 1}, {1, 1, 1}), options);
  ASSERT_EQ(set.modes.size(), 1u);
  EXPECT_NEAR(set.modes[0].s.imag(), omega_of_three(2), 1e-12);
  EXPECT_EQ(set.certainty, Certainty::kProved);
}

}  // namespace
}  // namespace espalier::modes

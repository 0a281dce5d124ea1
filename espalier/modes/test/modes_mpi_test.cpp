// The same modes on every number of ranks: each rank also searches alone, as the reference. Only EXPECT here: an ASSERT
// that fails on one rank would leave the others waiting.

#include "espalier/modes/modes.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using comm::Comm;

void expect_same_on_all_ranks(const Structure& structure, const ModesOptions& options) {
  const Tree tree = plan_tree(structure).value_or(Tree{});
  const Result<ModeSet> together = find_modes(Comm::world(), structure, tree, options);
  const Result<ModeSet> alone = find_modes(Comm::serial(), structure, tree, options);
  EXPECT_TRUE(together.has_value() && alone.has_value());
  if (!together || !alone) return;
  EXPECT_FALSE(alone->modes.empty());
  EXPECT_EQ(together->modes.size(), alone->modes.size());
  for (std::size_t k = 0; k < std::min(together->modes.size(), alone->modes.size()); ++k) {
    const Mode &a = together->modes[k], &b = alone->modes[k];
    EXPECT_EQ(a.s, b.s) << k;
    EXPECT_EQ(a.multiplicity, b.multiplicity) << k;
    EXPECT_EQ(a.error, b.error) << k;
    EXPECT_EQ(a.bracket, b.bracket) << k;
    EXPECT_EQ(a.shapes, b.shapes) << k;
  }
  EXPECT_EQ(together->certificate, alone->certificate);
  EXPECT_EQ(together->counts, alone->counts);
  EXPECT_EQ(together->evaluations, alone->evaluations);
  EXPECT_EQ(alone->communication_seconds, 0);
  EXPECT_EQ(together->communication_seconds > 0, Comm::world().size() > 1 && options.method != Method::kBisection);
}

ModesOptions below(double omega) {
  ModesOptions options;
  options.max_frequency = omega;
  return options;
}

TEST(ModesMpi, CountedFrequencies) {
  expect_same_on_all_ranks(rod_chain({2, 3, 5, 1, 4}), below(20'000));
  expect_same_on_all_ranks(stepped_beam(10, 0), below(2000));
}

// A round of the search has a root for some of the ranks only.
TEST(ModesMpi, NeverTellsOfMoreThanAreCounted) {
  ModesOptions options = below(20'000);
  int most = 0, counted = 0;
  options.watch = [&](int found, int expected) {
    most = std::max(most, found);
    counted = expected;
  };
  const Structure chain = rod_chain({2, 3, 5, 1, 4});
  EXPECT_TRUE(find_modes(Comm::world(), chain, plan_tree(chain).value_or(Tree{}), options).has_value());
  EXPECT_LE(most, counted);
  EXPECT_EQ(counted > 0, Comm::world().is_root());
}

TEST(ModesMpi, CheckedEigenvalues) { expect_same_on_all_ranks(stepped_beam(20), below(600)); }

TEST(ModesMpi, BisectedFrequencies) {
  ModesOptions options = below(20'000);
  options.method = Method::kBisection;
  expect_same_on_all_ranks(rod_chain({2, 3, 5, 1, 4}), options);
}

TEST(ModesMpi, RecursiveSearchOnBothDistributionsOfSamples) {
  for (const Distribution distribution : {Distribution::kDynamic, Distribution::kPaper}) {
    ModesOptions options = below(20'000);
    options.method = Method::kRecursive;
    options.grid.spread.distribution = distribution;
    expect_same_on_all_ranks(rod_chain({2, 3, 5, 1, 4}), options);
    options.box = Box{-20, 0, 0, 300};
    options.grid.samples = {21, 41};
    options.grid.resolution = 1e-3;
    expect_same_on_all_ranks(stepped_beam(10), options);
    options.grid.spread.threads = 2;
    expect_same_on_all_ranks(stepped_beam(10), options);
  }
}

// Few samples: each asks all ranks.
TEST(ModesMpi, RecursiveSearchWithSharedElements) {
  ModesOptions options = below(4000);
  options.method = Method::kRecursive;
  options.grid.spread.distribution = Distribution::kElements;
  options.grid.samples = {3, 41};
  options.grid.resolution = 10;
  expect_same_on_all_ranks(rod_chain({2, 3, 5, 1, 4}), options);
  options.box = Box{-20, 0, 0, 100};
  options.grid.samples = {9, 15};
  options.grid.resolution = 1e-2;
  expect_same_on_all_ranks(stepped_beam(20), options);
}

}  // namespace
}  // namespace espalier::modes

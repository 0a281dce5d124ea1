#include "espalier/modes/detail/extent.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes::detail {
namespace {

ModesOptions in_box(double left, double top) {
  ModesOptions options;
  options.box = Box{left, 0, 0, top};
  return options;
}

TEST(ChooseExtent, ABoxGetsRoomAroundIt) {
  const Structure chain = spring_chain({1}, {1});
  const Extent narrow = choose_extent(chain, chain_tree(chain, 1), in_box(-1, 10)).value();
  EXPECT_NEAR(narrow.top, 10.03, 1e-12);
  EXPECT_NEAR(narrow.decay, 10.03, 1e-12);
  EXPECT_TRUE(std::isinf(narrow.barrier));
  EXPECT_NEAR(choose_extent(chain, chain_tree(chain, 1), in_box(-30, 10)).value().decay, 30, 1e-12);
}

// Kelvin-Voigt damping of 0.5 s has its singularity at -2 1/s.
TEST(ChooseExtent, EndsBeforeTheSingularity) {
  Structure beam = stepped_beam(1, 0);
  std::get<Beam>(beam.elements[0].law).kelvin_voigt = 0.5;
  const Extent found = choose_extent(beam, chain_tree(beam, 1), in_box(-1, 10)).value();
  EXPECT_NEAR(found.barrier, 2, 1e-14);
  EXPECT_NEAR(found.decay, 1.6, 1e-12);
  const Result<Extent> beyond = choose_extent(beam, chain_tree(beam, 1), in_box(-3, 10));
  ASSERT_FALSE(beyond.has_value());
  EXPECT_NE(beyond.error().message.find("s = -2 1/s"), std::string::npos) << beyond.error().message;
}

// All that a chain has: its highest frequency is 1.618, and nothing creeps.
TEST(ChooseExtent, ReachesAboveAllThatWereAskedFor) {
  const Structure chain = spring_chain({1, 1}, {1, 1});
  ModesOptions options;
  options.count = 5;
  const Extent found = choose_extent(chain, chain_tree(chain, 2), options).value();
  EXPECT_GT(found.top, 1.618);
  EXPECT_NEAR(found.decay, found.top, 1e-12);
}

}  // namespace
}  // namespace espalier::modes::detail

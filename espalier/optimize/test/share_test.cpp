#include "espalier/optimize/detail/share.hpp"

#include <gtest/gtest.h>

#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize::detail {
namespace {

TEST(Share, OfOneRankChangesNothing) {
  Search search;
  search.best = {{1, 2}, {3}, 0.5};
  search.front = {search.best, {{}, {}, 0}};
  search.history = {{1, search.best, 4}};
  search.state.memory = "what pagmo keeps";
  search.state.population = {search.best};
  search.state.gain = {3, {search.best}};
  search.evaluations = 7;
  search.end = End::kNoGain;
  search.stopped = true;
  const Search shared = share(comm::Comm::serial(), search);
  EXPECT_EQ(shared.best, search.best);
  EXPECT_EQ(shared.front, search.front);
  EXPECT_EQ(shared.history[0].best, search.history[0].best);
  EXPECT_EQ(shared.state, search.state);
  EXPECT_EQ(shared.evaluations, 7);
  EXPECT_EQ(shared.end, End::kNoGain);
  EXPECT_TRUE(shared.stopped);
}

}  // namespace
}  // namespace espalier::optimize::detail

#include <gtest/gtest.h>

#include "espalier/optimize/detail/share.hpp"
#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize::detail {
namespace {

// Every field from one number, lists of several lengths among them.
Search search_of(int key) {
  const auto design = [&](double x) { return Design{{x + key, 2}, std::vector<double>(1 + key % 2, -x), 0.25 * key}; };
  Search search;
  search.best = design(1);
  search.front.assign(static_cast<std::size_t>(key), design(2));
  search.history = {{key, design(3), 0.5 + key}};
  search.state.generation = key;
  search.state.population = {design(4), design(5)};
  search.state.best = design(6);
  search.state.archive = {design(7)};
  search.state.gain = {key + 2, std::vector<Design>(static_cast<std::size_t>(key), design(8))};
  search.state.memory = std::string(static_cast<std::size_t>(key), 'm');
  search.state.evaluations = 10 * key;
  search.state.without_number = key + 1;
  search.evaluations = 20 * key;
  search.end = key == 1 ? End::kStopped : End::kNoGain;
  search.stopped = key == 1;
  return search;
}

TEST(ShareMpi, EveryRankHasTheRootsSearch) {
  const comm::Comm comm = comm::Comm::world();
  const Search mine = share(comm, search_of(1 + comm.rank())), roots = search_of(1);
  EXPECT_EQ(mine.best, roots.best);
  EXPECT_EQ(mine.front, roots.front);
  ASSERT_EQ(mine.history.size(), 1U);
  EXPECT_EQ(mine.history[0].number, roots.history[0].number);
  EXPECT_EQ(mine.history[0].best, roots.history[0].best);
  EXPECT_EQ(mine.history[0].mean, roots.history[0].mean);
  EXPECT_EQ(mine.state, roots.state);
  EXPECT_EQ(mine.evaluations, roots.evaluations);
  EXPECT_EQ(mine.end, roots.end);
  EXPECT_EQ(mine.stopped, roots.stopped);
}

}  // namespace
}  // namespace espalier::optimize::detail

// The serial side: one rank, no launcher. Among several ranks traffic is counted in bytes_mpi_test.cpp.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::comm {
namespace {

TEST(Traffic, SendsNothing) {
  const Comm comm = Comm::serial();
  const Comm copy = comm;
  broadcast(copy, std::string("text"));
  sum(comm, 1.0);
  EXPECT_EQ(comm.traffic().total().messages, 0);
  EXPECT_EQ(comm.traffic().total().bytes, 0);
  EXPECT_EQ(comm.traffic().of(Collective::kBroadcast).rounds, 2);
  EXPECT_EQ(comm.traffic(), copy.traffic());
  EXPECT_EQ(comm.split(3).traffic(), Traffic());
}

TEST(Traffic, TotalAddsEachCountOfAllKinds) {
  Traffic traffic;
  traffic.counts.front() = {1, 2, 3};
  traffic.counts.back() = {10, 20, 30};
  EXPECT_EQ(traffic.total(), (Traffic::Count{11, 22, 33}));
}

TEST(Traffic, EachKindHasAWordOfItsOwn) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < Traffic().counts.size(); ++k) words.push_back(word(static_cast<Collective>(k)));
  EXPECT_EQ(words.front(), std::string("barrier"));
  std::ranges::sort(words);
  EXPECT_EQ(std::ranges::adjacent_find(words), words.end());
  EXPECT_EQ(std::ranges::count(words, "unknown"), 0);
}

}  // namespace
}  // namespace espalier::comm

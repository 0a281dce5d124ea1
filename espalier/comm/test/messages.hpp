#pragma once

// What ranks send each other in tests: every rank can say what it must get.

#include <cstdint>
#include <numeric>
#include <vector>

#include "espalier/comm/comm.hpp"

#include "espalier/base/index.hpp"

namespace espalier::comm {

using Lists = std::vector<std::vector<std::int64_t>>;

// The list that rank `from` sends to rank `to`: every rank can say what it must get. Long ones are 3 MB.
inline std::vector<std::int64_t> message(int from, int to, bool is_long = false) {
  const int salt = 7 * from + 13 * to;
  const int length = (from + 2 * to) % 3 == 0 ? 0 : salt % 5 + (is_long ? 400'000 : 0);
  std::vector<std::int64_t> list(to_index(length));
  std::iota(list.begin(), list.end(), 1000 * salt);
  return list;
}

// 0 - 1 - 2 - 3: each rank speaks with the next ones of a chain, and with itself.
inline std::vector<int> chain_neighbours(const Comm& comm) {
  std::vector<int> neighbours;
  for (int rank = comm.rank() - 1; rank <= comm.rank() + 1; ++rank) {
    if (rank >= 0 && rank < comm.size()) neighbours.push_back(rank);
  }
  return neighbours;
}

}  // namespace espalier::comm

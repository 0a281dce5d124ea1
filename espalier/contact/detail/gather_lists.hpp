#pragma once

#include <utility>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"

namespace espalier::contact::detail {

// All to the root, rank by rank; other ranks get none.
template <class T>
std::vector<T> gather_lists(const comm::Comm& comm, std::vector<T> mine) {
  // The lists for other ranks stay empty.
  std::vector<std::vector<T>> out(to_index(comm.size()));
  out[0] = std::move(mine);
  std::vector<T> all;
  for (const std::vector<T>& list : comm::all_to_all_v(comm, out)) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace espalier::contact::detail

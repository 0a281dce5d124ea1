#include "espalier/comm/collectives.hpp"

#include <algorithm>
#include <numeric>

#include "espalier/comm/detail/group.hpp"
#include "espalier/comm/detail/mpi.hpp"

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"

namespace espalier::comm {
namespace {

namespace mpi = detail::mpi;
using detail::Group;
using detail::Stopwatch;
using detail::count;

template <class T>
void add(T& left, T right) {
  if constexpr (std::is_floating_point_v<T>) {
    left += right;
  } else {
    // Integers that wrap round would be a wrong answer without a sign of it.
    ESPALIER_CHECK(!__builtin_add_overflow(left, right, &left), "a sum over the ranks overflows its integer type");
  }
}

// x != x tells a NaN; for integers it is never true. Once in `left`, a NaN stays, since no comparison with it holds.
template <class T>
void take_least(T& left, T right) {
  if (right < left || right != right) left = right;
}

template <class T>
void take_greatest(T& left, T right) {
  if (right > left || right != right) left = right;
}

template <class T>
using Fold = void (*)(T&, T);

// lists holds one list of mine.size() values from each rank; mine becomes their fold, rank 0 first.
template <class T>
void fold_in_rank_order(std::span<const T> lists, std::span<T> mine, Fold<T> fold) {
  // In rank order and from the first rank on, so that sums have the same bits on all ranks and in all runs.
  std::ranges::copy(lists.first(mine.size()), mine.begin());
  for (std::size_t begin = mine.size(); begin < lists.size(); begin += mine.size()) {
    for (std::size_t i = 0; i < mine.size(); ++i) fold(mine[i], lists[begin + i]);
  }
}

// Every rank gets everything: one round, P n numbers.
template <class T>
void reduce_short(const Comm& comm, std::span<T> values, Fold<T> fold) {
  std::vector<T> lists(values.size() * to_index(comm.size()));
  bytes::all_gather(comm, std::as_bytes(values), std::as_writable_bytes(std::span(lists)), Collective::kReduce);
  fold_in_rank_order<T>(lists, values, fold);
}

// Every rank folds its own share of the entries, then all shares go to all ranks: two rounds, 2 n numbers. The order of
// the additions, and so the bits, are those of reduce_short.
template <class T>
void reduce_long(const Comm& comm, std::span<T> values, Fold<T> fold) {
  const auto ranks = to_index(comm.size());
  std::vector<std::size_t> begins(ranks + 1);
  // Shares differ by one entry at most.
  for (std::size_t rank = 0; rank <= ranks; ++rank) begins[rank] = values.size() * rank / ranks;
  const auto share = [&](std::size_t rank) { return values.subspan(begins[rank], begins[rank + 1] - begins[rank]); };

  const std::span<T> mine = share(to_index(comm.rank()));
  // 1. This rank's share of the entries, from every rank.
  std::vector<T> lists(mine.size() * ranks);
  std::vector<bytes::Outgoing> outgoing;
  std::vector<bytes::Incoming> incoming;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    outgoing.push_back({static_cast<int>(rank), std::as_bytes(share(rank))});
    incoming.push_back(
        {static_cast<int>(rank), std::as_writable_bytes(std::span(lists).subspan(rank * mine.size(), mine.size()))});
  }
  bytes::transfer(comm, outgoing, incoming, Collective::kReduce);

  // 2. Folded here alone, in the order that reduce_short has.
  std::vector<T> folded(mine.size());
  fold_in_rank_order<T>(lists, folded, fold);
  // 3. The shares of all ranks to all ranks, their places counted in bytes from here on.
  for (std::size_t& begin : begins) begin *= sizeof(T);
  bytes::all_gather_v(comm, std::as_bytes(std::span(folded)), std::as_writable_bytes(values), begins,
                      Collective::kReduce);
}

template <class T>
void reduce(const Comm& comm, std::span<T> values, Fold<T> fold) {
  // Up to here a second round costs more than the bytes it saves; 64 numbers are half a kilobyte.
  constexpr std::size_t kShort = 64;
  values.size() <= kShort || comm.size() <= 2 ? reduce_short(comm, values, fold) : reduce_long(comm, values, fold);
}

}  // namespace

void barrier(const Comm& comm) {
  Group& group = comm.group();
  count(group, Collective::kBarrier, group.size - 1, 0);
  if (group.is_alone()) return;
  const Stopwatch watch(group);
  mpi::barrier(group);
}

std::string broadcast(const Comm& comm, std::string text, int root) {
  // The others do not know how long it is.
  text.resize(broadcast(comm, text.size(), root));
  broadcast(comm, std::span(text), root);
  return text;
}

template <Number T>
void sum(const Comm& comm, std::span<T> values) {
  reduce<T>(comm, values, add<T>);
}
template <Number T>
void min(const Comm& comm, std::span<T> values) {
  reduce<T>(comm, values, take_least<T>);
}
template <Number T>
void max(const Comm& comm, std::span<T> values) {
  reduce<T>(comm, values, take_greatest<T>);
}

// Compiled here once for the types that Number names, so that the header shows no MPI and no folding.
#define ESPALIER_FOR_NUMBER(T)                  \
  template void sum(const Comm&, std::span<T>); \
  template void min(const Comm&, std::span<T>); \
  template void max(const Comm&, std::span<T>)
ESPALIER_FOR_NUMBER(double);
ESPALIER_FOR_NUMBER(int);
ESPALIER_FOR_NUMBER(std::int64_t);
ESPALIER_FOR_NUMBER(std::size_t);
#undef ESPALIER_FOR_NUMBER

// As numbers 0 and 1: all are true where the least of them is 1, any where the greatest is.
namespace bytes {

void check_neighbours(const Comm& comm, std::span<const int> neighbours, std::size_t lists) {
  // Checked on every call: a mistake here would let ranks wait for each other without end.
  ESPALIER_CHECK(lists == neighbours.size(), "an exchange needs one list for each neighbour");
  // Ascending lists pair off in the same order on both sides, and a rank named twice would get two messages for one.
  ESPALIER_CHECK(std::ranges::adjacent_find(neighbours, std::greater_equal<>()) == neighbours.end(),
                 "the neighbours of an exchange must be ascending, each named once");
  ESPALIER_CHECK(neighbours.empty() || (neighbours.front() >= 0 && neighbours.back() < comm.size()),
                 "a neighbour is not a rank of the group");
}

std::vector<int> all_ranks(const Comm& comm) {
  std::vector<int> ranks(to_index(comm.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

std::vector<std::uint64_t> exchange_lengths(const Comm& comm, std::span<const int> neighbours,
                                            std::span<const std::uint64_t> outgoing) {
  // The lists' lengths travel first; only then is there room for them.
  std::vector<std::uint64_t> incoming(neighbours.size());
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    out.push_back({neighbours[i], std::as_bytes(outgoing.subspan(i, 1))});
    in.push_back({neighbours[i], std::as_writable_bytes(std::span(incoming).subspan(i, 1))});
  }
  transfer(comm, out, in, Collective::kExchange);
  return incoming;
}

}  // namespace bytes
}  // namespace espalier::comm

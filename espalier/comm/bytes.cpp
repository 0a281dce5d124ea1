#include "espalier/comm/collectives.hpp"

#include <algorithm>

#include "espalier/comm/detail/group.hpp"
#include "espalier/comm/detail/mpi.hpp"

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"

namespace espalier::comm::bytes {
namespace {

namespace mpi = detail::mpi;
using detail::Group;
using detail::Stopwatch;
using detail::count;

std::int64_t others(const Group& group) { return group.size - 1; }

void check_root(const Group& group, int root) {
  ESPALIER_CHECK(root >= 0 && root < group.size, "the root of a collective is not a rank of its group");
}

void copy(std::span<const std::byte> from, std::span<std::byte> to) {
  ESPALIER_CHECK(from.size() == to.size(), "a message and the room for it differ in length");
  std::ranges::copy(from, to.begin());
}

// The message of a rank to itself.
void copy_to_self(const Group& group, std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) {
  const auto from = std::ranges::find(outgoing, group.rank, &Outgoing::rank);
  const auto to = std::ranges::find(incoming, group.rank, &Incoming::rank);
  const bool sent = from != outgoing.end();
  // One without the other would be a message that nobody takes, or room that stays as it was.
  ESPALIER_CHECK(sent == (to != incoming.end()), "a rank sends to itself but does not receive, or the reverse");
  if (sent) copy(from->data, to->data);
}

}  // namespace

void broadcast(const Comm& comm, std::span<std::byte> data, int root, Collective kind) {
  Group& group = comm.group();
  check_root(group, root);
  // A message to every other rank is what the algorithm needs; a tree of MPI's sends no fewer.
  const std::int64_t messages = group.rank == root ? others(group) : 0;
  count(group, kind, messages, to_index(messages) * data.size());
  // The count is the same with and without MPI: it belongs to the algorithm.
  if (group.is_alone()) return;
  const Stopwatch watch(group);
  mpi::broadcast(group, data, root);
}

void gather(const Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all, int root, Collective kind) {
  Group& group = comm.group();
  check_root(group, root);
  ESPALIER_CHECK(group.rank != root || all.size() == mine.size() * to_index(group.size),
                 "the root of a gather needs room for every rank's part");
  const std::int64_t messages = group.rank == root ? 0 : 1;
  count(group, kind, messages, to_index(messages) * mine.size());
  if (group.is_alone()) return copy(mine, all);
  const Stopwatch watch(group);
  mpi::gather(group, mine, all, root);
}

void all_gather(const Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all, Collective kind) {
  Group& group = comm.group();
  ESPALIER_CHECK(all.size() == mine.size() * to_index(group.size),
                 "all_gather needs room for every rank's part");
  // Counted as if every pair of ranks spoke directly, whatever MPI does inside.
  count(group, kind, others(group), to_index(others(group)) * mine.size());
  if (group.is_alone()) return copy(mine, all);
  const Stopwatch watch(group);
  mpi::all_gather(group, mine, all);
}

std::vector<std::size_t> all_offsets(const Comm& comm, std::size_t mine, Collective kind) {
  // Lengths of all ranks, then their sums: offsets[r] is where rank r begins.
  std::vector<std::size_t> lengths(to_index(comm.size()));
  all_gather(comm, std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(lengths)), kind);
  std::vector<std::size_t> offsets(lengths.size() + 1);
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) offsets[rank + 1] = offsets[rank] + lengths[rank];
  return offsets;
}

void all_gather_v(const Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all,
                  std::span<const std::size_t> offsets, Collective kind) {
  Group& group = comm.group();
  const auto rank = to_index(group.rank);
  // A part that does not fit its place would shift those of all later ranks.
  ESPALIER_CHECK(offsets.size() == to_index(group.size) + 1 && offsets.back() == all.size() &&
                     offsets[rank + 1] - offsets[rank] == mine.size(),
                 "the offsets of all_gather_v do not fit its parts");
  // An empty part is no message: what travels is counted, not what is called.
  const std::int64_t messages = mine.empty() ? 0 : others(group);
  count(group, kind, messages, to_index(messages) * mine.size());
  if (group.is_alone()) return copy(mine, all);
  const Stopwatch watch(group);
  mpi::all_gather_v(group, mine, all, offsets);
}

std::vector<std::uint64_t> all_to_all(const Comm& comm, std::span<const std::uint64_t> outgoing, Collective kind) {
  Group& group = comm.group();
  ESPALIER_CHECK(outgoing.size() == to_index(group.size), "all_to_all needs one entry for each rank");
  count(group, kind, others(group), to_index(others(group)) * sizeof(std::uint64_t));
  if (group.is_alone()) return {outgoing.begin(), outgoing.end()};
  const Stopwatch watch(group);
  return mpi::all_to_all(group, outgoing);
}

void transfer(const Comm& comm, std::span<const Outgoing> outgoing, std::span<const Incoming> incoming,
              Collective kind) {
  Group& group = comm.group();
  // Before MPI: what a rank sends itself is there whatever the group does.
  copy_to_self(group, outgoing, incoming);
  // A message to itself does not go through MPI, and an empty one is not sent: both sides know its length.
  std::vector<Outgoing> away;
  std::vector<Incoming> arriving;
  std::size_t length = 0;
  for (const Outgoing& message : outgoing) {
    ESPALIER_CHECK(message.rank >= 0 && message.rank < group.size, "a message goes to a rank outside its group");
    if (message.rank == group.rank || message.data.empty()) continue;
    away.push_back(message);
    length += message.data.size();
  }
  for (const Incoming& message : incoming) {
    ESPALIER_CHECK(message.rank >= 0 && message.rank < group.size, "a message comes from a rank outside its group");
    if (message.rank != group.rank && !message.data.empty()) arriving.push_back(message);
  }
  count(group, kind, static_cast<std::int64_t>(away.size()), length);
  if (group.is_alone()) return;
  const Stopwatch watch(group);
  mpi::transfer(group, away, arriving);
}

}  // namespace espalier::comm::bytes

#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::comm::bytes {

// The collectives on plain bytes, under the typed ones further down: use those. `kind` says under which heading
// the call is counted in Traffic.

struct Outgoing {
  int rank = 0;
  std::span<const std::byte> data;
};

struct Incoming {
  int rank = 0;
  std::span<std::byte> data;
};

// Collective. Every rank's `data` becomes the root's; equal lengths.
void broadcast(const Comm& comm, std::span<std::byte> data, int root, Collective kind);

// Collective. Equal lengths; `all` holds size() times as much, in rank order, and may be empty off the root.
void gather(const Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all, int root, Collective kind);

// Collective. Equal lengths; `all` holds size() times as much, in rank order.
void all_gather(const Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all, Collective kind);

// Collective. Where each rank's part begins and, last, the whole length, in whatever unit `mine` is.
std::vector<std::size_t> all_offsets(const Comm& comm, std::size_t mine, Collective kind);

// Collective. Parts of any length, laid down in `all` as `offsets` (in bytes, size() + 1 of them) says.
void all_gather_v(const Comm& comm, std::span<const std::byte> mine, std::span<std::byte> all,
                  std::span<const std::size_t> offsets, Collective kind);

// Collective. One number to each rank, one from each rank; size() entries.
std::vector<std::uint64_t> all_to_all(const Comm& comm, std::span<const std::uint64_t> outgoing, Collective kind);

// Collective between the ranks named. Sends and receives all messages at once; lengths agree on both sides, empty ones
// are not sent. At most one message each way between two ranks; one to this rank itself is copied.
void transfer(const Comm& comm, std::span<const Outgoing> outgoing, std::span<const Incoming> incoming,
              Collective kind);

}  // namespace espalier::comm::bytes

namespace espalier::comm {

// What the ranks of a Comm do together. Every function here is collective (comm.hpp says what that asks of the caller).
// With one rank each is a copy. P is the number of ranks, n the number of values.
//
// Values travel as their bytes: between ranks of one kind of machine, and only types without pointers.

// Can travel as bytes. A view (std::span, std::string_view) is copyable that way too, but it is a pointer.
template <class T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::ranges::view<T>;

// Can be reduced: double, int, std::int64_t, std::size_t.
template <class T>
concept Number = std::is_same_v<T, double> || std::is_same_v<T, int> || std::is_same_v<T, std::int64_t> ||
    std::is_same_v<T, std::size_t>;

// One list from each rank, end to end.
template <class T>
struct PerRank {
  std::vector<T> values;
  std::vector<std::size_t> offsets = {0};  // rank r's list is offsets[r] .. offsets[r + 1]

  std::span<const T> of(int rank) const {
    const auto r = to_index(rank);
    return std::span(values).subspan(offsets[r], offsets[r + 1] - offsets[r]);
  }
};

// Collective. Returns on no rank before all ranks have called it.
void barrier(const Comm& comm);

// Collective. The root's value, on every rank.
template <Plain T>
T broadcast(const Comm& comm, T value, int root = 0) {
  bytes::broadcast(comm, std::as_writable_bytes(std::span(&value, 1)), root, Collective::kBroadcast);
  return value;
}

// Collective. Every rank's values become the root's; the same length on all ranks.
template <Plain T>
void broadcast(const Comm& comm, std::span<T> values, int root = 0) {
  bytes::broadcast(comm, std::as_writable_bytes(values), root, Collective::kBroadcast);
}

// Collective. The root's list, on every rank; the other ranks' lists may have any length.
template <Plain T>
std::vector<T> broadcast(const Comm& comm, std::vector<T> values, int root = 0) {
  values.resize(broadcast(comm, values.size(), root));
  broadcast(comm, std::span(values), root);
  return values;
}

// Collective. The root's text, on every rank.
std::string broadcast(const Comm& comm, std::string text, int root = 0);

// Collective. Every rank's values in rank order on the root, nothing elsewhere; the same n on all ranks.
template <Plain T>
std::vector<T> gather(const Comm& comm, std::span<const T> mine, int root = 0) {
  std::vector<T> all(comm.rank() == root ? mine.size() * to_index(comm.size()) : 0);
  bytes::gather(comm, std::as_bytes(mine), std::as_writable_bytes(std::span(all)), root, Collective::kGather);
  return all;
}

// Collective. Every rank's value in rank order on the root, nothing elsewhere.
template <Plain T>
std::vector<T> gather(const Comm& comm, const T& mine, int root = 0) {
  return gather(comm, std::span<const T>(&mine, 1), root);
}

// Collective. Every rank's values in rank order, on every rank; the same n on all ranks. Memory P n.
template <Plain T>
std::vector<T> all_gather(const Comm& comm, std::span<const T> mine) {
  std::vector<T> all(mine.size() * to_index(comm.size()));
  bytes::all_gather(comm, std::as_bytes(mine), std::as_writable_bytes(std::span(all)), Collective::kAllGather);
  return all;
}

// Collective. Every rank's value in rank order, on every rank.
template <Plain T>
std::vector<T> all_gather(const Comm& comm, const T& mine) {
  return all_gather(comm, std::span<const T>(&mine, 1));
}

// Collective. Every rank's list, on every rank; any lengths, also none.
template <Plain T>
PerRank<T> all_gather_v(const Comm& comm, std::span<const T> mine) {
  PerRank<T> all;
  all.offsets = bytes::all_offsets(comm, mine.size(), Collective::kAllGather);
  all.values.resize(all.offsets.back());
  std::vector<std::size_t> begins = all.offsets;
  for (std::size_t& begin : begins) begin *= sizeof(T);
  bytes::all_gather_v(comm, std::as_bytes(mine), std::as_writable_bytes(std::span(all.values)), begins,
                      Collective::kAllGather);
  return all;
}

// Collective. outgoing[r] goes to rank r; entry r of the answer came from rank r. Any lengths; empty lists cost only
// their share of one exchange of P sizes.
template <Plain T>
std::vector<std::vector<T>> all_to_all_v(const Comm& comm, const std::vector<std::vector<T>>& outgoing);

// Collective. The same between neighbours: outgoing[i] goes to neighbours[i], entry i of the answer came from there.
// The list is ascending, may be empty and may hold this rank itself; a names b exactly if b names a. Ranks that are not
// neighbours do not wait for each other. Two rounds: lengths, then values.
template <Plain T>
std::vector<std::vector<T>> exchange(const Comm& comm, std::span<const int> neighbours,
                                     const std::vector<std::vector<T>>& outgoing);

// Collective. exchange() where every length is known: incoming[i] is as long as what neighbours[i] sends here. One
// round, nothing is allocated for the values.
template <Plain T>
void exchange_into(const Comm& comm, std::span<const int> neighbours, const std::vector<std::vector<T>>& outgoing,
                   std::vector<std::vector<T>>& incoming);

// Collective. The sum over the ranks, on every rank, added in rank order: equal partial sums give equal bits on every
// rank and in every run. It still depends on how the terms were spread over the ranks; for an answer that does not,
// gather the terms and add them in the order of their ids. Stops with a failed check where an integer overflows.
// For each entry, in place; the same n on all ranks. At most O(n + P) numbers arrive at each rank.
template <Number T>
void sum(const Comm& comm, std::span<T> values);
// Collective. The same for one number. O(P) numbers arrive at each rank.
template <Number T>
T sum(const Comm& comm, T mine) {
  sum(comm, std::span(&mine, 1));
  return mine;
}

// Collective. The least and the greatest over the ranks, of each entry in place, or of one number. A NaN on any rank
// gives NaN on all of them.
template <Number T>
void min(const Comm& comm, std::span<T> values);
template <Number T>
T min(const Comm& comm, T mine) {
  min(comm, std::span(&mine, 1));
  return mine;
}
template <Number T>
void max(const Comm& comm, std::span<T> values);
template <Number T>
T max(const Comm& comm, T mine) {
  max(comm, std::span(&mine, 1));
  return mine;
}

// Collective. Whether it is true on every rank, and on any rank. A count or a pointer is not taken for a yes or no.
template <std::same_as<bool> T>
bool all_of(const Comm& comm, T mine) {
  return min(comm, int{mine}) == 1;
}
template <std::same_as<bool> T>
bool any_of(const Comm& comm, T mine) {
  return max(comm, int{mine}) == 1;
}

namespace bytes {

// Stops with a failed check unless the list is ascending and there is one entry for each neighbour.
void check_neighbours(const Comm& comm, std::span<const int> neighbours, std::size_t lists);
// 0, 1, ... P - 1.
std::vector<int> all_ranks(const Comm& comm);
// Collective. The length each neighbour is about to send.
std::vector<std::uint64_t> exchange_lengths(const Comm& comm, std::span<const int> neighbours,
                                            std::span<const std::uint64_t> outgoing);

template <Plain T>
std::vector<std::uint64_t> lengths(const std::vector<std::vector<T>>& lists) {
  std::vector<std::uint64_t> result;
  for (const std::vector<T>& list : lists) result.push_back(list.size());
  return result;
}

template <Plain T>
void transfer_lists(const Comm& comm, std::span<const int> ranks, const std::vector<std::vector<T>>& outgoing,
                    std::vector<std::vector<T>>& incoming, Collective kind) {
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    out.push_back({ranks[i], std::as_bytes(std::span(outgoing[i]))});
    in.push_back({ranks[i], std::as_writable_bytes(std::span(incoming[i]))});
  }
  transfer(comm, out, in, kind);
}

}  // namespace bytes

template <Plain T>
std::vector<std::vector<T>> all_to_all_v(const Comm& comm, const std::vector<std::vector<T>>& outgoing) {
  const std::vector<std::uint64_t> lengths = bytes::all_to_all(comm, bytes::lengths(outgoing), Collective::kAllToAll);
  std::vector<std::vector<T>> incoming(lengths.size());
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) incoming[rank].resize(lengths[rank]);
  bytes::transfer_lists(comm, bytes::all_ranks(comm), outgoing, incoming, Collective::kAllToAll);
  return incoming;
}

template <Plain T>
void exchange_into(const Comm& comm, std::span<const int> neighbours, const std::vector<std::vector<T>>& outgoing,
                   std::vector<std::vector<T>>& incoming) {
  bytes::check_neighbours(comm, neighbours, outgoing.size());
  bytes::check_neighbours(comm, neighbours, incoming.size());
  bytes::transfer_lists(comm, neighbours, outgoing, incoming, Collective::kExchange);
}

template <Plain T>
std::vector<std::vector<T>> exchange(const Comm& comm, std::span<const int> neighbours,
                                     const std::vector<std::vector<T>>& outgoing) {
  bytes::check_neighbours(comm, neighbours, outgoing.size());
  const std::vector<std::uint64_t> lengths = bytes::exchange_lengths(comm, neighbours, bytes::lengths(outgoing));
  std::vector<std::vector<T>> incoming(lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) incoming[i].resize(lengths[i]);
  exchange_into(comm, neighbours, outgoing, incoming);
  return incoming;
}

// Collective. The error of the lowest rank that has one, the same on all ranks; nothing where none has. Where other
// ranks were content, the message ends with the rank it comes from: " (on rank 2 of 4)". Where all failed it is
// unchanged, so that bad input gives the same words for every number of ranks.
std::optional<Error> first_error(const Comm& comm, const Error* mine);

// Collective. The root's error on all ranks, unchanged; nothing where it has none.
std::optional<Error> root_error(const Comm& comm, const Error* mine);

// Collective. Ends the fallible part of a function that communicates: all ranks keep their own value, or all get
// first_error(). Without it the ranks that succeeded would wait for the others without end.
template <class T>
Result<T> agree(const Comm& comm, Result<T> result) {
  std::optional<Error> error = first_error(comm, result ? nullptr : &result.error());
  if (error) return tl::unexpected<Error>(*std::move(error));
  return result;
}

// Collective. The same where the root alone did the work: all ranks keep their own value, or all get root_error().
template <class T>
Result<T> agree_with_root(const Comm& comm, Result<T> result) {
  std::optional<Error> error = root_error(comm, result ? nullptr : &result.error());
  if (error) return tl::unexpected<Error>(*std::move(error));
  return result;
}

// Several lists in one message: put them in, send the bytes, take them out in the same order.

class Parcel {
 public:
  template <Plain T>
  void put(std::span<const T> values) {
    const std::size_t count = values.size();
    append(std::as_bytes(std::span(&count, 1)));
    append(std::as_bytes(values));
  }
  template <Plain T>
  void put(const std::vector<T>& values) {
    put(std::span<const T>(values));
  }
  template <Plain T>
  void put(const T& value) {
    put(std::span<const T>(&value, 1));
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void append(std::span<const std::byte> bytes) {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + bytes.size());
    std::copy(bytes.begin(), bytes.end(), bytes_.data() + before);
  }

  std::vector<std::byte> bytes_;
};

// Reads a parcel that outlives it. A list that is not there stops with a failed check.
class ParcelReader {
 public:
  explicit ParcelReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }

  template <Plain T>
  std::vector<T> take() {
    std::vector<T> values(take_count(sizeof(T)));
    copy(std::as_writable_bytes(std::span(values)));
    return values;
  }
  template <Plain T>
  T take_one() {
    ESPALIER_CHECK(take_count(sizeof(T)) == 1, "a parcel holds a list where one value was put");
    T value;
    copy(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }

 private:
  std::size_t take_count(std::size_t size) {
    std::size_t count = 0;
    copy(std::as_writable_bytes(std::span(&count, 1)));
    ESPALIER_CHECK(count <= rest_.size() / size, "a parcel ends too soon");
    return count;
  }
  void copy(std::span<std::byte> to) {
    ESPALIER_CHECK(to.size() <= rest_.size(), "a parcel ends too soon");
    if (!to.empty()) std::memcpy(to.data(), rest_.data(), to.size());
    rest_ = rest_.subspan(to.size());
  }

  std::span<const std::byte> rest_;
};

}  // namespace espalier::comm

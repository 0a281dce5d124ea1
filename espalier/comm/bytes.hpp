#pragma once

// The collectives on plain bytes, under the typed ones of collectives.hpp: use those. `kind` says under which heading
// the call is counted in Traffic.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/comm/comm.hpp"

namespace espalier::comm::bytes {

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

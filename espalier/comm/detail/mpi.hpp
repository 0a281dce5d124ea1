#pragma once

// What this room asks of MPI. mpi.cpp answers; no_mpi.cpp stands in where the library is built without MPI. The
// functions on a group are called only where it has two ranks or more, so the serial build never reaches them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/detail/group.hpp"

namespace espalier::comm::detail::mpi {

// Whether this build knows MPI.
bool is_built();
// The first words of what the library says of itself; empty where this build does not know MPI.
std::string version();
// Whether MPI is initialised and not yet finalised, by us or by the program around us.
bool is_running();
// Initialises MPI, unless the program around us has, and makes the world group. True if it is ours to finalise.
bool start();
// Lets go of the world group; finalises MPI if `ours`.
void stop(bool ours);
// Ends the processes of all ranks with this exit code; std::_Exit where MPI does not run.
[[noreturn]] void abort(int exit_code);
// The world group; none before start() and after stop().
std::shared_ptr<Group> world();

// The MPI_Comm of a group; null of a serial one.
const void* native(const Group& group);

std::shared_ptr<Group> split(const Group& group, int colour, int key);
void barrier(const Group& group);
void broadcast(const Group& group, std::span<std::byte> data, int root);
// `all` is size() times as long as `mine`; it may be empty on ranks other than the root.
void gather(const Group& group, std::span<const std::byte> mine, std::span<std::byte> all, int root);
void all_gather(const Group& group, std::span<const std::byte> mine, std::span<std::byte> all);
// Rank r's part of `all` begins at offsets[r]; offsets has size() + 1 entries, equal on all ranks.
void all_gather_v(const Group& group, std::span<const std::byte> mine, std::span<std::byte> all,
                  std::span<const std::size_t> offsets);
// One number for each rank, one from each rank.
std::vector<std::uint64_t> all_to_all(const Group& group, std::span<const std::uint64_t> outgoing);
// All at once, without blocking each other; the lengths on both sides agree, and no message is to this rank itself.
void transfer(const Group& group, std::span<const bytes::Outgoing> outgoing, std::span<const bytes::Incoming> incoming);

// MPI counts in int: a longer message goes in pieces of at most this many bytes. Tests make it small; the same value on
// all ranks.
inline constexpr std::size_t kLongestPiece = std::size_t{1} << 30;
void set_longest_piece(std::size_t bytes);

}  // namespace espalier::comm::detail::mpi

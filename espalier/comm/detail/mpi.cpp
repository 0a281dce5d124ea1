#ifdef ESPALIER_MPI

#include "espalier/comm/detail/mpi.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <string_view>
#include <utility>

// The C++ bindings that MPI took back in 2012 would only add a library to link.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"

namespace espalier::comm::detail {

// An MPI error ends all ranks by itself (MPI_ERRORS_ARE_FATAL is the default), so no return code is looked at below.
struct Native {
  MPI_Comm comm = MPI_COMM_NULL;

  explicit Native(MPI_Comm value) : comm(value) {}
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;
  ~Native() {
    // A Comm may outlive the Session; MPI has then taken its communicators back.
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0) MPI_Comm_free(&comm);
  }
};

namespace mpi {
namespace {

// One tag does: between two ranks MPI keeps the order of messages, and our communicator carries none but ours.
constexpr int kTag = 1;

// One for the process: MPI itself can be started only once.
std::shared_ptr<Group> world_group;
std::size_t longest_piece = kLongestPiece;

std::shared_ptr<Group> make_group(MPI_Comm comm) {
  auto group = std::make_shared<Group>();
  MPI_Comm_rank(comm, &group->rank);
  MPI_Comm_size(comm, &group->size);
  group->native = std::make_shared<Native>(comm);
  return group;
}

// Of at most longest_piece bytes, which an int holds.
int to_count(std::size_t bytes) { return static_cast<int>(bytes); }

// Calls use(begin, length) for each piece of a message of `bytes` bytes; not at all for an empty one.
// MPI counts in int, so that longer messages go in pieces of this length, in order.
template <class Use>
void for_each_piece(std::size_t bytes, Use use) {
  for (std::size_t begin = 0; begin < bytes; begin += longest_piece) use(begin, std::min(longest_piece, bytes - begin));
}

std::span<std::byte> part(std::span<std::byte> all, std::span<const std::size_t> offsets, int rank) {
  const auto r = to_index(rank);
  return all.subspan(offsets[r], offsets[r + 1] - offsets[r]);
}

// all_gather_v by messages between each pair of ranks: for lengths that MPI's own cannot count.
void all_gather_directly(const Group& group, std::span<const std::byte> mine, std::span<std::byte> all,
                         std::span<const std::size_t> offsets) {
  std::vector<bytes::Outgoing> outgoing;
  std::vector<bytes::Incoming> incoming;
  for (int rank = 0; rank < group.size; ++rank) {
    if (rank == group.rank) continue;
    outgoing.push_back({rank, mine});
    incoming.push_back({rank, part(all, offsets, rank)});
  }
  // Pieces are sent and counted by transfer(), which knows no limit.
  transfer(group, outgoing, incoming);
  std::ranges::copy(mine, part(all, offsets, group.rank).begin());
}

}  // namespace

bool is_built() { return true; }
// "Open MPI v4.1.4, package: ..." up to the comma; other libraries end their first line earlier.
std::string version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string_view all(text, to_index(length));
  return std::string(all.substr(0, all.find_first_of(",\n")));
}

bool is_running() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

bool start() {
  const bool ours = !is_running();
  if (ours) {
    int provided = MPI_THREAD_SINGLE;
    // Threads may run beside us, but only the one that made the Session speaks to MPI.
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    ESPALIER_CHECK(provided >= MPI_THREAD_FUNNELED, "this MPI library does not allow threads beside the main one");
  }
  // A communicator of our own: messages of other libraries in the process cannot meet ours.
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  world_group = make_group(comm);
  return ours;
}

void stop(bool ours) {
  // The communicator is freed before MPI ends; groups that live longer see that it has.
  world_group.reset();
  if (ours && is_running()) MPI_Finalize();
}

const void* native(const Group& group) { return group.native ? &group.native->comm : nullptr; }

void abort(int exit_code) {
  // MPI_Abort should not come back; some launchers let it.
  if (is_running()) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

std::shared_ptr<Group> world() { return world_group; }

void set_longest_piece(std::size_t bytes) {
  ESPALIER_CHECK(bytes >= 1 && bytes <= INT_MAX, "a piece of a message must have between 1 and INT_MAX bytes");
  longest_piece = bytes;
}

std::shared_ptr<Group> split(const Group& group, int colour, int key) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(group.native->comm, colour, key, &comm);
  return make_group(comm);
}

void barrier(const Group& group) { MPI_Barrier(group.native->comm); }

void broadcast(const Group& group, std::span<std::byte> data, int root) {
  for_each_piece(data.size(), [&](std::size_t begin, std::size_t length) {
    MPI_Bcast(data.data() + begin, to_count(length), MPI_BYTE, root, group.native->comm);
  });
}

void gather(const Group& group, std::span<const std::byte> mine, std::span<std::byte> all, int root) {
  if (mine.size() <= longest_piece) {
    MPI_Gather(mine.data(), to_count(mine.size()), MPI_BYTE, all.data(), to_count(mine.size()), MPI_BYTE, root,
               group.native->comm);
    return;
  }
  // MPI_Gather counts in int; messages between pairs of ranks go in pieces.
  std::vector<bytes::Outgoing> outgoing;
  std::vector<bytes::Incoming> incoming;
  if (group.rank != root) outgoing.push_back({root, mine});
  for (int rank = 0; rank < group.size && group.rank == root; ++rank) {
    const std::span<std::byte> place = all.subspan(to_index(rank) * mine.size(), mine.size());
    if (rank == root) {
      std::ranges::copy(mine, place.begin());
    } else {
      incoming.push_back({rank, place});
    }
  }
  transfer(group, outgoing, incoming);
}

void all_gather(const Group& group, std::span<const std::byte> mine, std::span<std::byte> all) {
  if (mine.size() <= longest_piece) {
    MPI_Allgather(mine.data(), to_count(mine.size()), MPI_BYTE, all.data(), to_count(mine.size()), MPI_BYTE,
                  group.native->comm);
    return;
  }
  // As in gather(): the length, the same on all ranks, decides, so that all take the same way.
  std::vector<std::size_t> offsets(to_index(group.size) + 1);
  for (std::size_t rank = 0; rank < offsets.size(); ++rank) offsets[rank] = rank * mine.size();
  all_gather_directly(group, mine, all, offsets);
}

void all_gather_v(const Group& group, std::span<const std::byte> mine, std::span<std::byte> all,
                  std::span<const std::size_t> offsets) {
  // MPI_Allgatherv takes its offsets as int: what counts is the whole, not the longest part.
  if (all.size() > longest_piece) {
    all_gather_directly(group, mine, all, offsets);
    return;
  }
  const auto ranks = to_index(group.size);
  std::vector<int> counts(ranks);
  std::vector<int> begins(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    begins[rank] = to_count(offsets[rank]);
    counts[rank] = to_count(offsets[rank + 1] - offsets[rank]);
  }
  MPI_Allgatherv(mine.data(), to_count(mine.size()), MPI_BYTE, all.data(), counts.data(), begins.data(), MPI_BYTE,
                 group.native->comm);
}

std::vector<std::uint64_t> all_to_all(const Group& group, std::span<const std::uint64_t> outgoing) {
  std::vector<std::uint64_t> incoming(outgoing.size());
  MPI_Alltoall(outgoing.data(), 1, MPI_UINT64_T, incoming.data(), 1, MPI_UINT64_T, group.native->comm);
  return incoming;
}

void transfer(const Group& group, std::span<const bytes::Outgoing> outgoing,
              std::span<const bytes::Incoming> incoming) {
  std::vector<MPI_Request> requests;
  // Receives first: a message then goes straight to its place and is not kept aside by MPI.
  for (const bytes::Incoming& message : incoming) {
    for_each_piece(message.data.size(), [&](std::size_t begin, std::size_t length) {
      MPI_Irecv(message.data.data() + begin, to_count(length), MPI_BYTE, message.rank, kTag, group.native->comm,
                &requests.emplace_back(MPI_REQUEST_NULL));
    });
  }
  for (const bytes::Outgoing& message : outgoing) {
    for_each_piece(message.data.size(), [&](std::size_t begin, std::size_t length) {
      MPI_Isend(message.data.data() + begin, to_count(length), MPI_BYTE, message.rank, kTag, group.native->comm,
                &requests.emplace_back(MPI_REQUEST_NULL));
    });
  }
  // All are under way before the rank waits for any of them: no order of messages can block two ranks.
  MPI_Waitall(to_count(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace mpi
}  // namespace espalier::comm::detail

#endif

#pragma once

// Front door of the room: who computes with whom.
//   In:   how the process was started (Session)
//   Out:  Comm, a group of ranks. collectives.hpp has what it does together, agreement about errors included.
// The serial Comm is always compiled; MPI is a matter of this room's .cpp files alone.
//
// Calls together: a function marked "Collective." is called by every rank of the Comm, in the same order, or ranks wait
// for each other without end. Only the thread that made the Session communicates (MPI_THREAD_FUNNELED).

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "espalier/base/index.hpp"

namespace espalier::comm {

enum class Collective { kBarrier, kBroadcast, kGather, kAllGather, kAllToAll, kExchange, kReduce, kAgree };
inline constexpr std::size_t kCollectiveCount = 8;
// "barrier", "all_gather", ...
const char* word(Collective kind);

// What this rank sent to other ranks, counted as if each pair of ranks spoke directly (MPI may do better with trees),
// so the numbers are a property of the algorithm and not of the MPI library. Sizes sent ahead of a message count too.
struct Traffic {
  struct Count {
    std::int64_t rounds = 0;  // a collective that sends sizes ahead takes two
    std::int64_t messages = 0;
    std::int64_t bytes = 0;

    bool operator==(const Count&) const = default;
  };
  std::array<Count, kCollectiveCount> counts{};

  const Count& of(Collective kind) const { return counts[to_index(kind)]; }
  Count total() const;
  bool operator==(const Traffic&) const = default;
};

namespace detail {
struct Group;
}

// A group of ranks. Cheap to copy: copies are the same group and count into the same Traffic.
class Comm {
 public:
  // This process alone.
  static Comm serial();
  // Every rank of the running Session; the serial Comm where there is none or it runs without MPI.
  static Comm world();

  int rank() const;
  int size() const;
  bool is_root() const { return rank() == 0; }

  // Collective. One group for each colour >= 0, its ranks ordered by key, then by rank in this group. The last copy of
  // the new group frees it, which is collective too: let its ranks drop it at the same point.
  Comm split(int colour, int key = 0) const;

  // Since the group was made, on this rank.
  Traffic traffic() const;
  // The same for the wall time that this rank has spent in collectives, waiting for other ranks included [s]; 0 where
  // the rank is alone.
  double seconds() const;

  // For the .cpp files of this room.
  detail::Group& group() const { return *group_; }

 private:
  explicit Comm(std::shared_ptr<detail::Group> group);

  std::shared_ptr<detail::Group> group_;
};

// How a program joins its ranks: one Session, first thing in main().
//   int main() {
//     comm::Session session;
//     const comm::Comm comm = comm::Comm::world();

enum class Start {
  kIfLaunched,  // MPI runs where mpirun, mpiexec or srun started the process; else the process is alone
  kMpi,         // MPI runs; only where has_mpi()
};

// Whether this build knows MPI.
bool has_mpi();

// Keeps MPI initialised (MPI_THREAD_FUNNELED) while it lives, and while it does, a failed ESPALIER_CHECK on one rank
// ends all ranks. Does nothing without MPI. Where the program around us runs MPI already, it joins and does not
// finalise.
//
// The end of a Session waits for all ranks. A rank that leaves by an exception or by std::exit ends all of them, with a
// non-zero exit code; one that returns while others still communicate leaves them waiting: agree() comes first.
class Session {
 public:
  explicit Session(Start start = Start::kIfLaunched);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Whether MPI runs.
  bool is_parallel() const { return parallel_; }

 private:
  bool parallel_ = false;
  bool ours_ = false;
  int exceptions_ = 0;  // in flight when the Session was made
};

// Ends the processes of all ranks at once, with this exit code, without clean-up. For a rank that cannot go on and has
// no way to tell the others.
[[noreturn]] void stop_all(int exit_code);

}  // namespace espalier::comm

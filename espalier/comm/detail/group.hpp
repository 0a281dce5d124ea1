#pragma once

#include <chrono>
#include <memory>

#include "espalier/base/index.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::comm::detail {

// The MPI communicator, defined in mpi.cpp alone.
struct Native;

struct Group {
  int rank = 0;
  int size = 1;
  Traffic traffic;
  double seconds = 0;              // in collectives
  std::shared_ptr<Native> native;  // none in a serial group

  bool is_alone() const { return size == 1; }
};

// Notes one round in which this rank sent `messages` messages to other ranks, `bytes` together.
inline void count(Group& group, Collective kind, std::int64_t messages, std::size_t bytes) {
  Traffic::Count& counter = group.traffic.counts[to_index(kind)];
  ++counter.rounds;
  counter.messages += messages;
  counter.bytes += static_cast<std::int64_t>(bytes);
}

// Adds the time it lives to that of the group.
class Stopwatch {
 public:
  explicit Stopwatch(Group& group) : group_(group) {}
  ~Stopwatch() { group_.seconds += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  Group& group_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace espalier::comm::detail

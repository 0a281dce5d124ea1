#pragma once

#include <csignal>
#include <string>

#include "espalier/comm/comm.hpp"

namespace espalier::app {

// A rank that was killed leaves the others waiting for its messages; mpirun asks them to end by SIGTERM. While a
// LostRank lives, they look then who is gone: the lowest rank that is left says so, with the way out, and all end at
// once. Only ranks on the same machine are looked at.
class LostRank {
 public:
  // Collective.
  explicit LostRank(const comm::Comm& comm);
  ~LostRank();
  LostRank(const LostRank&) = delete;
  LostRank& operator=(const LostRank&) = delete;

  // Collective. What the message ends with; the root's text counts.
  static void set_way_out(const comm::Comm& comm, const std::string& text);

 private:
  struct sigaction before_ = {};
};

// For handlers of SIGTERM: does not come back where a rank is gone.
void leave_if_rank_is_lost();

}  // namespace espalier::app

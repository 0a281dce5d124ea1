#pragma once

// Ranks as processes of a machine: started from a program that runs alone, missed when one of them is gone, and asked
// to end by a person, a terminal or a batch system. Sets handlers of signals while its objects live; for programs, not
// for libraries inside others.

#include <array>
#include <atomic>
#include <csignal>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::comm {

// Starts this program again under mpirun with the words of its command less `--ranks`, waits for it and returns its
// exit code. What the ranks print goes to `print`, piece by piece. Ctrl-C, SIGTERM and SIGHUP go on to the ranks, as
// SIGUSR1 and SIGUSR2, whenever they come: mpirun would end the ranks itself, with an exit code of its own; a second
// one lets it. Errors: `ranks` is not a number from 1 to what this machine bears; mpirun cannot be started.
Result<int> launch(const std::vector<std::string>& command, int ranks,
                   const std::function<void(std::string_view)>& print);

// A rank that was killed leaves the others waiting for its messages; mpirun asks them to end by SIGTERM. While a
// LostRank lives, they look then who is gone: the lowest rank that is left says so, with the way out, and all end at
// once with exit code 1. Only ranks on the same machine are looked at. One at a time.
class LostRank {
 public:
  // Collective.
  explicit LostRank(const Comm& comm);
  ~LostRank();
  LostRank(const LostRank&) = delete;
  LostRank& operator=(const LostRank&) = delete;

  // Collective. What the message ends with; the root's text counts.
  static void set_way_out(const Comm& comm, const std::string& text);

 private:
  struct sigaction before_ = {};
};

// While it lives, the first Ctrl-C (or SIGTERM) asks the run to end and the second ends the program. SIGUSR1 and
// SIGUSR2, which launch() and batch systems send, SIGHUP of a terminal that closes and SIGXCPU of a limit on time ask,
// however often they come. What was asked stays asked: a second run of the same program ends at once.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  // For the run to look at.
  static std::atomic<bool>* wanted();
  // The signal that came, SIGINT, SIGTERM, SIGHUP or SIGXCPU; 0: none.
  static int signal();

 private:
  std::array<struct sigaction, 6> before_ = {};
};

}  // namespace espalier::comm

#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace espalier::app {

// While it lives, the first Ctrl-C (or SIGTERM) asks the run to end and the second ends the program. SIGUSR1 and
// SIGUSR2, which launch() and batch systems send, SIGHUP of a terminal that closes and SIGXCPU of a limit on time ask,
// however often they come.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  // For the run to look at, and to set where it ends by itself.
  static std::atomic<bool>* wanted();
  // Asks for the end without a signal.
  static void stop();
  // The signal that came, SIGINT, SIGTERM, SIGHUP or SIGXCPU; 0: none.
  static int signal();

 private:
  std::array<struct sigaction, 6> before_ = {};
};

}  // namespace espalier::app

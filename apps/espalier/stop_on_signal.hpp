#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace espalier::app {

// While it lives, the first Ctrl-C (or SIGTERM) asks the run to end and the second ends the program. SIGUSR1 and
// SIGUSR2 do the same; launch() and batch systems send them.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  // For the run to look at.
  static const std::atomic<bool>* wanted();
  // Asks for the end without a signal.
  static void stop();
  // The signal that came, SIGINT or SIGTERM; 0: none.
  static int signal();

 private:
  std::array<struct sigaction, 4> before_ = {};
};

}  // namespace espalier::app

#include "apps/espalier/stop_on_signal.hpp"

#include "apps/espalier/lost_rank.hpp"

namespace espalier::app {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2};

std::atomic<bool> stop_wanted{false};
std::atomic<int> stop_signal{0};

// launch() hands Ctrl-C and SIGTERM on as SIGUSR1 and SIGUSR2.
void want_stop(int signal) {
  if (signal == SIGTERM) leave_if_rank_is_lost();
  stop_signal = signal == SIGUSR1 ? SIGINT : signal == SIGUSR2 ? SIGTERM : signal;
  stop_wanted = true;
}

}  // namespace

StopOnSignal::StopOnSignal() {
  struct sigaction action = {};
  action.sa_handler = want_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t k = 0; k < kSignals.size(); ++k) sigaction(kSignals[k], &action, &before_[k]);
}

StopOnSignal::~StopOnSignal() {
  for (std::size_t k = 0; k < kSignals.size(); ++k) sigaction(kSignals[k], &before_[k], nullptr);
}

const std::atomic<bool>* StopOnSignal::wanted() { return &stop_wanted; }
void StopOnSignal::stop() { stop_wanted = true; }
int StopOnSignal::signal() { return stop_signal; }

}  // namespace espalier::app

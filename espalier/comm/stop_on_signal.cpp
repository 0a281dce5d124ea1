#include "espalier/comm/detail/lost_rank.hpp"
#include "espalier/comm/processes.hpp"

namespace espalier::comm {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGHUP, SIGXCPU};

std::atomic<bool> stop_wanted{false};
std::atomic<int> stop_signal{0};

// launch() hands Ctrl-C and SIGTERM on as SIGUSR1 and SIGUSR2.
void want_stop(int signal) {
  if (signal == SIGTERM) detail::leave_if_rank_is_lost();
  stop_signal = signal == SIGUSR1 ? SIGINT : signal == SIGUSR2 ? SIGTERM : signal;
  stop_wanted = true;
}

}  // namespace

StopOnSignal::StopOnSignal() {
  for (std::size_t k = 0; k < kSignals.size(); ++k) {
    struct sigaction action = {};
    action.sa_handler = want_stop;
    // The second one of a person ends the program. The others come again by themselves: launch() repeats its own, a
    // terminal that closes and its shell both say SIGHUP, and SIGXCPU is said every second.
    if (kSignals[k] == SIGINT || kSignals[k] == SIGTERM) action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(kSignals[k], &action, &before_[k]);
    // nohup.
    if (kSignals[k] == SIGHUP && before_[k].sa_handler == SIG_IGN) sigaction(SIGHUP, &before_[k], nullptr);
  }
}

StopOnSignal::~StopOnSignal() {
  for (std::size_t k = 0; k < kSignals.size(); ++k) {
    // launch() goes on asking until all ranks have ended: those that are about to must not die of it.
    const bool repeated = kSignals[k] == SIGUSR1 || kSignals[k] == SIGUSR2;
    if (repeated) before_[k].sa_handler = SIG_IGN;
    sigaction(kSignals[k], &before_[k], nullptr);
  }
}

std::atomic<bool>* StopOnSignal::wanted() { return &stop_wanted; }
int StopOnSignal::signal() { return stop_signal; }

}  // namespace espalier::comm

#include "apps/espalier/stop_on_signal.hpp"

namespace espalier::app {
namespace {

std::atomic<bool> stop_wanted{false};
std::atomic<int> stop_signal{0};

void want_stop(int signal) {
  stop_signal = signal;
  stop_wanted = true;
}

}  // namespace

StopOnSignal::StopOnSignal() {
  struct sigaction action = {};
  action.sa_handler = want_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &before_[0]);
  sigaction(SIGTERM, &action, &before_[1]);
}

StopOnSignal::~StopOnSignal() {
  sigaction(SIGINT, &before_[0], nullptr);
  sigaction(SIGTERM, &before_[1], nullptr);
}

const std::atomic<bool>* StopOnSignal::wanted() { return &stop_wanted; }
void StopOnSignal::stop() { stop_wanted = true; }
int StopOnSignal::signal() { return stop_signal; }

}  // namespace espalier::app

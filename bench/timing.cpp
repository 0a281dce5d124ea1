#include "bench/timing.hpp"

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <chrono>

namespace bench {
namespace {

constexpr double kPass = 1e-3;  // [s]
constexpr int kFewestPasses = 3;
constexpr int kMostPasses = 401;

struct Turn {
  int calls = 1;  // a pass
  int passes = 0;
  std::vector<double> seconds;  // a call, by pass
};

using Clock = double (*)();

double time_pass(const std::function<void(int)>& call, int calls, Clock clock) {
  const double start = clock();
  for (int k = 0; k < calls; ++k) call(k);
  return (clock() - start) / calls;
}

Turn plan_turn(const std::function<void(int)>& call, double budget, Clock clock) {
  Turn turn;
  if (!call) return turn;
  // The first calls fill caches; a slow one tells enough by itself.
  double once = time_pass(call, 1, clock);
  if (once < budget) once = std::min(once, time_pass(call, 2, clock));
  turn.calls = std::max(1, static_cast<int>(kPass / std::max(once, 1e-9)));
  turn.passes = static_cast<int>(std::clamp(budget / (turn.calls * once), 0.0 + kFewestPasses, 0.0 + kMostPasses));
  return turn;
}

Times summarise(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), seconds[seconds.size() / 2], static_cast<int>(seconds.size())};
}

}  // namespace

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

std::vector<Times> time_in_turns(const std::vector<std::function<void(int)>>& calls, double budget, Clock clock) {
  std::vector<Turn> turns;
  for (const auto& call : calls) turns.push_back(plan_turn(call, budget, clock));
  // Few passes of a slow one are spread over the whole time as well.
  for (int slot = 0; slot < kMostPasses; ++slot) {
    for (std::size_t k = 0; k < calls.size(); ++k) {
      const bool due = slot * turns[k].passes / kMostPasses != (slot + 1) * turns[k].passes / kMostPasses;
      if (due) turns[k].seconds.push_back(time_pass(calls[k], turns[k].calls, clock));
    }
  }
  std::vector<Times> times;
  for (Turn& turn : turns) times.push_back(summarise(std::move(turn.seconds)));
  return times;
}

}  // namespace bench

#include "espalier/plan/detail/list_schedule.hpp"

#include <algorithm>
#include <queue>

#include "espalier/base/index.hpp"

namespace espalier::plan::detail {
namespace {

struct Ready {
  double ahead;
  int vertex;
  bool operator<(const Ready& other) const {
    return ahead != other.ahead ? ahead < other.ahead : vertex > other.vertex;
  }
};

struct Running {
  double end;
  int worker;
  int vertex;
  bool operator>(const Running& other) const { return end != other.end ? end > other.end : worker > other.worker; }
};

}  // namespace

// Time goes on from one end of a step to the next:
// 1. whoever is idle takes the ready step with the longest way ahead, the lowest worker first;
// 2. all steps that end next are done at once, and free those that waited for them alone.
// Nobody is idle while a step is ready, which is what (P20) asks for.
Turns list_schedule(Steps steps, int workers) {
  Turns turns(to_index(workers));
  std::priority_queue<Ready> ready;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
  std::priority_queue<int, std::vector<int>, std::greater<>> idle;
  for (int worker = 0; worker < workers; ++worker) idle.push(worker);
  for (const int v : steps.first) ready.push({steps.ahead[v], v});
  double now = 0;
  while (!ready.empty() || !running.empty()) {
    // 1.
    while (!ready.empty() && !idle.empty()) {
      const int v = ready.top().vertex;
      const int worker = idle.top();
      ready.pop();
      idle.pop();
      turns[worker].push_back({v, now, now + steps.cost[v]});
      running.push({now + steps.cost[v], worker, v});
    }
    // 2. All that end now, before anybody chooses again: else the order in which equal times come out would decide.
    now = running.top().end;
    while (!running.empty() && running.top().end == now) {
      const Running done = running.top();
      running.pop();
      idle.push(done.worker);
      for (const int next : steps.after[done.vertex]) {
        // Free when the last of those it waits for is done.
        if (--steps.before[next] == 0) ready.push({steps.ahead[next], next});
      }
    }
  }
  return turns;
}

double end_of(const Turns& sweep) {
  double end = 0;
  for (const std::vector<Turn>& turns : sweep) end = turns.empty() ? end : std::max(end, turns.back().end);
  return end;
}

}  // namespace espalier::plan::detail

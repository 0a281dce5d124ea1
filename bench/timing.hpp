#pragma once

#include <functional>
#include <vector>

namespace bench {

// Processor time of this thread [s]: what other programs take is not counted, what they do to the caches is.
double thread_seconds();
// Time on the wall [s].
double wall_seconds();
// Bytes that malloc has handed out and not got back.
double allocated_bytes();

struct Times {
  double least = 0;   // of all passes [s]
  double median = 0;  // [s]
  int passes = 0;
  bool known() const { return passes > 0; }
};

// Time of one call of each of `calls`. A pass is a millisecond of calls, or one call where that is longer; passes of
// all take turns, so that a slow moment of the machine hits all alike, until each has had about `budget` seconds. The
// argument counts the calls. An empty function is skipped.
std::vector<Times> time_in_turns(const std::vector<std::function<void(int)>>& calls, double budget,
                                 double (*clock)() = thread_seconds);

}  // namespace bench

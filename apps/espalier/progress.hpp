#pragma once

#include <chrono>
#include <string>

namespace espalier::app {

// What there is to say of a run while it lasts.
struct SimulateProgress {
  double time = 0, start = 0, end = 0;  // [s]
  double loop_distance = 0;             // [m]
  double energy_error = 0;              // [J]
};

// "t 1.25 s  12 %  x 34.1  ETA 0:12  loop 2e-13 m  energy 3e-09 J": fits 60 columns.
std::string progress_text(const SimulateProgress& progress, double seconds);

// One line on a terminal, rewritten some times a second; elsewhere a line every few seconds.
class StatusLine {
 public:
  explicit StatusLine(bool quiet);
  ~StatusLine();

  // Cheap where it is not yet time to show anything.
  bool is_due() const;
  void show_text(std::string text);
  void show(const SimulateProgress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  bool quiet_;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace espalier::app

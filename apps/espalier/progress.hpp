#pragma once

#include <chrono>
#include <cstdint>
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

// The same of a scene with contact.
struct ContactProgress {
  double time = 0, start = 0, end = 0;  // [s]
  int contacts = 0, sweeps = 0;         // of the last step
  double residual = 0;
  double imbalance = 1;
  std::int64_t unconverged = 0;  // steps so far
};
// "t 0.25 s  25 %  ETA 0:12  312 contacts  40 sweeps  residual 3e-07  imbalance 1.1".
std::string progress_text(const ContactProgress& progress, double seconds);

// One line on a terminal, rewritten some times a second; elsewhere a line every few seconds.
class StatusLine {
 public:
  explicit StatusLine(bool quiet);
  ~StatusLine();

  // Cheap where it is not yet time to show anything.
  bool is_due() const;
  double seconds() const;  // since it was made
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

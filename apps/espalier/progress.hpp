#pragma once

#include <chrono>
#include <string>

namespace espalier::app {

// One line on a terminal, rewritten some times a second; elsewhere a line every few seconds.
class StatusLine {
 public:
  explicit StatusLine(bool quiet);
  ~StatusLine();

  // Cheap where it is not yet time to show anything.
  bool is_due() const;
  double seconds() const;  // since it was made
  void show_text(std::string text);

 private:
  using Clock = std::chrono::steady_clock;

  bool quiet_;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace espalier::app

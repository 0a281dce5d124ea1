#include "apps/espalier/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace espalier::app {
namespace {

constexpr std::chrono::milliseconds kOnTerminal{200};
constexpr std::chrono::seconds kElsewhere{5};

// "0:07", "12:30", "3:00:00".
std::string clock_text(double seconds) {
  if (!(seconds < 100 * 3600)) return "days";
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::size_t columns_of_stderr() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string progress_text(const SimulateProgress& progress, double seconds) {
  const double done = progress.time - progress.start;
  const double all = progress.end - progress.start;
  const double share = all > 0 ? done / all : 1;
  const double left = share > 0 ? seconds * (1 - share) / share : INFINITY;
  return fmt::format("t {:.4g} s  {:.0f} %  x {:.3g}  ETA {}  loop {:.0e} m  energy {:.0e} J", progress.time,
                     std::floor(100 * share), seconds > 0 ? done / seconds : 0, clock_text(left),
                     progress.loop_distance, progress.energy_error);
}

StatusLine::StatusLine(bool quiet) : quiet_(quiet), on_terminal_(isatty(STDERR_FILENO) == 1) {}

StatusLine::~StatusLine() {
  if (shown_ && on_terminal_) std::fputs("\r\033[K", stderr);
}

bool StatusLine::is_due() const {
  if (quiet_) return false;
  const Clock::duration passed = Clock::now() - last_;
  return on_terminal_ ? passed >= kOnTerminal : passed >= kElsewhere;
}

void StatusLine::show(const SimulateProgress& progress) {
  show_text(progress_text(progress, std::chrono::duration<double>(Clock::now() - begin_).count()));
}

void StatusLine::show_text(std::string text) {
  last_ = Clock::now();
  shown_ = true;
  if (on_terminal_) {
    text.resize(std::min(text.size(), columns_of_stderr() - 1));
    fmt::print(stderr, "\r\033[K{}", text);
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

}  // namespace espalier::app

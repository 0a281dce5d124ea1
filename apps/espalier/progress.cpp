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

template <class Any>
double share_of(const Any& progress) {
  const double all = progress.end - progress.start;
  return all > 0 ? (progress.time - progress.start) / all : 1;
}

std::string left_text(double share, double seconds) {
  return clock_text(share > 0 ? seconds * (1 - share) / share : INFINITY);
}

}  // namespace

std::string progress_text(const SimulateProgress& progress, double seconds) {
  const double done = progress.time - progress.start;
  const double share = share_of(progress);
  return fmt::format("t {:.4g} s  {:.0f} %  x {:.3g}  ETA {}  loop {:.0e} m  energy {:.0e} J", progress.time,
                     std::floor(100 * share), seconds > 0 ? done / seconds : 0, left_text(share, seconds),
                     progress.loop_distance, progress.energy_error);
}

std::string progress_text(const ContactProgress& progress, double seconds) {
  const double share = share_of(progress);
  std::string text = fmt::format("t {:.4g} s  {:.0f} %  ETA {}  {} contacts  {} sweeps  residual {:.0e}", progress.time,
                                 std::floor(100 * share), left_text(share, seconds), progress.contacts, progress.sweeps,
                                 progress.residual);
  if (progress.imbalance > 1) text += fmt::format("  imbalance {:.2g}", progress.imbalance);
  if (progress.unconverged > 0) text += fmt::format("  {} not converged", progress.unconverged);
  return text;
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

double StatusLine::seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

void StatusLine::show(const SimulateProgress& progress) { show_text(progress_text(progress, seconds())); }

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

#include "apps/espalier/progress.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace espalier::app {
namespace {

constexpr std::chrono::milliseconds kOnTerminal{200};
constexpr std::chrono::seconds kElsewhere{5};

std::size_t columns_of_stderr() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

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

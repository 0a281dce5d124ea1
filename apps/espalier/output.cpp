#include "apps/espalier/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/wording.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/processes.hpp"

namespace espalier::app {
namespace {

bool quiet = false;
bool output_closed = false;
std::string lost;  // why something printed did not get through; empty: all did

bool write_out(std::string_view text) {
  if (quiet || text.empty()) return true;
  errno = EBADF;
  const bool written =
      !output_closed && std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && lost.empty()) lost = output_closed ? "it is closed" : std::generic_category().message(errno);
  // What is left in the buffer is lost too, and would only fail again.
  if (!written) std::clearerr(stdout);
  return written;
}

std::string field_text(std::string_view field) { return option_text(field); }

}  // namespace

int terminal_width() {
  constexpr int kNarrowest = 40;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return std::max<int>(size.ws_col, kNarrowest);
  const char* columns = std::getenv("COLUMNS");
  const int asked = columns == nullptr ? 0 : std::atoi(columns);
  return asked > 0 ? std::clamp(asked, kNarrowest, 1000) : 80;
}

int report(const Error& error, bool json) {
  // Backticks of other errors are round keys of the user's file; their hint speaks of options all the same.
  const auto only = [&](std::string_view name) {
    return name == error.option ? field_text(name) : fmt::format("`{}`", name);
  };
  const bool speaks_of_options = error.code == ErrorCode::kOption || !error.option.empty();
  Error worded = error;
  worded.message =
      error.code == ErrorCode::kOption ? word_options(error.message, field_text) : word_options(error.message, only);
  if (speaks_of_options) worded.hint = word_options(error.hint, field_text);
  say(fmt::format("espalier: {}\n", to_string(worded)));
  if (json) {
    const nlohmann::ordered_json document = {{"error",
                                              {{"code", to_string(error.code)},
                                               {"message", full_message(worded)},
                                               {"file", error.where.file},
                                               {"line", error.where.line}}}};
    print(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }
  return kBadInput;
}

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest number that is free, which is this one.
    (void)!::open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    output_closed = output_closed || stream == STDOUT_FILENO;
  }
}

bool print(std::string_view text) { return write_out(printable(text)); }

int print_result(std::string_view text) { return print(text) ? kDone : kSolverFailed; }

int print_file(std::string_view text) {
  return (isatty(STDOUT_FILENO) == 1 ? print(text) : write_out(text)) ? kDone : kSolverFailed;
}

int finish_output(int code) {
  if (lost.empty()) return code;
  fmt::print(stderr, "espalier: standard output cannot be written: {}; what was printed is lost, files are not\n",
             lost);
  return code == kDone ? kSolverFailed : code;
}

int launch(const std::vector<std::string>& command, int ranks, bool json) {
  const Result<int> code = comm::launch(command, ranks, [](std::string_view text) { print(text); });
  return code ? *code : report(code.error(), json);
}

void say(std::string_view text) {
  const std::string clean = printable(text);
  std::fwrite(clean.data(), 1, clean.size(), stderr);
}

void say_problem(std::string_view sentence) {
  if (!sentence.empty()) say(fmt::format("espalier: {}\n", sentence));
}

void set_quiet(bool value) { quiet = value; }

}  // namespace espalier::app

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "espalier/base/index.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/comm/processes.hpp"

namespace espalier::comm {
namespace {

using Print = std::function<void(std::string_view)>;

constexpr int kNotStarted = 127;
// On one machine more of them are of no use, and a million of them end it.
constexpr int kMostRanks = 64;
constexpr int kMostPerCore = 16;
constexpr int kAgain = 200;  // between two requests to end [ms]

std::vector<std::string> words_for_ranks(const std::vector<std::string>& command, int ranks) {
  std::error_code code;
  // Quiet: what went wrong on a rank is said by the ranks.
  std::vector<std::string> words = {"mpirun",
                                    "--quiet",
                                    "--oversubscribe",
                                    "-n",
                                    std::to_string(ranks),
                                    std::filesystem::read_symlink("/proc/self/exe", code).string()};
  for (std::size_t k = 0; k < command.size(); ++k) {
    if (command[k] == "--ranks") {
      ++k;
    } else if (!command[k].starts_with("--ranks=")) {
      words.push_back(command[k]);
    }
  }
  return words;
}

void set_environment() {
  // Open MPI refuses to run as root unless it is told twice.
  if (::geteuid() == 0) {
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }
}

// The two ends of a pipe for what the ranks print.
struct Pipe {
  int from = -1, to = -1;
};

// In the child. In a group of its own it does not hear the Ctrl-C of the terminal, and may not read from it either.
[[noreturn]] void become(std::vector<std::string>& words, const sigset_t& mask, const Pipe& output) {
  // What this program ignores for itself a child would ignore as well.
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  // Where a signal is to go is decided here, and not by the terminal for all at once.
  ::setpgid(0, 0);
  // Ranks whose launcher was killed would go on without anybody who asked for them.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::dup2(output.to, STDOUT_FILENO);
  if (::isatty(STDIN_FILENO) != 0) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(kNotStarted);
}

// mpirun hands SIGUSR1 and SIGUSR2 on to the ranks; StopOnSignal takes them for what they stand for. It is asked again
// and again: until mpirun and the ranks have come up, nobody hears it. A second signal has it end them at once.
class Asking {
 public:
  explicit Asking(pid_t child) : child_(child) {}

  bool is_asking() const { return first_ != 0; }
  void hear(int signal) {
    if (first_ != 0) ::kill(child_, SIGTERM);
    if (first_ == 0) first_ = signal;
  }
  void ask() const {
    if (first_ != 0) ::kill(child_, first_ == SIGINT ? SIGUSR1 : SIGUSR2);
  }
  // Ranks that were not yet ready to save anything end by the signal itself.
  int exit_code(int status) const {
    const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    const auto is = [&](int signal) { return code == 128 + signal; };
    // mpirun itself may end by the signal that it handed on.
    const bool stopped = is(SIGINT) || is(SIGTERM) || is(SIGUSR1) || is(SIGUSR2);
    return first_ != 0 && stopped ? 128 + first_ : code;
  }

 private:
  pid_t child_;
  int first_ = 0;
};

// What the ranks have printed goes on through this program: mpirun does not tell whether it got through. False at the
// end.
bool copy_output(int from, const Print& print) {
  std::array<char, 1 << 16> text;
  const ssize_t size = ::read(from, text.data(), text.size());
  if (size > 0) print({text.data(), to_index(size)});
  return size > 0 || (size < 0 && (errno == EINTR || errno == EAGAIN));
}

// Waits for the child, with its output and with signals; returns its exit code.
int wait_for(pid_t child, int signals, int output, const Print& print) {
  Asking asking(child);
  bool open = true;
  for (;;) {
    std::array<pollfd, 2> look = {{{signals, POLLIN, 0}, {open ? output : -1, POLLIN, 0}}};
    ::poll(look.data(), look.size(), asking.is_asking() ? kAgain : -1);
    signalfd_siginfo came = {};
    while (::read(signals, &came, sizeof came) == sizeof came) {
      if (came.ssi_signo != SIGCHLD) asking.hear(static_cast<int>(came.ssi_signo));
    }
    asking.ask();
    if (look[1].revents != 0) open = copy_output(output, print);
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) != child) continue;
    // What is still in the pipe, but no longer than it takes: a grandchild may hold the other end open.
    ::fcntl(output, F_SETFL, O_NONBLOCK);
    while (open && copy_output(output, print) && errno != EAGAIN) errno = 0;
    return asking.exit_code(status);
  }
}

// Signals that are to wait until they are read: those that ask for the end, and the one that the child has ended.
sigset_t awaited_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    if (signal != SIGHUP || now.sa_handler != SIG_IGN) sigaddset(&signals, signal);  // else nohup
  }
  return signals;
}

// As many as make sense on this machine.
Result<void> check_ranks(int ranks) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int most = std::max(kMostRanks, kMostPerCore * cores);
  if (ranks >= 1 && ranks <= most) return {};
  return make_option_error("ranks", fmt::format("`ranks` is {}", ranks),
                           fmt::format("give a number from 1 to {}, {} for each core; on several machines start the "
                                       "program by mpirun or srun",
                                       most, kMostPerCore));
}

}  // namespace

Result<int> launch(const std::vector<std::string>& command, int ranks, const Print& print) {
  const Result<void> checked = check_ranks(ranks);
  ESPALIER_TRY(checked);
  if (!has_mpi()) return make_option_error("ranks", "`ranks`: this program was built without MPI");
  std::vector<std::string> words = words_for_ranks(command, ranks);
  set_environment();
  sigset_t before;
  const sigset_t awaited = awaited_signals();
  // Before the fork: a signal in between would find neither handler.
  sigprocmask(SIG_BLOCK, &awaited, &before);
  const int signals = ::signalfd(-1, &awaited, SFD_NONBLOCK | SFD_CLOEXEC);
  std::array<int, 2> ends = {-1, -1};
  const bool ready = signals >= 0 && ::pipe2(ends.data(), O_CLOEXEC) == 0;
  const Pipe output{ends[0], ends[1]};
  const pid_t child = ready ? ::fork() : -1;
  if (child == 0) become(words, before, output);
  // The end that stays open here would keep the pipe from ever ending.
  ::close(output.to);
  const int code = child > 0 ? wait_for(child, signals, output.from, print) : kNotStarted;
  ::close(output.from);
  ::close(signals);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (code != kNotStarted) return code;
  return make_option_error("ranks", "`ranks`: mpirun cannot be started; is Open MPI installed?");
}

}  // namespace espalier::comm

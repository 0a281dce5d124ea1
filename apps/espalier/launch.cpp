#include "apps/espalier/launch.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/espalier/output.hpp"
#include "espalier/comm/session.hpp"

namespace espalier::app {
namespace {

constexpr int kNotStarted = 127;

std::atomic<pid_t> started{0};

// mpirun hands these two on to the ranks; StopOnSignal takes them for what they stand for.
void hand_on(int signal) {
  const pid_t child = started;
  if (child > 0) ::kill(child, signal == SIGINT ? SIGUSR1 : SIGUSR2);
}

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

// In the child. In a group of its own it does not hear the Ctrl-C of the terminal, and may not read from it either.
[[noreturn]] void become(std::vector<std::string>& words, const sigset_t& mask) {
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
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

// Waits for the child.
int exit_code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return kNotStarted;
  }
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (code == 128 + SIGUSR1) return 128 + SIGINT;
  return code == 128 + SIGUSR2 ? 128 + SIGTERM : code;
}

}  // namespace

int launch(const std::vector<std::string>& command, int ranks, bool json) {
  if (!comm::has_mpi()) return report({ErrorCode::kOption, "--ranks: this program was built without MPI", {}}, json);
  std::vector<std::string> words = words_for_ranks(command, ranks);
  set_environment();
  // A signal that comes before the child is known would be lost: it waits.
  sigset_t handed_on, before;
  sigemptyset(&handed_on);
  sigaddset(&handed_on, SIGINT);
  sigaddset(&handed_on, SIGTERM);
  sigprocmask(SIG_BLOCK, &handed_on, &before);
  struct sigaction action = {};
  action.sa_handler = hand_on;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  const pid_t child = ::fork();
  if (child == 0) become(words, before);
  started = child;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  const int code = child > 0 ? exit_code_of(child) : kNotStarted;
  if (code != kNotStarted) return code;
  return report({ErrorCode::kOption, "--ranks: mpirun cannot be started; is Open MPI installed?", {}}, json);
}

}  // namespace espalier::app

#include <array>
#include <cerrno>
#include <ctime>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/comm/detail/lost_rank.hpp"
#include "espalier/comm/processes.hpp"

namespace espalier::comm {
namespace {

struct Process {
  std::int64_t id = 0;
  std::uint64_t machine = 0;
};

// All that the handler needs, made before.
struct Known {
  int rank = 0;
  std::vector<pid_t> ids;             // of the ranks; 0: on another machine
  std::vector<std::string> messages;  // rank k is gone
};
Known known;

Process this_process() {
  std::array<char, 256> name = {};
  ::gethostname(name.data(), name.size() - 1);
  return {::getpid(), Hash().add(std::string_view(name.data())).value()};
}

bool is_gone(std::size_t rank) { return known.ids[rank] != 0 && ::kill(known.ids[rank], 0) != 0 && errno == ESRCH; }

void on_term(int signal) {
  detail::leave_if_rank_is_lost();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

namespace detail {

// Only what a signal handler may call.
void leave_if_rank_is_lost() {
  std::size_t lost = known.ids.size();
  bool all_below_gone = true;
  for (std::size_t rank = 0; rank < known.ids.size(); ++rank) {
    if (is_gone(rank)) {
      if (lost == known.ids.size()) lost = rank;
    } else if (rank < to_index(known.rank)) {
      all_below_gone = false;
    }
  }
  if (lost == known.ids.size()) return;
  if (all_below_gone) {
    const std::string& message = known.messages[lost];
    (void)!::write(STDERR_FILENO, message.data(), message.size());
  }
  // Nobody leaves before all have looked, or this rank too would be taken for a lost one.
  const timespec pause = {0, 300'000'000};
  ::nanosleep(&pause, nullptr);
  ::_exit(1);
}

}  // namespace detail

LostRank::LostRank(const Comm& comm) {
  const Process mine = this_process();
  known = {comm.rank(), {}, {}};
  for (const Process& process : all_gather(comm, mine)) {
    known.ids.push_back(process.machine == mine.machine ? static_cast<pid_t>(process.id) : 0);
  }
  set_way_out(comm, "nothing is kept");
  if (comm.size() == 1) return;
  struct sigaction action = {};
  action.sa_handler = on_term;
  // Alone there is nobody to lose, and SIGTERM ends the program as ever.
  sigaction(SIGTERM, &action, &before_);
}

LostRank::~LostRank() {
  if (known.ids.size() > 1) sigaction(SIGTERM, &before_, nullptr);
  known = {};
}

void LostRank::set_way_out(const Comm& comm, const std::string& text) {
  // Made now: a handler of signals may not allocate.
  const std::string way_out = broadcast(comm, text);
  std::vector<std::string> messages;
  for (int rank = 0; rank < comm.size(); ++rank) {
    messages.push_back(fmt::format(
        "\n"
        "espalier: rank {} of {} is gone (killed, out of memory?), and the others cannot continue without it; {}\n",
        rank, comm.size(), way_out));
  }
  known.messages = std::move(messages);
}

}  // namespace espalier::comm

#include "espalier/comm/comm.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "espalier/comm/detail/launcher.hpp"
#include "espalier/comm/detail/mpi.hpp"

#include "espalier/base/result.hpp"

namespace espalier::comm {
namespace {

namespace mpi = detail::mpi;
using detail::Launch;

// What a shell reports for std::abort: a failed check then ends a parallel run as it ends a serial one.
constexpr int kFailedCheckExit = 134;

bool session_lives = false;

// Several processes that each believe to be alone would all do the whole work and write the same files.
void warn_if_strangers(const Launch& launch) {
  const int ranks = Comm::world().size();
  if (launch.ranks <= 1 || ranks == launch.ranks) return;
  std::fprintf(stderr,
               "espalier: %s started %d processes, but MPI joins only %d of them: each does the whole work. %s\n",
               launch.launcher.c_str(), launch.ranks, ranks,
               mpi::is_built() ? "Use the launcher of the MPI library espalier was built with (for srun: --mpi=pmix)."
                               : "This espalier was built without MPI (ESPALIER_MPI=OFF).");
}

}  // namespace

bool has_mpi() { return mpi::is_built(); }

void stop_all(int exit_code) {
  // What was printed before must not be lost with the process.
  std::fflush(nullptr);
  mpi::abort(exit_code);
}

Session::Session(Start start) : exceptions_(std::uncaught_exceptions()) {
  // The first to end would end MPI under the other.
  ESPALIER_CHECK(!session_lives, "a second Session while the first one lives");
  ESPALIER_CHECK(start != Start::kMpi || has_mpi(), "MPI was asked for in a build without it; ask has_mpi() first");
  session_lives = true;
  // MPI_Init costs tenths of a second, and in a batch job without a launcher it may not start at all: only where
  // ranks were asked for, or run already.
  const Launch launch = detail::find_launch(std::getenv);
  parallel_ = has_mpi() && (start == Start::kMpi || !launch.launcher.empty() || mpi::is_running());
  if (parallel_) {
    ours_ = mpi::start();
    // A failed check on one rank must end all: the others would wait for it in their next collective.
    set_stop_function([] { stop_all(kFailedCheckExit); });
  }
  warn_if_strangers(launch);
}

Session::~Session() {
  session_lives = false;
  // An exception that leaves this scope ends this rank alone; MPI_Finalize would wait for ranks that never come.
  if (!parallel_) return;
  if (std::uncaught_exceptions() > exceptions_) {
    std::fprintf(stderr, "espalier: rank %d leaves by an exception; all ranks stop\n", Comm::world().rank());
    stop_all(EXIT_FAILURE);
  }
  mpi::stop(ours_);
  set_stop_function(nullptr);
}

}  // namespace espalier::comm

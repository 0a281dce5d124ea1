#pragma once

// How a program joins its ranks: one Session, first thing in main().
//   int main() {
//     comm::Session session;
//     const comm::Comm comm = comm::Comm::world();

namespace espalier::comm {

enum class Start {
  kIfLaunched,  // MPI runs where mpirun, mpiexec or srun started the process; else the process is alone
  kMpi,         // MPI runs; only where has_mpi()
};

// Whether this build knows MPI.
bool has_mpi();

// Keeps MPI initialised (MPI_THREAD_FUNNELED) while it lives, and while it does, a failed ESPALIER_CHECK on one rank
// ends all ranks. Does nothing without MPI. Where the program around us runs MPI already, it joins and does not
// finalise.
//
// The end of a Session waits for all ranks. A rank that leaves by an exception or by std::exit ends all of them, with a
// non-zero exit code; one that returns while others still communicate leaves them waiting: agree() (agree.hpp) first.
class Session {
 public:
  explicit Session(Start start = Start::kIfLaunched);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Whether MPI runs.
  bool is_parallel() const { return parallel_; }

 private:
  bool parallel_ = false;
  bool ours_ = false;
  int exceptions_ = 0;  // in flight when the Session was made
};

// Ends the processes of all ranks at once, with this exit code, without clean-up. For a rank that cannot go on and has
// no way to tell the others.
[[noreturn]] void stop_all(int exit_code);

}  // namespace espalier::comm

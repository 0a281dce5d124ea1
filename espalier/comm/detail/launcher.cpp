#include "espalier/comm/detail/launcher.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace espalier::comm::detail {
namespace {

// Set by the launcher for each process it starts: a sign of it, and where it says the number of processes.
struct Sign {
  const char* launcher;
  const char* variable;
  const char* ranks;
};

constexpr std::array<Sign, 3> kSigns = {{
    {"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE"},  // Open MPI
    {"mpiexec", "PMI_RANK", "PMI_SIZE"},                         // MPICH, Intel MPI, srun --mpi=pmi2
    {"srun", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"},               // srun --mpi=pmix, prun
}};

int read_count(const char* text) {
  // What is no number counts as unknown: the value comes from the environment.
  if (text == nullptr) return 0;
  const std::string_view digits = text;
  int value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return problem == std::errc() && end == digits.data() + digits.size() ? std::max(value, 0) : 0;
}

}  // namespace

Launch find_launch(const Environment& environment) {
  // The launchers of MPI libraries first: srun may have started one of them.
  for (const Sign& sign : kSigns) {
    if (environment(sign.variable) != nullptr) return {sign.launcher, read_count(environment(sign.ranks))};
  }
  // srun without an MPI plugin named. A batch script and an interactive step have SLURM_PROCID too, but they are one
  // task, and MPI started there would only cost time.
  const int tasks = read_count(environment("SLURM_STEP_NUM_TASKS"));
  if (environment("SLURM_PROCID") != nullptr && tasks > 1) return {"srun", tasks};
  return {};
}

}  // namespace espalier::comm::detail

#include "apps/espalier/launch.hpp"

#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include "espalier/comm/session.hpp"

namespace espalier::app {

Error launch(const std::vector<std::string>& command, int ranks) {
  if (!comm::has_mpi()) return {ErrorCode::kOption, "--ranks: this program was built without MPI", {}};
  std::error_code code;
  std::vector<std::string> words = {"mpirun", "--oversubscribe", "-n", std::to_string(ranks),
                                    std::filesystem::read_symlink("/proc/self/exe", code).string()};
  for (std::size_t k = 0; k < command.size(); ++k) {
    if (command[k] == "--ranks") {
      ++k;
    } else if (!command[k].starts_with("--ranks=")) {
      words.push_back(command[k]);
    }
  }
  // Open MPI refuses to run as root unless it is told twice.
  if (::geteuid() == 0) {
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }
  // Ranks that save their state when they are told to end get ten seconds for it, instead of one.
  ::setenv("OMPI_MCA_odls_base_sigkill_timeout", "10", 0);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  return {ErrorCode::kOption, "--ranks: mpirun cannot be started; is Open MPI installed?", {}};
}

}  // namespace espalier::app

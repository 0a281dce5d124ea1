#pragma once

#include <functional>
#include <string>

namespace espalier::comm::detail {

// Looks up an environment variable; nullptr where it is not set.
using Environment = std::function<const char*(const char*)>;

// Who started this process.
struct Launch {
  std::string launcher;  // "mpirun", "srun", ...; empty: nobody, the process is alone
  int ranks = 0;         // how many processes it started; 0: it does not say
};

Launch find_launch(const Environment& environment);

}  // namespace espalier::comm::detail

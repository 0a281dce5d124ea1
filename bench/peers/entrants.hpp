#pragma once

// The programs that enter a comparison.

#include "bench/peers/program.hpp"
#include "espalier/dynamics/system.hpp"

namespace bench {

using Maker = Program (*)(const espalier::dynamics::System&);

template <Program (*make)(const PeerTree&)>
Program make_peer(const espalier::dynamics::System& system) {
  return make(make_peer_tree(system));
}

struct Entrant {
  const char* name;
  Maker maker;  // null where the program was not there when this was built
};
// Ours first; the others are compared with it.
inline constexpr int kPrograms = 3;
inline constexpr Entrant kEntrants[kPrograms] = {
    {"espalier", make_espalier},
#ifdef BENCH_MUJOCO
    {"mujoco", make_peer<make_mujoco>},
#else
    {"mujoco", nullptr},
#endif
#ifdef BENCH_SIMBODY
    {"simbody", make_peer<make_simbody>},
#else
    {"simbody", nullptr},
#endif
};

// Ends this program and starts it again where libraries would use more than one core: the time of one thread would not
// tell then. Simbody's LAPACK may be one of them, and asks the environment before main does.
void use_one_core(char** argv);

}  // namespace bench

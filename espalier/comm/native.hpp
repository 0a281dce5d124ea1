#pragma once

#include "espalier/comm/comm.hpp"

namespace espalier::comm {

// The MPI_Comm of a group, for libraries that want one: points to it as long as the group lives. Null where the group
// is serial.
const void* native(const Comm& comm);

}  // namespace espalier::comm

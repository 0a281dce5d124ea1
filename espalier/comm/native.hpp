#pragma once

#include <string>

#include "espalier/comm/comm.hpp"

namespace espalier::comm {

// The MPI_Comm of a group, for libraries that want one: points to it as long as the group lives. Null where the group
// is serial.
const void* native(const Comm& comm);

// The MPI library that the process runs with, "Open MPI v4.1.4", also before MPI is started; empty without MPI.
std::string mpi_version();

}  // namespace espalier::comm

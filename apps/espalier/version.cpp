#include <string>

#include <fmt/format.h>

#include "apps/espalier/program_help.hpp"
#include "espalier/comm/native.hpp"

namespace espalier::app {

std::string version_text() {
  const std::string mpi = comm::mpi_version();
  return fmt::format("espalier {}\nbuild   {}, {}\nMPI     {}\nHDF5    {}\nZoltan  {}", ESPALIER_VERSION,
                     ESPALIER_BUILD_TYPE, ESPALIER_COMPILER, mpi.empty() ? "none" : mpi, ESPALIER_HDF5,
                     ESPALIER_ZOLTAN_VERSION);
}

}  // namespace espalier::app

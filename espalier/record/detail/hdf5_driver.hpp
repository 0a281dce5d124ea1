#pragma once

#include <hdf5.h>

#include "espalier/files/system_file.hpp"

namespace espalier::record::detail {

// How HDF5 has to open a file so that it reads and writes through `change`: a list of properties, good until the next
// call and never to be closed, which would clear the reason of a failure. HDF5 then meets no full and no failing disk
// where it writes, and nothing reaches the disk before change.commit(). `change` stays where it is while the file is
// open.
hid_t access_through(files::FileChange& change);

}  // namespace espalier::record::detail

#pragma once

#include "espalier/comm/comm.hpp"
#include "espalier/optimize/optimize.hpp"

namespace espalier::optimize::detail {

// Collective. The root's search, on every rank.
Search share(const comm::Comm& comm, Search search);

}  // namespace espalier::optimize::detail

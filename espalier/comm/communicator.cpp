// What a Comm does, over the ranks of MPI or alone.

#include <utility>

#include "espalier/comm/comm.hpp"
#include "espalier/comm/detail/group.hpp"
#include "espalier/comm/detail/mpi.hpp"
#include "espalier/comm/native.hpp"

#include "espalier/base/result.hpp"

namespace espalier::comm {

using detail::Group;
namespace mpi = detail::mpi;

const void* native(const Comm& comm) { return mpi::native(comm.group()); }
std::string mpi_version() { return mpi::version(); }

Comm::Comm(std::shared_ptr<Group> group) : group_(std::move(group)) {}

Comm Comm::serial() { return Comm(std::make_shared<Group>()); }

Comm Comm::world() {
  std::shared_ptr<Group> world = mpi::world();
  // Without a running MPI a process is a group of one.
  return world ? Comm(std::move(world)) : serial();
}

int Comm::rank() const { return group_->rank; }

int Comm::size() const { return group_->size; }

Comm Comm::split(int colour, int key) const {
  ESPALIER_CHECK(colour >= 0, "Comm::split needs a colour of at least 0");
  // A group of one splits into itself, whatever its colour.
  return size() == 1 ? serial() : Comm(mpi::split(*group_, colour, key));
}

Traffic Comm::traffic() const { return group_->traffic; }

double Comm::seconds() const { return group_->seconds; }

}  // namespace espalier::comm

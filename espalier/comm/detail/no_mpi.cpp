#ifndef ESPALIER_MPI

#include <cstdlib>

#include "espalier/comm/detail/mpi.hpp"

#include "espalier/base/result.hpp"

namespace espalier::comm::detail::mpi {
namespace {

// bytes.cpp never calls these in a group of one, and there is no other group here.
[[noreturn]] void unreachable() {
  check_failed("serial build", "a group of several ranks exists in a build without MPI", __FILE__, __LINE__);
}

}  // namespace

// A process alone has nothing to start, to cut in pieces or to hand back; world() without a group makes Comm::world()
// the serial one.
bool is_built() { return false; }
std::string version() { return ""; }
bool is_running() { return false; }
bool start() { return false; }
void stop(bool) {}
void abort(int exit_code) { std::_Exit(exit_code); }
std::shared_ptr<Group> world() { return nullptr; }
const void* native(const Group&) { return nullptr; }
void set_longest_piece(std::size_t) {}

std::shared_ptr<Group> split(const Group&, int, int) { unreachable(); }
void barrier(const Group&) { unreachable(); }
void broadcast(const Group&, std::span<std::byte>, int) { unreachable(); }
void gather(const Group&, std::span<const std::byte>, std::span<std::byte>, int) { unreachable(); }
void all_gather(const Group&, std::span<const std::byte>, std::span<std::byte>) { unreachable(); }
void all_gather_v(const Group&, std::span<const std::byte>, std::span<std::byte>, std::span<const std::size_t>) {
  unreachable();
}
std::vector<std::uint64_t> all_to_all(const Group&, std::span<const std::uint64_t>) { unreachable(); }
void transfer(const Group&, std::span<const bytes::Outgoing>, std::span<const bytes::Incoming>) { unreachable(); }

}  // namespace espalier::comm::detail::mpi

#endif

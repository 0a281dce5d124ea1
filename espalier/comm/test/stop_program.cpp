// One rank leaves while the others wait for it. Run by tests/expect_stop.py, which wants the whole job to end.
//   stop_program check | throw | exit | kill

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "espalier/base/result.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/comm/processes.hpp"

namespace {

void leave(std::string_view way) {
  ESPALIER_CHECK(way != "check", "the last rank fails a check on purpose");
  if (way == "kill") std::raise(SIGKILL);
  if (way == "throw") throw std::runtime_error("the last rank throws on purpose");
  std::exit(2);
}

void run(std::string_view way) {
  const espalier::comm::Session session;
  const espalier::comm::Comm comm = espalier::comm::Comm::world();
  const espalier::comm::LostRank lost(comm);
  espalier::comm::LostRank::set_way_out(comm, "try again");
  if (comm.rank() == comm.size() - 1) leave(way);
  espalier::comm::barrier(comm);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : "check");
  } catch (const std::exception&) {
    return 3;
  }
  return 0;
}

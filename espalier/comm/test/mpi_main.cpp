// main() of every *_mpi_test program. It fails on all ranks where a test fails on one.

#include <cstdio>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::comm {
namespace {

// On ranks other than 0 only failures are printed, with the rank in front.
class FailurePrinter : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", Comm::world().rank(), result.file_name(), result.line_number(),
                 result.message());
  }
};

}  // namespace
}  // namespace espalier::comm

int main(int argc, char** argv) {
  using namespace espalier;
  const comm::Session session;
  testing::InitGoogleTest(&argc, argv);
  const comm::Comm world = comm::Comm::world();
  if (!world.is_root()) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new comm::FailurePrinter);
  }
  const bool failed = RUN_ALL_TESTS() != 0;
  return comm::any_of(world, failed) ? 1 : 0;
}

#include <gtest/gtest.h>

#include "espalier/contact/contact.hpp"
#include "espalier/contact/test/stack.hpp"

namespace espalier::contact {
namespace {

// The same steps as those of the domain behind it, bit for bit.
TEST(Engine, StepsAsItsDomainDoes) {
  Settings settings;
  settings.step = 5e-3;
  Trial run(pile(12), settings);
  Engine engine(run.comm, run.scene, settings);
  for (int k = 0; k < 10; ++k) {
    const StepReport own = engine.step(run.comm), other = step(run.comm, run.domain);
    EXPECT_EQ(own.contacts, other.contacts) << k;
    EXPECT_EQ(own.constraints, other.constraints) << k;
    EXPECT_EQ(own.solved.sweeps, other.solved.sweeps) << k;
    EXPECT_EQ(own.solved.accuracy.natural, other.solved.accuracy.natural) << k;
    EXPECT_EQ(own.penetration, other.penetration) << k;
  }
}

TEST(Engine, OnOneRankAllBodiesAreNeeded) {
  const comm::Comm comm = comm::Comm::serial();
  Engine first(comm, compile_scene(ball_stack(3)), {});
  Engine engine = std::move(first);
  engine.step(comm);
  EXPECT_EQ(engine.held(comm).bodies, 4);
  EXPECT_EQ(engine.held(comm).needed, 4);
}

}  // namespace
}  // namespace espalier::contact

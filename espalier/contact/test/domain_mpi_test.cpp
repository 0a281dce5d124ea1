// The same trajectory, bit for bit, however the scene is shared out.

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/contact/domain.hpp"
#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact {
namespace {

std::vector<Body> run(const comm::Comm& comm, const Scene& scene, Settings settings, int steps) {
  settings.step = 5e-3;
  settings.balance_every = 4;
  Domain domain = make_domain(comm, scene, settings);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = step(comm, domain);
    EXPECT_TRUE(report.solved.converged);
  }
  return gather_bodies(comm, domain);
}

TEST(Domain, GivesTheSameBitsOnAnyNumberOfRanks) {
  const comm::Comm world = comm::Comm::world();
  const Scene scene = compile_scene(pile(48));
  const std::vector<Body> alone = run(comm::Comm::serial(), scene, {}, 60);
  for (const auto& [storage, bisection] :
       {std::pair(Storage::kEfficient, Bisection::kOwn), std::pair(Storage::kRedundant, Bisection::kOwn),
        std::pair(Storage::kEfficient, Bisection::kZoltan)}) {
    Settings settings;
    settings.storage = storage;
    settings.bisection = bisection;
    const std::vector<Body> together = run(world, scene, settings, 60);
    if (!world.is_root()) continue;
    ASSERT_EQ(together.size(), alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(together[i].state.q, alone[i].state.q) << "body " << i;
      EXPECT_EQ(together[i].state.u, alone[i].state.u) << "body " << i;
    }
  }
}

}  // namespace
}  // namespace espalier::contact

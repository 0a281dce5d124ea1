// The same trajectory, bit for bit, however the scene is shared out.

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/base/random.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/gather.hpp"
#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact {
namespace {

using Eigen::Vector3d;

// Boxes and balls at random heights over the ground, which fall on each other; some hang together by ball joints.
model::ModelSpec pile(int bodies) {
  model::ModelSpec spec = ground_spec(0.4, 0.1);
  spec.contact->margin = 1e-3;
  Random random(7);
  for (int k = 0; k < bodies; ++k) {
    const Vector3d place(0.6 * (k % 4) + 0.05 * random.uniform(), 0.6 * (k / 4 % 3) + 0.05 * random.uniform(),
                         0.3 + 0.45 * (k / 12) + 0.05 * random.uniform());
    const model::ShapeSpec shape = k % 3 == 0 ? sphere_shape(0.22) : box_shape({0.5, 0.4, 0.3});
    add_body(spec, "body" + std::to_string(k), shape, place);
  }
  model::JointSpec joint;
  joint.name = "chain";
  joint.type = model::JointType::kSpherical;
  joint.a = "body4";
  joint.b = "body5";
  joint.at = math::Pose{};
  joint.at->position = (spec.bodies[5].pose.position + spec.bodies[6].pose.position) / 2;
  spec.joints.push_back(joint);
  return spec;
}

std::vector<BodyState> run(const comm::Comm& comm, const Scene& scene, Settings settings, int steps) {
  settings.step = 5e-3;
  settings.balance_every = 4;
  Domain domain = make_domain(comm, scene, settings);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = step(comm, domain);
    EXPECT_TRUE(report.solved.converged);
  }
  return detail::gather_state(comm, domain, 0).bodies;
}

TEST(Domain, GivesTheSameBitsOnAnyNumberOfRanks) {
  const comm::Comm world = comm::Comm::world();
  const Scene scene = compile_scene(pile(48));
  const std::vector<BodyState> alone = run(comm::Comm::serial(), scene, {}, 60);
  for (const auto& [storage, bisection] :
       {std::pair(Storage::kEfficient, Bisection::kOwn), std::pair(Storage::kRedundant, Bisection::kOwn),
        std::pair(Storage::kEfficient, Bisection::kZoltan)}) {
    Settings settings;
    settings.storage = storage;
    settings.bisection = bisection;
    const std::vector<BodyState> together = run(world, scene, settings, 60);
    if (!world.is_root()) continue;
    ASSERT_EQ(together.size(), alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(together[i].q, alone[i].q) << "body " << i;
      EXPECT_EQ(together[i].u, alone[i].u) << "body " << i;
    }
  }
}

}  // namespace
}  // namespace espalier::contact

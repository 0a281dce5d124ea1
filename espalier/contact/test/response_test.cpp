#include "espalier/contact/detail/response.hpp"

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Balls, boxes and soft boxes in a heap, with a hinge, a slider and a screw.
model::ModelSpec heap() {
  model::ModelSpec spec = pile(24);
  for (const int k : {10, 14, 20}) spec.bodies[to_index(k)].kind = model::BodyKind::kPseudoRigid;
  const std::array<model::JointType, 3> types = {model::JointType::kRevolute, model::JointType::kPrismatic,
                                                 model::JointType::kScrew};
  for (std::size_t j = 0; j < types.size(); ++j) {
    model::JointSpec& joint =
        add_joint(spec, types[j], spec.bodies[3 * j + 1].name, spec.bodies[3 * j + 2].name,
                  at_point((spec.bodies[3 * j + 1].pose.position + spec.bodies[3 * j + 2].pose.position) / 2));
    if (types[j] == model::JointType::kScrew) joint.pitch = 0.3;
  }
  return spec;
}

Vector3d random_vector(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }

// W is assembled block by block from the compliances of bodies; the response never sees it.
TEST(Response, IsTheProductWithW) {
  const comm::Comm comm = comm::Comm::serial();
  Settings settings;
  settings.step = 5e-3;
  Domain domain = make_domain(comm, compile_scene(heap()), settings);
  for (int k = 0; k < 60; ++k) step(comm, domain);
  const Prepared prepared = prepare_step(comm, domain);
  const LocalProblem problem = assemble(domain, prepared.adjacency, prepared.deformation_inverse, prepared.rows);
  Response response(domain, prepared);
  const std::size_t rows = problem.rows.size();
  ASSERT_GT(rows, 40u);
  Random random(3);
  std::vector<Vector3d> R(rows), first(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    first[i] = random_vector(random);
    R[i] = random_vector(random);
  }
  const auto check = [&] {
    for (std::size_t i = 0; i < rows; ++i) {
      const Vector3d expected = velocity_of(problem, static_cast<int>(i), R) - problem.B[i];
      EXPECT_LE((response.at(static_cast<int>(i)) - expected).norm(), 1e-12 * (1 + expected.norm())) << i;
    }
  };
  response.set(R);
  check();
  response.set(first);
  for (std::size_t i = 0; i < rows; ++i) response.add(static_cast<int>(i), R[i] - first[i]);
  check();
  for (std::size_t i = 0; i < rows; ++i) {
    const Matrix3d& own = problem.block[to_index(problem.diagonal[i])];
    EXPECT_LE((response.own(static_cast<int>(i)) - own).norm(), 1e-12 * own.norm()) << i;
  }
}

}  // namespace
}  // namespace espalier::contact::detail

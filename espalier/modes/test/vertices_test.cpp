#include "espalier/modes/test/structure_support.hpp"

namespace espalier::modes {
namespace {

using Eigen::Vector3d;

//            left
//  clamp|=stem=(hub)        hub and tip are rigid
//            right=(tip)
TEST(AddVertices, FixedJointsMergeRigidBodiesWithBeamEnds) {
  const nlohmann::json data = read_reference("h08_y_frame_tree");
  const Structure structure = structure_of(frame_spec(data));
  ASSERT_EQ(structure.vertices.size(), 4u);
  EXPECT_EQ(count_supports(structure), 1);
  EXPECT_EQ(count_laws<Beam>(structure), 3);
  const Vertex& hub = vertex_named(structure, "body_1");
  EXPECT_TRUE(hub.point.isApprox(Vector3d(1.01, 0.005, -0.003)));  // its centre of mass
  EXPECT_NEAR(hub.mass(0, 0), 2, 1e-15);
  EXPECT_NEAR(hub.mass(3, 4), 0.0005, 1e-12);
  EXPECT_LT(hub.mass.topRightCorner(3, 3).norm(), 1e-12);
  // A rotation of the hub about z moves its port 0.06 m off the centre of mass sideways.
  const Element& stem = element_named(structure, "beam_2");
  EXPECT_NEAR(stem.to_local[1](1, 5), 0.95 - 1.01, 1e-15);
  EXPECT_NEAR(stem.to_local[1](0, 5), 0.005, 1e-15);
  expect_frequencies(structure, reference_frequencies(data), 12, 8, 3e-4);
}

}  // namespace
}  // namespace espalier::modes

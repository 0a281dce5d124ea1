#include "espalier/modes/detail/precision.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/detail/make_program.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Vector3d;

Precision precision_of(const Structure& structure, const Tree& tree) {
  return find_precision(structure, make_program(structure, tree, 10, false).value());
}

// A mass in a plane on two springs, one along x and one at 40 degrees.
Structure skew_springs(double stiffness) {
  Structure out;
  out.vertices = {vertex_at(Vector3d::Zero(), kSupport),
                  vertex_at(Vector3d::Zero(), {true, true, false, false, false, false})};
  out.vertices[1].mass = Matrix6::Identity();
  for (const double angle : {0.0, 0.7}) {
    add_spring(out, 0, 1, angle == 0 ? stiffness : 1);
    Hinge& hinge = std::get<Hinge>(out.elements.back().law);
    hinge.kind.fill(Hinge::Kind::kReleased);
    hinge.kind[0] = Hinge::Kind::kElastic;
    const Eigen::Matrix3d axes =
        axes_along(Vector3d(std::cos(angle), std::sin(angle), 0), Vector3d(-std::sin(angle), std::cos(angle), 0));
    out.elements.back().to_local.fill(port(axes, Vector3d::Zero()));
  }
  return out;
}

TEST(FindPrecision, StiffAndSoftMixWhereAxesTurn) {
  const Tree alone{{-1, -1}, {-1, -1}};
  EXPECT_FALSE(precision_of(skew_springs(1e3), alone).mixes);
  EXPECT_TRUE(precision_of(skew_springs(1e5), alone).mixes);
}

// Along one axis nothing mixes, whatever the springs.
TEST(FindPrecision, AChainKeepsItsDigits) {
  const Structure chain = spring_chain({1, 1e9}, {1, 1});
  const Precision found = precision_of(chain, chain_tree(chain, 2));
  EXPECT_FALSE(found.mixes);
  EXPECT_EQ(found.slack, kBoundSlack);
}

TEST(IsLong, BeginsBeyondAThousandVertices) {
  const auto chain = [](std::size_t n) { return spring_chain(std::vector<double>(n, 1), std::vector<double>(n, 1)); };
  EXPECT_FALSE(is_long(chain(900)));
  EXPECT_TRUE(is_long(chain(1100)));
}

}  // namespace
}  // namespace espalier::modes::detail

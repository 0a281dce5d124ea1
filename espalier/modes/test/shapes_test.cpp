#include "espalier/modes/detail/shapes.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes::detail {
namespace {

// Two springs and masses, all 1: omega^2 = (3 -+ sqrt 5) / 2, and the golden ratio between the masses.
TEST(FindShapes, OfTwoMassesAreTheGoldenRatio) {
  const Structure chain = spring_chain({1, 1}, {1, 1});
  const Pass pass = make_pass(chain, chain_tree(chain, 2), 3).value();
  const double golden = (std::sqrt(5) - 1) / 2;
  const std::vector<Shape> slow = find_shapes(chain, pass, golden, 1), fast = find_shapes(chain, pass, 1 + golden, 1);
  ASSERT_EQ(slow.size(), 1u);
  EXPECT_NEAR(slow[0][1][0].real(), golden, 1e-13);
  EXPECT_NEAR(slow[0][2][0].real(), 1, 1e-15);
  EXPECT_NEAR(fast[0][1][0].real(), 1, 1e-15);
  EXPECT_NEAR(fast[0][2][0].real(), -golden, 1e-13);
  EXPECT_EQ(slow[0][0][0], 0.0);
}

// Two oscillators of one frequency: any two shapes that are independent of each other.
TEST(FindShapes, OfADoubleFrequencyAreIndependent) {
  Structure structure = spring_chain({4}, {1});
  structure.vertices.push_back(structure.vertices[1]);
  add_spring(structure, 0, 2, 4);
  const Pass pass = make_pass(structure, Tree{{-1, -1, -1}, {-1, -1, -1}}, 3).value();
  const std::vector<Shape> found = find_shapes(structure, pass, 2.0, 2);
  ASSERT_EQ(found.size(), 2u);
  const auto at = [&](std::size_t k, std::size_t v) { return found[k][v][0].real(); };
  EXPECT_GT(std::abs(at(0, 1) * at(1, 2) - at(0, 2) * at(1, 1)), 0.5);
}

// A mass of 1 on a damper of 0.2 and a spring of 1, and another that follows it through a spring of 1.
TEST(FindShapes, OfADampedModeSolveItsEquations) {
  Structure chain = spring_chain({1, 1}, {1, 1});
  std::get<Hinge>(chain.elements[0].law).damping[0] = 0.2;
  const Pass pass = make_pass(chain, chain_tree(chain, 2), 3).value();
  // A root of (s^2 + 0.2 s + 2) (s^2 + 1) - 1, by Newton's method.
  std::complex<double> s(0, 0.6);
  for (int k = 0; k < 50; ++k) {
    const std::complex<double> a = s * s + 0.2 * s + 2.0, b = s * s + 1.0;
    s -= (a * b - 1.0) / ((2.0 * s + 0.2) * b + 2.0 * s * a);
  }
  const Shape shape = find_shapes(chain, pass, s, 1)[0];
  // The second mass: (s^2 + 1) u2 = u1.
  EXPECT_LT(std::abs((s * s + 1.0) * shape[2][0] - shape[1][0]), 1e-12);
}

}  // namespace
}  // namespace espalier::modes::detail

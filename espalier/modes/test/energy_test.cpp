#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/results.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Vector3d;

CutStructure cut_of(const Structure& structure) {
  const int last = static_cast<int>(structure.vertices.size()) - 1;
  return cut_beams(structure, chain_tree(structure, last), std::vector<int>(structure.elements.size(), 1));
}

Shape along_x(const std::vector<Complex>& u) {
  Shape shape(u.size());
  for (std::size_t v = 0; v < u.size(); ++v) shape[v][0] = u[v];
  return shape;
}

// (2 kg) at u = 1 + i on a spring of 3 and a damper of 0.5; (4 kg) on a spring of 7 beside it.
TEST(FindEnergies, OfMassesAndSprings) {
  Structure chain = spring_chain({3, 7}, {2, 4});
  std::get<Hinge>(chain.elements[0].law).damping[0] = 0.5;
  const Complex s(-1, 3), u1(1, 1), u2(0, -2);
  const Energies found = find_energies(cut_of(chain), along_x({0, u1, u2}), s);
  EXPECT_NEAR(found.vertices[1].kinetic, 10 * 2 * 2, 1e-13);
  EXPECT_NEAR(found.vertices[2].kinetic, 10 * 4 * 4, 1e-13);
  EXPECT_NEAR(found.elements[0].potential, 3 * 2, 1e-14);
  EXPECT_NEAR(found.elements[1].potential, 7 * std::norm(u2 - u1), 1e-13);
  EXPECT_NEAR(found.elements[0].lost, 10 * 0.5 * 2, 1e-13);
  EXPECT_EQ(found.elements[1].lost, 0);
  EXPECT_NEAR(found.total.potential, 6 + 70, 1e-12);
}

// A rod that is stretched slowly stores EA / l u^2 and moves as m / 3 at its end.
TEST(FindEnergies, OfARodThatIsStretched) {
  const double EA = 6.9e10 * 4e-4, l = 0.2, mass = 2730 * 4e-4 * l, omega = 1e-3;
  const Energies found = find_energies(cut_of(rod_chain({0})), along_x({0, 1}), Complex(0, omega));
  EXPECT_NEAR(found.total.potential / (EA / l), 1, 1e-13);
  EXPECT_NEAR(found.total.kinetic / (omega * omega * mass / 3), 1, 1e-12);
}

// (1 kg) at x = 1 and (3 kg) at x = 2.
TEST(MassCentre, WeighsPointsAndTheirArms) {
  EXPECT_NEAR(mass_centre(cut_of(spring_chain({1, 1}, {1, 3}))).x(), 1.75, 1e-14);
  Structure arm;
  arm.vertices = {vertex_at(Vector3d(1, 1, 1), kAll)};
  arm.vertices[0].mass = rigid_mass(2, Vector3d(0.1, 0.2, 0.3), Eigen::Matrix3d::Identity());
  EXPECT_LT((mass_centre(cut_beams(arm, Tree{{-1}, {-1}}, std::vector<int>())) - Vector3d(1.1, 1.2, 1.3)).norm(),
            1e-14);
}

TEST(MassCoordinates, HaveTheProductsOfTheMass) {
  const CutStructure cut = cut_of(spring_chain({1, 1}, {2, 3}));
  const Eigen::VectorXcd a = mass_coordinates(cut, along_x({0, 1, 2}), Complex(0, 1));
  const Eigen::VectorXcd b = mass_coordinates(cut, along_x({0, Complex(0, 1), 1}), Complex(0, 1));
  EXPECT_LT(std::abs(a.dot(b) - Complex(6, 2)), 1e-14);
  const Eigen::MatrixXcd rigid = rigid_mass_coordinates(cut, Vector3d::Zero());
  EXPECT_NEAR(rigid.col(0).squaredNorm(), 5, 1e-14);
  EXPECT_NEAR(rigid.col(1).norm(), 0, 1e-14);
}

}  // namespace
}  // namespace espalier::modes

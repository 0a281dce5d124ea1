#include "espalier/modes/detail/certify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {

using namespace detail;

namespace {

// Two masses of 1 kg, each on a spring of its own; one is damped.
Structure two_masses(double damper) {
  Structure out;
  out.vertices = {vertex_at(Eigen::Vector3d::Zero(), kSupport), vertex_at(Eigen::Vector3d::UnitX(), kAlongX),
                  vertex_at(2 * Eigen::Vector3d::UnitX(), kAlongX)};
  out.vertices[1].mass(0, 0) = out.vertices[2].mass(0, 0) = 1;
  add_spring(out, 0, 1, 1);
  add_spring(out, 0, 2, 4, damper);
  return out;
}

RegionProof proof_of(const Structure& structure, const Region& region) {
  const Result<RegionProof> proof = prove_region(comm::Comm::serial(), structure, plan_tree(structure).value(), region);
  return proof.value();
}

TEST(BoundDamping, IsTheRangeOfDampingByMass) {
  const DampingBound bound = bound_damping(two_masses(0.3), DamperBy::kMass);
  EXPECT_TRUE(bound.bounded);
  EXPECT_NEAR(bound.low, 0, 1e-9);
  EXPECT_NEAR(bound.high, 0.3, 1e-9);
  EXPECT_EQ(bound.bodies, 2);
}

// n masses of 1 kg in a row, springs and dampers between them, the first at a wall.
Structure damped_chain(int n, double spring, double damper) {
  const auto size = to_index(n);
  Structure chain = spring_chain(std::vector<double>(size, spring), std::vector<double>(size, 1));
  for (Element& element : chain.elements) std::get<Hinge>(element.law).damping[0] = damper;
  return chain;
}

// Eigenvalue j of the matrix of a row with one end held is 4 sin^2((2 j - 1) pi / (4 n + 2)), j = 1 .. n.
double row_eigenvalue(int j, int n) { return 4 * std::pow(std::sin((2 * j - 1) * std::numbers::pi / (4 * n + 2)), 2); }

TEST(BoundDamping, OfARowIsTheRangeOfItsEigenvalues) {
  for (const int n : {1, 2, 7, 4000}) {
    const DampingBound bound = bound_damping(damped_chain(n, 5, 0.7), DamperBy::kMass);
    ASSERT_TRUE(bound.bounded);
    EXPECT_LE(bound.low, 0.7 * row_eigenvalue(1, n));
    EXPECT_NEAR(bound.low, 0.7 * row_eigenvalue(1, n), 1e-9);
    EXPECT_GE(bound.high, 0.7 * row_eigenvalue(n, n));
    EXPECT_NEAR(bound.high, 0.7 * row_eigenvalue(n, n), 1e-9);
    EXPECT_EQ(bound.bodies, n);
  }
}

// Bodies that turn and shift, joints whose frames stand off and at an angle: the generalized eigenvalues of the dense
// matrices.
TEST(BoundDamping, OfBodiesInSpaceIsThatOfTheDenseMatrices) {
  Random random(5, 0);
  const auto any = [&] { return Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
  constexpr int kBodies = 5;
  Structure structure;
  structure.vertices.push_back(vertex_at(Eigen::Vector3d::Zero(), kSupport));
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(6 * kBodies, 6 * kBodies), damping = mass;
  for (int b = 0; b < kBodies; ++b) {
    structure.vertices.push_back(vertex_at(any(), kAll));
    structure.vertices.back().mass = rigid_mass(random.uniform(1, 3), any(), Eigen::Vector3d(1, 2, 2.5).asDiagonal());
    mass.block<6, 6>(6 * b, 6 * b) = structure.vertices.back().mass;
  }
  for (const auto& [a, b] : {std::pair(0, 1), {1, 2}, {2, 3}, {1, 3}, {3, 4}, {4, 5}, {0, 5}}) {
    Hinge hinge;
    hinge.kind.fill(Hinge::Kind::kElastic);
    for (double& c : hinge.damping) c = random.uniform(0.1, 2);
    const std::array<Matrix6, 2> to_local = {port(axes_along(any(), any()), any()),
                                             port(axes_along(any(), any()), any())};
    structure.elements.push_back({"joint", hinge, {a, b}, to_local});
    Eigen::MatrixXd apart = Eigen::MatrixXd::Zero(6, 6 * kBodies);
    if (a > 0) apart.middleCols<6>(6 * (a - 1)) = -to_local[0];
    apart.middleCols<6>(6 * (b - 1)) = to_local[1];
    damping += apart.transpose() * Eigen::Map<const Eigen::VectorXd>(hinge.damping.data(), 6).asDiagonal() * apart;
  }
  const Eigen::VectorXd dense =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(damping, mass, Eigen::EigenvaluesOnly).eigenvalues();
  const DampingBound bound = bound_damping(structure, DamperBy::kMass);
  ASSERT_TRUE(bound.bounded);
  EXPECT_NEAR(bound.low, dense.minCoeff(), 1e-9 * dense.maxCoeff());
  EXPECT_NEAR(bound.high, dense.maxCoeff(), 1e-9 * dense.maxCoeff());
  EXPECT_EQ(bound.bodies, 6 * kBodies);
}

// A dashpot to the ground at each mass, of 0.02 N s/m and every fifth 5 % more.
TEST(ProveRegion, HoldsForARowOfThousandsOfDampedMasses) {
  constexpr int kMasses = 3000;
  Structure chain = damped_chain(kMasses, 1e6, 0);
  for (std::size_t v = 1; v < chain.vertices.size(); ++v) chain.vertices[v].damping(0, 0) = v % 5 == 0 ? 0.021 : 0.02;
  // Between the frequencies 5 and 6.
  const auto omega = [](int j) { return 1e3 * std::sqrt(row_eigenvalue(j, kMasses)); };
  const RegionProof proof = proof_of(chain, {-1, 1, (omega(5) + omega(6)) / 2});
  ASSERT_TRUE(proof.proved) << proof.reason;
  EXPECT_EQ(proof.count, 10);
  ASSERT_EQ(proof.uniform.size(), 5U);
  for (int j = 1; j <= 5; ++j) {
    EXPECT_NEAR(std::abs(proof.uniform[to_index(j - 1)].s), omega(j), 1e-9 * omega(j));
  }
}

// |s| (b - a) / 2 against |omega^2 + s^2 + 2 g s|, by a walk along the edge.
TEST(ProveRegion, NothingCrossesMeansTheFormulaOfTheTheory) {
  const double b = 0.3, g = b / 4;
  const Region region{-1, 1, 1.5};
  double worst = 0;
  const auto look = [&](std::complex<double> s) {
    const std::complex<double> z = s * s + 2 * g * s;
    worst = std::max(worst, std::abs(s) * b / 2 / std::min(std::abs(1.0 + z), std::abs(4.0 + z)));
  };
  for (int k = 0; k <= 2000; ++k) {
    look({1, 1.5 * k / 2000});
    look({-1, 1.5 * k / 2000});
    look({-1 + 2.0 * k / 2000, 1.5});
  }
  const RegionProof proof = proof_of(two_masses(b), region);
  ASSERT_TRUE(proof.proved);
  EXPECT_EQ(proof.region.top, region.top);
  EXPECT_EQ(proof.count, 2);
  EXPECT_LE(proof.crossing, worst * (1 + 1e-12));
  EXPECT_GE(proof.crossing, 0.9 * worst);
}

TEST(BoundDamping, ComparesDampersWithTheirSprings) {
  const DampingBound bound = bound_damping(two_masses(0.3), DamperBy::kStiffness);
  EXPECT_TRUE(bound.bounded);
  EXPECT_NEAR(bound.high, 0, 1e-12);
  EXPECT_EQ(bound.stiff_low, 0);
  EXPECT_NEAR(bound.stiff_high, 0.3 / 4, 1e-9);
}

// Damping that is a multiple of stiffness moves each eigenvalue to s^2 + (1 + eta s) omega^2 = 0, and the region is
// proved whatever the multiple.
TEST(ProveRegion, HoldsForKelvinVoigtDampingOfAnySize) {
  for (const double eta : {1e-6, 1e-4, 1e-3}) {
    Structure beam = stepped_beam(10, 0);
    for (Element& element : beam.elements) std::get<Beam>(element.law).kelvin_voigt = eta;
    const Region region{-0.5 / eta, 400, 1000};
    const RegionProof proof = proof_of(beam, region);
    EXPECT_TRUE(proof.proved) << eta << ": " << proof.reason;
    EXPECT_LT(proof.crossing, 1e-6);
  }
}

// A point without mass between two springs, one of them with a damper: proved by its stiffness.
TEST(ProveRegion, TakesDampersAtPointsWithoutMass) {
  Structure chain = spring_chain({100, 300}, {0, 2});
  std::get<Hinge>(chain.elements[0].law).damping[0] = 0.5;
  const RegionProof proof = proof_of(chain, {-10, 10, 20});
  EXPECT_TRUE(proof.proved) << proof.reason;
  EXPECT_EQ(proof.count, 2);
}

TEST(ProveRegion, IsRefusedWhereEigenvaluesGather) {
  Structure beam = stepped_beam(10, 0);
  for (Element& element : beam.elements) std::get<Beam>(element.law).kelvin_voigt = 1e-2;
  const RegionProof proof = proof_of(beam, {-150, 400, 1000});
  EXPECT_FALSE(proof.proved);
  EXPECT_NE(proof.reason.find("gather"), std::string::npos) << proof.reason;
}

TEST(ProveRegion, IsRefusedWhereDampingCouldCarryAModeAcross) {
  const RegionProof proof = proof_of(two_masses(3), {-1, 1, 1.5});
  EXPECT_TRUE(!proof.proved || proof.region.top > 1.5 || proof.region.left < -1);
}

}  // namespace
}  // namespace espalier::modes

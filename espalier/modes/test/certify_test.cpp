#include "espalier/modes/certify.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
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

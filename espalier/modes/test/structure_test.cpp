#include "espalier/modes/structure.hpp"

#include <cmath>

#include "espalier/base/index.hpp"
#include "espalier/modes/test/structure_support.hpp"

namespace espalier::modes {
namespace {

using Eigen::Vector3d;
using Kind = Hinge::Kind;

// clamp|=[1]=[2]= ... =[50]=   thick to thin
TEST(Structure, TaperedBeamIsSegmentsOfItsSlicesVolume) {
  const Structure structure = structure_of(tapered_beam_spec());
  EXPECT_EQ(structure.segmented_bodies, 1);
  ASSERT_EQ(structure.vertices.size(), 51u);
  ASSERT_EQ(structure.elements.size(), 50u);
  EXPECT_EQ(count_supports(structure), 1);
  const auto slice = [](double x) { return 0.04 - 0.02 * x; };  // b at the fraction x
  for (const int k : {1, 50}) {
    const Element& element = element_named(structure, fmt::format("boom[{}]", k));
    const Beam& beam = std::get<Beam>(element.law);
    const double b0 = slice((k - 1) / 50.0), b1 = slice(k / 50.0);
    const double A = (b0 * b0 + b0 * b1 + b1 * b1) / 3;  // volume of a frustum by its length
    EXPECT_NEAR(beam.rho_A, 2730 * A, 1e-13 * 2730 * A);
    EXPECT_NEAR(beam.EIz, 6.9e10 * A * A / 12, 1e-13 * 6.9e10 * A * A / 12);
    EXPECT_NEAR(beam.length, 0.08, 1e-15);
    EXPECT_EQ(beam.viscous, 40);
    EXPECT_TRUE(beam.bend_y);
    EXPECT_FALSE(beam.axial || beam.torsion || beam.bend_z);
    EXPECT_EQ(beam.body, model::BodyId(1));
  }
  EXPECT_TRUE(is_damped(structure));
  EXPECT_FALSE(is_damped(structure_of(tapered_beam_spec(50, 0))));
  const std::vector<std::complex<double>> reference =
      reference_eigenvalues(read_reference("h05_tapered_damped_cantilever")["stepped_n50"]);
  const FiniteElements second(structure, 1);
  for (std::size_t k = 0; k < 7; ++k) {
    const std::complex<double> found = second.eigenvalue_near(reference[k]);
    EXPECT_LT(std::abs(found / reference[k] - 1.0), 3e-5) << found << reference[k];
  }
}

TEST(Structure, OptionsRefineTaperedBodiesOnly) {
  model::ModelSpec spec = tapered_beam_spec(0);
  EXPECT_EQ(structure_of(spec).elements.size(), to_index(kSegments));
  EXPECT_EQ(structure_of(spec, {.segments = 7}).elements.size(), 7u);
  EXPECT_EQ(structure_of(spec, {.segments = 7, .refine = 2}).elements.size(), 14u);
  EXPECT_EQ(structure_of(tapered_beam_spec(50), {.segments = 7}).elements.size(), 50u);
  spec.bodies[0].beam->section.b = spec.bodies[0].beam->section.h = {0.03, 0.03};
  EXPECT_EQ(structure_of(spec, {.segments = 7}).elements.size(), 1u);
}

TEST(Structure, PlanarFrameHasNoTorsion) {
  const nlohmann::json data = read_reference("h09_two_storey_portal_planar");
  const Structure structure = structure_of(frame_spec(data));
  EXPECT_EQ(structure.vertices.size(), 6u);
  EXPECT_EQ(count_supports(structure), 2);
  ASSERT_EQ(count_laws<Beam>(structure), 6);
  for (const Element& element : structure.elements) {
    const Beam& beam = std::get<Beam>(element.law);
    EXPECT_TRUE(beam.axial && beam.bend_y);
    EXPECT_FALSE(beam.torsion || beam.bend_z);
  }
  expect_frequencies(structure, reference_frequencies(data), 12, 16, 3e-4);
}

TEST(Structure, LauncherHasSixteenHingesAndThreeBeams) {
  const nlohmann::json data = read_reference("h16_mlrs_one_firing_tube");
  const Structure structure = structure_of(frame_spec(data));
  EXPECT_EQ(count_laws<Hinge>(structure), 16);
  EXPECT_EQ(count_laws<Beam>(structure), 3);
  EXPECT_EQ(structure.vertices.size(), 13u + 6);  // nine bodies, the breech, three tube ends; six tyres on the ground
  EXPECT_EQ(count_supports(structure), 6);
  expect_frequencies(structure, reference_frequencies(data), 40, 8, 2e-4);
}

TEST(Structure, HalfCarBouncesAndPitches) {
  const Structure structure = structure_of(frame_spec(read_reference("h18_half_car_damped")));
  EXPECT_EQ(structure.vertices.size(), 5u + 2);
  EXPECT_EQ(count_laws<Hinge>(structure), 6);
  EXPECT_EQ(vertex_named(structure, "body_0").moves, directions({"y", "rz"}));
  EXPECT_EQ(vertex_named(structure, "body_1").moves, directions({"y"}));
  const Element& suspension = element_named(structure, "hinge_2");
  const Hinge& hinge = std::get<Hinge>(suspension.law);
  EXPECT_EQ(hinge.kind[1], Kind::kElastic);
  EXPECT_EQ(hinge.kind[5], Kind::kReleased);
  EXPECT_EQ(hinge.stiffness[1], 22000);
  EXPECT_EQ(hinge.damping[1], 1500);
  EXPECT_NEAR(suspension.to_local[1](1, 5), 1.2, 1e-15);
  EXPECT_TRUE(is_damped(structure));
  const std::vector<std::complex<double>> reference =
      reference_eigenvalues(read_reference("h18_half_car_damped")["eigenvalues"]);
  const FiniteElements second(structure, 1);
  for (const std::complex<double>& s : reference) {
    EXPECT_LT(std::abs(second.eigenvalue_near(s * 1.001) / s - 1.0), 1e-10) << s;
  }
}

TEST(Structure, BeamOfEveryBoundaryHasItsFrequencies) {
  const nlohmann::json data = read_reference("h01_uniform_beam_10_bcs");
  ASSERT_EQ(data["systems"].size(), 10u);
  for (const nlohmann::json& system : data["systems"]) {
    const Structure structure = structure_of(uniform_beam_spec(system["bc"]));
    if (system["zero_modes"] > 0) continue;
    SCOPED_TRACE(system["bc"].get<std::string>());
    expect_frequencies(structure, reference_frequencies(system), 5, 32, 1e-4);
  }
}

TEST(Structure, RodsAndMassesMoveAlongTheRow) {
  const nlohmann::json rods = read_reference("h03_ten_rods_ten_equal_masses");
  const Structure row = structure_of(ten_rods_spec());
  EXPECT_EQ(row.vertices.size(), 11u);
  expect_frequencies(row, reference_frequencies(rods), 10, 8, 1e-4);
  const nlohmann::json chain = read_reference("h12_chain_200_springs_masses");
  const Structure springs = structure_of(chain_spec(chain));
  EXPECT_EQ(springs.vertices.size(), 101u);
  expect_frequencies(springs, reference_frequencies(chain), 100, 1, 1e-8);
}

// Two clamped ends: nothing in between would tell of the modes.
TEST(Structure, BeamHeldAtBothEndsIsCutInTheMiddle) {
  const Structure structure = structure_of(uniform_beam_spec("clamped-clamped"));
  ASSERT_EQ(structure.elements.size(), 2u);
  EXPECT_EQ(count_supports(structure), 2);
  EXPECT_TRUE(vertex_named(structure, "beam.1").point.isApprox(Vector3d(0.6, 0, 0)));
}

TEST(Network, HasOnlyWhatMoves) {
  const Structure structure = structure_of(frame_spec(read_reference("h16_mlrs_one_firing_tube")));
  const StructureNetwork network = make_network(structure);
  EXPECT_EQ(network.network.graph.vertices, 13);
  EXPECT_EQ(network.network.graph.edges.size(), 10u + 3);  // without the tyres
  EXPECT_TRUE(plan::check_network(network.network).has_value());
  for (std::size_t e = 0; e < network.element.size(); ++e) {
    const Element& element = structure.elements[to_index(network.element[e])];
    EXPECT_EQ(network.network.edge_names[e], element.name);
    EXPECT_EQ(network.vertex[to_index(network.network.graph.edges[e].a)], element.vertex[0]);
    EXPECT_EQ(network.network.weight[e], 6);
  }
}

}  // namespace
}  // namespace espalier::modes

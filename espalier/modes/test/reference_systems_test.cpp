#include "espalier/modes/test/reference_systems.hpp"

namespace espalier::modes {
namespace {

TEST(ReferenceSystems, HaveTheBodiesAndJointsOfTheirFiles) {
  const auto counts = [](const model::ModelSpec& spec) {
    const model::Model model = compiled(spec);
    return std::pair(model.bodies.size() - 1, model.joints.size());
  };
  EXPECT_EQ(counts(uniform_beam_spec("clamped-slider")), std::pair(1ul, 2ul));
  EXPECT_EQ(counts(uniform_beam_spec("free-free")), std::pair(1ul, 0ul));
  EXPECT_EQ(counts(ten_rods_spec()), std::pair(20ul, 20ul));
  EXPECT_EQ(counts(tapered_beam_spec()), std::pair(1ul, 1ul));
  EXPECT_EQ(counts(chain_spec(read_reference("h12_chain_200_springs_masses"))), std::pair(100ul, 100ul));
  EXPECT_EQ(counts(frame_spec(read_reference("h08_y_frame_tree"))), std::pair(5ul, 5ul));
  EXPECT_EQ(counts(frame_spec(read_reference("h09_two_storey_portal_planar"))), std::pair(6ul, 8ul));
  EXPECT_EQ(counts(frame_spec(read_reference("h16_mlrs_one_firing_tube"))), std::pair(13ul, 19ul));
  EXPECT_EQ(counts(frame_spec(read_reference("h18_half_car_damped"))), std::pair(5ul, 6ul));
}

TEST(ReferenceSystems, HaveTheirEigenvalues) {
  EXPECT_EQ(reference_frequencies(read_reference("h03_ten_rods_ten_equal_masses")).size(), 22u);
  EXPECT_EQ(reference_frequencies(read_reference("h08_y_frame_tree")).size(), 23u);
  EXPECT_EQ(reference_frequencies(read_reference("h16_mlrs_one_firing_tube")).size(), 49u);
  EXPECT_EQ(reference_eigenvalues(read_reference("h05_tapered_damped_cantilever")["stepped_n50"]).size(), 15u);
  EXPECT_EQ(reference_eigenvalues(read_reference("h18_half_car_damped")["eigenvalues"]).size(), 12u);
}

}  // namespace
}  // namespace espalier::modes

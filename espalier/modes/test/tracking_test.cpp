#include "espalier/modes/tracking.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/modes.hpp"
#include "espalier/modes/results.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

//  |--k--[1]--c--[2]--100--|    two masses on springs, and a weak one between them
Structure pair(double k, double coupling) {
  Structure out = spring_chain({k}, {1});
  out.vertices.push_back(vertex_at(Eigen::Vector3d(2, 0, 0), kAlongX));
  out.vertices.back().mass(0, 0) = 1;
  add_spring(out, 0, 2, 100);
  if (coupling > 0) add_spring(out, 1, 2, coupling);
  return out;
}

Result<TrackStep> step_of(const Structure& structure, int count) {
  const Tree tree = plan_tree(structure).value();
  ModesOptions options;
  options.count = count;
  options.shapes = false;
  const ModeSet set = find_modes(comm::Comm::serial(), structure, tree, options).value();
  return make_track_step(structure, tree, set, slice_counts(structure, 100, 4));
}

TrackSet follow(const std::vector<double>& values, double coupling) {
  return track_modes([&](double k) { return step_of(pair(k, coupling), 2); }, values).value();
}

TEST(TrackModes, UncoupledOscillatorsCrossAndKeepTheirIdentity) {
  // At 100 both are equal, and any two shapes are theirs.
  const TrackSet set = follow({50, 80, 100, 120, 200}, 0);
  ASSERT_EQ(set.tracks.size(), 2u);
  EXPECT_EQ(set.steps, 5);
  for (std::size_t k = 0; k < set.values.size(); ++k) {
    EXPECT_NEAR(set.tracks[0].s[k].imag(), std::sqrt(set.values[k]), 1e-9);
    EXPECT_NEAR(set.tracks[1].s[k].imag(), 10, 1e-9);
    EXPECT_NEAR(set.tracks[1].mac[k], 1, 1e-9);
  }
}

TEST(TrackModes, ACrossingBetweenTwoValuesIsLookedAtCloser) {
  const TrackSet set = follow({50, 150}, 0);
  EXPECT_GT(set.steps, 2);
  EXPECT_NEAR(set.tracks[0].s[1].imag(), std::sqrt(150), 1e-9);
  EXPECT_NEAR(set.tracks[1].s[1].imag(), 10, 1e-9);
}

// Eigenvalues of [[k + c, -c], [-c, 100 + c]]: never equal, and the lower stays the lower.
TEST(TrackModes, ModesThatVeerAwayDoNotCross) {
  const double c = 0.5;
  const TrackSet set = follow({50, 150}, c);
  ASSERT_EQ(set.tracks.size(), 2u);
  EXPECT_GT(set.steps, 2);
  for (std::size_t k = 0; k < 2; ++k) {
    const double mean = (set.values[k] + 100) / 2 + c, half = (set.values[k] - 100) / 2;
    const double apart = std::sqrt(half * half + c * c);
    EXPECT_NEAR(set.tracks[0].s[k].imag(), std::sqrt(mean - apart), 1e-9);
    EXPECT_NEAR(set.tracks[1].s[k].imag(), std::sqrt(mean + apart), 1e-9);
  }
}

// The two bending planes of a cantilever: one grows stiffer than the other.
TEST(TrackModes, BendingPlanesOfABeamCross) {
  const auto at = [](double Iy) {
    Structure out;
    out.vertices.push_back(vertex_at(Eigen::Vector3d::Zero(), kSupport));
    out.vertices.push_back(vertex_at(Eigen::Vector3d(1, 0, 0), kAll));
    add_beam(out, 0, 1, {4e-4, Iy, 1e-8, 2.5e-8, 2.1e11, 8.1e10, 7850}, Eigen::Vector3d::UnitY());
    return step_of(out, 4);
  };
  const TrackSet set = track_modes(at, {0.5e-8, 0.8e-8, 1.3e-8, 2e-8}, {2, 0.75, 8}).value();
  const double y = std::pow(1.875104068711961, 2) * std::sqrt(2.1e11 * 1e-8 / (7850 * 4e-4));
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(set.tracks[0].s[k].imag(), y * std::sqrt(set.values[k] / 1e-8), 1e-8 * y);
    EXPECT_NEAR(set.tracks[1].s[k].imag(), y, 1e-8 * y);
  }
}

TEST(TrackModes, AnErrorOfAStepIsTheirs) {
  const Result<TrackSet> set = track_modes(
      [](double) -> Result<TrackStep> { return make_error(ErrorCode::kValue, {}, "no structure"); }, {1, 2});
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().message, "no structure");
}

}  // namespace
}  // namespace espalier::modes

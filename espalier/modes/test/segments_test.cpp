#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/modes.hpp"
#include "espalier/modes/results.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

ModeSet found(const Structure& structure, const ModesOptions& options) {
  return find_modes(comm::Comm::serial(), structure, plan_tree(structure).value(), options).value();
}

ModeSet with_frequencies(const std::vector<double>& omega) {
  ModeSet set;
  for (const double w : omega) {
    set.modes.emplace_back();
    set.modes.back().s = {0, w};
  }
  return set;
}

// (M18) 4 / 3 of the change, and the frequency that it leads to.
TEST(EstimateSegments, ExtrapolatesToNoSegments) {
  ModeSet set = with_frequencies({3, 10});
  estimate_segments(set, with_frequencies({3.3, 9.4}));
  EXPECT_NEAR(*set.modes[0].segment_error, 0.4 / 3, 1e-15);
  EXPECT_NEAR(set.modes[0].tapered->imag(), 3.4, 1e-14);
  EXPECT_NEAR(set.modes[1].tapered->imag(), 9.2, 1e-14);
}

// Against the continuous taper: -13.1911130762 + 10.4718885699i and -9.6351003113 + 1116.1194421480i.
TEST(EstimateSegments, IsTheDistanceToTheTaper) {
  ModesOptions options;
  options.max_frequency = 1200;
  options.shapes = false;
  ModeSet set = found(stepped_beam(50), options);
  estimate_segments(set, found(stepped_beam(100), finer_options(set, options)));
  ASSERT_EQ(set.modes.size(), 7u);
  const std::complex<double> first(-13.1911130762, 10.4718885699), last(-9.6351003113, 1116.1194421480);
  const double of_first = std::abs(set.modes[0].s - first) / std::abs(first);
  const double of_last = std::abs(set.modes[6].s - last) / std::abs(last);
  EXPECT_NEAR(set.modes[0].segment_error.value_or(0), of_first, 0.01 * of_first);
  EXPECT_NEAR(set.modes[6].segment_error.value_or(0), of_last, 0.01 * of_last);
}

TEST(EstimateSegments, ComparesFrequenciesInTheirOrder) {
  ModesOptions options;
  options.max_frequency = 1200;
  options.shapes = false;
  ModeSet set = found(stepped_beam(20, 0), options);
  const ModeSet finer = found(stepped_beam(40, 0), finer_options(set, options));
  estimate_segments(set, finer);
  for (std::size_t k = 0; k < set.modes.size(); ++k) {
    const double change = std::abs(finer.modes[k].s.imag() / set.modes[k].s.imag() - 1);
    EXPECT_NEAR(set.modes[k].segment_error.value_or(0), 4.0 / 3.0 * change, 1e-12);
  }
}

}  // namespace
}  // namespace espalier::modes

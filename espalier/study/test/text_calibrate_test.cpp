#include <gtest/gtest.h>

#include "espalier/study/calibrate.hpp"
#include "espalier/study/text.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

// Seconds are printed as nanoseconds and microseconds, errors in percent.
TEST(CalibrateText, ConstantsAndErrorsHaveTheirUnits) {
  Calibration found;
  found.machine.seconds[0] = 42e-9;
  found.machine.synchronisation = 150e-9;
  found.timings = {{"ladder, good tree", {}, 2e-6, 1.9e-6}};
  found.typical_error = 0.05;
  found.largest_error = 0.12;
  found.written = "machine.json";
  const std::string few = to_text(found);
  EXPECT_MENTIONS(few, "joint               42\n");
  EXPECT_MENTIONS(few, "synchronisation     150\n");
  EXPECT_MENTIONS(few, "1 trees of generated mechanisms were timed; the prediction is 5 % off, 12 % at most.\n");
  EXPECT_MENTIONS(few, "Wrote machine.json\nNext: plan(FILE, objective = time)\n");
  EXPECT_EQ(few.find("ladder"), std::string::npos);
  EXPECT_MENTIONS(to_text(found, {80, true}), "ladder, good tree  2            1.9           -5.0\n");
}

TEST(CalibrateText, SuggestsABetaWithItsRange) {
  Calibration found;
  EXPECT_EQ(to_text(found).find("beta"), std::string::npos);
  found.beta = BetaRange{.value = 0.25, .least = 0.125, .most = 4, .level_seconds = 80e-9, .equation_seconds = 10e-9};
  EXPECT_MENTIONS(to_text(found, {400}),
                  "beta of L + beta W: 0.25 on good trees, 0.12 to 4 on all (2 b / a; a = 80 ns per level of the tree, "
                  "b = 10 ns per equation).");
}

}  // namespace
}  // namespace espalier::study

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

}  // namespace
}  // namespace espalier::study

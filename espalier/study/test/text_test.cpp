#include "espalier/study/text.hpp"

#include <gtest/gtest.h>

namespace espalier::study {
namespace {

// A program reads fields, not options of a command line.
TEST(Wording, SpeaksOfFieldsWhereNoDoorSaysOtherwise) {
  const TextOptions options;
  EXPECT_EQ(options.wording.option("all", ""), "`all`");
  EXPECT_EQ(options.wording.option("accept", "tendon"), "`accept` tendon");
  EXPECT_EQ(options.wording.call({"check", "a.yaml", {{"all", ""}}}), "check(a.yaml, all = true)");
  EXPECT_EQ(options.wording.call({"simulate", "", {{"restart", "run"}, {"end_time", "2"}}}),
            "simulate(restart = run, end_time = 2)");
  EXPECT_EQ(options.wording.call({"calibrate"}), "calibrate()");
}

}  // namespace
}  // namespace espalier::study

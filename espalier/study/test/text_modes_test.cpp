#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/study/modes.hpp"
#include "espalier/study/text.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// An answer of -0.003 i lags a quarter of a turn behind its force.
TEST(ResponseText, PeaksHaveFrequencyAmplitudeAndPhase) {
  ResponseAnswer answer;
  answer.force_text = "mass.x";
  answer.answer_text = "tip.y";
  answer.unit = "m/N";
  answer.hertz = {0.5, 1, 2};
  answer.peaks.resize(2);
  answer.peaks[0].omega = 3 * kTurn;
  answer.peaks[0].value = {0, -0.003};
  answer.peaks[1].omega = 5 * kTurn;
  answer.peaks[1].infinite = true;
  EXPECT_EQ(to_text(answer),
            "answer at tip.y to a force at mass.x, 3 frequencies from 0.5 to 2 Hz\n\n"
            "  peak Hz  m/N       phase deg\n  3        0.003     -90.0\n  5        infinite  \n");
  answer.peaks.clear();
  EXPECT_MENTIONS(to_text(answer), "no peak among them\n");
}

// The second mode is not found at the last value, and resembles itself by 0.9 at least.
TEST(ModeSweepText, RowsHaveTheEndsAndTheExtremesOfATrack) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  ModeSweepAnswer answer;
  answer.path = "bodies.m.mass";
  answer.set.values = {1, 2, 4};
  answer.set.steps = 5;
  answer.set.certainty = {modes::Certainty::kProved, modes::Certainty::kChecked, modes::Certainty::kProved};
  answer.set.tracks = {{{{0, 4 * kTurn}, {0, 3 * kTurn}, {0, 2 * kTurn}}, {none, 1, 0.98}},
                       {{{0, 6 * kTurn}, {0, 7 * kTurn}, {0, none}}, {none, 0.9, none}}};
  const std::string text = to_text(answer);
  EXPECT_MENTIONS(text, "bodies.m.mass from 1 to 4 in 3 values, 5 searches\n");
  EXPECT_MENTIONS(text, "  1     4         2        2       4        0.98\n");
  EXPECT_MENTIONS(text, "  2     6         -        6       7        0.90\n");
  EXPECT_MENTIONS(text, "note    at 1 of 3 values it is not proved that no mode is missing\n");
}

TEST(ModesProgress, NeverFindsMoreThanItExpects) {
  EXPECT_EQ(progress_text(3, 10), "3 of 10 modes");
  EXPECT_EQ(progress_text(10, 10), "10 of 10 modes");
  EXPECT_EQ(progress_text(100, 10), "100 modes");
}

}  // namespace
}  // namespace espalier::study

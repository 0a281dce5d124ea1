#include "espalier/study/detail/closing_names.hpp"

#include <numbers>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "espalier/dynamics/system.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/study/test/shipped.hpp"

namespace espalier::study {
namespace {

std::string text_of(double distance, double angle) { return detail::gap_text({{}, distance, angle, -1}); }

TEST(GapText, IsInTheUnitsOfADrawing) {
  EXPECT_EQ(text_of(0.00195, 0), "1.95 mm");
  EXPECT_EQ(text_of(0.25, 0), "0.25 m");
  EXPECT_EQ(text_of(1e-7, 0), "1e-07 m");
  EXPECT_EQ(text_of(0, std::numbers::pi / 60), "3 deg");
  EXPECT_EQ(text_of(0, 1e-8), "1e-08 rad");
}

TEST(GapText, LeavesOutAThousandthOfTheOther) {
  EXPECT_EQ(text_of(0.00195, std::numbers::pi / 60), "1.95 mm and 3 deg");
  EXPECT_EQ(text_of(0.5, 4e-4), "0.5 m");
  EXPECT_EQ(text_of(4e-4, std::numbers::pi / 6), "30 deg");
}

TEST(SizeOf, IsTheLargerOfDistanceAndAngle) {
  EXPECT_EQ(detail::size_of({{}, 0.25, 0.5, -1}), 0.5);
  EXPECT_EQ(detail::size_of({{}, 0.5, 0.25, -1}), 0.5);
}

TEST(Word, IsAnotherOneForEachDirection) {
  using model::Direction;
  std::set<std::string> words;
  for (const Direction direction : {Direction::kX, Direction::kY, Direction::kZ, Direction::kAboutX, Direction::kAboutY,
                                    Direction::kAboutZ, Direction::kAboutNormal, Direction::kThread})
    words.insert(detail::word(direction));
  EXPECT_EQ(words.size(), 8u);
  EXPECT_STREQ(detail::word(Direction::kZ), "slide_z");
  EXPECT_STREQ(detail::word(Direction::kAboutX), "turn_x");
}

dynamics::System system_of(const model::Model& model) {
  return dynamics::make_system(model, plan::make_mechanism(model), *plan::make_plan(model));
}

// Drives are numbered with all motions first, and couplings behind them.
TEST(EquationName, TellsMotionsFromCouplings) {
  model::Model model = shipped("four_bar").model;
  Closing closing;
  closing.system = system_of(model);
  const model::JointId c(2);
  EXPECT_EQ(detail::joint_name(closing, c), "C");
  EXPECT_EQ(detail::joint_name(closing, {}), "(weld of a cut body)");
  EXPECT_EQ(detail::equation_name(closing, c, -1), "joint 'C'");
  EXPECT_EQ(detail::equation_name(closing, c, 0), "the coupling of joint 'C'") << "the model has no motion";
  model.forces.resize(1);
  model.forces[0].law = model::Motion{c, false, {}};
  closing.system = system_of(model);
  EXPECT_EQ(detail::equation_name(closing, c, 0), "the motion of joint 'C'");
  EXPECT_EQ(detail::gap_name(closing, {c, 0, 0, 1}), "the coupling of joint 'C'");
}

}  // namespace
}  // namespace espalier::study

#include "espalier/study/modes.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "espalier/study/test/modes_support.hpp"

namespace espalier::study {
namespace {

// What is drawn moves as the closed form has it, u2 / u1 = (k1 + k2 - m1 w^2) / k2, and by 1 at most.
TEST(MakeMotion, OfTwoMassesMovesThemInTheRatioOfTheClosedForm) {
  const ModesAnswer answer = modes(comm::Comm::serial(), loaded_of(kMasses)).value();
  const draw::Motion motion = make_motion(answer);
  ASSERT_EQ(motion.shapes.size(), 2u);
  // The vertices come first: the support, which is held, and the two masses.
  const auto moving = [&](double x) {
    for (std::size_t k = 0; k < motion.points.size(); ++k) {
      if (!motion.fixed[k] && std::abs(motion.points[k].x() - x) < 1e-12) return k;
    }
    return motion.points.size();
  };
  const std::size_t first = moving(0), second = moving(1);
  ASSERT_LT(second, motion.points.size());
  for (std::size_t k = 0; k < 2; ++k) {
    const double w = closed_frequencies()[k];
    const double ratio = (kFirstSpring + kSecondSpring - kFirstMass * w * w) / kSecondSpring;
    const draw::Motion::Shape& shape = motion.shapes[k];
    EXPECT_NEAR((shape.displacement[second].x() / shape.displacement[first].x()).real(), ratio, 1e-9);
    EXPECT_NEAR(std::max(shape.displacement[first].norm(), shape.displacement[second].norm()), 1, 1e-12);
    EXPECT_NEAR(shape.frequency, w / kTurn, 1e-12);
    EXPECT_EQ(shape.name.substr(0, 3), std::to_string(k + 1) + ": ");
  }
}

TEST(MakeMotion, HoldsSupportsInTheirPlace) {
  const draw::Motion motion = make_motion(modes(comm::Comm::serial(), loaded_of(kMasses)).value());
  ASSERT_NE(std::count(motion.fixed.begin(), motion.fixed.end(), true), 0);
  for (const draw::Motion::Shape& shape : motion.shapes) {
    for (std::size_t k = 0; k < motion.points.size(); ++k) {
      if (motion.fixed[k]) {
        EXPECT_EQ(shape.displacement[k].norm(), 0);
      }
    }
  }
}

// The beam of kBeam is drawn from its clamp at 0 to its free end at 1, along x; the first mode moves that end most.
TEST(MakeMotion, OfABeamIsALineWithItsTipMovingMost) {
  ModesOptions options;
  options.count = 1;
  const draw::Motion motion = make_motion(modes(comm::Comm::serial(), loaded_of(kBeam), options).value());
  const auto line = std::find_if(motion.lines.begin(), motion.lines.end(),
                                 [](const draw::Motion::Line& one) { return one.name == "rod"; });
  ASSERT_NE(line, motion.lines.end());
  ASSERT_GT(line->points.size(), 2u);
  double last = -1, least = -1;
  for (const int point : line->points) {
    const auto k = static_cast<std::size_t>(point);
    EXPECT_GT(motion.points[k].x(), last);
    const double moved = motion.shapes[0].displacement[k].norm();
    EXPECT_GT(moved, least);
    last = motion.points[k].x();
    least = moved;
  }
  EXPECT_NEAR(last, 1, 1e-12);
  EXPECT_NEAR(least, 1, 1e-12);
}

}  // namespace
}  // namespace espalier::study

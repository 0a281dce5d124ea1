#include "espalier/study/modes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "espalier/study/test/modes_support.hpp"

namespace espalier::study {
namespace {

TEST(DrawDeterminant, HasALineAtEachFrequencyOfTheClosedForm) {
  const draw::Chart chart = draw_determinant(modes(comm::Comm::serial(), loaded_of(kMasses)).value()).value();
  ASSERT_EQ(chart.bands.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(chart.bands[k].low, chart.bands[k].high);
    EXPECT_NEAR(chart.bands[k].low, closed_frequencies()[k] / kTurn, 1e-9);
    EXPECT_EQ(chart.curves[1].x[k], chart.bands[k].low);
  }
  EXPECT_EQ(chart.x.label, "frequency [Hz]");
}

TEST(DrawDeterminant, DipsWhereTheFrequenciesAre) {
  const draw::Chart chart = draw_determinant(modes(comm::Comm::serial(), loaded_of(kMasses)).value()).value();
  const draw::Curve& curve = chart.curves[0];
  const double step = curve.x[2] - curve.x[1];
  for (const double omega : closed_frequencies()) {
    const double hertz = omega / kTurn;
    // The least within a tenth of the frequency to both sides lies beside it.
    double least = 1e300, at = 0;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      if (std::abs(curve.x[k] - hertz) < 0.1 * hertz && curve.y[k] < least) {
        least = curve.y[k];
        at = curve.x[k];
      }
    }
    EXPECT_NEAR(at, hertz, step);
  }
}

// (s^2 m1 + k1 + k2 + c s)(s^2 m2 + k2 + c s) = (k2 + c s)^2 has two pairs; what decays lies left of the axis.
TEST(DrawDeterminant, OfADampedModelIsAPlaneOfWhichEachRowHasItsLargestAtZero) {
  std::string damped = kMasses;
  damped.replace(damped.find("stiffness: 500"), 14, "stiffness: 500, damping: 1");
  const draw::Chart chart = draw_determinant(modes(comm::Comm::serial(), loaded_of(damped)).value()).value();
  const draw::Ground& ground = chart.ground;
  ASSERT_GT(ground.rows, 1);
  for (int row = 0; row < ground.rows; ++row) {
    const auto begin = ground.values.begin() + row * ground.columns;
    EXPECT_EQ(*std::max_element(begin, begin + ground.columns), 0);
  }
  for (const double real : chart.curves[0].x) {
    EXPECT_LT(real, 0);
    EXPECT_GT(real, ground.x[0]);
  }
}

TEST(ModesPage, IsTitledByTheModelOrItsFile) {
  ModesAnswer answer = modes(comm::Comm::serial(), loaded_of(kMasses)).value();
  EXPECT_EQ(make_page(answer, "text", "command")->title, "Modes of model.yaml");
  answer.model.name = "two masses";
  const Result<draw::ModePage> page = make_page(answer, "text", "command");
  EXPECT_EQ(page->title, "Modes of two masses");
  EXPECT_EQ(page->text, "text");
  EXPECT_EQ(page->command, "command");
  answer.results.reset();
  EXPECT_TRUE(make_page(answer, "", "")->motion.shapes.empty());
}

}  // namespace
}  // namespace espalier::study

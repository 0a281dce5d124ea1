#include "espalier/modes/detail/damped.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/structures.hpp"
#include "espalier/modes/transfer.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;

// The usual winding number: along the edge of a box, each part halved until the argument of the determinant turns by
// less than `limit` between its ends.
class SampledWinding {
 public:
  SampledWinding(const Structure& beam, double limit) : segments_(*find_bending_chain(beam)), limit_(limit) {}

  long count(const Box& box, int parts) const {
    const std::array<Complex, 5> corner = {Complex(box.left, box.bottom),
                                           {box.right, box.bottom},
                                           {box.right, box.top},
                                           {box.left, box.top},
                                           {box.left, box.bottom}};
    double turned = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      for (int p = 0; p < parts; ++p) {
        const auto point = [&](int n) { return corner[k] + (corner[k + 1] - corner[k]) * (1.0 * n / parts); };
        turned += angle_between(point(p), point(p + 1), 0);
      }
    }
    return std::lround(turned / (2 * std::numbers::pi));
  }

 private:
  double angle(Complex s) const { return std::arg(compound_determinant(segments_, s).mantissa); }
  double angle_between(Complex a, Complex b, int depth) const {
    const double step = std::remainder(angle(b) - angle(a), 2 * std::numbers::pi);
    if (std::abs(step) < limit_ || depth >= 20) return step;
    return angle_between(a, (a + b) / 2.0, depth + 1) + angle_between((a + b) / 2.0, b, depth + 1);
  }

  std::vector<BendingSegment> segments_;
  double limit_;
};

// The literature's beam has seven eigenvalues in its box. Steps below a quarter turn are accepted by many programs, and
// find five of them: the argument turned by more than half a turn and nobody looked.
TEST(FindRoots, IsNotMisledWhereASampledWindingNumberIs) {
  const Structure beam = stepped_beam();
  const Box box{-20, 0, 0, 1200};
  const SampledWinding coarse(beam, std::numbers::pi / 2), fine(beam, std::numbers::pi / 16);
  int wrong = 0;
  for (int parts = 1; parts <= 12; ++parts) wrong += coarse.count(box, parts) != 7 ? 1 : 0;
  EXPECT_GT(wrong, 0);
  EXPECT_EQ(fine.count(box, 64), 7);
  ModesOptions options;
  options.box = box;
  options.shapes = false;
  const Result<ModeSet> set = find_modes(comm::Comm::serial(), beam, plan_tree(beam).value(), options);
  ASSERT_TRUE(set.has_value());
  EXPECT_EQ(set->modes.size(), 7u);
  EXPECT_EQ(set->certainty, Certainty::kProved) << set->certificate;
}

}  // namespace
}  // namespace espalier::modes

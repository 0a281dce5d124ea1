#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"

namespace espalier::elementary {
namespace {

// A value of 400 digits, rounded to a pair of doubles: 106 bits of it.
struct Exact {
  double high, low;
};

// How far `value` is from `exact`, in units of its last place.
double off(double value, const Exact& exact) {
  const double unit =
      std::nextafter(std::abs(exact.high), std::numeric_limits<double>::infinity()) - std::abs(exact.high);
  return std::abs((value - exact.high) - exact.low) / unit;
}

// Near zero, at the doubles nearest to pi/4, pi/3, pi/2 and pi, on both sides of the change of the reduction at 2^20,
// at the double that comes nearest to a multiple of pi/2, and at the largest.
TEST(ElementaryTurns, OfAnglesAreAsNearAsTheTheoryPageSays) {
  struct Case {
    double angle;
    Exact sin, cos, tan;
  };
  const std::vector<Case> cases = {
      {0x1p-20,
       {0x1.ffffffffffaabp-21, -0x1.5555555444444p-75},
       {0x1.ffffffffff000p-1, 0x1.555555555549fp-85},
       {0x1.0000000000555p-20, 0x1.5555555dddddep-74}},
      {0x1.921fb54442d18p-1,
       {0x1.6a09e667f3bccp-1, 0x1.7a7fb8d4bd43fp-55},
       {0x1.6a09e667f3bcdp-1, -0x1.ec4c7696139d5p-56},
       {0x1.fffffffffffffp-1, 0x1.cb3b399d747f3p-55}},
      {0x1.0c152382d7366p+0,
       {0x1.bb67ae8584cabp-1, -0x1.0b363f009eddfp-57},
       {0x1.ffffffffffffep-2, 0x1.4f4fdce055d4fp-56},
       {0x1.bb67ae8584cacp+0, 0x1.886da9dd4cc82p-54}},
      {0x1.921fb54442d18p+0,
       {0x1.0000000000000p+0, -0x1.377ce858a5d48p-109},
       {0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110},
       {0x1.d02967c31cdb5p+53, -0x1.f3c72fe49aa2ap-3}},
      {0x1.921fb54442d18p+1,
       {0x1.1a62633145c07p-53, -0x1.f1976b7ed8fbdp-109},
       {-0x1.0000000000000p+0, 0x1.377ce858a5d48p-107},
       {-0x1.1a62633145c07p-53, 0x1.f1976b7ed8fbap-109}},
      {0x1p+20,
       {0x1.526ccb2fc8656p-2, -0x1.312bfebafe1dfp-56},
       {0x1.e33ada92fe2aep-1, -0x1.420bfaf737b2dp-57},
       {0x1.6692e5779206fp-2, 0x1.d2e6e7ad9a795p-56}},
      {0x1.0000000000001p+20,
       {0x1.526ccb338edb1p-2, 0x1.828c91afababfp-60},
       {0x1.e33ada9254f48p-1, -0x1.b6b872c487af7p-55},
       {0x1.6692e57c0f96cp-2, 0x1.6935e4582d7a1p-57}},
      {0x1.6ac5b262ca1ffp+849,
       {0x1.0000000000000p+0, -0x1.2b089ea1e692bp-123},
       {-0x1.14ae72e6ba22fp-61, 0x1.73eef1477d90ep-118},
       {-0x1.d9ba9a7975636p+60, 0x1.714cf36c65449p+6}},
      {0x1.fffffffffffffp+1023,
       {0x1.452fc98b34e97p-8, -0x1.27bb193d960dfp-62},
       {-0x1.fffe62ecfab75p-1, -0x1.e038d934070f1p-56},
       {-0x1.4530cfe729484p-8, 0x1.1c97823bf87a5p-62}},
      {-0x1.8p+1,
       {-0x1.210386db6d55bp-3, -0x1.3c7205d08d063p-57},
       {-0x1.fae04be85e5d2p-1, -0x1.83effc17efb54p-55},
       {0x1.23ef71254b86fp-3, 0x1.996164fbff0a8p-60}},
  };
  for (const Case& c : cases) {
    EXPECT_LT(off(sin(c.angle), c.sin), 0.75) << c.angle;
    EXPECT_LT(off(cos(c.angle), c.cos), 0.75) << c.angle;
    EXPECT_LT(off(tan(c.angle), c.tan), 0.84) << c.angle;
  }
}

TEST(ElementaryTurns, AreAsNearAsTheTheoryPageSays) {
  struct Case {
    double y, x;
    Exact angle;
  };
  const std::vector<Case> cases = {
      {0x1p+0, 0x1.8p+1, {0x1.4978fa3269ee1p-2, 0x1.2419a87f2a458p-57}},
      {0x1.8p+1, 0x1p+0, {0x1.3fc176b7a8560p+0, -0x1.441a3bd3f1083p-59}},
      {0x1.999999999999ap-4, -0x1p+0, {0x1.855dc402d16b6p+1, -0x1.e696ae3445eacp-55}},
      {0x1.4p+3, -0x1.cp+2, {0x1.173c1f5810bb8p+1, -0x1.fa63753b6372ep-53}},
      {0x1p-30, 0x1p+0, {0x1.0000000000000p-30, -0x1.5555555555555p-92}},
      // One beside each eighth, whose angles are a table; chosen where a wrong sign there shows most.
      {0.7734375, 8, {0x1.8ac5e8363250cp-4, 0x1.15e9ba2458c7ep-60}},
      {1.6875, 8, {0x1.a9c231b403279p-3, 0x1.0e8bbe89cca85p-57}},
      {3.1015625, 8, {0x1.7abb07ed35586p-2, -0x1.8161299e377a3p-56}},
      {3.5859375, 8, {0x1.af812a7ddbe30p-2, 0x1.43594710c439fp-56}},
      {4.7890625, 8, {0x1.142e0542fd830p-1, -0x1.941b53989d7ddp-55}},
      {6.2734375, 8, {0x1.547d76116285ep-1, -0x1.bc6adccc412fbp-56}},
      {7.109375, 8, {0x1.73fa92d19253fp-1, 0x1.17964608f9094p-56}},
      {-0x1.5555555555555p-2, 0x1.3333333333333p-1, {-0x1.03a26a486e631p-1, -0x1.390ef6dec480fp-58}},
  };
  for (const Case& c : cases) EXPECT_LT(off(atan2(c.y, c.x), c.angle), 0.51) << c.y << " " << c.x;
}

TEST(ElementaryTurns, OfSidesAreAsNearAsTheTheoryPageSays) {
  struct Case {
    double side;
    Exact asin, acos;
  };
  const std::vector<Case> cases = {
      {0x1p-20, {0x1.00000000002abp-20, -0x1.5555555088889p-74}, {0x1.921fa54442d18p+0, 0x1.19b7b8869b157p-54}},
      {0x1p-1, {0x1.0c152382d7366p-1, -0x1.ee6913347c2a6p-55}, {0x1.0c152382d7366p+0, -0x1.ee6913347c2a6p-54}},
      {-0x1.ccccccccccccdp-1,
       {-0x1.1ea93705fa172p+0, -0x1.797aca4b76b6ep-55},
       {0x1.586476251e745p+1, 0x1.d71fc857011bep-54}},
      {0x1.fffffffffffffp-1,
       {0x1.921fb50442d18p+0, 0x1.1a6263269b15cp-54},
       {0x1.0000000000000p-26, 0x1.5555555555555p-83}},
      {0x1.6666666666666p-3,
       {0x1.6841488b8700cp-3, -0x1.506d444752a67p-58},
       {0x1.65178c32d1f17p+0, -0x1.a12d91148a2a5p-55}},
  };
  for (const Case& c : cases) {
    EXPECT_LT(off(asin(c.side), c.asin), 0.51) << c.side;
    EXPECT_LT(off(acos(c.side), c.acos), 0.51) << c.side;
  }
}

// Bit for bit: angles are folded by sign and quadrant before anything is rounded.
TEST(ElementaryTurns, AreMirroredExactly) {
  Random random(11);
  for (int k = 0; k < 2000; ++k) {
    const double x = random.uniform(-50, 50), y = random.uniform(-50, 50);
    EXPECT_EQ(sin(-x), -sin(x));
    EXPECT_EQ(cos(-x), cos(x));
    EXPECT_EQ(atan2(-y, x), -atan2(y, x));
    EXPECT_EQ(atan2(y, x), atan2(std::ldexp(y, 300), std::ldexp(x, 300)));
    EXPECT_EQ(sin_cos(x).sin, sin(x));
  }
}

}  // namespace
}  // namespace espalier::elementary

#include "espalier/formats/detail/written.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace espalier::formats::detail {
namespace {

TEST(Remarks, SayOnceWhatIsTrueOfMany) {
  Remarks remarks;
  remarks.add("second", "'x'");
  for (const char* name : {"'a'", "'b'", "'c'", "'d'", "'e'"}) remarks.add("first", name);
  remarks.add("second", "'y'");
  EXPECT_EQ(remarks.notes(), (std::vector<std::string>{"second ('x', 'y')", "first ('a', 'b', 'c' and 2 more)"}));
}

TEST(Tidy, TakesTheDustAndNothingElse) {
  EXPECT_EQ(tidy(9e-16), 0);
  EXPECT_EQ(tidy(-9e-16), 0);
  EXPECT_EQ(tidy(1.1e-15), 1.1e-15);
  EXPECT_EQ(tidy(1 + 4e-16), 1 + 4e-16) << "a length near 1 is no direction";
  EXPECT_EQ(tidy(Eigen::Vector3d(1e-17, -2, 3e-16)), Eigen::Vector3d(0, -2, 0));
}

TEST(TidyDirection, MakesWholeComponentsWhole) {
  EXPECT_EQ(tidy_direction(1 - 4e-16), 1);
  EXPECT_EQ(tidy_direction(-1 + 4e-16), -1);
  EXPECT_FALSE(std::signbit(tidy_direction(-1e-17))) << "a file should not say -0";
  EXPECT_EQ(tidy_direction(0.6), 0.6);
  EXPECT_EQ(tidy_direction(1e-14), 1e-14);
}

}  // namespace
}  // namespace espalier::formats::detail

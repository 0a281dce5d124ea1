#include "espalier/formats/detail/unread.hpp"

#include <numbers>

#include <gtest/gtest.h>

namespace espalier::formats::detail {
namespace {

using model::Effect;

TEST(UnreadKind, DependsOnThePlaceOfTheElement) {
  EXPECT_EQ(unread_kind("tendon", "equality").effect, Effect::kMechanism);
  EXPECT_EQ(unread_kind("tendon", "equality").word, "equality");
  EXPECT_EQ(unread_kind("tendon", "mujoco").effect, Effect::kNone);
  EXPECT_EQ(unread_kind("composite", "anywhere").effect, Effect::kMechanism);
  EXPECT_EQ(unread_kind("surface", "collision").effect, Effect::kContact);
  EXPECT_EQ(unread_kind("surface", "visual").effect, Effect::kNone);
}

// The word is typed on a command line, where a colon would be in the way.
TEST(UnreadKind, LeavesThePrefixOutOfTheWord) {
  EXPECT_EQ(unread_kind("drake:linear_spring_damper", "model").word, "linear_spring_damper");
  EXPECT_EQ(unread_kind("drake:linear_spring_damper", "model").effect, Effect::kForces);
  EXPECT_EQ(unread_kind("a:b:camera", "link").word, "camera");
  EXPECT_EQ(unread_kind("a:b:camera", "link").effect, Effect::kNone);
}

TEST(UnreadAttribute, CountsOnlyWhereItIsNotZero) {
  EXPECT_EQ(unread_attribute("body", "gravcomp", "1").effect, Effect::kForces);
  EXPECT_EQ(unread_attribute("body", "gravcomp", " 0.0 ").effect, Effect::kNone);
  EXPECT_EQ(unread_attribute("joint", "springdamper", "0 0").effect, Effect::kNone);
  EXPECT_EQ(unread_attribute("joint", "springdamper", "0 1").effect, Effect::kForces);
  EXPECT_EQ(unread_attribute("geom", "gravcomp", "1").effect, Effect::kNone) << "an attribute of bodies";
  EXPECT_EQ(unread_attribute("geom", "rgba", "1 0 0 1").word, "rgba");
}

TEST(LooksLikeDegrees, IsMoreThanATurnAndLessThanNoLimit) {
  EXPECT_TRUE(looks_like_degrees(90));
  EXPECT_TRUE(looks_like_degrees(-360));
  EXPECT_FALSE(looks_like_degrees(2 * std::numbers::pi));
  EXPECT_FALSE(looks_like_degrees(-6.3)) << "a turn in few digits";
  EXPECT_FALSE(looks_like_degrees(1e16));
}

TEST(LooksLikeRadians, IsAPartOfATurnInTwoDecimalsOrMore) {
  for (const double part : {1.57, -1.5707963, 0.785, 3.14, 3.1416, 6.283})
    EXPECT_TRUE(looks_like_radians(part)) << part;
  for (const double meant : {0.0, 1.5, 1.6, 3.0, 90.0, 45.0, 180.0}) EXPECT_FALSE(looks_like_radians(meant)) << meant;
}

}  // namespace
}  // namespace espalier::formats::detail

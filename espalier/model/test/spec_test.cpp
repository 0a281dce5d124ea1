#include "espalier/model/spec.hpp"

#include <gtest/gtest.h>

namespace espalier::model {
namespace {

TEST(SpecWords, GoThereAndBackForEveryEnumerator) {
  for (int k = 0; k <= static_cast<int>(ShapeKind::kMesh); ++k)
    EXPECT_EQ(find_shape_kind(word(static_cast<ShapeKind>(k))), static_cast<ShapeKind>(k));
  for (int k = 0; k <= static_cast<int>(ShapeRole::kVisual); ++k)
    EXPECT_EQ(find_shape_role(word(static_cast<ShapeRole>(k))), static_cast<ShapeRole>(k));
  for (int k = 0; k <= static_cast<int>(BodyKind::kObstacle); ++k)
    EXPECT_EQ(find_body_kind(word(static_cast<BodyKind>(k))), static_cast<BodyKind>(k));
  for (int k = 0; k <= static_cast<int>(BeamTheory::kTimoshenko); ++k)
    EXPECT_EQ(find_beam_theory(word(static_cast<BeamTheory>(k))), static_cast<BeamTheory>(k));
}

TEST(SpecWords, NameWhatTheySay) {
  EXPECT_STREQ(word(ShapeKind::kCapsule), "capsule");
  EXPECT_STREQ(word(ShapeRole::kVisual), "visual");
  EXPECT_STREQ(word(BodyKind::kPseudoRigid), "pseudo_rigid");
  EXPECT_STREQ(word(BeamTheory::kTimoshenko), "timoshenko");
  EXPECT_EQ(find_shape_kind("cube"), std::nullopt);
  EXPECT_EQ(find_body_kind(""), std::nullopt);
}

}  // namespace
}  // namespace espalier::model

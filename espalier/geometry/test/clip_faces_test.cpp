#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/geometry/detail/convex.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

// The corners of a rectangle, counter-clockwise seen from above; vertices and edges have the numbers of their corners.
std::vector<Scratch::RimCorner> rectangle(double low_x, double low_y, double high_x, double high_y, double z) {
  return {
      {{low_x, low_y, z}, 0, 0}, {{high_x, low_y, z}, 1, 1}, {{high_x, high_y, z}, 2, 2}, {{low_x, high_y, z}, 3, 3}};
}

// The other face looks down, so that its corners go the other way round.
std::vector<Scratch::RimCorner> facing(std::vector<Scratch::RimCorner> corners) {
  std::reverse(corners.begin(), corners.end());
  return corners;
}

FacePair upwards(double reach = 1) {
  FacePair pair;
  pair.reach = reach;
  pair.bias = 1e-6;
  return pair;
}

std::vector<Vector3d> points_of(const std::vector<Scratch::Mark>& marks) {
  std::vector<Vector3d> points;
  for (const Scratch::Mark& mark : marks) points.push_back(mark.point);
  std::sort(points.begin(), points.end(), [](const Vector3d& a, const Vector3d& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  return points;
}

//        +-------+
//   +----|--+    |      two unit squares, one half a side over the other: a square of side 1/2 is common to both
//   |    +--|----+
//   +-------+
TEST(ClipFaces, LeavesWhatBothFacesShare) {
  Scratch memory;
  memory.face = rectangle(0, 0, 1, 1, 0);
  memory.other = facing(rectangle(0.5, 0.5, 1.5, 1.5, 0.2));
  EXPECT_DOUBLE_EQ(clip_faces(upwards(), memory), 0.2);
  const std::vector<Vector3d> expected = {{0.5, 0.5, 0.2}, {0.5, 1, 0.2}, {1, 0.5, 0.2}, {1, 1, 0.2}};
  const std::vector<Vector3d> found = points_of(memory.marks);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_LT((found[k] - expected[k]).norm(), 1e-15) << k;
  for (const Scratch::Mark& mark : memory.marks) EXPECT_DOUBLE_EQ(mark.height, 0.2);
}

// A corner of the other face, a corner of this one, and twice an edge over an edge: four different features.
TEST(ClipFaces, NamesEachPointByWhatMeetsThere) {
  Scratch memory;
  memory.face = rectangle(0, 0, 1, 1, 0);
  memory.other = facing(rectangle(0.5, 0.5, 1.5, 1.5, 0.2));
  clip_faces(upwards(), memory);
  std::vector<std::uint32_t> kinds;
  for (const Scratch::Mark& mark : memory.marks) kinds.push_back(mark.feature >> 30);
  std::sort(kinds.begin(), kinds.end());
  const auto number = [](Meeting meeting) { return static_cast<std::uint32_t>(meeting); };
  EXPECT_EQ(kinds, (std::vector<std::uint32_t>{number(Meeting::kCornerFace), number(Meeting::kFaceCorner),
                                               number(Meeting::kEdgeEdge), number(Meeting::kEdgeEdge)}));
}

TEST(ClipFaces, FacesBesideEachOtherShareNothing) {
  Scratch memory;
  memory.face = rectangle(0, 0, 1, 1, 0);
  memory.other = facing(rectangle(1.5, 0, 2.5, 1, 0.2));
  EXPECT_DOUBLE_EQ(clip_faces(upwards(), memory), 1e300);
  EXPECT_TRUE(memory.marks.empty());
}

// The other face rises by 0.4 along x: only its lower half is within reach.
TEST(ClipFaces, LeavesOutWhatIsHigherThanTheReach) {
  Scratch memory;
  memory.face = rectangle(0, 0, 1, 1, 0);
  memory.other = facing({{{0, 0, 0.1}, 0, 0}, {{1, 0, 0.5}, 1, 1}, {{1, 1, 0.5}, 2, 2}, {{0, 1, 0.1}, 3, 3}});
  EXPECT_DOUBLE_EQ(clip_faces(upwards(0.3), memory), 0.1);
  EXPECT_EQ(memory.marks.size(), 2u);
  for (const Scratch::Mark& mark : memory.marks) EXPECT_EQ(mark.point.x(), 0);
}

// Of a regular 12-gon of equal heights the four kept span as much as a square in its circle: area 2 r^2.
TEST(KeepFour, SpreadsThemWide) {
  std::vector<Scratch::Mark> marks;
  for (int k = 0; k < 12; ++k) {
    const double angle = EIGEN_PI * k / 6;
    marks.push_back({{std::cos(angle), std::sin(angle), 0}, 0, static_cast<std::uint32_t>(k)});
  }
  keep_four(Vector3d::UnitZ(), 1e-6, marks);
  ASSERT_EQ(marks.size(), 4u);
  double area = 0;
  for (std::size_t k = 0; k < 4; ++k) area += marks[k].point.cross(marks[(k + 1) % 4].point).z() / 2;
  EXPECT_NEAR(area, 2, 1e-12);
}

TEST(KeepFour, TheDeepestStays) {
  std::vector<Scratch::Mark> marks;
  for (int k = 0; k < 8; ++k) {
    const double angle = EIGEN_PI * k / 4;
    marks.push_back({{std::cos(angle), std::sin(angle), 0}, k == 5 ? -0.1 : 0.0, static_cast<std::uint32_t>(k)});
  }
  keep_four(Vector3d::UnitZ(), 1e-6, marks);
  EXPECT_TRUE(std::any_of(marks.begin(), marks.end(), [](const Scratch::Mark& m) { return m.feature == 5; }));
}

}  // namespace
}  // namespace espalier::geometry::detail

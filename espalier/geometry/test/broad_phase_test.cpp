#include "espalier/geometry/geometry.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"

namespace espalier::geometry {
namespace {

using Eigen::Vector3d;
using Pairs = std::vector<std::array<int, 2>>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The second method: every box with every other.
Pairs all_pairs(const std::vector<Box>& boxes) {
  Pairs pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j) {
      bool apart = false;
      for (int k = 0; k < 3; ++k) {
        apart = apart || !(boxes[i].low[k] <= boxes[j].high[k]) || !(boxes[j].low[k] <= boxes[i].high[k]) ||
                !(boxes[i].low[k] <= boxes[i].high[k]) || !(boxes[j].low[k] <= boxes[j].high[k]);
      }
      if (!apart) pairs.push_back({i, j});
    }
  }
  return pairs;
}

Pairs pairs_of(const std::vector<Box>& boxes) {
  BroadPhase memory;
  find_pairs(boxes, memory);
  return memory.pairs;
}

Vector3d anywhere(Random& random, double range) {
  return {random.uniform(-range, range), random.uniform(-range, range), random.uniform(-range, range)};
}

Box box_at(const Vector3d& low, const Vector3d& lengths) { return {low, low + lengths}; }

TEST(FindPairs, OfLikeBoxesEqualsTryingAll) {
  for (std::uint32_t key = 0; key < 20; ++key) {
    Random random(1, key);
    std::vector<Box> boxes;
    for (int k = 0; k < 300; ++k) {
      boxes.push_back(box_at(anywhere(random, 4), Vector3d::Constant(1) + 0.2 * anywhere(random, 1)));
    }
    EXPECT_EQ(pairs_of(boxes), all_pairs(boxes));
    EXPECT_GT(pairs_of(boxes).size(), 100u);
  }
}

TEST(FindPairs, OfSizesFromAMicronToAKilometreEqualsTryingAll) {
  for (std::uint32_t key = 0; key < 20; ++key) {
    Random random(2, key);
    std::vector<Box> boxes;
    for (int k = 0; k < 300; ++k) {
      const double size = std::pow(10, random.uniform(-6, 3));
      boxes.push_back(box_at(anywhere(random, 100), Vector3d::Constant(size) + 0.5 * size * anywhere(random, 1)));
    }
    EXPECT_EQ(pairs_of(boxes), all_pairs(boxes));
  }
}

TEST(FindPairs, OfUnboundedAndFlatBoxesEqualsTryingAll) {
  for (std::uint32_t key = 0; key < 10; ++key) {
    Random random(3, key);
    std::vector<Box> boxes;
    for (int k = 0; k < 100; ++k) {
      Box box = box_at(anywhere(random, 4), Vector3d::Ones());
      if (k % 10 == 0) box.low[random.below(3)] = -kInfinity;
      if (k % 13 == 0) box.high[random.below(3)] = kInfinity;
      if (k % 7 == 0) box.high[2] = box.low[2];
      boxes.push_back(box);
    }
    boxes.push_back({Vector3d::Constant(-kInfinity), Vector3d::Constant(kInfinity)});
    const Pairs pairs = pairs_of(boxes);
    EXPECT_EQ(pairs, all_pairs(boxes));
    EXPECT_EQ(std::count_if(pairs.begin(), pairs.end(), [](const auto& p) { return p[1] == 100; }), 100);
  }
}

// A grid of cubes that touch: each has 26 neighbours but for those at the rim.
TEST(FindPairs, TakesBoxesThatTouch) {
  std::vector<Box> boxes;
  for (int k = 0; k < 125; ++k) boxes.push_back(box_at(Vector3d(k % 5, k / 5 % 5, k / 25), Vector3d::Ones()));
  // Ordered neighbours in a row of five: 5 with oneself, 8 with others; (13^3 - 5^3) / 2 pairs.
  EXPECT_EQ(pairs_of(boxes).size(), (13u * 13 * 13 - 125) / 2);
}

TEST(FindPairs, OfEqualBoxesIsAllPairs) {
  for (const Vector3d& lengths : {Vector3d(1, 1, 1), Vector3d(0, 0, 0)}) {
    const std::vector<Box> boxes(60, box_at(Vector3d(0.3, 0.2, 0.1), lengths));
    EXPECT_EQ(pairs_of(boxes).size(), 60u * 59 / 2);
    EXPECT_EQ(pairs_of(boxes), all_pairs(boxes));
  }
}

TEST(FindPairs, LeavesOutBoxesThatAreNone) {
  std::vector<Box> boxes(5, box_at(Vector3d::Zero(), Vector3d::Ones()));
  boxes[1].low[2] = kNan;
  boxes[2].high[0] = kNan;
  boxes[3].high[1] = -1;
  EXPECT_EQ(pairs_of(boxes), (Pairs{{0, 4}}));
}

TEST(FindPairs, SurvivesFarOutliersAndHugeNumbers) {
  Random random(4);
  std::vector<Box> boxes;
  for (int k = 0; k < 200; ++k) boxes.push_back(box_at(anywhere(random, 3), Vector3d::Ones()));
  boxes.push_back(box_at(Vector3d::Constant(1e12), Vector3d::Ones()));
  boxes.push_back(box_at(Vector3d::Constant(1e12), Vector3d::Ones()));
  boxes.push_back(box_at(Vector3d::Constant(-1e300), Vector3d::Ones()));
  boxes.push_back({Vector3d::Constant(-1e308), Vector3d::Constant(1e308)});
  boxes.push_back(box_at(Vector3d::Constant(1e-310), Vector3d::Constant(1e-310)));
  EXPECT_EQ(pairs_of(boxes), all_pairs(boxes));
}

TEST(FindPairs, OfNothingIsNothing) {
  EXPECT_TRUE(pairs_of({}).empty());
  EXPECT_TRUE(pairs_of({Box{}}).empty());
}

TEST(FindPairs, ForgetsWhatItFoundBefore) {
  Random random(5);
  BroadPhase memory;
  for (int n : {200, 3, 100, 0, 50}) {
    std::vector<Box> boxes;
    for (int k = 0; k < n; ++k) boxes.push_back(box_at(anywhere(random, 2), Vector3d::Ones()));
    find_pairs(boxes, memory);
    EXPECT_EQ(memory.pairs, all_pairs(boxes));
  }
}

}  // namespace
}  // namespace espalier::geometry

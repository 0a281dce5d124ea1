#include "espalier/record/detail/quantity.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "espalier/record/test/run_support.hpp"

namespace espalier::record::detail {
namespace {

const Quantity& find(const std::vector<Quantity>& table, const std::string& path) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Quantity& q) { return q.path == path; });
  EXPECT_NE(found, table.end()) << path;
  return *found;
}

std::vector<double> taken(const std::vector<Quantity>& table, const std::string& path, const model::Frame& frame) {
  std::vector<double> values;
  find(table, path).take(frame, values);
  return values;
}

// Where a block is cut off, the shortest dataset says how many frames are whole.
TEST(Quantities, TimeIsWrittenLast) {
  for (const ResultLayout& layout : {small_layout(), ball_layout()}) {
    EXPECT_STREQ(quantities(layout).back().path, "/time");
  }
}

TEST(Quantities, EachHasItsOwnPathAUnitAndAMeaning) {
  for (const ResultLayout& layout : {small_layout(), ball_layout()}) {
    std::set<std::string> paths;
    for (const Quantity& quantity : quantities(layout)) {
      EXPECT_TRUE(paths.insert(quantity.path).second) << quantity.path;
      EXPECT_NE(std::string(quantity.unit), "") << quantity.path;
      EXPECT_NE(std::string(quantity.says), "") << quantity.path;
      EXPECT_GT(quantity.row_size(), 0u) << quantity.path;
    }
  }
}

// Numbers and names of a table agree, or columns would stand under the wrong head.
TEST(Quantities, ATableHasANameForEachNumber) {
  const ResultLayout mechanism = small_layout();
  for (const ResultLayout& layout : {mechanism, ball_layout()}) {
    for (const Quantity& quantity : quantities(layout)) {
      EXPECT_TRUE(quantity.csv.empty() || quantity.csv.size() == quantity.row_size()) << quantity.path;
    }
  }
  EXPECT_EQ(find(quantities(mechanism), "/joint_position").csv[0], "A");
  const std::vector<std::string> poses = find(quantities(ball_layout()), "/body_pose").csv;
  EXPECT_EQ(poses[6], "");
  EXPECT_EQ(poses[7], "ball.x");
  EXPECT_EQ(poses[10], "ball.qw");
}

TEST(Quantities, OfASceneAreTakenFromItsContactsAndRanks) {
  const SceneFrame scene(3);
  const std::vector<Quantity> table = quantities(ball_layout());
  EXPECT_EQ(taken(table, "/contact/bodies", scene.frame), (std::vector<double>{1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(taken(table, "/contact/point", scene.frame), (std::vector<double>{3, 0, 3, 3, 2, 3, 3, 4, 3}));
  EXPECT_EQ(taken(table, "/contact/gap", scene.frame), (std::vector<double>{-0.0, -1e-4, -2e-4}));
  EXPECT_EQ(taken(table, "/rank/waiting", scene.frame), (std::vector<double>{0, 0.125}));
  EXPECT_EQ(taken(table, "/contact/end", scene.frame), std::vector<double>{3});
  EXPECT_EQ(taken(table, "/rank/end", scene.frame), std::vector<double>{2});
  EXPECT_EQ(taken(table, "/energy/total", scene.frame), std::vector<double>{2 + 3 + 0.5});
}

TEST(Quantities, TheEnergyOfAMechanismIsKineticAndPotential) {
  model::Frame frame;
  frame.kinetic = 2;
  frame.potential = -5;
  frame.exchanged = 7;
  EXPECT_EQ(taken(quantities(small_layout()), "/energy/total", frame), std::vector<double>{-3});
}

// HDF5 knows no chunks of nothing.
TEST(Quantities, WhatHasNoNumbersIsNotThere) {
  ResultLayout layout = small_layout();
  layout.q.clear();
  for (const Quantity& quantity : quantities(layout)) EXPECT_STRNE(quantity.path, "/q");
}

}  // namespace
}  // namespace espalier::record::detail

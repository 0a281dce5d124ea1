#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "espalier/plan/options.hpp"

namespace espalier::plan {
namespace {

constexpr Meeting kAtWorld = Meeting::kAtWorld;

TEST(EliminationFlops, AreThoseOfTheBlocks) {
  EXPECT_DOUBLE_EQ(elimination_flops(1, 0, kAtWorld), 1 / 3.0 + 1);
  EXPECT_DOUBLE_EQ(elimination_flops(2, 3, kAtWorld), 8 / 3.0 + 4 * 4 + 2 * 6 + 2 * 3);
  EXPECT_DOUBLE_EQ(elimination_flops(2, 3, Meeting::kOnBody),
                   8 / 3.0 + 4 * (3 + 6 + 1) + 2 * (6 + 18 + 21) + 2 * (3 + 6));
  EXPECT_EQ(elimination_flops(0, 7, Meeting::kOnBody), 0);
}

// With a joint of 50 ns and a coordinate of 37.5 ns a ball takes (50 + 3 x 37.5) / 87.5 of a hinge.
TEST(StepLength, IsInUnitsOfAHinge) {
  EXPECT_EQ(step_length(1), 1);
  EXPECT_DOUBLE_EQ(step_length(3), 162.5 / 87.5);
  MachineConstants slow_joints;
  slow_joints.seconds[to_index(Work::kCoordinate)] = 0;
  EXPECT_EQ(step_length(6, slow_joints), 1);
  slow_joints.seconds.fill(0);
  EXPECT_EQ(step_length(6, slow_joints), 1) << "where nothing takes time all steps are equal";
}

TEST(TimeOf, IsTheSumOfAllWork) {
  MachineConstants machine;
  WorkCount work;
  double expected = 0;
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    machine.seconds[k] = 1.0 / static_cast<double>(1 << k);
    work.amount[k] = static_cast<double>(3 * k + 1);
    expected += work.amount[k] * machine.seconds[k];
  }
  EXPECT_DOUBLE_EQ(time_of(work, machine), expected);
}

TEST(WorkCount, AddsKindByKind) {
  WorkCount one, two;
  one[Work::kJoint] = 1;
  one[Work::kPair] = 2;
  two[Work::kPair] = 3;
  two[Work::kFlop] = 5;
  one += two;
  EXPECT_EQ(one[Work::kJoint], 1);
  EXPECT_EQ(one[Work::kPair], 5);
  EXPECT_EQ(one[Work::kFlop], 5);
}

TEST(WorkNames, AreNineInTheOrderOfTheirKinds) {
  const auto names = work_names();
  EXPECT_EQ(names[to_index(Work::kJoint)], "joint");
  EXPECT_EQ(names[to_index(Work::kCarriedRow)], "carried_row");
  EXPECT_EQ(names[to_index(Work::kPair)], "pair");
  EXPECT_EQ(std::set<std::string_view>(names.begin(), names.end()).size(), kWorkKinds);
}

}  // namespace
}  // namespace espalier::plan

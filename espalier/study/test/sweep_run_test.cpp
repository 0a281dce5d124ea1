#include "espalier/study/detail/sweep_run.hpp"

#include <string>

#include <gtest/gtest.h>

#include "espalier/study/test/sweep_support.hpp"

namespace espalier::study {
namespace {

formats::Sweep over(std::initializer_list<const char*> parameters) {
  formats::Sweep sweep;
  for (const char* text : parameters) sweep.parameters.push_back(*formats::parse_vary(text));
  return sweep;
}

TEST(VariesStartsAlone, LooksAtTwoDifferentValuesOfEachParameter) {
  const formats::ModelVariants model = *formats::ModelVariants::read_text(kPendulum, "pendulum.yaml");
  EXPECT_TRUE(detail::varies_starts_alone(model, over({"joints.pin.velocity=0.1:2"})));
  EXPECT_TRUE(detail::varies_starts_alone(model, over({"gravity.2=-9.81,-9.81"}))) << "one value is no change";
  EXPECT_FALSE(detail::varies_starts_alone(model, over({"gravity.2=-9.81,-9.81,-1.62"})));
  EXPECT_FALSE(detail::varies_starts_alone(model, over({"joints.pin.velocity=0.1:2", "bodies.bob.mass=1:2"})));
}

class SweepTable : public ::testing::Test {
 protected:
  formats::ModelVariants model_ = *formats::ModelVariants::read_text(kPendulum, "pendulum.yaml");
  formats::Sweep sweep_ = over({"bodies.bob.mass=-1,2"});
  model::Model compiled_ = *model::compile(*model_.with({}));
  plan::Plan plan_ = *plan::make_plan(compiled_);
  detail::SweepRuns runs_;
  detail::SweepJob job_{model_, sweep_, plan_, runs_, "", {}, {}, false};
};

TEST_F(SweepTable, HasAColumnForEachParameterAndJoint) {
  job_.layout.joint_position = {{"a,b", "rad"}};
  job_.layout.joint_velocity = {{"pin", "rad/s"}};
  EXPECT_EQ(detail::table_head(job_),
            "run,bodies.bob.mass,outcome,message,time,steps,loop_distance,energy_error,energy_scale,kinetic,potential,"
            "exchanged,state_hash,\"position a,b\",velocity pin\n");
}

TEST_F(SweepTable, NamesFoldersInTheOrderOfTheRuns) {
  runs_.folder = "out";
  EXPECT_EQ(detail::folder_of_run(job_, 42), "out/runs/000042");
}

TEST_F(SweepTable, ComputesEightRunsAtOnceWhereTheyShareASystem) {
  EXPECT_EQ(detail::runs_at_once(job_), 1);
  job_.starts_alone = true;
  EXPECT_EQ(detail::runs_at_once(job_), 8);
}

// A pendulum that is drawn at rest below its pin stays there; nothing has a mass of -1 kg.
TEST_F(SweepTable, LeavesTheCellsOfARefusedRunEmpty) {
  runs_.simulate.run.end_time = 0.5;
  job_.layout.joint_position = {{"pin", "rad"}};
  const Result<std::vector<std::string>> lines = detail::run_lines(job_, 0, 2);
  ASSERT_TRUE(lines) << to_string(lines.error());
  ASSERT_EQ(lines->size(), 2u);
  EXPECT_EQ((*lines)[0].substr(0, 13), "0,-1,refused,");
  EXPECT_EQ((*lines)[0].substr((*lines)[0].size() - 11), ",,,,,,,,,,\n");
  EXPECT_EQ((*lines)[1].substr(0, 14), "1,2,done,,0.5,");
  EXPECT_NE((*lines)[1].find(",0,-19.62,0,"), std::string::npos) << "2 kg hang 1 m below: m g z = -19.62 J";
  EXPECT_EQ((*lines)[1].substr((*lines)[1].size() - 3), ",0\n");
}

}  // namespace
}  // namespace espalier::study

#include "espalier/formats/detail/tuning_quantity.hpp"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/tuning.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::formats {
namespace {

using Kind = TuningGoal::Kind;
using Statistic = TuningGoal::Statistic;

const char* const kStudy = R"(vary: {k: {path: joints.pin.stiffness, range: [1, 9]}}
simulate: {end: 2, output_step: 0.01, tolerance: 1e-9, step: 1e-3, integrator: fixed, engine: recursive, keyframe: up}
goals:
  - {end: pin.position, target: -0.5}
  - {maximum: spring1.force, at_most: 100, weight: 3}
  - {minimum: pin.velocity, at_least: -2, at_most: 1, scale: 0.25}
  - {minimise: {maximum: pin.velocity}}
  - {maximise: {end: energy.kinetic}, name: fast}
  - {end: pin.position, target: 0}
)";

TEST(TuningQuantity, ReadsEveryField) {
  const Result<Tuning> tuning = read_tuning_text(kStudy, "s.yaml");
  ASSERT_TRUE(tuning.has_value()) << to_string(tuning.error());
  const std::vector<TuningGoal>& goals = tuning->goals;
  ASSERT_EQ(goals.size(), 6u);
  for (const TuningGoal& goal : goals) EXPECT_EQ(goal.kind, Kind::kQuantity);
  EXPECT_EQ(goals[0].name, "end pin.position");
  EXPECT_EQ(goals[0].quantity, "pin.position");
  EXPECT_EQ(goals[0].target, -0.5);
  EXPECT_EQ(goals[0].scale, 0.5) << "the size of the target";
  EXPECT_FALSE(goals[0].is_limit());
  EXPECT_EQ(goals[1].statistic, Statistic::kMaximum);
  EXPECT_EQ(goals[1].at_most, 100);
  EXPECT_EQ(goals[1].scale, 100);
  EXPECT_TRUE(goals[1].is_limit());
  EXPECT_FALSE(goals[1].is_constraint()) << "weighed by hand";
  EXPECT_EQ(goals[2].statistic, Statistic::kMinimum);
  EXPECT_EQ(goals[2].at_least, -2);
  EXPECT_EQ(goals[2].scale, 0.25);
  EXPECT_TRUE(goals[2].is_constraint());
  EXPECT_EQ(goals[3].name, "minimise maximum pin.velocity");
  EXPECT_FALSE(goals[3].maximise || goals[3].target);
  EXPECT_TRUE(goals[4].maximise);
  EXPECT_EQ(goals[4].name, "fast");
  EXPECT_EQ(goals[5].scale, 1) << "0 says nothing of the size of things";
  const TuningRun& run = tuning->run;
  EXPECT_EQ(run.end, 2);
  EXPECT_EQ(run.output_step, 0.01);
  EXPECT_EQ(run.tolerance, 1e-9);
  EXPECT_EQ(run.step, 1e-3);
  EXPECT_EQ(run.integrator, "fixed");
  EXPECT_EQ(run.engine, "recursive");
  EXPECT_EQ(run.keyframe, "up");
  EXPECT_EQ(run.where.line, 2);
}

// What is wrong with the study in which one text is replaced.
std::string error_of(const std::string& from, const std::string& to) {
  std::string text = kStudy;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const Result<Tuning> tuning = read_tuning_text(text, "s.yaml");
  EXPECT_FALSE(tuning.has_value()) << to;
  return tuning ? "" : to_string(tuning.error());
}

TEST(TuningQuantity, RefusesWithTheLineAndTheWayOut) {
  EXPECT_MENTIONS(error_of(", target: -0.5", ""), "s.yaml:4: `end` needs either `target`, or `at_most` or `at_least`");
  EXPECT_MENTIONS(error_of(", target: -0.5", ""), "what is to be small is `minimise: {end: pin.position}`");
  EXPECT_MENTIONS(error_of("target: -0.5", "target: -0.5, at_most: 2"), "needs either `target`, or `at_most`");
  EXPECT_MENTIONS(error_of("at_most: 1,", "at_most: -3,"), "`at_least` is -2, which is not below `at_most`, -3");
  EXPECT_MENTIONS(error_of("scale: 0.25", "scale: 0"), "`scale` is 0; it must be above 0");
  EXPECT_MENTIONS(error_of("end: pin.position, target: -0.5", "distance: pin.position"), "needs `csv`");
  EXPECT_MENTIONS(error_of("end: pin.position,", "distance: pin.position, csv: a.csv,"), "it has no `target`");
  EXPECT_MENTIONS(error_of("{maximum: pin.velocity}", "{distance: pin.velocity}"), "`{maximum: QUANTITY}`");
  EXPECT_MENTIONS(error_of("end: pin.position,", "ende: pin.position,"), "or of a run `end`");
  EXPECT_MENTIONS(error_of("simulate: {end: 2", "simulate: {end: 0"), "s.yaml:2: `simulate`: 0 is there");
  EXPECT_MENTIONS(error_of("output_step", "outputstep"), "did you mean 'output_step'");
  const std::string idle = "vary: {k: {path: a.b, range: [1, 2]}}\nsimulate: {end: 1}\ngoals: [{near: [1]}]\n";
  EXPECT_MENTIONS(to_string(read_tuning_text(idle, "s.yaml").error()), "s.yaml:2: `simulate` says how designs are run");
}

class TuningTable : public TestFolder {
 protected:
  // The study with one distance to a table of this text.
  Result<Tuning> read(const std::string& table, const std::string& more = "") {
    std::ofstream(folder_ / "t.csv") << table;
    std::ofstream(folder_ / "s.yaml") << "vary: {k: {path: a.b, range: [1, 2]}}\n"
                                      << "goals:\n  - {distance: pin.position, csv: t.csv" << more << "}\n";
    return read_tuning(folder_ / "s.yaml");
  }
  std::string refused(const std::string& table, const std::string& more = "") {
    const Result<Tuning> tuning = read(table, more);
    EXPECT_FALSE(tuning.has_value()) << table;
    return tuning ? "" : to_string(tuning.error());
  }
};

TEST_F(TuningTable, StandsBesideTheStudy) {
  const Result<Tuning> tuning = read("time [s],arm,pin.position [rad]\n0,7,-4\n0.5,7,2\n");
  ASSERT_TRUE(tuning.has_value()) << to_string(tuning.error());
  const TuningGoal& goal = tuning->goals[0];
  EXPECT_EQ(goal.times, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(goal.values, (std::vector<double>{-4, 2}));
  EXPECT_EQ(goal.table_unit, "rad");
  EXPECT_EQ(goal.scale, 4) << "the largest value";
  EXPECT_FALSE(goal.is_limit());
}

TEST_F(TuningTable, HasTheColumnThatIsAskedFor) {
  EXPECT_EQ(read("time,a,b\n0,1,2\n", ", column: b")->goals[0].values, std::vector<double>{2});
  EXPECT_EQ(read("measured;time\n3;0\n")->goals[0].values, std::vector<double>{3}) << "the only one beside the time";
  const Tuning bounded = *read("time,pin.position\n0,0\n", ", at_most: 0.1");
  EXPECT_TRUE(bounded.goals[0].is_constraint());
  EXPECT_EQ(bounded.goals[0].scale, 0.1);
}

TEST_F(TuningTable, IsRefusedWithItsLine) {
  EXPECT_MENTIONS(refused("time,a,b\n0,1,2\n"), "t.csv:1: no column is called 'pin.position'; there are time, a, b");
  EXPECT_MENTIONS(refused("time,left,b\n0,1,2\n", ", column: lef"), "did you mean 'left'");
  EXPECT_MENTIONS(refused("t,pin.position\n0,1\n"), "no column is called 'time'");
  EXPECT_MENTIONS(refused("time [ms],pin.position\n0,1\n"), "the time is in 'ms'; give it in seconds");
  EXPECT_MENTIONS(refused("time,pin.position\n0,1\n0.5,1\n0.5,1\n"), "t.csv:4: the time is 0.5 after 0.5");
  EXPECT_MENTIONS(refused("time,pin.position\n-1,1\n"), "t.csv:2: the time is -1 after 0");
  EXPECT_MENTIONS(refused("time,pin.position\n0,x\n"), "t.csv:2: column 'pin.position': 'x' is no finite number");
  EXPECT_MENTIONS(refused("time,pin.position\n"), "the table has no row");
  EXPECT_MENTIONS(refused("time,pin.position\n0,1\n", ", column: c}\n  - {distance: x, csv: none.csv"), "t.csv:1");
  std::filesystem::remove(folder_ / "t.csv");
  const Result<Tuning> none = read_tuning(folder_ / "s.yaml");
  ASSERT_FALSE(none.has_value());
  EXPECT_MENTIONS(to_string(none.error()), "s.yaml:3: goal 'distance pin.position': the table 't.csv': no such file");
}

}  // namespace
}  // namespace espalier::formats

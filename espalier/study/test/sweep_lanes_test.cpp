#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/detail/sweep_run.hpp"
#include "espalier/study/test/sweep_support.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;

formats::Sweep sweep_of(const std::vector<std::string>& parameters) {
  formats::Sweep sweep;
  for (const std::string& text : parameters) sweep.parameters.push_back(*formats::parse_vary(text));
  return sweep;
}

// A closed loop: four bars of 1 m, upright cranks, a coupler between them.
const char* const kFourBar = R"(espalier: 1
name: four_bar
gravity: [0, 0, -9.81]
bodies:
  - {name: left, mass: 1, com: [0, 0, 0.5], inertia: [0.08, 0.08, 0.01]}
  - {name: top, mass: 1, com: [0.5, 0, 1], inertia: [0.01, 0.08, 0.08]}
  - {name: right, mass: 1, com: [1, 0, 0.5], inertia: [0.08, 0.08, 0.01]}
joints:
  - {name: a, type: revolute, between: [ground, left], at: {position: [0, 0, 0], axis: [0, 1, 0]}}
  - {name: b, type: revolute, between: [left, top], at: {position: [0, 0, 1], axis: [0, 1, 0]}}
  - {name: c, type: revolute, between: [top, right], at: {position: [1, 0, 1], axis: [0, 1, 0]}}
  - {name: d, type: revolute, between: [right, ground], at: {position: [1, 0, 0], axis: [0, 1, 0]}}
keyframes:
  - {name: leaning, positions: {a: 0.3}}
)";

TEST(VariesStartsAlone, VelocitiesAndKeyframesDoAndMassesDoNot) {
  const formats::ModelVariants model = *formats::ModelVariants::read_text(kFourBar, "four_bar.yaml");
  EXPECT_TRUE(detail::varies_starts_alone(model, sweep_of({"joints.a.velocity=0:1"})));
  EXPECT_TRUE(
      detail::varies_starts_alone(model, sweep_of({"joints.a.velocity=0:1", "keyframes.leaning.positions.a=0.1,0.2"})));
  EXPECT_FALSE(detail::varies_starts_alone(model, sweep_of({"bodies.left.mass=1:2"})));
  EXPECT_FALSE(detail::varies_starts_alone(model, sweep_of({"joints.a.velocity=0:1", "gravity.2=-9.81,-9"})));
  EXPECT_FALSE(detail::varies_starts_alone(model, sweep_of({"joints.a.damping=0:1"})));
}

TEST(BlockSize, HoldsEightRunsThatMarchTogether) {
  EXPECT_EQ(detail::block_size(12, true), 1);
  EXPECT_EQ(detail::block_size(64, true), 8);
  EXPECT_EQ(detail::block_size(64, false), 1);
  EXPECT_EQ(detail::block_size(100'000, true), detail::block_size(100'000, false));
}

class SweepLanes : public TestFolder {};

// Runs of a closed loop from several starts, in lanes, against simulate() of each model on its own.
TEST_F(SweepLanes, EveryRunEndsWhereItDoesAlone) {
  const formats::ModelVariants model = *formats::ModelVariants::read_text(kFourBar, "four_bar.yaml");
  const plan::Plan plan = *plan::make_plan(*model::compile(*model.with({})));
  const formats::Sweep sweep =
      sweep_of({"joints.a.velocity=-2:2:10", "keyframes.leaning.positions.a=0.1,0.3,0.4,0.5,0.7,0.8,0.9"});
  detail::SweepRuns options;
  options.folder = folder_;
  options.simulate.run.end_time = 0.2;
  options.keyframe = "leaning";
  const Result<detail::SweepCounts> answer = detail::compute_runs(comm::Comm::serial(), model, sweep, plan, options);
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_TRUE(answer->complete);
  EXPECT_TRUE(fs::exists(folder_ / "blocks/000008.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "blocks/000009.csv")) << "70 runs are nine blocks of eight";
  const std::string table = *files::read_text_file(folder_ / "runs.csv");
  for (const std::int64_t run : {0, 5, 13, 69}) {
    const model::Model own = *model::compile(*model.with(formats::sample(sweep, run)));
    dynamics::StartOptions from;
    from.keyframe = &own.keyframes.front();
    const dynamics::Prepared ready = dynamics::prepare(own, plan::make_mechanism(own), plan, from);
    dynamics::SimulateOptions alone = options.simulate;
    alone.run.output_step = alone.run.end_time;
    const dynamics::RunStatus status = dynamics::simulate(
        ready.system, dynamics::start_run(ready.system, ready.start.state), [](const model::Frame&) { return true; },
        alone);
    EXPECT_EQ(status.outcome, model::Outcome::kDone);
    EXPECT_NE(table.find(hash_text(record::state_hash(status.end.state))), std::string::npos) << "run " << run;
  }
}

}  // namespace
}  // namespace espalier::study

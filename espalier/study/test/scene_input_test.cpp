#include "espalier/study/detail/scene_input.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

// A ball of radius 0.5 m above a plane, and another one whose centre stands 0.4 m above that of the first.
std::string balls(double second) {
  return R"(espalier: 1
name: balls
materials: {stone: {density: 2000, friction: 0.5}}
bodies:
  - {name: ground, shapes: [{plane: {}}]}
  - {name: lower, material: stone, pose: {position: [0, 0, 1]}, shapes: [{sphere: {radius: 0.5}}]}
  - {name: upper, material: stone, pose: {position: [0, 0, )" +
         std::to_string(second) + R"(]}, shapes: [{sphere: {radius: 0.5}}]}
contact: {engine: on, margin: 0.001}
)";
}

Result<detail::SceneInput> read(double second, const SimulateOptions& options = {}) {
  return detail::read_scene(comm::Comm::serial(), *load_text(balls(second), "balls.yaml"), options);
}

TEST(ReadScene, CountsBodiesWithoutTheGround) {
  const Result<detail::SceneInput> input = read(3);
  ASSERT_TRUE(input) << to_string(input.error());
  EXPECT_EQ(input->bodies, 2u);
  EXPECT_EQ(input->joints, 0u);
  EXPECT_EQ(input->record.model_name, "balls");
  EXPECT_EQ(input->start.bodies.size(), 3u);
  EXPECT_TRUE(input->notes.empty());
  EXPECT_FALSE(input->continued);
}

// There are no frames between the ends of a step.
TEST(ReadScene, WritesNoFrameWithinAStep) {
  SimulateOptions options;
  options.step = 0.05;
  EXPECT_EQ(read(3, options)->record.scene().options.run.output_step, 0.05);
  options.step = 0.001;
  EXPECT_EQ(read(3, options)->record.scene().options.run.output_step, 0.01);
  options.output_step = 0.2;
  EXPECT_EQ(read(3, options)->record.scene().options.run.output_step, 0.2);
}

// Radii of 0.5 m and centres 0.4 m apart overlap by 0.6 m.
TEST(ReadScene, TellsHowDeepBodiesReachIntoEachOther) {
  const Result<detail::SceneInput> input = read(1.4);
  ASSERT_TRUE(input) << to_string(input.error());
  ASSERT_EQ(input->notes.size(), 1u);
  EXPECT_MENTIONS(input->notes[0], "2 bodies reach into each other at the start");
  EXPECT_MENTIONS(input->notes[0], "by 0.6 m");
}

TEST(ReadScene, RefusesAnOverlapWhereItIsAskedTo) {
  SimulateOptions options;
  options.strict = true;
  EXPECT_TRUE(read(3, options));
  const Result<detail::SceneInput> input = read(1.4, options);
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().code, ErrorCode::kValue);
  EXPECT_EQ(input.error().where.file, "balls.yaml");
}

TEST(ReadScene, RefusesAStepThatIsLongerThanTheRun) {
  SimulateOptions options;
  options.step = 0.5;
  options.end_time = 0.25;
  const Result<detail::SceneInput> input = read(3, options);
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().option, "step");
}

}  // namespace
}  // namespace espalier::study

#include "espalier/study/detail/run_bounds.hpp"

#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace espalier::study {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Options>
std::string refused(const std::function<void(Options&)>& change, double time = 0) {
  Options options;
  change(options);
  const Result<void> checked = detail::check_bounds(options, time, "");
  return checked ? "" : checked.error().option;
}

TEST(BoundsOfMechanisms, AreKeptByTheDefaults) {
  EXPECT_EQ(refused<dynamics::SimulateOptions>([](auto&) {}), "");
  EXPECT_EQ(refused<contact::SimulateOptions>([](auto&) {}), "");
}

TEST(BoundsOfMechanisms, NameTheNumberThatNoRunCanHave) {
  using Options = dynamics::SimulateOptions;
  EXPECT_EQ(refused<Options>([](auto& o) { o.run.end_time = -1; }), "end_time");
  EXPECT_EQ(refused<Options>([](auto& o) { o.run.end_time = kNaN; }), "end_time");
  EXPECT_EQ(refused<Options>([](auto& o) { o.run.output_step = 0; }), "output_step");
  EXPECT_EQ(refused<Options>([](auto& o) { o.tolerance = kInfinity; }), "tolerance");
  EXPECT_EQ(refused<Options>([](auto& o) { o.loop_tolerance = kNaN; }), "loop_tolerance");
  EXPECT_EQ(refused<Options>([](auto& o) { o.max_steps = 0; }), "max_steps");
  EXPECT_EQ(refused<Options>([](auto& o) { o.threads = 1025; }), "threads");
  EXPECT_EQ(refused<Options>([](auto& o) { o.threads = 1024; }), "");
}

// 1 s in steps of 1 ms is 1000 steps; of a run that continues at 0.5 s there are 500 left.
TEST(BoundsOfMechanisms, CountTheStepsThatAreLeft) {
  const auto thousand = [](dynamics::SimulateOptions& o) {
    o.step = 1e-3;
    o.max_steps = 600;
  };
  EXPECT_EQ(refused<dynamics::SimulateOptions>(thousand), "step");
  EXPECT_EQ(refused<dynamics::SimulateOptions>(thousand, 0.5), "");
}

TEST(BoundsOfMechanisms, CountFramesFromTheStartOfTheRun) {
  const auto many = [](dynamics::SimulateOptions& o) { o.run.output_step = 0.5e-15; };
  EXPECT_EQ(refused<dynamics::SimulateOptions>(many), "output_step");
  EXPECT_EQ(refused<dynamics::SimulateOptions>(many, 0.9), "output_step");
}

TEST(BoundsOfScenes, NameTheNumberThatNoRunCanHave) {
  using Options = contact::SimulateOptions;
  EXPECT_EQ(refused<Options>([](auto& o) { o.settings.step = 0; }), "step");
  EXPECT_EQ(refused<Options>([](auto& o) { o.settings.step = 2; }), "step") << "the run is 1 s long";
  EXPECT_EQ(refused<Options>([](auto& o) { o.settings.solve.tolerance = -1; }), "tolerance");
  EXPECT_EQ(refused<Options>([](auto& o) { o.settings.correction = 1.5; }), "correction");
  EXPECT_EQ(refused<Options>([](auto& o) { o.settings.weight_factor = kNaN; }), "weight_factor");
  EXPECT_EQ(refused<Options>([](auto& o) { o.settings.balance_every = 0; }), "balance_every");
}

TEST(Bounds, OfARunJsonHaveTheFileAndNoOption) {
  dynamics::SimulateOptions options;
  options.tolerance = -2;
  options.threads = 0;
  const Result<void> checked = detail::check_bounds(options, 0, "run-1/run.json");
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().where.file, "run-1/run.json");
  EXPECT_EQ(checked.error().option, "");
  EXPECT_EQ(full_message(checked.error()), "`tolerance` is -2; it must be a positive number") << "the first is told";
}

}  // namespace
}  // namespace espalier::study

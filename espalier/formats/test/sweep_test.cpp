#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/support.hpp"
#include "espalier/formats/variants.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::formats {
namespace {

TEST(Sweep, AGridTakesEveryCombinationOnce) {
  Sweep sweep;
  sweep.parameters = {*parse_vary("a=1,2,3"), *parse_vary("b=0:1:5")};
  ASSERT_TRUE(check_sweep(sweep).has_value());
  ASSERT_EQ(run_count(sweep), 15);
  std::set<std::pair<double, double>> seen;
  for (std::int64_t run = 0; run < 15; ++run) {
    const std::vector<FieldValue> values = sample(sweep, run);
    seen.insert({values[0].value, values[1].value});
    EXPECT_EQ(values[0].path, "a");
  }
  EXPECT_EQ(seen.size(), 15u);
  EXPECT_EQ(sample(sweep, 14)[1].value, 1) << "both ends are points";
  EXPECT_EQ(sample(sweep, 1)[1].value, 0.25) << "the last parameter runs fastest";
}

TEST(Sweep, SamplesDependOnSeedAndRunAlone) {
  Sweep sweep;
  sweep.parameters = {*parse_vary("a=2:3"), *parse_vary("b=1,2")};
  sweep.samples = 500;
  ASSERT_EQ(run_count(sweep), 1000);
  double sum = 0;
  std::set<double> seen;
  for (std::int64_t run = 0; run < 1000; ++run) {
    const double value = sample(sweep, run)[0].value;
    EXPECT_TRUE(value >= 2 && value < 3);
    EXPECT_EQ(value, sample(sweep, run)[0].value);
    seen.insert(value);
    sum += value;
  }
  EXPECT_EQ(seen.size(), 1000u);
  EXPECT_NEAR(sum / 1000, 2.5, 5 * std::sqrt(1.0 / 12 / 1000));
  Sweep other = sweep;
  other.seed = 2;
  EXPECT_NE(sample(sweep, 0)[0].value, sample(other, 0)[0].value);
}

TEST(Sweep, RefusesWhatCannotBeRun) {
  for (const char* text : {"a", "=1:2", "a=", "a=1:2:1", "a=1:2:3:4", "a=1:x", "a=1,,2", "a=1:2:2.5"}) {
    EXPECT_FALSE(parse_vary(text).has_value()) << text;
  }
  Sweep sweep;
  EXPECT_MENTIONS(check_sweep(sweep).error().message, "nothing varies");
  sweep.parameters = {*parse_vary("a=1,2"), *parse_vary("a=1:2")};
  EXPECT_MENTIONS(check_sweep(sweep).error().message, "varies twice");
  sweep.parameters = {*parse_vary("a=1,2")};
  sweep.samples = 3;
  EXPECT_MENTIONS(check_sweep(sweep).error().message, "nothing is random");
  sweep.parameters = {*parse_vary("a=2:1")};
  EXPECT_MENTIONS(check_sweep(sweep).error().message, "lower number first");
  sweep.parameters = {*parse_vary("a=0:1:100000"), *parse_vary("b=0:1:100000"), *parse_vary("c=0:1:100000")};
  sweep.samples = 1;
  EXPECT_MENTIONS(check_sweep(sweep).error().message, "more than");
}

class SweepFile : public TestFolder {
 protected:
  Result<Sweep> read(const std::string& text) {
    std::ofstream(folder_ / "s.yaml") << text;
    return read_sweep(folder_ / "s.yaml");
  }
};

TEST_F(SweepFile, SaysTheSameAsTheCommandLine) {
  const Result<Sweep> sweep = read(
      "samples: 10\nseed: 3\nvary:\n  bodies.arm.mass: {range: [1, 2]}\n  gravity.2: {values: [-9.81, -1.62]}\n"
      "  a: {range: [0, 1], points: 3}\n  b: {normal: [5, 0.1]}\n");
  ASSERT_TRUE(sweep.has_value()) << to_string(sweep.error());
  EXPECT_EQ(run_count(*sweep), 60);
  EXPECT_EQ(sweep->seed, 3u);
  EXPECT_EQ(sweep->parameters[0].kind, SweepParameter::Kind::kUniform);
  EXPECT_EQ(sweep->parameters[1].values, (std::vector{-9.81, -1.62}));
  EXPECT_EQ(sweep->parameters[2].values, (std::vector{0.0, 0.5, 1.0}));
  EXPECT_EQ(sweep->parameters[3].kind, SweepParameter::Kind::kNormal);
}

TEST_F(SweepFile, MistakesHaveALine) {
  for (const char* text : {"[1]", "vary: 3", "vary:\n  a: 3", "vary:\n  a: {values: []}", "vary:\n  a: {values: [x]}",
                           "x: 1", "vary:\n  a: {range: [1, 2, 3]}", "vary:\n  a: {range: [1, 2], points: 1}",
                           "vary:\n  a: {values: [1], points: 2}", "samples: -1", "samples: 1.5", "seed: x",
                           "vary:\n  a: {range: [1, 2], values: [1]}"}) {
    const Result<Sweep> sweep = read(text);
    ASSERT_FALSE(sweep.has_value()) << text;
    EXPECT_GE(sweep.error().where.line, 1) << text;
  }
}

}  // namespace
}  // namespace espalier::formats

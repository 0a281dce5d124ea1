#include "espalier/record/run_folder.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/files/sealed_file.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/test/run_support.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::record {
namespace {

class RunCheckpoints : public TestFolder {
 protected:
  std::filesystem::path path() const { return folder_ / "checkpoint.bin"; }

  Checkpoint written(const Checkpoint& checkpoint) const {
    EXPECT_TRUE(write_checkpoint(path(), checkpoint).has_value());
    const Result<Checkpoint> read = read_checkpoint(path());
    EXPECT_TRUE(read.has_value()) << to_string(read.error());
    return read ? *read : Checkpoint();
  }
  std::string text() const { return *files::read_text_file(path()); }
  void put(const std::string& bytes) const { ASSERT_TRUE(files::write_text_file(path(), bytes).has_value()); }
};

TEST_F(RunCheckpoints, OfMechanismsGiveBackEveryBit) {
  const dynamics::RunState state = mechanism_state();
  const Checkpoint read = written({1, ~std::uint64_t{0}, state});
  EXPECT_EQ(read.model_hash, 1u);
  EXPECT_EQ(read.plan_hash, ~std::uint64_t{0});
  EXPECT_EQ(kind_of(read.run), RunKind::kMechanism);
  EXPECT_EQ(outputs_of(read.run), state.outputs);
  EXPECT_EQ(time_of(read.run), state.state.time);
  const auto& run = std::get<dynamics::RunState>(read.run);
  EXPECT_EQ(state_hash(run.state), state_hash(state.state));
  EXPECT_TRUE(std::signbit(run.state.q[0]));
  EXPECT_EQ(run.integrator, state.integrator);
  EXPECT_EQ(run.step, state.step);
  EXPECT_EQ(run.exchanged, state.exchanged);
  EXPECT_EQ(run.memory, state.memory);
}

TEST_F(RunCheckpoints, OfScenesGiveBackEveryBit) {
  const contact::RunState state = scene_state();
  const Checkpoint read = written({77, 0, state});
  EXPECT_EQ(read.model_hash, 77u);
  EXPECT_EQ(kind_of(read.run), RunKind::kScene);
  EXPECT_EQ(outputs_of(read.run), state.outputs);
  EXPECT_EQ(time_of(read.run), state.time);
  const auto& run = std::get<contact::RunState>(read.run);
  EXPECT_EQ(state_hash(run), state_hash(state));
  EXPECT_EQ(run.steps, state.steps);
  EXPECT_EQ(run.reactions.front().key, state.reactions.front().key);
}

// Every byte counts: whichever is changed or cut off, the file is refused.
TEST_F(RunCheckpoints, DamagedOnesAreRefused) {
  for (const RunState& state : {RunState(mechanism_state()), RunState(scene_state())}) {
    ASSERT_TRUE(write_checkpoint(path(), {1, 2, state}).has_value());
    const std::string whole = text();
    for (std::size_t k = 0; k < whole.size(); ++k) {
      std::string bad = whole;
      bad[k] = static_cast<char>(bad[k] ^ 1);
      put(bad);
      EXPECT_FALSE(read_checkpoint(path()).has_value()) << k;
      put(whole.substr(0, k));
      EXPECT_FALSE(read_checkpoint(path()).has_value()) << k;
    }
  }
}

TEST_F(RunCheckpoints, SayOfWhatTheyAre) {
  ASSERT_TRUE(write_checkpoint(path(), {1, 2, mechanism_state()}).has_value());
  EXPECT_TRUE(text().starts_with("espalier checkpoint 2 mechanism\n"));
  ASSERT_TRUE(write_checkpoint(path(), {1, 2, scene_state()}).has_value());
  EXPECT_TRUE(text().starts_with("espalier checkpoint 2 scene\n"));
  ASSERT_TRUE(files::write_sealed(path(), {"tune", "a design search"}).has_value());
  EXPECT_MENTIONS(read_checkpoint(path()).error().message, "tune");
}

// The words below the first line are the same since version 1.
TEST_F(RunCheckpoints, OfTheVersionBeforeAreRead) {
  for (const auto& [state, old] : {std::pair<RunState, const char*>{mechanism_state(), "espalier checkpoint 1\n"},
                                   std::pair<RunState, const char*>{scene_state(), "espalier scene checkpoint 1\n"}}) {
    ASSERT_TRUE(write_checkpoint(path(), {5, 6, state}).has_value());
    const std::string now = text();
    std::string before = old + now.substr(now.find('\n') + 1);
    before.resize(before.size() - 8);
    files::put(before, Hash().add(std::string_view(before)).value());
    put(before);
    const Result<Checkpoint> read = read_checkpoint(path());
    ASSERT_TRUE(read.has_value()) << to_string(read.error());
    EXPECT_EQ(read->model_hash, 5u);
    EXPECT_EQ(kind_of(read->run), kind_of(state));
    EXPECT_EQ(outputs_of(read->run), outputs_of(state));
  }
  put("espalier checkpoint 3 mechanism\n" + std::string(100, '\0'));
  EXPECT_MENTIONS(read_checkpoint(path()).error().message, "another folder");
}

}  // namespace
}  // namespace espalier::record

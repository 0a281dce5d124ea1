#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/study/simulation.hpp"

namespace espalier::study {
namespace {

using Runs = EngineUse::Runs;
using Change = std::function<void(SimulateOptions&)>;

constexpr EngineUse kMechanism{Engine::kRecursive, Runs::kOne, 1};
constexpr EngineUse kScene{Engine::kContact, Runs::kOne, 1};
constexpr EngineUse kMechanismContinued{Engine::kRecursive, Runs::kContinued, 1};
constexpr EngineUse kSceneContinued{Engine::kContact, Runs::kContinued, 1};
constexpr EngineUse kSweep{Engine::kRecursive, Runs::kMany, 1};

// The option that is refused; empty: none.
std::string refused(const Change& change, const EngineUse& use) {
  SimulateOptions options;
  change(options);
  const Result<void> checked = check_engine_options(options, use);
  return checked ? "" : checked.error().option;
}

struct Case {
  const char* option;
  Change give;
  std::vector<bool> allowed;  // mechanism, scene, both continued, sweep
};

TEST(CheckEngineOptions, EachOptionIsForSomeUses) {
  const std::vector<Case> cases = {
      {"end_time", [](auto& o) { o.end_time = 2; }, {true, true, true, true, true}},
      {"output_step", [](auto& o) { o.output_step = 0.1; }, {true, true, false, false, true}},
      {"loop_tolerance", [](auto& o) { o.loop_tolerance = 1e-9; }, {true, false, false, false, true}},
      {"threads", [](auto& o) { o.threads = 2; }, {true, false, true, false, true}},
      {"keyframe", [](auto& o) { o.keyframe = "home"; }, {true, false, false, false, true}},
      {"storage", [](auto& o) { o.contact.storage = contact::Storage::kRedundant; }, {false, true, false, true, false}},
      {"order", [](auto& o) { o.contact.order = contact::Order::kRanks; }, {false, true, false, false, false}},
      {"csv", [](auto& o) { o.csv = true; }, {true, true, false, false, true}},
      {"csv", [](auto& o) { o.quantities = "energy"; }, {true, true, false, false, true}},
      {"checkpoint_every", [](auto& o) { o.checkpoint_every = 5; }, {true, true, true, true, false}},
  };
  const std::vector<EngineUse> uses = {kMechanism, kScene, kMechanismContinued, kSceneContinued, kSweep};
  for (const Case& one : cases) {
    for (std::size_t k = 0; k < uses.size(); ++k) {
      EXPECT_EQ(refused(one.give, uses[k]), one.allowed[k] ? "" : one.option) << one.option << " of use " << k;
    }
  }
}

TEST(CheckEngineOptions, SeveralRanksAreForScenesAndSweeps) {
  const auto on_two = [](EngineUse use) {
    use.ranks = 2;
    return refused([](SimulateOptions&) {}, use);
  };
  EXPECT_EQ(on_two(kMechanism), "ranks");
  EXPECT_EQ(on_two(kMechanismContinued), "ranks");
  EXPECT_EQ(on_two(kScene), "");
  EXPECT_EQ(on_two(kSceneContinued), "");
  EXPECT_EQ(on_two(kSweep), "");
}

TEST(CheckEngineOptions, AStepNeedsTheFixedIntegratorOfAMechanism) {
  const auto step = [](SimulateOptions& o) { o.step = 1e-3; };
  EXPECT_EQ(refused(step, kMechanism), "step");
  EXPECT_EQ(refused(step, kSweep), "step");
  EXPECT_EQ(refused(step, kScene), "");
  const auto fixed = [](SimulateOptions& o) {
    o.step = 1e-3;
    o.integrator = dynamics::Integrator::kFixed;
  };
  EXPECT_EQ(refused(fixed, kMechanism), "");
}

TEST(CheckEngineOptions, APlanFromAFileBringsItsTreeAlong) {
  const auto plan = [](SimulateOptions& o) { o.tree.file = "plan.json"; };
  EXPECT_EQ(refused(plan, kMechanism), "");
  EXPECT_EQ(refused(plan, kScene), "plan");
  const auto both = [](SimulateOptions& o) {
    o.tree.file = "plan.json";
    o.tree.root = "arm";
  };
  EXPECT_EQ(refused(both, kMechanism), "plan");
  const auto cut = [](SimulateOptions& o) { o.tree.cut = {"hip"}; };
  EXPECT_EQ(refused(cut, kMechanism), "");
  EXPECT_EQ(refused(cut, kScene), "cut");
  const auto pinned = [](SimulateOptions& o) {
    o.tree.file = "plan.json";
    o.tree.pin = {"hip"};
  };
  EXPECT_EQ(refused(pinned, kMechanism), "plan");
}

TEST(CheckEngineOptions, AllThatIsRefusedIsNamedAtOnce) {
  SimulateOptions options;
  options.contact.storage = contact::Storage::kRedundant;
  options.contact.solver = contact::Solver::kNewton;
  const Result<void> checked = check_engine_options(options, kMechanism);
  ASSERT_FALSE(checked);
  EXPECT_EQ(full_message(checked.error()), "`storage`, `solver` are for scenes with contact; leave them out");
}

TEST(CheckEngineOptions, AContinuedRunSaysWhatMayChange) {
  SimulateOptions options;
  options.tolerance = 1e-3;
  const Result<void> checked = check_engine_options(options, kMechanismContinued);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "`tolerance` cannot change: a run continues with the options of the run that began it");
  EXPECT_EQ(checked.error().hint, "only `end_time`, `threads`, `checkpoint_every` can");
}

TEST(CheckEngineOptions, SweepsAreNotMadeWithContact) {
  EXPECT_EQ(refused([](SimulateOptions&) {}, {Engine::kContact, Runs::kMany, 1}), "engine");
}

}  // namespace
}  // namespace espalier::study

// What each engine can do with each option: one table, and one function that refuses by it.

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/text.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::study {
namespace {

using Runs = EngineUse::Runs;

// Where an option is of use.
// A bit each, so that a row of the table names all of its places; continued is begun, two bits higher.
enum Use : unsigned {
  kMechanism = 1,           // a run of the recursive engine
  kScene = 2,               // a run of the contact engine
  kMechanismContinued = 4,  // the same, continued
  kSceneContinued = 8,
  kSweep = 16,  // many runs of the recursive engine
};
constexpr unsigned kRun = kMechanism | kScene;
constexpr unsigned kContinued = kMechanismContinued | kSceneContinued;

// A row says nothing of values: those are checked by check_numbers() and check_bounds().
struct Rule {
  const char* option;
  bool given;
  unsigned uses;
  const char* not_for_contact = "";  // why, where the contact engine cannot
};

std::vector<Rule> rules(const SimulateOptions& options, int ranks) {
  const bool tree = !options.tree.file.empty();
  return {
      // This order is the one in which refused options are named.
      {"end_time", options.end_time.has_value(), kRun | kContinued | kSweep},
      {"output_step", options.output_step.has_value(), kRun | kSweep},
      {"tolerance", options.tolerance.has_value(), kRun | kSweep},
      {"step", options.step.has_value(), kRun | kSweep},
      {"loop_tolerance", options.loop_tolerance.has_value(), kMechanism | kSweep,
       "its joints are rows like contacts, which `tolerance` is for"},
      {"integrator", options.integrator.has_value(), kMechanism | kSweep, "it has one, with steps of `step`"},
      {"threads", options.threads.has_value(), kMechanism | kMechanismContinued | kSweep,
       "it spreads the work with `ranks`"},
      {"keyframe", !options.keyframe.empty(), kMechanism | kSweep, "bodies start where they are drawn"},
      {"plan", tree, kMechanism | kSweep, "it needs no plan"},
      {"objective", options.tree.objective.has_value(), kMechanism | kSweep, "it needs no plan"},
      {"beta", options.tree.beta.has_value(), kMechanism | kSweep, "it needs no plan"},
      {"root", options.tree.root != TreeOptions().root, kMechanism | kSweep, "it needs no plan"},
      {"pin", !options.tree.pin.empty(), kMechanism | kSweep, "it needs no plan"},
      {"cut", !options.tree.cut.empty(), kMechanism | kSweep, "it needs no plan"},
      // Where the work is done may change when a run is continued; what decides its bits may not.
      {"storage", options.contact.storage.has_value(), kScene | kSceneContinued},
      {"bisection", options.contact.bisection.has_value(), kScene | kSceneContinued},
      {"weights", options.contact.weighing || options.contact.weight_factor, kScene | kSceneContinued},
      {"imbalance", options.contact.imbalance.has_value(), kScene | kSceneContinued},
      {"balance_every", options.contact.balance_every.has_value(), kScene | kSceneContinued},
      {"solver", options.contact.solver.has_value(), kScene},
      {"order", options.contact.order.has_value(), kScene},
      {"correction", options.contact.correction.has_value(), kScene},
      {"max_sweeps", options.contact.max_sweeps.has_value(), kScene},
      {"csv", options.csv || !options.quantities.empty(), kRun | kSweep},
      {"checkpoint_every", options.checkpoint_every.has_value(), kRun | kContinued},
      {"ranks", ranks > 1, kScene | kSceneContinued | kSweep},
  };
}

Use use_of(const EngineUse& use) {
  // Before the engine is looked at: a sweep with contact has been refused.
  if (use.runs == Runs::kMany) return kSweep;
  const bool scene = use.engine == Engine::kContact;
  if (use.runs == Runs::kContinued) return scene ? kSceneContinued : kMechanismContinued;
  return scene ? kScene : kMechanism;
}

std::string names_of(const std::vector<std::string>& names) { return fmt::format("`{}`", fmt::join(names, "`, `")); }
std::string are(std::size_t count) { return count == 1 ? "is" : "are"; }
std::string leave_out(std::size_t count) { return count == 1 ? "leave it out" : "leave them out"; }

// Why options that do something elsewhere do nothing here.
Error refusal(const std::vector<std::string>& refused, const Rule& first, const std::vector<Rule>& all, Use here) {
  Error error{ErrorCode::kOption, {}, {}, first.option, leave_out(refused.size())};
  // here >> 2 is the place of the same engine where a run begins (see Use).
  const std::string names = names_of(refused);
  // The most particular reason first: single runs, continued runs, the engine, ranks, and what only scenes have.
  if (here == kSweep && (first.uses & kMechanism) != 0) {
    error.message = fmt::format("{} {} for a single run", names, are(refused.size()));
  } else if (((here & kContinued) != 0) && (first.uses & (here >> 2)) != 0) {
    // The few that may change are listed, since whoever tries one is about to try the next.
    std::vector<std::string> allowed;
    for (const Rule& rule : all) {
      if ((rule.uses & here) != 0) allowed.push_back(rule.option);
    }
    error.message = fmt::format("{} cannot change: a run continues with the options of the run that began it", names);
    error.hint = fmt::format("only {} can", names_of(allowed));
  } else if ((here & (kScene | kSceneContinued)) != 0) {
    error.message = fmt::format("`{}` is not for the contact engine: {}", first.option, first.not_for_contact);
    error.hint = leave_out(1);
  } else if (std::string_view(first.option) == "ranks") {
    error.message = "`ranks` are for scenes with contact and for sweeps: one process moves a mechanism";
    error.hint = "`threads` share its evaluations";
  } else {
    error.message = fmt::format("{} {} for scenes with contact", names, are(refused.size()));
  }
  return error;
}

// What contradicts itself, whatever the engine.
// A plan from a file has its root and its cost; another one beside it would be ignored in silence.
Result<void> check_tree(const TreeOptions& tree) {
  const bool asks = tree.objective || tree.beta || tree.root != TreeOptions().root;
  const bool fixes = !tree.pin.empty() || !tree.cut.empty();
  if (tree.file.empty() || !(asks || fixes)) return {};
  return make_option_error("plan", "`plan` brings its tree along",
                           fixes && !asks ? "leave `pin` and `cut` out, or give them where the plan is made"
                                          : "leave `objective`, `beta` and `root` out");
}

}  // namespace

// (1) Options that do nothing here, by the table; (2) those that depend on each other.
Result<void> check_engine_options(const SimulateOptions& options, const EngineUse& use) {
  if (use.runs == Runs::kMany && use.engine == Engine::kContact) {
    return make_option_error("engine", "many runs are not made with contact yet",
                             "`engine` recursive moves the bodies through each other");
  }
  // (1) The table is made for these options: each row knows whether its option was given.
  const std::vector<Rule> all = rules(options, use.ranks);
  const Use here = use_of(use);
  std::vector<std::string> refused;
  const Rule* first = nullptr;
  for (const Rule& rule : all) {
    if (!rule.given || (rule.uses & here) != 0) continue;
    // All that is refused is named at once, with the reason of the first.
    if (first == nullptr) first = &rule;
    refused.push_back(rule.option);
  }
  if (first != nullptr) return tl::unexpected(refusal(refused, *first, all, here));
  // (2) Refused and not ignored: a step that has no effect looks like one that has none on the result.
  const bool fixed = options.integrator == dynamics::Integrator::kFixed;
  if (options.step && !fixed && (here == kMechanism || here == kSweep)) {
    return make_option_error("step", "`step` is for `integrator` fixed",
                             "the others choose their steps by `tolerance`");
  }
  return check_tree(options.tree);
}

}  // namespace espalier::study

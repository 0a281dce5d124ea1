#pragma once

// The verb `plan`: the tree on which a mechanism is computed at the lowest cost, and what is to be known about it.
//   In:   LoadedModel (load.hpp), or a file that may hold a plain graph instead
//   Out:  PlanAnswer: the plan with its proof; where asked for, each step of its search or all methods side by side
// Read next: plan/plan.hpp, what a plan is; plan/explain.hpp, why a joint is cut; documents.hpp for its JSON.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/explain.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/plan/schedule.hpp"
#include "espalier/plan/trace.hpp"
#include "espalier/plan/trees.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

// Where weights and lengths of edges come from; plan/network.hpp says what each is.
enum class EdgeWeights { kAuto, kFile, kLiu, kWang, kMeasured };

// Who asks for kAuto leaves the word out.
constexpr Words<EdgeWeights, 4> words(EdgeWeights) {
  return {{{"file", EdgeWeights::kFile},
           {"liu", EdgeWeights::kLiu},
           {"wang", EdgeWeights::kWang},
           {"measured", EdgeWeights::kMeasured}}};
}

// plan::PlanOptions with the names of bodies and joints.
struct PlanningOptions {
  plan::Objective objective = plan::Objective::kMccst;  // What is to be small. Most others need a limit below.
  plan::Method method = plan::Method::kAuto;            // How the tree is sought; kAuto proves what it can.
  double beta = 1;                           // [-] Worth of a unit of weight in units of length: more, a lighter tree.
  std::optional<double> max_length = {};     // [-] Trees with a longer critical branch are none (kBcbmwst, kBcbbwst).
  std::optional<double> max_weight = {};     // [-] Heavier trees are none (kBwscbst, kBcbbwst).
  EdgeWeights weights = EdgeWeights::kAuto;  // kAuto: kLiu for a mechanism, kFile for a plain graph.
  std::string root = {};                   // Body that the tree hangs on; empty: the ground, or the best where none is.
  bool free_root = false;                  // True leaves the ground as root even where there is one.
  std::vector<std::string> pin = {};       // Joints never to cut.
  std::vector<std::string> cut = {};       // Joints always to cut.
  std::vector<std::string> cut_body = {};  // Joints that stay although their loop is opened: a body is cut instead.
  std::string keyframe = {};  // Loops are tried to close from this pose of the model; empty: from the drawn one.
  std::optional<plan::Start> start = {};  // Where the method kExchange begins; it is taken if this is given.
  std::optional<plan::Sweep> sweep = {};  // In which order kExchange visits vertices; it is taken if this is given.
  double exponent = 2.5;                  // [-] Cost of solving N equations as N^exponent, between 2 and 3.
  double time_limit = 0;                  // [s] Then the best tree so far; 0: none, and the same plan on every machine.
  std::uint64_t seed = 1;                 // Another number, another search (kSearch).
  std::optional<int> workers = {};        // [-] Of the schedule, 4 if not given, and of kTime's cost, 1 if not given.
  std::string machine = {};               // File of constants for kTime and kMeasured; empty: built in.
  bool front = false;                     // True finds every best pair of critical branch and weight as well.
  bool explain = false;                   // True puts into the document why each joint is cut.
  bool matrices = false;                  // True adds incidence, path and adjacency matrices to the document.
  bool trace = false;                     // True keeps each step of kA2, kA3 or kExchange.
  bool compare = false;                   // True solves the problem by every method.
  bool all_trees = false;                 // True lists every tree with its cost, at most plan::kMostListed of them.
  std::function<void(const plan::Progress&)> watch = {};  // Told now and then where branch and bound stands.
};

// A plain value.
struct PlanAnswer {
  std::string file;
  std::string name;  // of the model, or its file
  int bodies = 0;    // of the model, without the ground; 0 for a plain graph
  ReaderNotes reader;
  plan::Plan plan;
  plan::PlanOptions options;  // as resolved: names are edges and vertices of plan.network
  std::string machine;        // the file of its constants; empty: they are built in, or not asked for
  bool measured = false;      // whether edges are as long as that machine takes for them
  int workers = 4;            // of the schedule
  std::string open;           // why the loops cannot close; empty: they can, or it is not known
  bool explain = false;       // as asked
  bool matrices = false;      // as asked
  std::optional<plan::ExchangeTrace> trace;
  std::optional<plan::Comparison> comparison;
  std::optional<graph::TreeCount> trees;  // to choose from, given what `options` fix; no value: too many to count
  std::optional<std::vector<plan::ListedTree>> all_trees;  // as asked, the cheapest first
  std::optional<plan::Bracket> bracket;                    // of kMccst, where it is known
  std::optional<plan::PredictionSpread> spread;            // of the constants for kTime, where their file tells it
};

// Errors: options that contradict each other, unknown names, a model whose reader left out what changes the tree.
Result<PlanAnswer> plan(const LoadedModel& loaded, const PlanningOptions& options = {});
// The same for a file that is a model or a plain graph (record/plan_file.hpp). A slip in the options shows before the
// file is read.
Result<PlanAnswer> plan_file(const std::filesystem::path& file, const LoadOptions& load_options = {},
                             const PlanningOptions& options = {});

// The plan that a run is made on: as plan() has it, but with the joints in the tree that must or should stay there
// (dynamics::options_for_run). All doors and `simulate` take this one.
Result<plan::Plan> plan_for_run(const model::Model& model, const plan::Mechanism& mechanism,
                                const PlanningOptions& options = {});

// What plan_for_run() makes its plan with: edges and vertices of the network, and the joints that a run keeps.
Result<plan::PlanOptions> options_for_run(const model::Model& model, const plan::Mechanism& mechanism,
                                          const PlanningOptions& options = {});

// What the options fix of a plan, so that its optimum is one under a condition: " given your cut and your root", or
// nothing.
std::string given_text(const plan::PlanOptions& options);

}  // namespace espalier::study

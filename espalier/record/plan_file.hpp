#pragma once

// Files about plans: plain graphs in and out, the constants of a machine in and out, plans out and in.
//   In:   plan::Network, plan::MachineConstants, plan::Plan, or the text of a file of each
//   Out:  the text of the file, or the value; an error with the file and the way out
// Read next: docs/file-formats.md, the keys.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/model/spec.hpp"
#include "espalier/plan/explain.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/options.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/plan/schedule.hpp"
#include "espalier/plan/trace.hpp"
#include "espalier/plan/trees.hpp"

namespace espalier::record {

// Plain graphs as JSON: {"vertices": 20, "edges": [[u, v, weight], [u, v, weight, length], ...]}
//   Vertices are numbered from 1. An edge without a length is as long as it is heavy.
//   `joints`, where it holds one of the letters R T U C S an edge, gives their coordinates [Liu99] Table 1.
//   All other keys are skipped, whatever they hold.

// Reads a plain graph in two passes over the text: 10^6 edges take tenths of a second, and nothing is kept but
// the network. `name` stands for the file in messages. The graph may have parallel edges but no self loops, and enough
// edges to be connected; whether it is connected is not looked at.
Result<plan::Network> read_graph_text(std::string_view text, const std::string& name);
Result<plan::Network> read_graph(const std::filesystem::path& path);

// The network as such a file. Lengths are written where they are not the weights; names and joints are left out.
std::string graph_text(const plan::Network& network);

// The measured constants of a machine as a JSON file; docs/file-formats.md lists its keys.

// `spread`: how well the constants predict what they were fitted to, where that is known.
std::string machine_json(const plan::MachineConstants& machine,
                         const std::optional<plan::PredictionSpread>& spread = std::nullopt);

// All keys must be there, each a number that is not negative. `name` is for messages.
Result<plan::MachineConstants> read_machine_text(const std::string& text, const std::string& name);
Result<plan::MachineConstants> read_machine(const std::string& path);
// The spread of a file that can be read as constants; no value where it does not tell.
std::optional<plan::PredictionSpread> read_machine_spread_text(const std::string& text);
std::optional<plan::PredictionSpread> read_machine_spread(const std::string& path);

// Where the constants of this machine are kept: espalier/machine.json in $XDG_CONFIG_HOME or ~/.config. Empty where
// neither is known.
std::string machine_place();
// The same where there is such a file, so that this machine was measured; else empty.
std::string measured_machine();

// What a plan's JSON document holds besides the plan itself.
struct PlanDocument {
  std::string file;                              // the model it was made for
  int workers = 4;                               // of the schedule
  bool matrices = false;                         // incidence, path and adjacency matrices and the edge array
  const plan::PlanOptions* explained = nullptr;  // what the plan was made with, to explain each cut; null: no word
  const plan::PlanOptions* reasons = nullptr;    // the same, for one reason per cut joint
  const plan::ExchangeTrace* trace = nullptr;
  const plan::Comparison* comparison = nullptr;
  std::string machine;                              // --objective time: the file of its constants; empty: built in
  int time_workers = 1;                             // --objective time
  const std::vector<model::Note>* notes = nullptr;  // of the model's reader
  std::vector<std::string> accepted = {};           // words of notes that change the plan
  std::string given = {};                           // what the user decided: " given your cuts", or nothing
  std::string open = {};                            // why the loops cannot close, or nothing
  // How many trees there are: null, nobody counted; without a value, too many to count.
  const std::optional<graph::TreeCount>* trees = nullptr;
  const std::vector<plan::ListedTree>* all_trees = nullptr;
  const std::optional<plan::Bracket>* bracket = nullptr;  // null: not asked for; without a value, not known
  // --objective time: how well its constants predict; null: no word, without a value: not known.
  const std::optional<plan::PredictionSpread>* spread = nullptr;
};

// Plans: docs/formats/plan.md lists the fields. Names stand for bodies and joints; `pr` and `cut_array` are numbers,
// counted from 1 [Wang97]. Errors: matrices too large to be written.
Result<std::string> plan_json(const plan::Plan& plan, const PlanDocument& document);

// "it is the heaviest of its loop" by the name of a joint: why the plan in a document, or that in a run.json, cuts it.
// Empty where the document does not tell.
std::map<std::string, std::string> read_cut_reasons(std::string_view text);

// The plan that plan_json() wrote, for the network it was made for; or the `plan` of a run.json. Root, tree, cut joints
// and cut bodies are read and checked, all else is computed anew; bound and proof are kept where the cost is still the
// one they speak of. Errors: joints or bodies that are not there or not named, no spanning tree.
Result<plan::Plan> read_plan(const std::filesystem::path& path, const plan::Network& network);
Result<plan::Plan> read_plan_text(std::string_view text, const std::string& name, const plan::Network& network);

}  // namespace espalier::record

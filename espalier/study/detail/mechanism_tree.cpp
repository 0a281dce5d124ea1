#include "espalier/study/detail/mechanism_tree.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/record/plan_file.hpp"
#include "espalier/study/plan.hpp"

namespace espalier::study::detail {
namespace {

// A run is evaluated a million times and more, so that its tree is chosen by time; `plan` proves the cost of a paper.
constexpr plan::Objective kObjectiveOfRuns = plan::Objective::kTime;
constexpr std::size_t kMostToCompare = 300;  // joints: the second plan takes a tenth of a second
constexpr std::size_t kFew = 6;              // joints named

PlanningOptions planning_options(const TreeOptions& options) {
  PlanningOptions wanted;
  wanted.objective = options.objective.value_or(kObjectiveOfRuns);
  wanted.beta = options.beta.value_or(wanted.beta);
  // A word in place of a name: no body called `free` can be asked for as root of a run.
  wanted.free_root = options.root == "free";
  if (!wanted.free_root && options.root != TreeOptions().root) wanted.root = options.root;
  wanted.pin = options.pin;
  wanted.cut = options.cut;
  wanted.machine = options.machine;
  return wanted;
}

std::string names_of(const plan::Network& network, const std::vector<int>& edges) {
  std::vector<std::string> names;
  // A note that names hundreds of joints is not read.
  for (std::size_t k = 0; k < std::min(edges.size(), kFew); ++k) names.push_back(plan::edge_name(network, edges[k]));
  return fmt::format("{}{}", fmt::join(names, ", "),
                     edges.size() > kFew ? fmt::format(" and {} more", edges.size() - kFew) : "");
}

// "a run takes the objective time, a plan mccst, and A stays in the tree for laws that need a coordinate".
// Only what differs from the defaults of `plan` is a reason; nothing means that both ask for the same tree.
std::string reasons(const TreeOptions& options, const plan::Plan& used, const std::vector<int>& kept) {
  const plan::PlanOptions usual;
  std::vector<std::string> all;
  const plan::Objective objective = options.objective.value_or(kObjectiveOfRuns);
  // Compared by value: an objective that was given but is the usual one explains nothing.
  if (objective != usual.objective) {
    all.push_back(fmt::format("a run takes the objective {}, a plan {}", plan::to_string(objective),
                              plan::to_string(usual.objective)));
  }
  if (options.beta && *options.beta != usual.beta) all.push_back(fmt::format("beta is {}", *options.beta));
  if (options.root != TreeOptions().root) all.push_back("a root was given");
  if (!options.pin.empty() || !options.cut.empty()) all.push_back("joints were given to cut or to keep");
  if (!kept.empty()) {
    all.push_back(fmt::format("{} {} in the tree for laws that need a coordinate or links without mass",
                              names_of(used.network, kept), kept.size() == 1 ? "stays" : "stay"));
  }
  // A body is cut only after the tree was chosen, so that it can be the one difference.
  if (!used.half_bodies.empty()) all.push_back("a body is cut where a joint must keep its coordinate");
  return fmt::format("{}", fmt::join(all, ", and "));
}

}  // namespace

Result<plan::Plan> choose_plan(const LoadedModel& loaded, const plan::Mechanism& mechanism,
                               const TreeOptions& options) {
  // Weighed as plans are by default: the cost is computed again, and a proof is kept where it comes out the same.
  if (options.file.empty()) return plan_for_run(loaded.model, mechanism, planning_options(options));
  return record::read_plan(options.file, plan::make_network(loaded.model, mechanism, plan::Weights::kLiu));
}

std::optional<plan::PlanOptions> chosen_with(const LoadedModel& loaded, const plan::Mechanism& mechanism,
                                             const TreeOptions& options) {
  if (!options.file.empty()) return std::nullopt;
  Result<plan::PlanOptions> made = options_for_run(loaded.model, mechanism, planning_options(options));
  return made ? std::optional(*std::move(made)) : std::nullopt;
}

std::string tree_difference(const TreeOptions& options, const LoadedModel& loaded, const plan::Mechanism& mechanism,
                            const plan::Plan& used, const std::vector<int>& kept) {
  // A tree from a file needs no explanation, and without a cut there is no other tree.
  if (!options.file.empty() || used.cut.empty()) return "";
  const std::string why = reasons(options, used, kept);
  if (why.empty()) return "";
  // A second plan would take longer than what it explains is worth; that the trees may differ is said all the same.
  if (mechanism.joints.size() > kMostToCompare) {
    return fmt::format("The tree need not be the one `espalier plan` prints: {}.", why);
  }
  const Result<plan::Plan> printed =
      plan::make_plan(plan::make_network(loaded.model, mechanism, plan::Weights::kLiu), plan::PlanOptions());
  // Different questions often have the same answer, and then there is nothing to explain.
  if (!printed || (printed->cut == used.cut && printed->tree.root == used.tree.root)) return "";
  return fmt::format("The tree is not the one `espalier plan` prints (root {}, cut {}): {}.",
                     plan::vertex_name(printed->network, printed->tree.root), names_of(printed->network, printed->cut),
                     why);
}

}  // namespace espalier::study::detail

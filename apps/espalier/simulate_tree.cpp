#include "apps/espalier/simulate_tree.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace espalier::app {
namespace {

constexpr std::size_t kMostToCompare = 300;  // joints: the second plan takes a tenth of a second
constexpr std::size_t kFew = 6;              // joints named

std::string names_of(const plan::Network& network, const std::vector<int>& edges) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(edges.size(), kFew); ++k) names.push_back(plan::edge_name(network, edges[k]));
  return fmt::format("{}{}", fmt::join(names, ", "),
                     edges.size() > kFew ? fmt::format(" and {} more", edges.size() - kFew) : "");
}

// "a run takes --objective time, plan mccst, and A keeps its coordinate for its laws".
std::string reasons(const SimulateCommand& command, const plan::Plan& used, const std::vector<int>& kept) {
  std::vector<std::string> all;
  const std::string objective = PlanCommand().objective;
  if (command.objective != objective) {
    all.push_back(fmt::format("a run takes --objective {}, a plan {}", command.objective, objective));
  }
  if (command.beta && *command.beta != PlanCommand().beta) all.push_back(fmt::format("--beta is {}", *command.beta));
  if (command.root != PlanCommand().root) all.push_back("--root was given");
  if (!kept.empty()) {
    all.push_back(fmt::format("{} {} in the tree for laws that need a coordinate or links without mass",
                              names_of(used.network, kept), kept.size() == 1 ? "stays" : "stay"));
  }
  if (!used.half_bodies.empty()) all.push_back("a body is cut where a joint must keep its coordinate");
  return fmt::format("{}", fmt::join(all, ", and "));
}

}  // namespace

std::string tree_difference(const SimulateCommand& command, const model::Model& model, const plan::Mechanism& mechanism,
                            const plan::Plan& used, const std::vector<int>& kept) {
  if (!command.plan.empty() || used.cut.empty()) return "";
  const std::string why = reasons(command, used, kept);
  if (why.empty()) return "";
  if (mechanism.joints.size() > kMostToCompare) {
    return fmt::format("The tree need not be the one `espalier plan` prints: {}.", why);
  }
  const Result<plan::Plan> printed = plan::make_plan(plan::make_network(model, mechanism, plan::Weights::kLiu));
  if (!printed || (printed->cut == used.cut && printed->tree.root == used.tree.root)) return "";
  return fmt::format("The tree is not the one `espalier plan` prints (root {}, cut {}): {}.",
                     plan::vertex_name(printed->network, printed->tree.root), names_of(printed->network, printed->cut),
                     why);
}

}  // namespace espalier::app

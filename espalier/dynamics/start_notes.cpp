#include "espalier/dynamics/start.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/redundancy.hpp"

namespace espalier::dynamics {
namespace {

using model::Finding;

constexpr std::size_t kMostNames = 4;
// Of the elimination: what a run is worth before it begins. `check` goes on for longer.
constexpr std::size_t kMostEntries = 2'000'000;

// "'a', 'b' and 3 more".
std::string some_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kMostNames); ++k)
    text += (k > 0 ? ", " : "") + in_quotes(names[k]);
  return names.size() > kMostNames ? fmt::format("{} and {} more", text, names.size() - kMostNames) : text;
}

bool holds(const model::Joint& joint) {
  const auto acts = [](double value) { return value != 0; };
  const model::JointSpec& spec = joint.spec;
  return joint.type != model::JointType::kFree || std::any_of(spec.stiffness.begin(), spec.stiffness.end(), acts) ||
         std::any_of(spec.damping.begin(), spec.damping.end(), acts);
}

// Which bodies are held together by joints, springs and bushings.
DisjointSets held_together(const model::Model& model) {
  DisjointSets pieces(model.bodies.size());
  const auto join = [&](model::BodyId a, model::BodyId b) {
    pieces.join(static_cast<int>(a.index()), static_cast<int>(b.index()));
  };
  for (const model::Joint& joint : model.joints) {
    if (holds(joint)) join(joint.a, joint.b);
  }
  for (const model::Force& force : model.forces) {
    if (const auto* spring = std::get_if<model::Spring>(&force.law)) join(spring->a, spring->b);
    if (const auto* bushing = std::get_if<model::Bushing>(&force.law)) join(bushing->a, bushing->b);
  }
  return pieces;
}

// A robot that was meant to stand: its file does not say that it does.
void find_floating(const System& system, std::vector<Finding>& notes) {
  // Without weight floating is no fall.
  if (system->gravity.isZero(0)) return;
  const model::Model& model = system->model;
  // The lowest body of a piece stands for it; that of the ground's piece is the ground.
  DisjointSets pieces = held_together(model);
  std::vector<std::string> names;
  Where first;
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    if (pieces.find(static_cast<int>(b)) != static_cast<int>(b)) continue;
    if (names.empty()) first = model.bodies[b].where;
    names.push_back(model.bodies[b].name);
  }
  if (names.empty()) return;
  notes.push_back({"floating",
                   fmt::format("nothing holds {} to the ground: {} freely", some_names(names),
                               names.size() == 1 ? "it falls" : "they fall"),
                   first});
}

void find_massless(const model::Model& model, std::vector<Finding>& notes) {
  const std::vector<int> group = model::weld_groups(model);
  std::vector<double> mass(model.bodies.size(), 0.0);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) mass[group[b]] += model.bodies[b].inertia.mass;
  std::vector<std::string> names;
  Where first;
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    if (group[b] != static_cast<int>(b) || mass[b] > 0) continue;
    if (names.empty()) first = model.bodies[b].where;
    names.push_back(model.bodies[b].name);
  }
  if (names.empty()) return;
  notes.push_back({"massless",
                   fmt::format("{} without mass, so {} moved by what {} joined to alone: {}",
                               counted(names.size(), "body is", "bodies are"), names.size() == 1 ? "it is" : "they are",
                               names.size() == 1 ? "it is" : "they are", some_names(names)),
                   first});
}

void find_constraint_notes(const System& system, double time, std::span<const double> q, std::vector<Finding>& notes) {
  // A tree is neither singular nor locked.
  if (system->closures.empty() && system->velocity_size > 0) return;
  RedundancyOptions options;
  options.remedies = false;
  options.most_entries = kMostEntries;
  const ConstraintReport found = analyse_constraints(system, time, q, options);
  // Given up for its size: nothing is said rather than something half true.
  if (!found.complete) return;
  // Beside a singular pose there are more equations than in it.
  if (found.rank_here < found.rank) {
    notes.push_back(
        {"singular",
         fmt::format("the start is a singular pose: {} of the loops {} nothing there, and the mechanism may "
                     "leave it in more ways than one; a start beside it decides",
                     counted(to_index(found.rank - found.rank_here), "equation"),
                     found.rank - found.rank_here == 1 ? "holds" : "hold"),
         {}});
  }
  if (found.freedom == 0) {
    notes.push_back({"locked", "nothing can move: the loops leave no degree of freedom", {}});
  }
}

}  // namespace

std::vector<Finding> start_notes(const System& system, double time, std::span<const double> q) {
  std::vector<Finding> notes;
  find_floating(system, notes);
  find_massless(system->model, notes);
  for (Finding& finding : model::lint(system->model)) {
    // Of the drawing's doubts those that change a motion; `check` tells the others.
    if (finding.kind == "mass" || finding.kind == "inertia") notes.push_back(std::move(finding));
  }
  find_constraint_notes(system, time, q, notes);
  return notes;
}

}  // namespace espalier::dynamics

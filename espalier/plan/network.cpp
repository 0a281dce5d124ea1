#include "espalier/plan/network.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/model/model.hpp"

namespace espalier::plan {
namespace {

using model::JointType;

// [Wang97] Table 1; the types it does not list follow its rule: rotation costs 0.1 more than sliding, and three
// coordinates are three.
double wang_weight(JointType type) {
  switch (type) {
    case JointType::kPrismatic:
      return 1.0;
    case JointType::kRevolute:
    case JointType::kScrew:
      return 1.1;
    case JointType::kCylindrical:
      return 2.0;
    case JointType::kUniversal:
      return 2.1;
    case JointType::kSpherical:
    case JointType::kPlanar:
      return 3.0;
    case JointType::kFree:
      return 6.0;
    case JointType::kFixed:
      break;
  }
  return 0;
}

// Small enough that a joint passes no other type by it, large enough to decide between joints of its own.
constexpr double kWangAdjustment = 0.05;

// Driven is what an actuator, a prescribed motion or a load acts on: [Wang97] wants these in the tree.
std::vector<char> find_driven_joints(const model::Model& model) {
  std::vector<char> driven(model.joints.size(), 0);
  for (std::size_t j = 0; j < model.joints.size(); ++j) driven[j] = model.joints[j].spec.actuated ? 1 : 0;
  const model::Laws laws = model::resolve_laws(model);
  for (std::size_t j = 0; j < driven.size(); ++j) {
    if (laws.joints[j].effort >= 0 || !laws.joints[j].motions.empty()) driven[j] = 1;
  }
  return driven;
}

// "; did you mean 'rocker'?", or where nothing is near "; there are 'crank', 'coupler' and 4 more".
std::string nearest_or_first(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 8;
  if (const std::string near = did_you_mean(name, names); !near.empty()) return near;
  std::vector<std::string> first;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) first.push_back(in_quotes(names[i]));
  std::string text = fmt::format("; there {} {}", names.size() == 1 ? "is only" : "are", fmt::join(first, ", "));
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

// A name of ours, or a number in the numbering of a plain graph.
Result<int> find_name(const std::vector<std::string>& names, int size, const std::string& prefix, const char* what,
                      const std::string& name) {
  if (!names.empty()) {
    // Names of joints and bodies are unique in a model.
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    return make_error(ErrorCode::kName, {},
                      fmt::format("no {} is called {}{}", what, in_quotes(name), nearest_or_first(name, names)));
  }
  int number = 0;
  const char* end = name.data() + name.size();
  // Numbers count from 1, as the papers and our files do.
  if (name.starts_with(prefix)) {
    const auto parsed = std::from_chars(name.data() + prefix.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number >= 1 && number <= size) return number - 1;
  }
  const std::string known =
      size == 0 ? "there is none" : fmt::format("they are called {}1 to {}{}", prefix, prefix, size);
  return make_error(ErrorCode::kName, {}, fmt::format("no {} is called {}; {}", what, in_quotes(name), known));
}

// A list that has one entry for each edge or vertex, or none at all.
struct ListSize {
  std::size_t entries;
  std::size_t expected;
  const char* what;
  const char* each;
};

// A network may be made by hand, in code or in a file; all that follows indexes these lists by edge or vertex.
Result<void> check_sizes(const Network& network) {
  const std::size_t edges = network.graph.edges.size();
  const auto vertices = to_index(network.graph.vertices);
  if (network.weight.size() != edges || network.length.size() != edges) {
    return make_error(ErrorCode::kValue, {},
                      fmt::format("{} edges, but {} weights and {} lengths: there must be one of each per edge", edges,
                                  network.weight.size(), network.length.size()));
  }
  for (const auto& [entries, expected, what, each] :
       {ListSize{network.freedom.size(), edges, "degrees of freedom", "edges"},
        ListSize{network.edge_names.size(), edges, "names", "edges"},
        ListSize{network.vertex_names.size(), vertices, "names", "vertices"}}) {
    if (entries == 0 || entries == expected) continue;
    return make_error(ErrorCode::kValue, {},
                      fmt::format("{} {} for {} {}: give one of each, or none", entries, what, expected, each));
  }
  if (network.ground < -1 || network.ground >= network.graph.vertices) {
    return make_error(ErrorCode::kTopology, {},
                      fmt::format("the ground is vertex number {}; there are {}", network.ground, vertices));
  }
  return {};
}

}  // namespace

std::string vertex_name(const Network& network, int vertex) {
  return network.vertex_names.empty() ? std::to_string(vertex + 1) : network.vertex_names[vertex];
}

std::string edge_name(const Network& network, int edge) {
  return network.edge_names.empty() ? fmt::format("e{}", edge + 1) : network.edge_names[edge];
}

Result<int> find_vertex(const Network& network, const std::string& name) {
  const bool plain = network.freedom.empty();
  return find_name(network.vertex_names, network.graph.vertices, "", plain ? "vertex" : "body", name);
}

Result<int> find_edge(const Network& network, const std::string& name) {
  const bool plain = network.freedom.empty();
  return find_name(network.edge_names, static_cast<int>(network.graph.edges.size()), "e", plain ? "edge" : "joint",
                   name);
}

Network make_network(const model::Model& model, const Mechanism& mechanism, Weights weights) {
  Network network;
  network.graph = mechanism.graph;
  // Body 0 is the ground, and a group is numbered by its first body.
  network.ground = 0;
  for (const std::vector<model::BodyId>& group : mechanism.bodies)
    network.vertex_names.push_back(model.body(group.front()).name);
  const std::vector<char> driven = find_driven_joints(model);
  for (const model::JointId id : mechanism.joints) {
    const model::Joint& joint = model.joint(id);
    const int f = model::joint_kind(joint.type).freedom;
    network.edge_names.push_back(joint.name);
    network.freedom.push_back(f);
    network.axes.push_back(joint_axis(model, joint));
    // [Liu99] Table 1: both are the number of coordinates.
    double weight = f;
    if (weights == Weights::kWang) {
      weight = wang_weight(joint.type);
      if (driven[id.index()]) weight -= kWangAdjustment;
      if (joint.spec.reaction_wanted) weight += kWangAdjustment;
    }
    double length = weights == Weights::kMeasured ? step_length(f) : weight;
    if (weights == Weights::kFile) {
      weight = joint.spec.weight.value_or(weight);
      length = joint.spec.length.value_or(length);
    }
    network.weight.push_back(weight);
    network.length.push_back(length);
  }
  return network;
}

void measure_lengths(const MachineConstants& machine, Network& network) {
  for (std::size_t e = 0; e < network.length.size(); ++e) network.length[e] = step_length(network.freedom[e], machine);
}

Result<void> check_network(const Network& network) {
  if (network.graph.vertices < 1) return make_error(ErrorCode::kTopology, {}, "a graph needs at least one vertex");
  const Result<void> sizes = check_sizes(network);
  ESPALIER_TRY(sizes);
  for (std::size_t e = 0; e < network.graph.edges.size(); ++e) {
    const auto id = static_cast<int>(e);
    for (const int end : {network.graph.edges[e].a, network.graph.edges[e].b}) {
      if (end < 0 || end >= network.graph.vertices) {
        return make_error(ErrorCode::kTopology, {},
                          fmt::format("edge {} ends at vertex number {}; there are {}", edge_name(network, id), end,
                                      network.graph.vertices));
      }
    }
    for (const auto& [value, what] : {std::pair(network.weight[e], "weight"), std::pair(network.length[e], "length")}) {
      // In this form NaN is refused as well.
      if (value > 0 && value <= kMostWeight) continue;
      return make_error(ErrorCode::kValue, {},
                        fmt::format("the {} of edge {} is {}; it must be positive and at most {}", what,
                                    edge_name(network, id), number_text(value), number_text(kMostWeight)));
    }
  }
  return {};
}

}  // namespace espalier::plan

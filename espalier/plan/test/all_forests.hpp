#pragma once

// Every plan of a small network, by enumeration, and random small networks with wishes to try it on: an oracle for
// make_plan that shares no code with it but the types.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::plan {

// L, W and N of one spanning forest, each with the best roots that are allowed for it.
struct Outcome {
  double length = 0;
  double weight = 0;
  int equations = 0;
};

// The farthest vertex from `root`, along these edges. O(V E).
inline double eccentricity(const Network& network, const std::vector<int>& edges, int root) {
  std::vector<double> distance(to_index(network.graph.vertices), -1);
  distance[root] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const int e : edges) {
      for (const auto& [from, to] : {std::pair(network.graph.edges[e].a, network.graph.edges[e].b),
                                     std::pair(network.graph.edges[e].b, network.graph.edges[e].a)}) {
        if (distance[from] < 0 || distance[to] >= 0) continue;
        distance[to] = distance[from] + network.length[e];
        changed = true;
      }
    }
  }
  return *std::max_element(distance.begin(), distance.end());
}

// The root that is asked for in the piece of these vertices, or -1.
inline int asked_root(const Network& network, const PlanOptions& options, const std::vector<int>& vertices) {
  const auto holds = [&](int v) { return std::find(vertices.begin(), vertices.end(), v) != vertices.end(); };
  if (options.root >= 0 && holds(options.root)) return options.root;
  return !options.free_root && network.ground >= 0 && holds(network.ground) ? network.ground : -1;
}

inline Outcome outcome_of(const Network& network, const PlanOptions& options, const std::vector<int>& edges,
                          DisjointSets& joined) {
  Outcome outcome;
  std::vector<char> kept(network.graph.edges.size(), 0);
  for (const int e : edges) {
    kept[e] = 1;
    outcome.weight += network.weight[e];
  }
  for (std::size_t e = 0; e < network.freedom.size(); ++e) {
    outcome.equations += kept[e] ? network.freedom[e] : 6 - network.freedom[e];
  }
  outcome.equations += 6 * static_cast<int>(options.cut_body.size());
  std::vector<std::vector<int>> pieces(to_index(network.graph.vertices));
  for (int v = 0; v < network.graph.vertices; ++v) pieces[joined.find(v)].push_back(v);
  for (const std::vector<int>& piece : pieces) {
    if (piece.empty()) continue;
    const int fixed = asked_root(network, options, piece);
    double length = std::numeric_limits<double>::infinity();
    int by_root = std::numeric_limits<int>::max();
    const bool with_ground = std::find(piece.begin(), piece.end(), network.ground) != piece.end();
    for (const int root : piece) {
      if (fixed >= 0 && root != fixed) continue;
      length = std::min(length, eccentricity(network, edges, root));
      by_root = std::min(by_root, network.ground < 0 || root == network.ground ? 0 : with_ground ? 12 : 6);
    }
    outcome.length = std::max(outcome.length, length);
    outcome.equations += by_root;
  }
  return outcome;
}

// One for each choice of a spanning tree in every piece. `network` is the one that was planned, with its half bodies.
// O(2^E).
inline std::vector<Outcome> all_outcomes(const Network& network, const PlanOptions& options) {
  const auto n = to_index(network.graph.vertices);
  const auto edges = static_cast<int>(network.graph.edges.size());
  DisjointSets whole(n);
  int most = 0;
  for (const graph::Edge& edge : network.graph.edges) most += whole.join(edge.a, edge.b) ? 1 : 0;
  const auto wished = [](const std::vector<int>& wish, int e) {
    return std::find(wish.begin(), wish.end(), e) != wish.end();
  };
  std::vector<Outcome> all;
  for (std::uint32_t set = 0; set < (std::uint32_t{1} << edges); ++set) {
    if (std::popcount(set) != most) continue;
    DisjointSets joined(n);
    std::vector<int> chosen;
    bool fits = true;
    for (int e = 0; e < edges && fits; ++e) {
      const graph::Edge& edge = network.graph.edges[e];
      if ((set >> e & 1) == 0) {
        fits = !wished(options.pin, e);
      } else {
        chosen.push_back(e);
        fits = !wished(options.cut, e) && joined.join(edge.a, edge.b);
      }
    }
    if (fits) all.push_back(outcome_of(network, options, chosen, joined));
  }
  return all;
}

struct SmallCase {
  Network network;
  PlanOptions options;
};

// Up to three pieces, 1 to 8 vertices and 11 edges in all, parallel edges and self loops among them; one in three is a
// plain graph. Lengths other than weights in two of three; joints are pinned, cut or have their body cut at random, not
// always with a tree left.
inline SmallCase random_case(std::uint32_t key) {
  Random random(77, key);
  SmallCase made;
  Network& network = made.network;
  const bool plain = key % 3 == 0;
  const int pieces = plain ? 1 : 1 + random.below(3);
  for (int piece = 0; piece < pieces; ++piece) {
    const int first = network.graph.vertices;
    const int size = 1 + random.below(pieces == 1 ? 7 : 4);
    network.graph.vertices += size;
    for (int v = 1; v < size; ++v) network.graph.edges.push_back({first + v, first + random.below(v)});
    for (int more = random.below(pieces == 1 ? 6 : 3); more > 0; --more)
      network.graph.edges.push_back({first + random.below(size), first + random.below(size)});
  }
  for (std::size_t e = 0; e < network.graph.edges.size(); ++e) {
    const int f = 1 + random.below(3);
    if (!plain) network.freedom.push_back(f);
    network.weight.push_back(plain ? 1 + random.below(9) : f);
    network.length.push_back(key % 2 == 0 ? network.weight.back() : 0.5 * (1 + random.below(12)));
  }
  // Without joints and ground it would be a plain graph.
  const bool grounded = random.below(4) > 0 || network.graph.edges.empty();
  if (!plain && grounded) network.ground = random.below(network.graph.vertices);
  made.options.free_root = random.below(3) == 0;
  if (random.below(3) == 0) made.options.root = random.below(network.graph.vertices);
  for (int e = 0; e < static_cast<int>(network.graph.edges.size()); ++e) {
    const int wish = random.below(20);
    if (wish < 3) made.options.pin.push_back(e);
    if (wish == 3) made.options.cut.push_back(e);
    if (wish == 4 && network.graph.edges.size() < 11) made.options.cut_body.push_back(e);
  }
  return made;
}

}  // namespace espalier::plan

#pragma once

// What tests of tree-invariance share.

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/plan.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::dynamics {

inline std::vector<std::filesystem::path> reference_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/espalier/dynamics/test/data"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// A plan with a spanning tree drawn at random: joints in random order are cut as far as the rest stays connected. The
// root is the ground, in every third tree any other body.
inline plan::Plan random_plan(const plan::Network& network, std::uint32_t key) {
  Random random(7, key);
  std::vector<std::pair<double, int>> shuffled;
  for (int e = 0; e < static_cast<int>(network.graph.edges.size()); ++e) shuffled.emplace_back(random.uniform(), e);
  std::sort(shuffled.begin(), shuffled.end());
  DisjointSets joined(to_index(network.graph.vertices));
  plan::PlanOptions options;
  for (const auto& [order, e] : shuffled) {
    if (!joined.join(network.graph.edges[e].a, network.graph.edges[e].b)) options.cut.push_back(e);
  }
  if (key % 3 == 2) options.root = 1 + random.below(network.graph.vertices - 1);
  return *plan::make_plan(network, options);
}

}  // namespace espalier::dynamics

#pragma once

// The graphs with known optima in test/data, as problems.

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "espalier/plan/detail/problem.hpp"
#include "espalier/plan/network.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::plan::detail {

inline nlohmann::json read_data(const std::string& name) {
  std::ifstream file(source_dir() + "/espalier/plan/test/data/" + name + ".json");
  return nlohmann::json::parse(file);
}

// Edges are [u, v, weight] or [u, v, weight, length], vertices count from 1.
inline Problem read_problem(const nlohmann::json& data) {
  Problem problem;
  problem.graph.vertices = data["vertices"];
  for (const nlohmann::json& edge : data["edges"]) {
    problem.graph.edges.push_back({edge[0].get<int>() - 1, edge[1].get<int>() - 1});
    problem.weight.push_back(edge[2]);
    problem.length.push_back(edge.size() > 3 ? edge[3] : edge[2]);
  }
  return problem;
}

inline Network plain_network(const Problem& problem) {
  Network network;
  network.graph = problem.graph;
  network.weight = problem.weight;
  network.length = problem.length;
  return network;
}

}  // namespace espalier::plan::detail

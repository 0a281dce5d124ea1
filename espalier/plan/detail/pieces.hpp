#pragma once

// From what the user asked to problems that can be searched: bodies are cut in two, forced edges are checked, and the
// network falls into its connected pieces.

#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/plan/detail/problem.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::plan::detail {

// A connected part of the planned network, without the edges that are always cut.
struct Piece {
  Problem problem;
  std::vector<int> vertices;  // of the network, by vertex of the problem; increasing
  std::vector<int> edges;     // of the network, by edge of the problem; increasing
};

struct Pieces {
  Network network;  // with half bodies behind the vertices
  std::vector<HalfBody> half_bodies;
  std::vector<Piece> pieces;  // by lowest vertex
};

// Errors name the edges or vertices that contradict each other. O(V + E).
Result<Pieces> make_pieces(const Network& network, const PlanOptions& options);

}  // namespace espalier::plan::detail

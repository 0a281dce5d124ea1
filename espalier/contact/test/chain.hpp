#pragma once

// A problem whose blocks are known in closed form.

#include "espalier/base/numbers.hpp"
#include "espalier/contact/solve.hpp"

namespace espalier::contact {

// A row of balls of unit mass, pushed together from both ends: contact i is between balls i and i + 1, each of which
// may spin (inertia 2/5), radius 1.
//
//   -> o o o o <-
//
inline LocalProblem make_chain(int contacts, double friction) {
  LocalProblem problem;
  const Eigen::Vector3d own(2 * (1 + 2.5), 2 * (1 + 2.5), 2), shared(-1 + 2.5, -1 + 2.5, -1);
  Random random(7, static_cast<std::uint32_t>(contacts));
  for (int i = 0; i < contacts; ++i) {
    problem.rows.push_back({.law = Law::kContact, .friction = friction});
    problem.B.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 0.2)});
    for (const int j : {i - 1, i, i + 1}) {
      if (j < 0 || j >= contacts) continue;
      if (j == i) problem.diagonal.push_back(static_cast<int>(problem.column.size()));
      problem.column.push_back(j);
      problem.block.emplace_back((j == i ? own : shared).asDiagonal());
    }
    problem.begin.push_back(static_cast<int>(problem.column.size()));
  }
  return problem;
}

inline ColourOrder colours_of(const LocalProblem& problem) { return order_by_colour(colour_rows(problem)); }

}  // namespace espalier::contact

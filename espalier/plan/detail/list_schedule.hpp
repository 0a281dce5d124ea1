#pragma once

#include <vector>

#include "espalier/plan/schedule.hpp"

namespace espalier::plan::detail {

// What is to be done: a step costs time, waits for `before` others and then frees `after`.
struct Steps {
  explicit Steps(std::size_t count) : cost(count, 0), ahead(count, 0), before(count, 0), after(count) {}

  std::vector<double> cost;
  std::vector<double> ahead;            // the way from the start of this step to the end of the last one after it
  std::vector<int> before;              // how many steps must be done first
  std::vector<std::vector<int>> after;  // the steps that wait for this one
  std::vector<int> first;               // those that wait for none
};

using Turns = std::vector<std::vector<Turn>>;  // by worker; Turn::vertex is the step

// Whoever is free takes the step with the longest way ahead, equal ones by their number.
Turns list_schedule(Steps steps, int workers);
double end_of(const Turns& turns);

}  // namespace espalier::plan::detail

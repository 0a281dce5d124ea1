#pragma once

#include <cmath>
#include <numbers>

#include "espalier/optimize/optimize.hpp"

namespace espalier::optimize {

inline Problem box(std::size_t parameters, double low, double high) {
  Problem problem;
  problem.low.assign(parameters, low);
  problem.high.assign(parameters, high);
  return problem;
}

// 0 at (1, 1, ...), which is not the middle of the box.
inline Problem sphere(std::size_t parameters) {
  Problem problem = box(parameters, -5, 6);
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) {
    goals[0] = 0;
    for (const double value : x) goals[0] += (value - 1) * (value - 1);
  };
  return problem;
}

// 0 at (1, 1, ...), at the bottom of a bent valley whose walls are a hundred times as steep.
inline Problem rosenbrock(std::size_t parameters) {
  Problem problem = box(parameters, -5, 10);
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) {
    goals[0] = 0;
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
      const double across = x[k + 1] - x[k] * x[k], along = 1 - x[k];
      goals[0] += 100 * across * across + along * along;
    }
  };
  return problem;
}

// 0 at the origin; a minimum near every point of whole numbers, the next ones nearly 1 high.
inline Problem rastrigin(std::size_t parameters) {
  Problem problem = box(parameters, -5.12, 4);
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) {
    goals[0] = 0;
    for (const double value : x) goals[0] += 10 + value * value - 10 * std::cos(2 * std::numbers::pi * value);
  };
  return problem;
}

// Two goals; nothing lies below the curve goals[1] = 1 - sqrt(goals[0]), 0 <= goals[0] <= 1, which is reached where all
// parameters but the first are 0.
inline Problem zdt1(std::size_t parameters) {
  Problem problem = box(parameters, 0, 1);
  problem.goals = 2;
  problem.evaluate = [](std::span<const double> x, std::span<double> goals) {
    double sum = 0;
    for (std::size_t k = 1; k < x.size(); ++k) sum += x[k];
    const double g = 1 + 9 * sum / static_cast<double>(x.size() - 1);
    goals[0] = x[0];
    goals[1] = g * (1 - std::sqrt(x[0] / g));
  };
  return problem;
}

inline bool operator==(const Design& a, const Design& b) {
  return a.parameters == b.parameters && a.goals == b.goals && a.excess == b.excess;
}
inline bool operator==(const Gain& a, const Gain& b) { return a.generation == b.generation && a.designs == b.designs; }
inline bool operator==(const SearchState& a, const SearchState& b) {
  return a.generation == b.generation && a.population == b.population && a.best == b.best && a.memory == b.memory &&
         a.archive == b.archive && a.gain == b.gain && a.evaluations == b.evaluations &&
         a.without_number == b.without_number;
}

}  // namespace espalier::optimize

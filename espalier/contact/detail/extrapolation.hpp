#pragma once

// Sweeps made faster: from the last few of them, the combination whose change would have been least [Anderson65].
// Once no contact changes its state sweeps are a linear iteration, and this is what GMRES does with one.

#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/numbers.hpp"

namespace espalier::contact::detail {

struct Extrapolation {
  static constexpr int kMemory = 5;  // sweeps; 10 and 20 take as many sweeps and more time
  static constexpr int kSums = kMemory + 2;

  // What ranks add up between record() and extrapolate(): |f|^2, f with the newest difference, that with all.
  std::vector<ExactSum> sums = std::vector<ExactSum>(kSums);

  std::vector<double> weight;         // of rows
  std::vector<Eigen::Vector3d> f, g;  // change by the last sweep, and where it led
  // Differences of these, the oldest overwritten. Single precision halves what a row needs, and what is lost is small
  // beside the difference itself: the next sweep sees to it.
  std::vector<std::vector<Eigen::Vector3f>> df, dg;
  Eigen::Matrix<double, kMemory, kMemory> products;  // of df with each other
  Eigen::Matrix<double, kMemory, 1> towards;         // f with df
  int recorded = 0;                                  // sweeps since the last restart
  double least = 0;                                  // |f|^2
};

// A row weighs the trace of its own block of W.
Extrapolation make_extrapolation(std::vector<double> weight);

// After a sweep over all rows here from `before` to R. Fills the sums.
void record(Extrapolation& memory, std::span<const Eigen::Vector3d> before, std::span<const Eigen::Vector3d> R);

// With the sums of all ranks: moves R of all rows here. The same decisions on every rank. Where sweeps have begun to
// change R by more than before it goes back to where the last but one led, and forgets the rest.
void extrapolate(Extrapolation& memory, std::span<Eigen::Vector3d> R);

}  // namespace espalier::contact::detail

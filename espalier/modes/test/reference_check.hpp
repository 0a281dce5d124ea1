#pragma once

// Modes of a model, as the public path finds them, against those that another method or a closed form has. All
// comparisons of a run are printed as a table at its end.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/structure_support.hpp"

namespace espalier::modes {

// One line of the table.
struct Comparison {
  std::string system, against;
  int modes = 0, free_motions = 0, largest_multiplicity = 1;
  double largest_error = 0;
  Certainty certainty = Certainty::kNone;
};

class ComparisonTable : public testing::Environment {
 public:
  static std::vector<Comparison>& rows() {
    static std::vector<Comparison> all;
    return all;
  }
  void TearDown() override {
    if (rows().empty()) return;
    std::printf("\n%-46s %-12s %5s %5s %6s %9s  %s\n", "system", "against", "modes", "free", "equal", "error", "count");
    for (const Comparison& row : rows()) {
      std::printf("%-46s %-12s %5d %5d %6d %9.1e  %s\n", row.system.c_str(), row.against.c_str(), row.modes,
                  row.free_motions, row.largest_multiplicity, row.largest_error, word_of(row.certainty));
    }
  }
};
inline testing::Environment* const kComparisonTable = testing::AddGlobalTestEnvironment(new ComparisonTable);

inline Result<ModeSet> modes_below(const Structure& structure, ModesOptions options) {
  const Result<Tree> tree = plan_tree(structure);
  ESPALIER_TRY(tree);
  options.shapes = false;
  return find_modes(comm::Comm::serial(), structure, *tree, options);
}

// The `count` lowest frequencies of the reference, which is ascending and has at least one more: all of them are
// found, as often as they are multiple, nothing else, and the count is proved.
inline void expect_reference(const std::string& system, const std::string& against, const Structure& structure,
                             std::vector<double> reference, std::size_t count, double tolerance) {
  SCOPED_TRACE(system);
  std::sort(reference.begin(), reference.end());
  ASSERT_GT(reference.size(), count);
  ASSERT_GT(reference[count], reference[count - 1] * (1 + 1e-5)) << "the bound would part equal frequencies";
  ModesOptions options;
  options.max_frequency = (reference[count - 1] + reference[count]) / 2;
  const Result<ModeSet> set = modes_below(structure, options);
  ASSERT_TRUE(set.has_value()) << to_string(set.error());
  Comparison row{system, against, 0, 0, 1, 0, set->certainty};
  std::vector<double> found;
  for (const Mode& mode : set->modes) {
    found.insert(found.end(), to_index(mode.multiplicity), mode.s.imag());
    int& most = mode.s == 0.0 ? row.free_motions : row.largest_multiplicity;
    most = std::max(most, mode.multiplicity);
  }
  row.modes = static_cast<int>(found.size());
  ASSERT_EQ(found.size(), count);
  for (std::size_t k = 0; k < count; ++k) {
    const double error = reference[k] > 0 ? std::abs(found[k] / reference[k] - 1) : found[k];
    EXPECT_LE(error, tolerance) << "mode " << k + 1 << ": " << found[k] << " against " << reference[k];
    row.largest_error = std::max(row.largest_error, error);
  }
  EXPECT_EQ(set->certainty, Certainty::kProved) << set->certificate;
  ComparisonTable::rows().push_back(row);
}

// Roots of a continuous function between two numbers, in extended precision: sign changes on a fine grid, halved to
// rounding. The grid must part neighbours.
inline std::vector<double> roots_between(const std::function<long double(long double)>& f, double low, double high,
                                         int samples) {
  std::vector<double> roots;
  long double a = low, fa = f(a);
  for (int k = 1; k <= samples; ++k) {
    const long double b = low + (static_cast<long double>(high) - low) * k / samples, fb = f(b);
    if ((fa < 0) != (fb < 0)) {
      long double left = a, right = b;
      for (int round = 0; round < 80; ++round) {
        const long double middle = (left + right) / 2;
        ((f(middle) < 0) == (fa < 0) ? left : right) = middle;
      }
      roots.push_back(static_cast<double>((left + right) / 2));
    }
    a = b, fa = fb;
  }
  return roots;
}

inline std::vector<double> joined(std::vector<std::vector<double>> lists) {
  std::vector<double> all;
  for (const std::vector<double>& list : lists) all.insert(all.end(), list.begin(), list.end());
  std::sort(all.begin(), all.end());
  return all;
}

inline std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

}  // namespace espalier::modes

#include "espalier/plan/explain.hpp"

#include <gtest/gtest.h>

#include "espalier/plan/test/topology_files.hpp"

namespace espalier::plan::detail {
namespace {

TEST(CompareMethods, OnFigure2aOnlyA3AndTheProofReachTheOptimum) {
  const Comparison comparison = compare_methods(plain_network(read_problem(read_data("liu1999_fig2a"))), {});
  EXPECT_EQ(comparison.lower_bound, 196);
  for (const Compared& method : comparison.methods) {
    EXPECT_TRUE(method.left_out.empty()) << method.name;
    EXPECT_GE(method.cost, 196) << method.name;
    EXPECT_TRUE(!method.name.starts_with("A2") || method.cost == 202);
    EXPECT_TRUE((!method.name.starts_with("A3") && method.name != "auto") || method.cost == 196);
  }
}

TEST(CompareMethods, AMethodThatBreaksALimitIsLeftOutWithTheReason) {
  PlanOptions options;
  options.objective = Objective::kBcbmwst;
  options.max_length = 35;
  const Comparison comparison = compare_methods(plain_network(read_problem(read_data("liu1999_fig2a"))), options);
  EXPECT_NE(comparison.methods.front().left_out.find("above the limit 35"), std::string::npos);
  EXPECT_EQ(comparison.methods.back().cost, 161);
}

}  // namespace
}  // namespace espalier::plan::detail

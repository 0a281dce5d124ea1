#include "espalier/plan/trace.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/plan/detail/exchange.hpp"
#include "espalier/plan/test/topology_files.hpp"

namespace espalier::plan::detail {
namespace {

// [Liu99] 7.2, with the spaces inside "1- 6" left out.
constexpr const char* kPublished = R"(initial fc= 224
beginning of 1 round
STACK= 20 19 16 18 9 15 8 11 12 10 6
discuss vertex 20 -> no edge exchange can reduce fc
discuss vertex 19 -> no edge exchange can reduce fc
discuss vertex 16 -> no edge exchange can reduce fc
discuss vertex 18 -> exchange edge 5-18 in T with edge 9-18 not in T
           -> dfc= -5
           -> center= vertex 1
           -> delete vertex 9 from STACK
discuss vertex 15 -> exchange edge 2-15 in T with edge 10-15 not in T
           -> dfc= -6
           -> center= vertex 1
           -> delete vertex 10 from STACK
discuss vertex 8 -> no edge exchange can reduce fc
discuss vertex 11 -> no edge exchange can reduce fc
discuss vertex 12 -> no edge exchange can reduce fc
discuss vertex 6 -> exchange edge 1-6 in T with edge 3-6 not in T
           -> dfc= -6
           -> center= vertex 1
beginning of 2 round
STACK= 17 14 10 7 9 4 3
discuss vertex 17 -> no edge exchange can reduce fc
discuss vertex 14 -> exchange edge 2-14 in T with edge 10-14 not in T
           -> dfc= -6
           -> center= vertex 1
           -> delete vertex 10 from STACK
discuss vertex 7 -> no edge exchange can reduce fc
discuss vertex 9 -> exchange edge 1-9 in T with edge 4-9 not in T
           -> dfc= -5
           -> center= vertex 1
           -> delete vertex 4 from STACK
discuss vertex 3 -> no edge exchange can reduce fc
beginning of 3 round
STACK= 13 10 4
discuss vertex 13 -> no edge exchange can reduce fc
discuss vertex 10 -> no edge exchange can reduce fc
discuss vertex 4 -> no edge exchange can reduce fc
beginning of 4 round
STACK= 5 2
discuss vertex 5 -> no edge exchange can reduce fc
discuss vertex 2 -> no edge exchange can reduce fc
STACK IS EMPTY! EXECUTION COMPLETED!!
Resulting Spanning Tree: (vertex number->predecessor number)
1 -> 0
2 -> 1
3 -> 1
4 -> 1
5 -> 1
6 -> 3
7 -> 2
8 -> 5
9 -> 4
10 -> 2
11 -> 3
12 -> 4
13 -> 5
14 -> 10
15 -> 10
16 -> 7
17 -> 13
18 -> 9
19 -> 14
20 -> 17
Total Cost Function Reduction = 28
Final fc = 196
)";

TEST(TraceText, IsThePublishedOne) {
  const Problem problem = read_problem(read_data("liu1999_fig2a"));
  const ExchangeRun run = exchange_edges(problem, 1, Start::kScbst, Sweep::kFar, Keep::kRounds);
  EXPECT_EQ(trace_text(plain_network(problem), run), kPublished);
}

TEST(TraceText, SaysWhatTheTreeCostsWhereTheSumOfChangesDoesNot) {
  const Problem problem = read_problem(read_data("liu1999_fig2a_variantC"));
  const ExchangeRun run = exchange_edges(problem, 1, Start::kScbst, Sweep::kFar, Keep::kRounds);
  const std::string text = trace_text(plain_network(problem), run);
  const std::string last = fmt::format("\nFinal fc = {}\nThe resulting tree costs {}: ", run.accumulated, run.cost);
  EXPECT_NE(run.accumulated, run.cost);
  EXPECT_NE(text.find(last), std::string::npos) << text;
}

//            1 ----7---- 5
//         2/ |5 \3
//        2   4   6      and an edge of 1 between 2 and 6; see exchange_test.cpp
//       4\  /2
//         3
TEST(TraceText, NamesVerticesThatBecomeLeaves) {
  Problem problem;
  problem.graph = {6, {{0, 1}, {1, 2}, {0, 3}, {3, 2}, {0, 4}, {0, 5}, {1, 5}}};
  problem.weight = problem.length = {2, 4, 5, 2, 7, 3, 1};
  Network network = plain_network(problem);
  network.vertex_names = {"hub", "two", "three", "four", "five", "six"};
  const std::string text = trace_text(network, exchange_edges(problem, 1, Start::kScbst, Sweep::kFar, Keep::kRounds));
  EXPECT_NE(text.find("STACK= five three four six\n"), std::string::npos) << text;
  EXPECT_NE(text.find("exchange edge two-three in T with edge four-three not in T\n"
                      "           -> dfc= -2\n"
                      "           -> center= vertex hub\n"
                      "           -> delete vertex four from STACK\n"
                      "           -> move vertex two into STACK\n"
                      "discuss vertex two -> exchange edge hub-two in T with edge six-two not in T\n"),
            std::string::npos)
      << text;
}

//  1 - 2 - 3 - 4: the leaves 1 and 4 are cut off, then the centre 2 is nearest to itself.
TEST(TraceText, SaysWhereTheCentreEndsTheRun) {
  Problem problem;
  problem.graph = {4, {{0, 1}, {1, 2}, {2, 3}}};
  problem.weight = problem.length = {1, 1, 1};
  const std::string text =
      trace_text(plain_network(problem), exchange_edges(problem, 1, Start::kScbst, Sweep::kNear, Keep::kRounds));
  EXPECT_NE(text.find("STACK= 2 3\ndiscuss vertex 2 -> no edge exchange can reduce fc\nCENTER IS REACHED! "),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace espalier::plan::detail

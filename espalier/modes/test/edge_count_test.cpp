#include "espalier/modes/detail/edge_count.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;

// s^2 + 0.2 s + 1 has the roots -0.1 +- 0.995 i.
Pass one_pair() {
  Structure structure = spring_chain({1}, {1});
  std::get<Hinge>(structure.elements[0].law).damping[0] = 0.2;
  return make_pass(structure, chain_tree(structure, 1), 10).value();
}

const ComplexRoot kRoot{{-0.1, std::sqrt(0.99)}, 1, 0};

TEST(EdgeCount, IsTheNumberOfRootsInside) {
  const Pass pass = one_pair();
  const comm::Comm comm = comm::Comm::serial();
  Slopes slopes(comm, pass, 10000, nullptr);
  EdgeCount inside({-1, 0.5, 2}), outside({-1, 0.5, 0.5});
  ASSERT_TRUE(inside.sample(slopes, 64));
  ASSERT_TRUE(outside.sample(slopes, 64));
  EXPECT_NEAR(inside.missing({}), 2, 1e-5);
  EXPECT_NEAR(inside.missing_by_half({}), 2, 1e-2);
  EXPECT_NEAR(outside.missing({}), 0, 1e-5);
}

// With the roots taken out the integrand is entire, and few nodes are enough.
TEST(EdgeCount, NothingIsMissingBesideTheKnownRoots) {
  const Pass pass = one_pair();
  const comm::Comm comm = comm::Comm::serial();
  Slopes slopes(comm, pass, 10000, nullptr);
  EdgeCount count({-1, 0.5, 2});
  ASSERT_TRUE(count.sample(slopes, 8));
  const std::vector<ComplexRoot> known = {kRoot};
  EXPECT_NEAR(count.missing(known), 0, 1e-12);
  for (const Complex& left : count.left_over(known)) EXPECT_LT(std::abs(left), 1e-11);
}

TEST(EdgeCount, TwiceAsManyNodesKeepThoseThatAreKnown) {
  const Pass pass = one_pair();
  const comm::Comm comm = comm::Comm::serial();
  Slopes slopes(comm, pass, 10000, nullptr);
  EdgeCount count({-1, 0.5, 2});
  ASSERT_TRUE(count.sample(slopes, 16));
  const std::int64_t first = slopes.evaluations();
  const double missing = count.missing({});
  ASSERT_TRUE(count.sample(slopes, 32));
  EXPECT_LT(slopes.evaluations() - first, first);
  EXPECT_NEAR(count.missing_by_half({}), missing, 1e-12);
}

TEST(EdgeCount, IsNoneWithoutWork) {
  const Pass pass = one_pair();
  const comm::Comm comm = comm::Comm::serial();
  Slopes slopes(comm, pass, 5, nullptr);
  EdgeCount count({-1, 0.5, 2});
  EXPECT_FALSE(count.sample(slopes, 8));
}

}  // namespace
}  // namespace espalier::modes::detail

#include "espalier/modes/detail/slopes.hpp"

#include <atomic>

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;

// One mass, damper and spring: D is s^2 + 3 s + 1 times a number, with the roots -0.38 and -2.62.
Pass overdamped() {
  Structure structure = spring_chain({1}, {1});
  std::get<Hinge>(structure.elements[0].law).damping[0] = 3;
  return make_pass(structure, chain_tree(structure, 1), 10).value();
}

TEST(Slopes, AreTheLogarithmicDerivative) {
  const Pass pass = overdamped();
  const comm::Comm comm = comm::Comm::serial();
  Slopes slopes(comm, pass, 100, nullptr);
  const std::vector<Complex> points = {{0.3, 1}, {-2, 0.5}, {1, 0}};
  const std::vector<Complex> found = slopes.at(points);
  ASSERT_EQ(found.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const Complex s = points[k];
    EXPECT_LT(std::abs(found[k] - (2.0 * s + 3.0) / (s * s + 3.0 * s + 1.0)), 1e-13) << s;
  }
  EXPECT_EQ(slopes.evaluations(), 3);
}

TEST(Slopes, SignsChangeBetweenRealRoots) {
  const Pass pass = overdamped();
  const comm::Comm comm = comm::Comm::serial();
  Slopes slopes(comm, pass, 100, nullptr);
  const std::vector<double> points = {-0.1, -1, -5};
  const std::vector<char> negative = slopes.negative_at(points);
  ASSERT_EQ(negative.size(), 3u);
  EXPECT_NE(negative[0], negative[1]);
  EXPECT_EQ(negative[0], negative[2]);
}

TEST(Slopes, EndWithTheirWorkOrAStop) {
  const Pass pass = overdamped();
  const std::vector<Complex> two = {{0, 1}, {0, 2}};
  const comm::Comm comm = comm::Comm::serial();
  Slopes few(comm, pass, 3, nullptr);
  EXPECT_EQ(few.at(two).size(), 2u);
  EXPECT_FALSE(few.is_over());
  EXPECT_TRUE(few.at(two).empty());
  EXPECT_TRUE(few.is_over());
  EXPECT_FALSE(few.is_stopped());
  const std::atomic<bool> stop = true;
  Slopes stopped(comm, pass, 100, &stop);
  EXPECT_TRUE(stopped.at(two).empty());
  EXPECT_TRUE(stopped.is_stopped());
}

}  // namespace
}  // namespace espalier::modes::detail

#include "espalier/contact/detail/extrapolation.hpp"

#include <gtest/gtest.h>

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using Impulses = std::vector<Vector3d>;

// x -> A x + b with three different rates: the fixed point is b / (1 - a), number by number.
struct LinearMap {
  Vector3d rate = {0.9, 0.5, -0.3}, b = {1, 2, 3};

  Vector3d fixed_point() const { return b.array() / (1 - rate.array()); }
  Impulses operator()(const Impulses& x) const { return {rate.cwiseProduct(x[0]) + b}; }
};

Vector3d iterate(int iterations, bool extrapolates) {
  const LinearMap map;
  Extrapolation memory = make_extrapolation({1.0});
  Impulses x = {Vector3d::Zero()};
  for (int k = 0; k < iterations; ++k) {
    const Impulses before = x;
    x = map(x);
    if (!extrapolates) continue;
    record(memory, before, x);
    extrapolate(memory, x);
  }
  return x[0];
}

// Three rates need three differences. Differences are kept in single precision, so that what one combination leaves is
// 1e-7 of the change, which is 10 here, and somewhat more where differences are nearly parallel.
TEST(Extrapolation, AsManyDifferencesAsRatesFindTheFixedPoint) {
  const Vector3d wanted = LinearMap().fixed_point();
  EXPECT_GT((iterate(6, false) - wanted).norm(), 5);
  EXPECT_LT((iterate(4, true) - wanted).norm(), 1e-4);
  EXPECT_LT((iterate(6, true) - wanted).norm(), 1e-5);
}

// The first iteration has nothing to be combined with.
TEST(Extrapolation, TheFirstIterationStays) { EXPECT_EQ(iterate(1, true), iterate(1, false)); }

TEST(Extrapolation, GoesBackWhereTheChangeDoubles) {
  Extrapolation memory = make_extrapolation({1.0});
  const auto step = [&](const Vector3d& from, const Vector3d& to) {
    Impulses R = {to};
    record(memory, Impulses{from}, R);
    extrapolate(memory, R);
    return R[0];
  };
  step({0, 0, 0}, {1, 0, 0});
  // Three times the change of the first: back to where that had led, and nothing is remembered.
  EXPECT_LT((step({1, 0, 0}, {4, 0, 0}) - Vector3d(1, 0, 0)).norm(), 1e-6);
  EXPECT_EQ(memory.recorded, 0);
}

}  // namespace
}  // namespace espalier::contact::detail

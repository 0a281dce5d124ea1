#include "espalier/math/rotation.hpp"

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"

namespace espalier::math {
namespace {

using Eigen::Vector3d;

Vector3d random_direction(Random& random) {
  return Vector3d(random.normal(), random.normal(), random.normal()).normalized();
}

// B turns on by a small rotation about axes of A: exp(w h) exp(v) = exp(v + h J w) to first order.
TEST(RotationVectorRate, IsTheSlopeOfTheRotationVector) {
  Random random(2);
  constexpr double kStep = 1e-6;
  for (const double angle : {0.0, 1e-9, 0.9e-3, 1.1e-3, 0.1, 1.0, 2.0, 3.0}) {
    const Vector3d v = angle * random_direction(random);
    const Vector3d w = random_direction(random);
    const Vector3d ahead = rotation_log(rotation_exp(kStep * w) * rotation_exp(v));
    const Vector3d behind = rotation_log(rotation_exp(-kStep * w) * rotation_exp(v));
    EXPECT_LT((rotation_vector_rate(v) * w - (ahead - behind) / (2 * kStep)).norm(), 1e-8) << "angle " << angle;
  }
}

TEST(RotationVectorRate, KeepsTheVectorAndTurnsIntoItsTransposeWithIt) {
  Random random(7);
  for (const double angle : {0.0, 1e-4, 0.999e-3, 1.001e-3, 1.0, 3.0}) {
    const Vector3d v = angle * random_direction(random);
    EXPECT_LT((rotation_vector_rate(v) * v - v).norm(), 1e-15 * (1 + angle));
    EXPECT_LT((rotation_vector_rate(-v) - rotation_vector_rate(v).transpose()).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace espalier::math

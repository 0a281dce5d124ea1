#include "espalier/math/pose.hpp"

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::math {
namespace {

using Eigen::Vector3d;

class Spatial : public testing::Test {
 protected:
  Vector3d vector() { return {random_.normal(), random_.normal(), random_.normal()}; }
  SpatialVector spatial() {
    SpatialVector v;
    v << vector(), vector();
    return v;
  }
  Pose pose() { return {vector(), rotation_exp(vector())}; }

  Random random_{8};
};

TEST_F(Spatial, CrossProductsAreDual) {
  for (int k = 0; k < 100; ++k) {
    const SpatialVector v = spatial(), m = spatial(), f = spatial();
    EXPECT_NEAR(f.dot(cross_motion(v, m)), -m.dot(cross_force(v, f)), 1e-13);
    EXPECT_LT(cross_motion(v, v).norm(), 1e-14);
  }
}

TEST_F(Spatial, PowerIsTheSameInEveryFrame) {
  for (int k = 0; k < 100; ++k) {
    const Pose X = pose();
    const SpatialVector m = spatial(), f = spatial();
    EXPECT_NEAR(transform_force(X, f).dot(transform_motion(X, m)), f.dot(m), 1e-12);
  }
}

TEST_F(Spatial, TransformsFollowTheChainOfPoses) {
  for (int k = 0; k < 100; ++k) {
    const Pose a = pose(), b = pose();
    const SpatialVector m = spatial();
    EXPECT_LT((transform_motion(a * b, m) - transform_motion(a, transform_motion(b, m))).norm(), 1e-12);
    EXPECT_LT((transform_force(a * b, m) - transform_force(a, transform_force(b, m))).norm(), 1e-12);
  }
}

// The pose after time h of a frame that moves with the constant spatial velocity v, up to h^3.
Pose moved(const SpatialVector& v, double h) {
  const Vector3d w = v.head<3>();
  const Vector3d u = v.tail<3>();
  return {h * u + h * h / 2 * w.cross(u), rotation_exp(h * w)};
}

TEST_F(Spatial, CrossProductsAreTheRatesOfWhatIsCarriedAlong) {
  constexpr double kStep = 1e-4;
  for (int k = 0; k < 20; ++k) {
    const SpatialVector v = spatial(), m = spatial();
    const SpatialVector motion_rate =
        (transform_motion(moved(v, kStep), m) - transform_motion(moved(v, -kStep), m)) / (2 * kStep);
    const SpatialVector force_rate =
        (transform_force(moved(v, kStep), m) - transform_force(moved(v, -kStep), m)) / (2 * kStep);
    EXPECT_LT((motion_rate - cross_motion(v, m)).norm(), 1e-5);
    EXPECT_LT((force_rate - cross_force(v, m)).norm(), 1e-5);
  }
}

TEST_F(Spatial, InertiaGivesKineticEnergyAndTransformsAsATensor) {
  for (int k = 0; k < 50; ++k) {
    const Inertia body = transformed(pose(), box_inertia(2, {1, 2, 3}));
    const SpatialVector v = spatial();
    const Vector3d w = v.head<3>();
    const Vector3d v_cm = v.tail<3>() + w.cross(body.com);
    const double energy = body.mass * v_cm.squaredNorm() / 2 + w.dot(body.about_com * w) / 2;
    EXPECT_NEAR(v.dot(spatial_matrix(body) * v) / 2, energy, 1e-11);

    const Pose X = pose();
    const SpatialVector momentum = transform_force(X, spatial_matrix(body) * v);
    EXPECT_LT((spatial_matrix(transformed(X, body)) * transform_motion(X, v) - momentum).norm(), 1e-10);
  }
}

}  // namespace
}  // namespace espalier::math

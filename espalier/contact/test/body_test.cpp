#include "espalier/contact/scene.hpp"

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace espalier::contact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::array<double, 9> numbers(const Matrix3d& m) {
  std::array<double, 9> result{};
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(result.data()) = m;
  return result;
}

Body rigid(double mass, const Matrix3d& inertia, const Vector3d& velocity, const Vector3d& spin) {
  Body body;
  body.id = 1;
  body.constants.mass = mass;
  body.constants.inertia = numbers(inertia);
  body.constants.inverse = numbers(inertia.inverse());
  body.state.q = {0, 0, 0, 1, 0, 0, 0};
  body.state.u = {velocity.x(), velocity.y(), velocity.z(), spin.x(), spin.y(), spin.z()};
  return body;
}

// A cube of side 1 and density 1000 that is stretched by a tenth along x and let go.
Body soft_cube(double damping) {
  Body body;
  body.id = 1;
  body.constants.kind = Kind::kPseudoRigid;
  body.constants.mass = 1000;
  body.constants.inertia = numbers(Matrix3d::Identity() * (1000 / 12.0));
  body.constants.inverse = numbers(Matrix3d::Identity() * (12.0 / 1000));
  body.constants.volume = 1;
  body.constants.lame_mu = 1e6;
  body.constants.damping = damping;
  body.state.q = {0, 0, 0, 1.001, 0, 0, 0, 1, 0, 0, 0, 1};
  return body;
}

void step(Body& body, const Wrench& load, double h, Scheme scheme = Scheme::kExplicit) {
  go_to_middle(body, h);
  begin_step(body, load, h, scheme);
  const DeformationInverse deformation_inverse = make_deformation_inverse(body, h, scheme);
  end_step(body, load, {}, h, body.constants.kind == Kind::kPseudoRigid ? &deformation_inverse : nullptr);
}

TEST(Body, FliesAlongTheParabolaExactly) {
  Body body = rigid(2, Matrix3d::Identity(), {1, 2, 3}, Vector3d::Zero());
  const Wrench weight{2 * Vector3d(0, 0, -10), Vector3d::Zero()};
  for (int k = 0; k < 100; ++k) step(body, weight, 0.01);
  EXPECT_LT((position(body.state.q) - Vector3d(1, 2, 3 - 5)).norm(), 1e-12);
  EXPECT_NEAR(body.state.u[2], 3 - 10, 1e-12);
}

// A free top with three different moments, thrown near its middle axis: it tumbles.
TEST(Body, KeepsAngularMomentumExactly) {
  Body body = rigid(1, Vector3d(1, 2, 3).asDiagonal(), Vector3d::Zero(), {0.01, 5, 0.02});
  const Vector3d before = momentum(body)[1];
  const double energy_before = energy(body).kinetic;
  double farthest = 0;
  for (int k = 0; k < 10000; ++k) {
    step(body, {}, 0.001);
    farthest = std::max(farthest, (rotation(body.state.q) * Vector3d::UnitY() - Vector3d::UnitY()).norm());
  }
  EXPECT_LT((momentum(body)[1] - before).norm(), 1e-12 * before.norm());
  EXPECT_NEAR(energy(body).kinetic, energy_before, 1e-4 * energy_before);
  EXPECT_GT(farthest, 1) << "it did not tumble";
}

TEST(Body, ATorqueChangesAngularMomentumByItsImpulse) {
  Body body = rigid(1, Vector3d(1, 2, 3).asDiagonal(), Vector3d::Zero(), {0.5, 1, 2});
  const Vector3d before = momentum(body)[1];
  const Wrench load{Vector3d::Zero(), {0.1, -0.2, 0.3}};
  for (int k = 0; k < 1000; ++k) step(body, load, 0.001);
  EXPECT_LT((momentum(body)[1] - before - load.torque).norm(), 1e-12);
}

TEST(Body, ComplianceIsWhatAnImpulseDoes) {
  Matrix3d inertia = Vector3d(1, 2, 2.5).asDiagonal();
  inertia(0, 1) = inertia(1, 0) = 0.3;
  Body body = rigid(3, inertia, {0.1, 0, 0}, {1, -2, 0.5});
  go_to_middle(body, 0.01);
  begin_step(body, {}, 0.01, Scheme::kExplicit);
  const Handle i{{0.3, 0.1, -0.2}, false}, j{{-0.4, 0.5, 0.6}, false}, turn{Vector3d::Zero(), true};
  for (const Handle& from : {j, turn}) {
    const Vector3d push(0.7, -0.3, 0.2);
    Impulse impulse;
    add_impulse(body, from, push, impulse);
    Body pushed = body;
    const Matrix3d inverse = inertia.inverse();
    Eigen::Map<Vector3d>(pushed.u_free.data()) += Vector3d(impulse.p.data()) / 3;
    Eigen::Map<Vector3d>(pushed.u_free.data() + 3) += inverse * Vector3d(impulse.p.data() + 3);
    const Vector3d change = velocity(body, pushed.u_free, i.material) - velocity(body, body.u_free, i.material);
    EXPECT_LT((compliance(body, i, from, nullptr) * push - change).norm(), 1e-14);
    const Vector3d turned = angular_velocity(body, pushed.u_free) - angular_velocity(body, body.u_free);
    EXPECT_LT((compliance(body, turn, from, nullptr) * push - turned).norm(), 1e-14);
  }
}

// Small stretching vibrations along one axis (Poisson's number 0): E_11 = F_11 - 1, P = 2 mu E, so that
// omega^2 = 2 mu V / E0.
TEST(Body, PseudoRigidVibratesAtItsFrequency) {
  const double omega = std::sqrt(2 * 1e6 * 12 / 1000);
  for (const Scheme scheme : {Scheme::kExplicit, Scheme::kImplicit}) {
    Body body = soft_cube(0);
    const double h = 2e-3 / omega;
    const double before = energy(body).strain;
    double smallest = 1;
    int at = 0;
    for (int k = 0; k < 2000; ++k) {
      step(body, {}, h, scheme);
      if (body.state.q[3] < smallest) smallest = body.state.q[3], at = k;
    }
    EXPECT_NEAR((at + 1) * h * omega, std::acos(-1), 4e-3);
    EXPECT_NEAR(smallest, 0.999, 2e-6);
    EXPECT_NEAR(energy(body).kinetic + energy(body).strain, before, 1e-4 * before);
  }
}

// Damping proportional to stiffness: small vibrations decay with eta omega^2 / 2.
TEST(Body, PseudoRigidVibrationsDecay) {
  const double omega = std::sqrt(2 * 1e6 * 12 / 1000), eta = 0.1 / omega, h = 2e-3 / omega;
  for (const Scheme scheme : {Scheme::kExplicit, Scheme::kImplicit}) {
    Body body = soft_cube(eta);
    const int steps = 3142 * 2;  // two periods, but for what damping adds
    double largest = 0;
    for (int k = 0; k < steps; ++k) {
      step(body, {}, h, scheme);
      if (k > steps - 400) largest = std::max(largest, body.state.q[3] - 1);
    }
    EXPECT_NEAR(largest, 1e-3 * std::exp(-eta * omega * omega / 2 * steps * h), 1e-5);
  }
}

TEST(Body, ImplicitStepsMayBeLong) {
  Body body = soft_cube(0);
  const double before = energy(body).strain;
  for (int k = 0; k < 1000; ++k) step(body, {}, 0.1, Scheme::kImplicit);  // omega h = 15
  EXPECT_LT(energy(body).kinetic + energy(body).strain, 1.5 * before);
}

TEST(Body, SoftBodiesKeepBothMomenta) {
  Body body = soft_cube(0);
  body.constants.lame_lambda = 5e5;
  body.state.u = {1, 2, 3, 0.1, 2, 0.3, -2, 0.2, 0.1, 0.05, 0.3, 0.2};
  const std::array<Vector3d, 2> before = momentum(body);
  for (int k = 0; k < 2000; ++k) step(body, {}, 1e-4);
  EXPECT_LT((momentum(body)[0] - before[0]).norm(), 1e-9);
  EXPECT_LT((momentum(body)[1] - before[1]).norm(), 1e-9 * before[1].norm() + 1e-9);
}

}  // namespace
}  // namespace espalier::contact

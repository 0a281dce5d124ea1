#include "espalier/contact/detail/response.hpp"

#include <algorithm>
#include <numeric>

#include "espalier/base/index.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::contact::detail {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Response::Response(const Domain& domain, const Prepared& prepared) {
  moved_.reserve(domain.bodies.size());
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    add_body(domain.bodies[i].body, prepared.deformation_inverse.empty() ? nullptr : &prepared.deformation_inverse[i]);
  }
  const std::vector<int>& constraints = prepared.rows.constraint;
  levers_.reserve(constraints.size());
  // In the order of rows, those of other ranks as well: their impulses move bodies here.
  for (const int c : constraints) {
    const auto k = to_index(c);
    const Adjacency& adjacency = prepared.adjacency;
    levers_.push_back(make_lever(domain, domain.constraints[k], adjacency.master[k], adjacency.slave[k]));
  }
  order_.resize(constraints.size());
  std::iota(order_.begin(), order_.end(), 0);
  if (prepared.colour.empty()) return;
  const auto colour_of = [&](int place) {
    return prepared.colour[to_index(constraints[to_index(place)])];
  };
  // Places stand by colour among the rows of this rank and among those of others; sums need both together.
  std::inplace_merge(order_.begin(), order_.begin() + prepared.rows.internal, order_.end(),
                     [&](int a, int b) { return colour_of(a) < colour_of(b); });
}

void Response::add_body(const Body& body, const DeformationInverse* deformation_inverse) {
  Moved moved;
  moved.v.setZero();
  moved.w.setZero();
  moved.inverse.setZero();
  if (body.constants.kind != Kind::kObstacle) moved.per_mass = 1 / body.constants.mass;
  if (body.constants.kind == Kind::kRigid) moved.inverse = inverse_inertia(body);
  if (body.constants.kind == Kind::kPseudoRigid) {
    moved.soft = static_cast<int>(soft_.size());
    soft_.push_back({Vector9::Zero(), deformation_inverse});
  }
  moved_.push_back(moved);
}

Response::Lever Response::make_lever(const Domain& domain, const Constraint& constraint, int master, int slave) const {
  Lever lever;
  lever.axes = axes(constraint);
  lever.shift = constraint.turn ? 0 : 1;
  lever.spin = constraint.turn ? 1 : constraint.lead;
  const std::array<int, 2> places = {master, slave};
  const std::array<Handle, 2> handles = {on_master(constraint), on_slave(constraint)};
  for (std::size_t side = 0; side < 2; ++side) {
    lever.arm[side].setZero();
    // A record may name a body that is not here.
    if (places[side] < 0) continue;
    const Body& body = domain.bodies[to_index(places[side])].body;
    // What stands has no velocity to follow: its side stays empty.
    if (body.constants.kind == Kind::kObstacle) continue;
    lever.body[side] = places[side];
    // A point of a pseudo-rigid body is material, and F takes it to the world.
    const bool soft = body.constants.kind == Kind::kPseudoRigid;
    lever.arm[side] = soft ? handles[side].material : Vector3d(rotation(body.q_mid) * handles[side].material);
  }
  return lever;
}

Matrix3d Response::own(int place) const {
  const Lever& lever = levers_[to_index(place)];
  // (C1): the share of both bodies in W_ii.
  Matrix3d W = Matrix3d::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    if (lever.body[side] < 0) continue;
    const Moved& moved = moved_[to_index(lever.body[side])];
    if (moved.soft < 0) {
      // H of one body is (shift axes, turn), and its M^-1 is a mass and an inertia.
      const Matrix3d turn =
          lever.axes * (lever.spin * Matrix3d::Identity() - lever.shift * math::skew(lever.arm[side]));
      W += lever.shift * moved.per_mass * (lever.axes * lever.axes.transpose()) +
           turn * moved.inverse * turn.transpose();
      continue;
    }
    // (I x X)^T A^-1 (I x X), as compliance() has it.
    Matrix3d G = moved.per_mass * Matrix3d::Identity();
    const DeformationInverse& deformation_inverse = *soft_[to_index(moved.soft)].deformation_inverse;
    const Vector3d& X = lever.arm[side];
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) G(r, c) += X.dot(deformation_inverse.block<3, 3>(3 * r, 3 * c) * X);
    }
    W += lever.axes * G * lever.axes.transpose();
  }
  return W;
}

// Sweeps spend their time in the next four. They are written out in numbers, which makes sweeps a tenth faster.

Response::Three Response::velocity(const Lever& lever, std::size_t side) const {
  if (lever.body[side] < 0) return {};
  const Moved& moved = moved_[to_index(lever.body[side])];
  const double *v = moved.v.data(), *w = moved.w.data(), *arm = lever.arm[side].data();
  if (moved.soft >= 0) {
    // The rate of F, row by row.
    const double* F = soft_[to_index(moved.soft)].rate.data();
    return {v[0] + F[0] * arm[0] + F[1] * arm[1] + F[2] * arm[2], v[1] + F[3] * arm[0] + F[4] * arm[1] + F[5] * arm[2],
            v[2] + F[6] * arm[0] + F[7] * arm[1] + F[8] * arm[2]};
  }
  return {lever.shift * (v[0] + w[1] * arm[2] - w[2] * arm[1]) + lever.spin * w[0],
          lever.shift * (v[1] + w[2] * arm[0] - w[0] * arm[2]) + lever.spin * w[1],
          lever.shift * (v[2] + w[0] * arm[1] - w[1] * arm[0]) + lever.spin * w[2]};
}

Vector3d Response::at(int place) const {
  const Lever& lever = levers_[to_index(place)];
  const Three master = velocity(lever, 0), slave = velocity(lever, 1);
  // Master less slave in the world first: one product with the axes instead of two.
  const double x = master.x - slave.x, y = master.y - slave.y, z = master.z - slave.z;
  const double* a = lever.axes.data();
  return {a[0] * x + a[3] * y + a[6] * z, a[1] * x + a[4] * y + a[7] * z, a[2] * x + a[5] * y + a[8] * z};
}

void Response::push(const Lever& lever, std::size_t side, Three p) {
  Moved& moved = moved_[to_index(lever.body[side])];
  double *v = moved.v.data(), *w = moved.w.data();
  const double* arm = lever.arm[side].data();
  // M^-1 H^T: what the impulse does to this body.
  const double share = lever.shift * moved.per_mass;
  v[0] += share * p.x;
  v[1] += share * p.y;
  v[2] += share * p.z;
  if (moved.soft >= 0) {
    stretch(lever.arm[side], {p.x, p.y, p.z}, soft_[to_index(moved.soft)]);
    return;
  }
  const double x = lever.shift * (arm[1] * p.z - arm[2] * p.y) + lever.spin * p.x;
  const double y = lever.shift * (arm[2] * p.x - arm[0] * p.z) + lever.spin * p.y;
  const double z = lever.shift * (arm[0] * p.y - arm[1] * p.x) + lever.spin * p.z;
  const double* J = moved.inverse.data();
  w[0] += J[0] * x + J[3] * y + J[6] * z;
  w[1] += J[1] * x + J[4] * y + J[7] * z;
  w[2] += J[2] * x + J[5] * y + J[8] * z;
}

void Response::add(int place, const Vector3d& change) {
  const Lever& lever = levers_[to_index(place)];
  // By the transposed axes from the row to the world.
  const double *a = lever.axes.data(), *R = change.data();
  const Three p = {a[0] * R[0] + a[1] * R[1] + a[2] * R[2], a[3] * R[0] + a[4] * R[1] + a[5] * R[2],
                   a[6] * R[0] + a[7] * R[1] + a[8] * R[2]};
  // Against each other, so that no momentum is made.
  if (lever.body[0] >= 0) push(lever, 0, p);
  if (lever.body[1] >= 0) push(lever, 1, {-p.x, -p.y, -p.z});
}

void Response::stretch(const Vector3d& material, const Vector3d& impulse, Soft& soft) {
  Vector9 f;
  // H^T: the impulse times the material point, row by row of F.
  for (int r = 0; r < 3; ++r) f.segment<3>(3 * r) = impulse[r] * material;
  soft.rate += *soft.deformation_inverse * f;
}

void Response::set(std::span<const Vector3d> R) {
  // From zero and, where rows have colours, in their order: every rank with the body gets the same sum.
  for (Moved& moved : moved_) {
    moved.v.setZero();
    moved.w.setZero();
  }
  for (Soft& soft : soft_) soft.rate.setZero();
  for (const int place : order_) add(place, R[to_index(place)]);
}

}  // namespace espalier::contact::detail

#include "espalier/contact/detail/response.hpp"

#include "espalier/math/rotation.hpp"

namespace espalier::contact::detail {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Response::Response(const Domain& domain, const Prepared& prepared)
    : adjacency_(prepared.adjacency), rows_(prepared.rows) {
  moved_.reserve(domain.bodies.size());
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    add_body(domain.bodies[i].body, prepared.softness.empty() ? nullptr : &prepared.softness[i]);
  }
  levers_.reserve(rows_.constraint.size());
  for (const int c : rows_.constraint) {
    const auto k = static_cast<std::size_t>(c);
    levers_.push_back(make_lever(domain, domain.constraints[k], adjacency_.master[k], adjacency_.slave[k]));
  }
}

void Response::add_body(const Body& body, const Softness* softness) {
  Moved moved;
  moved.v.setZero();
  moved.w.setZero();
  moved.inverse.setZero();
  if (body.constants.kind != Kind::kObstacle) moved.per_mass = 1 / body.constants.mass;
  if (body.constants.kind == Kind::kRigid) moved.inverse = inverse_inertia(body);
  if (body.constants.kind == Kind::kPseudoRigid) {
    moved.soft = static_cast<int>(soft_.size());
    soft_.push_back({Vector9::Zero(), softness});
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
    if (places[side] < 0) continue;
    const Body& body = domain.bodies[static_cast<std::size_t>(places[side])].body;
    if (body.constants.kind == Kind::kObstacle) continue;
    lever.body[side] = places[side];
    const bool soft = body.constants.kind == Kind::kPseudoRigid;
    lever.arm[side] = soft ? handles[side].material : Vector3d(rotation(body.q_mid) * handles[side].material);
  }
  return lever;
}

Matrix3d Response::own(int place) const {
  const Lever& lever = levers_[static_cast<std::size_t>(place)];
  Matrix3d W = Matrix3d::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    if (lever.body[side] < 0) continue;
    const Moved& moved = moved_[static_cast<std::size_t>(lever.body[side])];
    if (moved.soft < 0) {
      const Matrix3d turn =
          lever.axes * (lever.spin * Matrix3d::Identity() - lever.shift * math::skew(lever.arm[side]));
      W += lever.shift * moved.per_mass * (lever.axes * lever.axes.transpose()) +
           turn * moved.inverse * turn.transpose();
      continue;
    }
    Matrix3d G = moved.per_mass * Matrix3d::Identity();
    const Softness& softness = *soft_[static_cast<std::size_t>(moved.soft)].softness;
    const Vector3d& X = lever.arm[side];
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) G(r, c) += X.dot(softness.block<3, 3>(3 * r, 3 * c) * X);
    }
    W += lever.axes * G * lever.axes.transpose();
  }
  return W;
}

Vector3d Response::velocity(const Lever& lever, std::size_t side) const {
  if (lever.body[side] < 0) return Vector3d::Zero();
  const Moved& moved = moved_[static_cast<std::size_t>(lever.body[side])];
  if (moved.soft < 0) return lever.shift * (moved.v + moved.w.cross(lever.arm[side])) + lever.spin * moved.w;
  const Vector9& rate = soft_[static_cast<std::size_t>(moved.soft)].rate;
  return moved.v + Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rate.data()) * lever.arm[side];
}

// What an impulse turns: rows of a Lever, transposed.
Vector3d Response::couple(const Lever& lever, std::size_t side, const Vector3d& impulse) {
  return lever.shift * lever.arm[side].cross(impulse) + lever.spin * impulse;
}

// Row by row, as F is.
void Response::stretch(const Vector3d& material, const Vector3d& impulse, Vector9& sum) {
  for (int r = 0; r < 3; ++r) sum.segment<3>(3 * r) += impulse[r] * material;
}

template <class Use>
void Response::for_each_on(std::size_t body, std::span<const Vector3d> R, Use use) const {
  for (int k = adjacency_.begin[body]; k < adjacency_.begin[body + 1]; ++k) {
    const auto c = static_cast<std::size_t>(adjacency_.of[static_cast<std::size_t>(k)]);
    const auto place = static_cast<std::size_t>(rows_.place[c]);
    const Lever& lever = levers_[place];
    const std::size_t side = lever.body[0] == static_cast<int>(body) ? 0 : 1;
    const Vector3d impulse = lever.axes.transpose() * R[place];
    use(lever, side, side == 0 ? impulse : Vector3d(-impulse));
  }
}

void Response::set_rigid(std::size_t body, std::span<const Vector3d> R) {
  Vector3d p = Vector3d::Zero(), l = Vector3d::Zero();
  for_each_on(body, R, [&](const Lever& lever, std::size_t side, const Vector3d& impulse) {
    p += lever.shift * impulse;
    l += couple(lever, side, impulse);
  });
  moved_[body].v = moved_[body].per_mass * p;
  moved_[body].w = moved_[body].inverse * l;
}

void Response::set_soft(std::size_t body, std::span<const Vector3d> R) {
  Vector3d p = Vector3d::Zero();
  Vector9 f = Vector9::Zero();
  for_each_on(body, R, [&](const Lever& lever, std::size_t side, const Vector3d& impulse) {
    p += impulse;
    stretch(lever.arm[side], impulse, f);
  });
  Soft& soft = soft_[static_cast<std::size_t>(moved_[body].soft)];
  moved_[body].v = moved_[body].per_mass * p;
  soft.rate = *soft.softness * f;
}

void Response::set(std::span<const Vector3d> R) {
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    if (moved_[i].soft < 0) {
      set_rigid(i, R);
    } else {
      set_soft(i, R);
    }
  }
}

void Response::push(const Lever& lever, std::size_t side, const Vector3d& impulse) {
  Moved& moved = moved_[static_cast<std::size_t>(lever.body[side])];
  moved.v += lever.shift * moved.per_mass * impulse;
  if (moved.soft < 0) {
    moved.w += moved.inverse * couple(lever, side, impulse);
    return;
  }
  Soft& soft = soft_[static_cast<std::size_t>(moved.soft)];
  Vector9 f = Vector9::Zero();
  stretch(lever.arm[side], impulse, f);
  soft.rate += *soft.softness * f;
}

void Response::add(int place, const Vector3d& change) {
  const Lever& lever = levers_[static_cast<std::size_t>(place)];
  const Vector3d impulse = lever.axes.transpose() * change;
  if (lever.body[0] >= 0) push(lever, 0, impulse);
  if (lever.body[1] >= 0) push(lever, 1, -impulse);
}

Vector3d Response::at(int place) const {
  const Lever& lever = levers_[static_cast<std::size_t>(place)];
  return lever.axes * (velocity(lever, 0) - velocity(lever, 1));
}

}  // namespace espalier::contact::detail

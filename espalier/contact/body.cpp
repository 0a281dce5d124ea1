#include "espalier/contact/scene.hpp"

#include <Eigen/LU>

#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::contact {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Numbers = std::array<double, 12>;
using RowMatrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

Vector3d three(const Numbers& numbers, int at) { return Vector3d(numbers.data() + at); }
void set_three(Numbers& numbers, int at, const Vector3d& value) { Eigen::Map<Vector3d>(numbers.data() + at) = value; }
Matrix3d matrix(const std::array<double, 9>& numbers) { return RowMatrix3(numbers.data()); }
Matrix3d gradient(const Numbers& numbers) { return RowMatrix3(numbers.data() + 3); }
Vector9 nine(const Numbers& numbers) { return Vector9(numbers.data() + 3); }

void set_rotation(Numbers& q, const Quaterniond& rotation) {
  const Quaterniond unit = math::normalised(rotation);
  q[3] = unit.w(), q[4] = unit.x(), q[5] = unit.y(), q[6] = unit.z();
}

// exp(v) as a rotation; of a vector in body axes.
Quaterniond turned_by(const Vector3d& v) {
  const double half = v.norm() / 2;
  // sin(x) / x; the series is exact to rounding below 1e-4.
  const double sinc = half < 1e-4 ? 1 - half * half / 6 : elementary::sin(half) / half;
  const Vector3d axis = sinc / 2 * v;
  return {elementary::cos(half), axis.x(), axis.y(), axis.z()};
}

// First Piola-Kirchhoff stress of St Venant-Kirchhoff, times the volume.
Matrix3d internal_force(const BodyConstants& body, const Matrix3d& F) {
  const Matrix3d strain = (F.transpose() * F - Matrix3d::Identity()) / 2;
  const Matrix3d S = body.lame_lambda * strain.trace() * Matrix3d::Identity() + 2 * body.lame_mu * strain;
  return body.volume * F * S;
}

// d internal_force / dF, both row by row.
DeformationInverse stiffness(const BodyConstants& body, const Matrix3d& F) {
  const Matrix3d strain = (F.transpose() * F - Matrix3d::Identity()) / 2;
  const Matrix3d S = body.lame_lambda * strain.trace() * Matrix3d::Identity() + 2 * body.lame_mu * strain;
  DeformationInverse K;
  for (int column = 0; column < 9; ++column) {
    // One number of F changes, the other eight are held.
    Matrix3d dF = Matrix3d::Zero();
    dF(column / 3, column % 3) = 1;
    const Matrix3d d_strain = (dF.transpose() * F + F.transpose() * dF) / 2;
    const Matrix3d dS = body.lame_lambda * d_strain.trace() * Matrix3d::Identity() + 2 * body.lame_mu * d_strain;
    const RowMatrix3 dP = body.volume * (dF * S + F * dS);
    K.col(column) = Eigen::Map<const Vector9>(dP.data());
  }
  return K;
}

Vector9 internal_force_at_mid(const Body& body) {
  const RowMatrix3 P = internal_force(body.constants, gradient(body.q_mid));
  return Eigen::Map<const Vector9>(P.data());
}

// Torque in the axes of the mid pose.
Vector3d turned_torque(const Body& body, const Wrench& load) { return rotation(body.q_mid).conjugate() * load.torque; }

void begin_rigid(Body& body, const Wrench& load, double step) {
  const Vector3d W = three(body.state.u, 3);
  const Matrix3d J = matrix(body.constants.inertia);
  const Matrix3d inverse = matrix(body.constants.inverse);
  const Vector3d torque = turned_torque(body, load);
  // (C13): Euler's equations by two half steps, the gyroscopic term from the first.
  const Vector3d W_mid = W + step / 2 * (inverse * (torque - W.cross(J * W)));
  set_three(body.u_free, 3, W + step * (inverse * (torque - W_mid.cross(J * W_mid))));
}

void end_rigid(Body& body, const Wrench& load, const Impulse& impulse, double step) {
  const Matrix3d J = matrix(body.constants.inertia);
  const Matrix3d inverse = matrix(body.constants.inverse);
  const Vector3d W = three(body.state.u, 3);
  const Vector3d twist = three(impulse.p, 3);
  // (C15), in the axes of the mid pose.
  const Vector3d W1 = three(body.u_free, 3) + inverse * twist;
  const Quaterniond mid_to_end = turned_by(step / 2 * W1);
  const Vector3d mid = turned_by(step / 2 * W).conjugate() * Vector3d(J * W) + step * turned_torque(body, load) + twist;
  set_rotation(body.state.q, rotation(body.q_mid) * mid_to_end);
  set_three(body.state.u, 3, inverse * (mid_to_end.conjugate() * mid));
}

}  // namespace

int velocity_size(Kind kind) { return kind == Kind::kObstacle ? 0 : kind == Kind::kRigid ? 6 : 12; }

Vector3d position(const Numbers& q) { return three(q, 0); }
Quaterniond rotation(const Numbers& q) { return {q[3], q[4], q[5], q[6]}; }

Vector3d place(const Body& body, const Numbers& q, const Vector3d& material) {
  if (body.constants.kind == Kind::kPseudoRigid) return position(q) + gradient(q) * material;
  return position(q) + rotation(q) * material;
}

Vector3d velocity(const Body& body, const Numbers& u, const Vector3d& material) {
  // Obstacles stand, whatever their numbers say.
  if (body.constants.kind == Kind::kObstacle) return Vector3d::Zero();
  if (body.constants.kind == Kind::kPseudoRigid) return three(u, 0) + gradient(u) * material;
  return three(u, 0) + rotation(body.q_mid) * three(u, 3).cross(material);
}

Vector3d angular_velocity(const Body& body, const Numbers& u) {
  // A pseudo-rigid body has no axes of its own: only its points are held.
  if (body.constants.kind != Kind::kRigid) return Vector3d::Zero();
  return rotation(body.q_mid) * three(u, 3);
}

Vector3d material_point(const Body& body, const Vector3d& point) {
  const Vector3d arm = point - position(body.q_mid);
  // An affine map: F^-1 takes the point back to where place() finds it again.
  if (body.constants.kind == Kind::kPseudoRigid) return gradient(body.q_mid).inverse() * arm;
  return rotation(body.q_mid).conjugate() * arm;
}

DeformationInverse make_deformation_inverse(const Body& body, double step, Scheme scheme) {
  // (C16).
  DeformationInverse A = DeformationInverse::Zero();
  for (int i = 0; i < 3; ++i) A.block<3, 3>(3 * i, 3 * i) = matrix(body.constants.inertia);
  // The explicit scheme has M alone.
  if (scheme == Scheme::kImplicit) {
    A += (body.constants.damping * step / 2 + step * step / 4) * stiffness(body.constants, gradient(body.q_mid));
  }
  return A.inverse();
}

void go_to_middle(Body& body, double step) {
  // (C12).
  body.q_mid = body.state.q;
  if (body.constants.kind == Kind::kObstacle) return;
  set_three(body.q_mid, 0, position(body.state.q) + step / 2 * three(body.state.u, 0));
  if (body.constants.kind == Kind::kRigid) {
    set_rotation(body.q_mid, rotation(body.state.q) * turned_by(step / 2 * three(body.state.u, 3)));
  } else {
    // F follows its rate as it is: nothing holds its nine numbers to a rotation.
    Eigen::Map<Vector9>(body.q_mid.data() + 3) += step / 2 * nine(body.state.u);
  }
}

void begin_step(Body& body, const Wrench& load, double step, Scheme scheme) {
  body.u_free = body.state.u;
  if (body.constants.kind == Kind::kObstacle) return;
  // (C13).
  set_three(body.u_free, 0, three(body.state.u, 0) + step / body.constants.mass * load.force);
  if (body.constants.kind == Kind::kRigid) {
    begin_rigid(body, load, step);
  } else {
    const DeformationInverse deformation_inverse = make_deformation_inverse(body, step, scheme);
    Vector9 force = internal_force_at_mid(body);
    // The damper at the rate of the beginning; its implicit part is in A.
    if (body.constants.damping != 0) {
      force += body.constants.damping * (stiffness(body.constants, gradient(body.q_mid)) * nine(body.state.u));
    }
    Eigen::Map<Vector9>(body.u_free.data() + 3) = nine(body.state.u) - step * (deformation_inverse * force);
  }
}

Matrix3d inverse_inertia(const Body& body) {
  // J^-1 is given in body axes and asked for in those of the world.
  const Matrix3d R = rotation(body.q_mid).toRotationMatrix();
  return R * matrix(body.constants.inverse) * R.transpose();
}

Matrix3d compliance(const Body& body, const Handle& i, const Handle& j, const DeformationInverse* deformation_inverse) {
  if (body.constants.kind == Kind::kObstacle) return Matrix3d::Zero();
  const double per_mass = 1 / body.constants.mass;
  if (body.constants.kind == Kind::kPseudoRigid) {
    // (I x Xi)' A^-1 (I x Xj): each 3x3 block of A^-1 between two rows of F.
    Matrix3d G = per_mass * Matrix3d::Identity();
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c)
        G(r, c) += i.material.dot(deformation_inverse->block<3, 3>(3 * r, 3 * c) * j.material);
    }
    return G;
  }
  const Matrix3d inverse = inverse_inertia(body);
  const Quaterniond R = rotation(body.q_mid);
  // Velocity at i by an angular velocity, angular velocity by an impulse at j. A screw has both.
  Matrix3d left = i.turn ? Matrix3d::Identity() : Matrix3d(-math::skew(R * i.material));
  Matrix3d right = j.turn ? Matrix3d::Identity() : Matrix3d(math::skew(R * j.material));
  left.diagonal().array() += i.lead;
  right.diagonal().array() += j.lead;
  Matrix3d G = left * inverse * right;
  // Only where points are held does the mass take part.
  if (!i.turn && !j.turn) G.diagonal().array() += per_mass;
  return G;
}

void add_impulse(const Body& body, const Handle& at, const Vector3d& impulse, Impulse& sum) {
  if (body.constants.kind == Kind::kObstacle) return;
  if (body.constants.kind == Kind::kPseudoRigid) {
    Eigen::Map<Vector3d>(sum.p.data()) += impulse;
    // H^T of a point: its impulse times X goes to the rows of F.
    for (int i = 0; i < 3; ++i) Eigen::Map<Vector3d>(sum.p.data() + 3 + 3 * i) += impulse[i] * at.material;
    return;
  }
  // Angular impulses are added up in body axes, linear ones in those of the world.
  const Vector3d in_body = rotation(body.q_mid).conjugate() * impulse;
  if (!at.turn) Eigen::Map<Vector3d>(sum.p.data()) += impulse;
  Eigen::Map<Vector3d>(sum.p.data() + 3) +=
      at.turn ? in_body : Vector3d(at.material.cross(in_body) + at.lead * in_body);
}

void end_step(Body& body, const Wrench& load, const Impulse& impulse, double step,
              const DeformationInverse* deformation_inverse) {
  if (body.constants.kind == Kind::kObstacle) return;
  // (C14).
  const Vector3d v = three(body.u_free, 0) + three(impulse.p, 0) / body.constants.mass;
  if (body.constants.kind == Kind::kRigid) {
    end_rigid(body, load, impulse, step);
  } else {
    // Impulses go through the same A^-1 as the forces of begin_step().
    const Vector9 rate = nine(body.u_free) + *deformation_inverse * nine(impulse.p);
    Eigen::Map<Vector9>(body.state.q.data() + 3) = nine(body.q_mid) + step / 2 * rate;
    Eigen::Map<Vector9>(body.state.u.data() + 3) = rate;
  }
  set_three(body.state.q, 0, position(body.q_mid) + step / 2 * v);
  set_three(body.state.u, 0, v);
}

void displace(Body& body, const Impulse& push, double step, const DeformationInverse* deformation_inverse) {
  Numbers& q = body.state.q;
  set_three(q, 0, position(q) + step / body.constants.mass * three(push.p, 0));
  if (body.constants.kind == Kind::kRigid) {
    set_rotation(q, rotation(q) * turned_by(step * (matrix(body.constants.inverse) * three(push.p, 3))));
  } else {
    Eigen::Map<Vector9>(q.data() + 3) += step * (*deformation_inverse * nine(push.p));
  }
}

Energy energy(const Body& body) {
  Energy result;
  if (body.constants.kind == Kind::kObstacle) return result;
  result.kinetic = body.constants.mass * three(body.state.u, 0).squaredNorm() / 2;
  const Matrix3d inertia = matrix(body.constants.inertia);
  if (body.constants.kind == Kind::kRigid) {
    const Vector3d W = three(body.state.u, 3);
    result.kinetic += W.dot(inertia * W) / 2;
    return result;
  }
  // dF/dt is weighed by Euler's tensor, which such bodies have in place of the inertia.
  const Matrix3d rate = gradient(body.state.u), F = gradient(body.state.q);
  result.kinetic += (rate * inertia * rate.transpose()).trace() / 2;
  const Matrix3d strain = (F.transpose() * F - Matrix3d::Identity()) / 2;
  result.strain = body.constants.volume * (body.constants.lame_lambda / 2 * strain.trace() * strain.trace() +
                                           body.constants.lame_mu * strain.squaredNorm());
  return result;
}

std::array<Vector3d, 2> momentum(const Body& body) {
  if (body.constants.kind == Kind::kObstacle) return {Vector3d::Zero(), Vector3d::Zero()};
  const Vector3d linear = body.constants.mass * three(body.state.u, 0);
  const Vector3d orbital = position(body.state.q).cross(linear);
  const Matrix3d inertia = matrix(body.constants.inertia);
  if (body.constants.kind == Kind::kRigid) {
    return {linear, orbital + rotation(body.state.q) * Vector3d(inertia * three(body.state.u, 3))};
  }
  // Sum of F X x dF X over the body: the skew part of dF E0 F'.
  const Matrix3d spin = gradient(body.state.u) * inertia * gradient(body.state.q).transpose();
  return {linear, orbital + Vector3d(spin(2, 1) - spin(1, 2), spin(0, 2) - spin(2, 0), spin(1, 0) - spin(0, 1))};
}

}  // namespace espalier::contact

#include "espalier/math/inertia.hpp"

#include <algorithm>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "espalier/math/rotation.hpp"

namespace espalier::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Inertia about a point at distance d from the centre of mass, minus that about the centre (parallel axes).
Matrix3d steiner(double mass, const Vector3d& d) {
  return mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
}

Inertia centred(double mass, const Vector3d& moments) {
  return {mass, Vector3d::Zero(), Matrix3d(moments.asDiagonal())};
}

}  // namespace

Inertia Inertia::operator+(const Inertia& other) const {
  const double total = mass + other.mass;
  // Without mass there is no centre; keeping one of them leaves a sum of zeros unchanged.
  const Vector3d centre = total > 0 ? Vector3d((mass * com + other.mass * other.com) / total) : com;
  return {total, centre,
          about_com + steiner(mass, com - centre) + other.about_com + steiner(other.mass, other.com - centre)};
}

Inertia transformed(const Pose& X_AB, const Inertia& inertia_B) {
  const Matrix3d R = X_AB.rotation.toRotationMatrix();
  return {inertia_B.mass, X_AB * inertia_B.com, R * inertia_B.about_com * R.transpose()};
}

Matrix3d matrix_from_moments(const Eigen::Matrix<double, 6, 1>& m) {
  // m holds xx, yy, zz, xy, xz, yz.
  Matrix3d matrix;
  matrix << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
  return matrix;
}

Eigen::Matrix<double, 6, 1> moments_from_matrix(const Matrix3d& matrix) {
  return {matrix(0, 0), matrix(1, 1), matrix(2, 2), matrix(0, 1), matrix(0, 2), matrix(1, 2)};
}

Vector3d principal_moments(const Matrix3d& about_com) {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(about_com, Eigen::EigenvaluesOnly).eigenvalues();
}

double impossibility(const Matrix3d& about_com) {
  // Principal moments in rising order. A body has none below zero, and none above the sum of the other two.
  const Vector3d p = principal_moments(about_com);
  const double scale = std::max(std::abs(p[0]), std::abs(p[2]));
  if (scale == 0) return 0;
  return std::max({0.0, -p[0] / scale, (p[2] - p[1] - p[0]) / scale});
}

Eigen::Matrix<double, 6, 6> spatial_matrix(const Inertia& inertia) {
  // Rotation above, translation below, about the frame's origin: I - m c c is the parallel-axis theorem.
  const Matrix3d c = skew(inertia.com);
  Eigen::Matrix<double, 6, 6> m;
  m << inertia.about_com - inertia.mass * c * c, inertia.mass * c, -inertia.mass * c,
      inertia.mass * Matrix3d::Identity();
  return m;
}

Inertia sphere_inertia(double mass, double radius) {
  return centred(mass, Vector3d::Constant(0.4 * mass * radius * radius));
}

Inertia box_inertia(double mass, const Vector3d& lengths) {
  const Vector3d square = lengths.cwiseAbs2();
  return centred(mass, mass / 12 * Vector3d(square.y() + square.z(), square.x() + square.z(), square.x() + square.y()));
}

Inertia cylinder_inertia(double mass, double radius, double length) {
  const double across = mass * (3 * radius * radius + length * length) / 12;
  return centred(mass, {across, across, mass * radius * radius / 2});
}

Inertia capsule_inertia(double mass, double radius, double length) {
  // Cylinder and two half spheres share the mass by volume; a half sphere has its centre 3r/8 from its face.
  const double cylinder_volume = std::numbers::pi * radius * radius * length;
  const double sphere_volume = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  const double sphere_mass = mass * sphere_volume / (sphere_volume + cylinder_volume);
  const Inertia cylinder = cylinder_inertia(mass - sphere_mass, radius, length);
  const double along = 0.4 * sphere_mass * radius * radius;
  // Two half spheres, their centres L/2 + 3r/8 away: about its own centre each lacks m (3r/8)^2, which cancels.
  const double across = along + sphere_mass * (length * length / 4 + 3.0 / 8.0 * length * radius);
  return centred(mass, Vector3d(cylinder.about_com.diagonal()) + Vector3d(across, across, along));
}

Inertia ellipsoid_inertia(double mass, const Vector3d& radii) {
  const Vector3d square = radii.cwiseAbs2();
  return centred(mass, mass / 5 * Vector3d(square.y() + square.z(), square.x() + square.z(), square.x() + square.y()));
}

}  // namespace espalier::math

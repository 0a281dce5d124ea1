#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/math/pose.hpp"

namespace espalier::math {

// Mass, centre of mass and rotational inertia of a rigid body, in one frame B.
struct Inertia {
  double mass = 0;                                      // [kg]
  Eigen::Vector3d com = Eigen::Vector3d::Zero();        // p_BoBcm_B [m]
  Eigen::Matrix3d about_com = Eigen::Matrix3d::Zero();  // I_BBcm_B [kg m^2]

  // The two bodies glued together.
  Inertia operator+(const Inertia& other) const;
};

// The same body seen from frame A, where X_AB is the pose of its frame B.
Inertia transformed(const Pose& X_AB, const Inertia& inertia_B);

// [ixx, iyy, izz, ixy, ixz, iyz] as a symmetric matrix, and back.
Eigen::Matrix3d matrix_from_moments(const Eigen::Matrix<double, 6, 1>& moments);
Eigen::Matrix<double, 6, 1> moments_from_matrix(const Eigen::Matrix3d& matrix);

// Principal moments, ascending [kg m^2].
Eigen::Vector3d principal_moments(const Eigen::Matrix3d& about_com);

// By how much the principal moments break "positive, and the largest at most the sum of the others", relative to the
// largest; 0 for a possible body. A thin rod and a flat plate are the limits that still are possible.
double impossibility(const Eigen::Matrix3d& about_com);

// 6x6 spatial inertia about the origin of B, order [angular; linear]: f = M v.
Eigen::Matrix<double, 6, 6> spatial_matrix(const Inertia& inertia);

// Uniform solids of given mass about their centre; axis z where there is one. Lengths are full lengths, not halves.
Inertia sphere_inertia(double mass, double radius);
Inertia box_inertia(double mass, const Eigen::Vector3d& lengths);
Inertia cylinder_inertia(double mass, double radius, double length);
Inertia capsule_inertia(double mass, double radius, double length);  // length of the cylindrical part
Inertia ellipsoid_inertia(double mass, const Eigen::Vector3d& radii);

// A convex polyhedron: its vertices and outward-facing triangles.
struct Hull {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
};

// The convex hull of a set of points; nothing where they lie in one plane (within 1e-9 of their extent).
// Incremental, O(points x faces): meant for hand-made hulls of some hundred points.
std::optional<Hull> convex_hull(std::span<const Eigen::Vector3d> points);

// Mass properties of the solid at this density [kg/m^3].
Inertia hull_inertia(const Hull& hull, double density);

}  // namespace espalier::math

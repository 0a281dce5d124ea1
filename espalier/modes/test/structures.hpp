#pragma once

// Structures made by hand, for tests of the room.

#include <array>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "espalier/modes/structure.hpp"
#include "espalier/modes/pass.hpp"

namespace espalier::modes {

inline constexpr Directions kAll = {true, true, true, true, true, true};
inline constexpr Directions kAlongX = {true, false, false, false, false, false};
inline constexpr Directions kBending = {false, true, false, false, false, true};
inline constexpr Directions kPlanar = {true, true, false, false, false, true};
inline constexpr Directions kSupport = {};

inline Vertex vertex_at(const Eigen::Vector3d& point, const Directions& moves) {
  Vertex vertex;
  vertex.point = point;
  vertex.moves = moves;
  return vertex;
}

inline Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d out;
  out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return out;
}

// Mass matrix about the vertex' point of a rigid body with its centre at `arm` from it.
inline Matrix6 rigid_mass(double mass, const Eigen::Vector3d& arm, const Eigen::Matrix3d& inertia) {
  Matrix6 out = Matrix6::Zero();
  const Eigen::Matrix3d cross = cross_matrix(arm);
  out.topLeftCorner<3, 3>() = mass * Eigen::Matrix3d::Identity();
  out.topRightCorner<3, 3>() = -mass * cross;
  out.bottomLeftCorner<3, 3>() = mass * cross;
  out.bottomRightCorner<3, 3>() = inertia - mass * cross * cross;
  return out;
}

// Displacement at `arm` from the vertex in axes whose directions are the rows of `axes`.
inline Matrix6 port(const Eigen::Matrix3d& axes, const Eigen::Vector3d& arm) {
  Matrix6 out = Matrix6::Zero();
  out.topLeftCorner<3, 3>() = axes;
  out.topRightCorner<3, 3>() = -axes * cross_matrix(arm);
  out.bottomRightCorner<3, 3>() = axes;
  return out;
}

// Rows: along `axis`, the part of `y` normal to it, and the third.
inline Eigen::Matrix3d axes_along(const Eigen::Vector3d& axis, const Eigen::Vector3d& y) {
  Eigen::Matrix3d out;
  const Eigen::Vector3d x = axis.normalized();
  const Eigen::Vector3d normal = (y - x * x.dot(y)).normalized();
  out.row(0) = x;
  out.row(1) = normal;
  out.row(2) = x.cross(normal);
  return out;
}

struct SectionOf {
  double area, Iy, Iz, J;
  double E, G, rho;
};

// Euler and Bernoulli's beam; no polar inertia given: Iy + Iz.
inline Beam beam_of(const SectionOf& section, double length) {
  Beam beam;
  beam.length = length;
  beam.EA = section.E * section.area;
  beam.GJ = section.G * section.J;
  beam.EIy = section.E * section.Iy;
  beam.EIz = section.E * section.Iz;
  beam.rho_A = section.rho * section.area;
  beam.rho_Ip = section.rho * (section.Iy + section.Iz);
  return beam;
}

// A beam between two vertices, whose ends stand off the vertices' points by arms in world axes.
inline void add_beam(Structure& structure, int a, int b, const SectionOf& section, const Eigen::Vector3d& y,
                     const Eigen::Vector3d& arm_a = Eigen::Vector3d::Zero(),
                     const Eigen::Vector3d& arm_b = Eigen::Vector3d::Zero()) {
  const Eigen::Vector3d from = structure.vertices[a].point + arm_a, to = structure.vertices[b].point + arm_b;
  const Eigen::Matrix3d axes = axes_along(to - from, y);
  structure.elements.push_back(
      {"beam", beam_of(section, (to - from).norm()), {a, b}, {port(axes, arm_a), port(axes, arm_b)}});
}

inline void add_spring(Structure& structure, int a, int b, double stiffness, double damping = 0) {
  Hinge hinge;
  hinge.kind[0] = Hinge::Kind::kElastic;
  hinge.stiffness[0] = stiffness;
  hinge.damping[0] = damping;
  structure.elements.push_back({"spring", hinge, {a, b}, {Matrix6::Identity(), Matrix6::Identity()}});
}

// Support, spring, mass, spring, mass, ..., along x.
inline Structure spring_chain(const std::vector<double>& stiffness, const std::vector<double>& mass) {
  Structure out;
  out.vertices.push_back(vertex_at(Eigen::Vector3d::Zero(), kSupport));
  for (std::size_t k = 0; k < mass.size(); ++k) {
    out.vertices.push_back(vertex_at(Eigen::Vector3d(1.0 + k, 0, 0), kAlongX));
    out.vertices.back().mass(0, 0) = mass[k];
    add_spring(out, static_cast<int>(k), static_cast<int>(k) + 1, stiffness[k]);
  }
  return out;
}

// Support, rod, mass, rod, mass, ..., along x. Aluminium, 4 cm^2, 0.2 m each.
inline Structure rod_chain(const std::vector<double>& mass) {
  Structure out;
  out.vertices.push_back(vertex_at(Eigen::Vector3d::Zero(), kSupport));
  for (std::size_t k = 0; k < mass.size(); ++k) {
    out.vertices.push_back(vertex_at(Eigen::Vector3d(0.2 * (1.0 + k), 0, 0), kAlongX));
    out.vertices.back().mass(0, 0) = mass[k];
    Beam rod = beam_of({4e-4, 0, 0, 0, 6.9e10, 0, 2730}, 0.2);
    rod.torsion = rod.bend_y = rod.bend_z = false;
    const int at = static_cast<int>(k);
    out.elements.push_back({"rod", rod, {at, at + 1}, {Matrix6::Identity(), Matrix6::Identity()}});
  }
  return out;
}

// The literature's damped cantilever: square, 40 mm tapered to 20 mm over 4 m, in segments of their slice's volume.
inline Structure stepped_beam(int segments = 50, double viscous = 40) {
  const double length = 4, width = 0.04, narrowing = 0.5, E = 6.9e10, rho = 2730;
  const auto volume = [&](double x) {
    return width * width * length * (x - narrowing * x * x + narrowing * narrowing * x * x * x / 3);
  };
  Structure out;
  out.vertices.push_back(vertex_at(Eigen::Vector3d::Zero(), kSupport));
  for (int k = 0; k < segments; ++k) {
    const double part = length / segments;
    const double area = (volume((k + 1.0) / segments) - volume(static_cast<double>(k) / segments)) / part;
    const double I = area * area / 12;
    Beam beam = beam_of({area, I, I, 0, E, 0, rho}, part);
    beam.viscous = viscous;
    out.vertices.push_back(vertex_at(Eigen::Vector3d((k + 1) * part, 0, 0), kBending));
    out.elements.push_back({"segment", beam, {k, k + 1}, {Matrix6::Identity(), Matrix6::Identity()}});
  }
  return out;
}

// Vertices in a row on the last of them: what a chain's tree is.
inline Tree chain_tree(const Structure& structure, int root) {
  const int n = static_cast<int>(structure.vertices.size());
  Tree tree{std::vector<int>(n, -1), std::vector<int>(n, -1)};
  for (int v = 1; v < n; ++v) {
    if (v == root) continue;
    tree.parent[v] = v < root ? v + 1 : v - 1;
    tree.element[v] = v < root ? v : v - 1;
  }
  return tree;
}

}  // namespace espalier::modes

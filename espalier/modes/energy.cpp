#include "espalier/modes/results.hpp"

#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/modes/detail/beam_slice.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;
using detail::BeamPoint;
using detail::Displacement;
using Eigen::Index;
using Eigen::Vector3d;

Displacement at_vertex(const Shape& shape, int vertex) {
  Displacement u;
  for (Index k = 0; k < 6; ++k) u[k] = shape[to_index(vertex)][to_index(k)];
  return u;
}

std::array<Displacement, 2> ends_of(const Element& element, const Shape& shape) {
  return {element.to_local[0] * at_vertex(shape, element.vertex[0]),
          element.to_local[1] * at_vertex(shape, element.vertex[1])};
}

double form(const Matrix6& matrix, const Displacement& u) { return (u.adjoint() * matrix * u)(0).real(); }

// Mass a length in each direction of a beam; 0 where it carries none.
std::array<double, 6> line_mass(const Beam& beam) {
  return {beam.axial ? beam.rho_A : 0,    beam.bend_y ? beam.rho_A : 0,  beam.bend_z ? beam.rho_A : 0,
          beam.torsion ? beam.rho_Ip : 0, beam.bend_z ? beam.rho_Iy : 0, beam.bend_y ? beam.rho_Iz : 0};
}

Energy energy_of(const Beam& beam, Complex s, const std::array<Displacement, 2>& ends) {
  const double s2 = std::norm(s);
  const std::array<double, 6> mass = line_mass(beam);
  const std::array<bool, 3> carried = {beam.axial, beam.bend_y, beam.bend_z};
  Energy sum;
  // k, c and m of (M15) at the points of Gauss' rule, those of c and m times |s|^2.
  for (const BeamPoint& point : detail::sample_beam(beam, s, ends[0], ends[1])) {
    double moved = 0, displaced = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      const double square = std::norm(point.displacement[static_cast<Index>(k)]);
      moved += mass[k] * square;
      if (k < 3 && carried[k]) displaced += square;
    }
    sum.kinetic += point.weight * s2 * moved;
    sum.potential += point.weight * (point.strain + beam.foundation * displaced);
    sum.lost += point.weight * s2 * (beam.viscous * displaced + beam.kelvin_voigt * point.strain);
  }
  return sum;
}

Energy energy_of(const Hinge& hinge, Complex s, const std::array<Displacement, 2>& ends) {
  Energy sum;
  for (std::size_t k = 0; k < 6; ++k) {
    if (hinge.kind[k] != Hinge::Kind::kElastic) continue;
    // A hinge has no mass: it is stretched by the difference of its ends.
    const double square = std::norm(ends[1][static_cast<Index>(k)] - ends[0][static_cast<Index>(k)]);
    sum.potential += hinge.stiffness[k] * square;
    sum.lost += std::norm(s) * hinge.damping[k] * square;
  }
  return sum;
}

// Rows of a root of the mass matrix: M = R^T R. What is negative is rounding.
Matrix6 mass_root(const Matrix6& mass) {
  if (mass.isZero(0)) return mass;
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(mass);
  return solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() * solver.eigenvectors().transpose();
}

// The numbers of mass_coordinates(), one after the other, from the displacements of vertices and of points in beams.
template <class AtVertex, class AtPoints>
Eigen::VectorXcd collect(const CutStructure& cut, const AtVertex& at_vertex, const AtPoints& at_points) {
  // (M17): M^(1/2) u, so that products of these numbers are products by mass.
  std::vector<Complex> numbers;
  for (std::size_t v = 0; v < to_index(cut.whole_vertices); ++v) {
    const Vertex& vertex = cut.structure.vertices[v];
    // Vertices inside of a beam have no mass of their own, so that those of the whole are enough.
    const Displacement q = mass_root(vertex.mass) * at_vertex(static_cast<int>(v));
    numbers.insert(numbers.end(), q.data(), q.data() + 6);
  }
  for (const Element& element : cut.structure.elements) {
    const Beam* beam = std::get_if<Beam>(&element.law);
    if (beam == nullptr) continue;
    const std::array<double, 6> mass = line_mass(*beam);
    for (const BeamPoint& point : at_points(*beam, element)) {
      for (std::size_t k = 0; k < 6; ++k) {
        numbers.push_back(std::sqrt(point.weight * mass[k]) * point.displacement[static_cast<Index>(k)]);
      }
    }
  }
  return Eigen::Map<Eigen::VectorXcd>(numbers.data(), static_cast<Index>(numbers.size()));
}

// A rigid motion at a point, in world axes.
Displacement rigid_motion(Index direction, const Vector3d& arm) {
  Displacement u = Displacement::Zero();
  u[direction] = 1;
  // theta x arm.
  if (direction >= 3) u.head<3>() = Vector3d::Unit(direction - 3).cross(arm).cast<Complex>();
  return u;
}

Displacement moving_part(const Vertex& vertex, Displacement u) {
  for (Index k = 0; k < 6; ++k) {
    if (!vertex.moves[to_index(k)]) u[k] = 0;
  }
  return u;
}

std::array<BeamPoint, detail::kPoints> rigid_points(const CutStructure& cut, const Beam& beam, const Element& element,
                                                    Index direction, const Vector3d& centre) {
  const std::array<Vector3d, 2> ends = end_points(cut.structure, element);
  const Eigen::Matrix3d axes = beam_axes(cut, element);
  // For the places and weights alone: a rigid motion is known at every point.
  auto points = detail::sample_beam(beam, 0, Displacement::Zero(), Displacement::Zero());
  for (std::size_t p = 0; p < points.size(); ++p) {
    const double along = detail::kPlace[p];
    const Displacement u = rigid_motion(direction, (1 - along) * ends[0] + along * ends[1] - centre);
    points[p].displacement.head<3>() = axes.cast<Complex>() * u.head<3>();
    points[p].displacement.tail<3>() = axes.cast<Complex>() * u.tail<3>();
  }
  return points;
}

}  // namespace

Energy& Energy::operator+=(const Energy& other) {
  kinetic += other.kinetic;
  potential += other.potential;
  lost += other.lost;
  return *this;
}

Energies find_energies(const CutStructure& cut, const Shape& shape, Complex s) {
  Energies energies;
  for (std::size_t v = 0; v < to_index(cut.whole_vertices); ++v) {
    const Vertex& vertex = cut.structure.vertices[v];
    const Displacement u = at_vertex(shape, static_cast<int>(v));
    energies.vertices.push_back(
        {std::norm(s) * form(vertex.mass, u), form(vertex.stiffness, u), std::norm(s) * form(vertex.damping, u)});
    energies.total += energies.vertices.back();
  }
  for (const std::vector<int>& slices : cut.slices) {
    Energy sum;
    for (const int slice : slices) {
      const Element& element = cut.structure.elements[to_index(slice)];
      const std::array<Displacement, 2> ends = ends_of(element, shape);
      sum += std::visit([&](const auto& law) { return energy_of(law, s, ends); }, element.law);
    }
    energies.elements.push_back(sum);
    energies.total += sum;
  }
  return energies;
}

Eigen::VectorXcd mass_coordinates(const CutStructure& cut, const Shape& shape, Complex s) {
  return collect(
      cut, [&](int vertex) { return at_vertex(shape, vertex); },
      [&](const Beam& beam, const Element& element) {
        const std::array<Displacement, 2> ends = ends_of(element, shape);
        return detail::sample_beam(beam, s, ends[0], ends[1]);
      });
}

Eigen::MatrixXcd rigid_mass_coordinates(const CutStructure& cut, const Vector3d& centre) {
  Eigen::MatrixXcd columns;
  for (Index direction = 0; direction < 6; ++direction) {
    const Eigen::VectorXcd column = collect(
        cut,
        [&](int v) {
          const Vertex& vertex = cut.structure.vertices[to_index(v)];
          return moving_part(vertex, rigid_motion(direction, vertex.point - centre));
        },
        [&](const Beam& beam, const Element& element) { return rigid_points(cut, beam, element, direction, centre); });
    // How many numbers there are is known with the first column.
    if (direction == 0) columns.resize(column.size(), 6);
    columns.col(direction) = column;
  }
  return columns;
}

std::vector<double> body_shares(const model::Model& model, const Vertex& vertex,
                                const std::array<Complex, 6>& displacement) {
  // A body alone takes all of its vertex, also where nothing moves.
  if (vertex.bodies.size() == 1) return {1.0};
  const Displacement u = Eigen::Map<const Displacement>(displacement.data());
  std::vector<double> shares;
  double sum = 0;
  for (const model::BodyId id : vertex.bodies) {
    const math::Inertia inertia = math::transformed(model.body(id).X_WB, model.body(id).inertia);
    // Velocity of the centre of mass, and rotation.
    const Eigen::Vector3cd turned = u.tail<3>();
    const Eigen::Vector3cd moved = u.head<3>() - math::skew(inertia.com - vertex.point).cast<Complex>() * turned;
    const Complex spin = turned.dot(inertia.about_com.cast<Complex>() * turned);
    shares.push_back(inertia.mass * moved.squaredNorm() + spin.real());
    sum += shares.back();
  }
  for (double& share : shares) share = sum > 0 ? share / sum : 0;
  return shares;
}

Vector3d mass_centre(const CutStructure& cut) {
  double mass = 0;
  Vector3d moment = Vector3d::Zero();
  for (const Vertex& vertex : cut.structure.vertices) {
    // m times the cross matrix of the way to the centre stands below the mass.
    const Eigen::Matrix3d cross = vertex.mass.bottomLeftCorner<3, 3>();
    // All three are equal, unless an armature adds to one of them.
    const double own = vertex.mass.diagonal().head<3>().maxCoeff();
    mass += own;
    moment += own * vertex.point + Vector3d(cross(2, 1), cross(0, 2), cross(1, 0));
  }
  for (const Element& element : cut.structure.elements) {
    const Beam* beam = std::get_if<Beam>(&element.law);
    // A shaft that only twists has inertia and no mass that a displacement moves.
    if (beam == nullptr || !(beam->axial || beam->bend_y || beam->bend_z)) continue;
    const std::array<Vector3d, 2> ends = end_points(cut.structure, element);
    mass += beam->rho_A * beam->length;
    moment += beam->rho_A * beam->length * 0.5 * (ends[0] + ends[1]);
  }
  return mass > 0 ? Vector3d(moment / mass) : Vector3d::Zero();
}

}  // namespace espalier::modes

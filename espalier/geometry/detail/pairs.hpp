#pragma once

// The pairs of shapes that collide() tells apart. Each works in the frame of one of the two.

#include <vector>

#include <Eigen/Core>

#include "espalier/geometry/detail/convex.hpp"

namespace espalier::geometry::detail {

// Takes contacts in the frame of a shape to the world.
class Sink {
 public:
  // `turned`: normals come out of the shape named first.
  Sink(const math::Pose& frame, bool turned, std::vector<Touch>& touches)
      : R_(frame.rotation.toRotationMatrix()), origin_(frame.position), turned_(turned), touches_(touches) {}

  void add(const Touch& local) {
    Eigen::Vector3d normal = R_ * local.normal;
    // Turning loses a bit a time.
    normal *= 0.5 * (3 - normal.squaredNorm());
    touches_.push_back(
        {R_ * local.point + origin_, turned_ ? Eigen::Vector3d(-normal) : normal, local.gap, local.feature});
  }
  void add_all(const Manifold& manifold) {
    for (int k = 0; k < manifold.count; ++k) add(manifold.touches[k]);
  }

 private:
  Eigen::Matrix3d R_;
  Eigen::Vector3d origin_;
  bool turned_;
  std::vector<Touch>& touches_;
};

// Lengths below this have no direction: their square is no longer a number.
inline constexpr double kNoLength = 1e-100;  // [m]

// How b stands in the frame of a.
struct Placement {
  Eigen::Matrix3d R;
  Eigen::Vector3d p;
};

// Spheres, by where their centre lies in the frame of the other shape; normals out of that one.
struct Ball {
  Eigen::Vector3d centre;
  double radius = 0;
};
void collide_ball(const Ball& ball, const Geometry& other, double margin, Sink& sink);

// The half space z <= 0 and a shape; normals out of the plane.
void collide_plane(const Geometry& other, const Placement& place, double margin, Scratch& memory, Sink& sink);

// Normals out of a.
void collide_capsules(const Eigen::Vector3d& size_a, const Eigen::Vector3d& size_b, const Placement& b, double margin,
                      Sink& sink);
Manifold collide_boxes(const Geometry& a, const Geometry& b, const Placement& place, double margin, Scratch& memory);

// A mesh and a shape that stands in its frame; normals out of the mesh.
void collide_mesh(const TriangleMesh& mesh, const Geometry& other, const Placement& place, double margin,
                  Scratch& memory, Sink& sink);

}  // namespace espalier::geometry::detail

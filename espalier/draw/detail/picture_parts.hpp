#pragma once

// The visible faces of a piece, as polygons in the plane of a picture.

#include <string>
#include <vector>

#include <Eigen/Core>

#include "espalier/draw/scene.hpp"

namespace espalier::draw::detail {

struct Face {
  std::vector<Eigen::Vector2d> outline;  // along right and up [m]
  double depth = 0;                      // towards the eye, of its middle [m]
  double light = 1;                      // 0 to 1: how much its colour is lightened
  double radius = 0;                     // of a ball: outline[0] is its centre [m]
};

// `X_EP`: the pose of the piece in axes right, up, towards the eye.
std::vector<Face> visible_faces(const Scene& scene, const Piece& piece, const math::Pose& X_EP);

// Andrew's monotone chain, counter-clockwise.
std::vector<Eigen::Vector2d> convex_outline(std::vector<Eigen::Vector2d> points);

// "#4e79a7" made lighter (towards white) or darker; `light` 0.5 leaves it.
std::string lightened(const std::string& colour, double light);

}  // namespace espalier::draw::detail

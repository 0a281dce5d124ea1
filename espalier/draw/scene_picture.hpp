#pragma once

// A scene as a self-contained SVG: bodies sorted by depth and shaded, joints as symbols, names, a scale and the axis
// that points up.
//   In:   Scene, the poses of its bodies, a view
//   Out:  the text of the file

#include <optional>
#include <span>
#include <string>

#include <Eigen/Core>

#include "espalier/draw/scene.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/model.hpp"

namespace espalier::draw {

// How pictures of one scene look at it, so that all have the same scale.
struct PictureView {
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // rows: right, up, towards the eye; in world axes
  Eigen::Vector2d low = Eigen::Vector2d::Zero(),
                  high = Eigen::Vector2d::Ones();  // what is seen, along right and up [m]
};
// Of `frames` poses of all bodies, one frame after the other: all of them are in the picture.
PictureView choose_view(const model::Model& model, const Scene& scene, std::span<const math::Pose> poses);

struct PictureOptions {
  std::string title = {};      // what a screen reader says
  bool names = true;           // of bodies, where there are few
  bool plain_ground = false;   // no hatched floor and no scale
  std::optional<double> time;  // written in the corner [s]
};
// `poses`: of every body, the ground first.
std::string draw_picture(const model::Model& model, const Scene& scene, const PictureView& view,
                         std::span<const math::Pose> poses, const PictureOptions& options = {});

// Frames one after the other in one SVG that moves by itself, `seconds` long: of a mechanism that moves in the plane of
// the picture each body is drawn once and moved; else every frame is drawn.
std::string draw_moving_picture(const model::Model& model, const Scene& scene, const PictureView& view,
                                std::span<const math::Pose> poses, double seconds, const PictureOptions& options = {});

}  // namespace espalier::draw

#pragma once

// What pages and pictures show of a model: its shapes, beams and joints as pieces, each fixed in one body.
//   In:   model::Model
//   Out:  Scene, which scene_picture.hpp draws and view_page.hpp moves
// Bodies without a shape are drawn from their joints, as bars and plates.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "espalier/math/pose.hpp"
#include "espalier/model/model.hpp"

namespace espalier::draw {

// The numbers stand in pages; viewer/scene.js lists their words.
enum class PieceKind : std::uint8_t { kSphere, kBox, kCapsule, kCylinder, kEllipsoid, kPlane, kMesh, kRing };
enum class PieceRole : std::uint8_t {
  kShape,  // of the model: a shape or a beam
  kJoint,  // the symbol of a joint, in its body a
  kBar,    // stands for a body without a shape
};

struct Piece {
  int body = 0;
  PieceKind kind = PieceKind::kBox;
  PieceRole role = PieceRole::kShape;
  int joint = -1;  // of kJoint
  int mesh = -1;   // of kMesh: place in Scene::meshes
  // sphere and ring: (radius, 0, 0); box: full lengths; capsule and cylinder: (radius, length of the straight part, 0),
  // axis z; ellipsoid: half axes [m]
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  math::Pose pose;  // in the body
};

struct SceneMesh {
  std::vector<Eigen::Vector3d> points;  // [m]
  std::vector<std::array<int, 3>> triangles;
};

// A mesh that could not be drawn; a box of the body's inertia stands for it.
struct MissingMesh {
  std::string file, body;
  std::string why;  // "is not found"
};

// A line that is not fixed in one body: a spring, from a point of one to a point of another.
struct SceneLine {
  std::string name;
  int a = 0, b = 0;
  Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();  // in the bodies [m]
};

struct Scene {
  std::vector<Piece> pieces;
  std::vector<SceneMesh> meshes;
  std::vector<MissingMesh> missing;
  std::vector<SceneLine> lines;
  std::optional<Eigen::Vector3d> flat;  // towards the eye, where all moves in one plane
};

// Opens the files of meshes: of those that are seen, else of those that are touched. O(size of the model and meshes).
Scene make_scene(const model::Model& model);

// Half lengths of the box around a piece, in its own frame [m]; zero for a plane.
Eigen::Vector3d half_lengths(const Scene& scene, const Piece& piece);

}  // namespace espalier::draw

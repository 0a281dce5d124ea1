#pragma once

// Frames of a run as files of ParaView: a VTK PolyData file (.vtp) for each, and a collection (.pvd) that names them.
//   In:   Scene, ParaviewFrame
//   Out:  the text of each file
// Read next: docs/formats/paraview.md, the arrays and how to look at them.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "espalier/draw/scene.hpp"

namespace espalier::draw {

// What is drawn of the bodies, in their own axes; the same in all frames.
struct ParaviewBodies {
  std::vector<SceneMesh> surface;  // by body; empty where the scene has too many pieces
  std::vector<double> radius;      // by body: of the ball about its origin that holds all that is drawn of it [m]
};
// Of scenes with more than kMostSurfaces pieces bodies are points with a radius alone. Planes are left out.
inline constexpr std::size_t kMostSurfaces = 3000;
ParaviewBodies make_paraview_bodies(const Scene& scene, std::size_t bodies);

struct ParaviewFrame {
  std::span<const double> poses;       // by body, the ground first: origin x y z [m], quaternion w x y z
  std::span<const double> velocities;  // by body: of the origin [m/s], of the turn [rad/s], world axes; may be empty
  std::span<const double> owner;       // by body: the rank that moves it; empty: 0
  struct Contact {
    int body = 0;                                  // that the force acts on
    std::array<double, 3> point = {}, force = {};  // [m], [N]
  };
  std::vector<Contact> contacts;
};
// Points, then the triangles of all bodies. Cells carry `part` (0 body, 1 contact, 2 surface), `body` and `rank`;
// points carry `velocity` [m/s], `force` [N] and `radius` [m].
std::string draw_paraview_frame(const ParaviewBodies& bodies, const ParaviewFrame& frame);

// The collection: `files` relative to its own folder.
std::string draw_paraview_collection(std::span<const double> times, std::span<const std::string> files);

}  // namespace espalier::draw

#pragma once

// A Model as the contact engine takes it: compiled on one rank, then shared out.
//   In:   Model
//   Out:  Scene: bodies, how they look and what joins them; a Domain (domain.hpp) shares them out

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/contact/body.hpp"
#include "espalier/contact/constraint.hpp"
#include "espalier/contact/geometry.hpp"
#include "espalier/model/model.hpp"

namespace espalier::contact {

struct SceneShape {
  Geometry geometry;
  math::Pose pose;  // from the centre of mass, in body axes
  double friction = 0, restitution = 0;
};

// A joint: a block of rows that hold a point, and one that holds directions.
struct Link {
  std::int32_t number = 0;                        // of the Model
  std::int32_t a = 0, b = 0;                      // bodies that hold the frames F and M
  std::array<double, 3> on_a{}, on_b{};           // origins of F and M, from the centres of mass
  std::array<double, 4> turn_a{}, turn_b{};       // axes of F and M in the bodies, quaternions w x y z
  std::array<bool, 3> held_point{}, held_turn{};  // along x y z of F, at the middle of the step
  bool universal = false;                         // its one turning row, the third, is along x of F cross y of M
};

// All shapes of a body. Bodies that look alike share one.
using Look = std::vector<SceneShape>;

struct Scene {
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  double margin = 0;  // contacts are made within this gap [m]
  std::vector<std::shared_ptr<const Look>> looks;
  std::vector<Link> links;                                      // ascending numbers
  std::vector<std::pair<std::int32_t, std::int32_t>> excluded;  // low, high; ascending; joined bodies too
  std::vector<Body> bodies;                                     // by id
  std::vector<std::string> notes;
};

// Errors, with the line: a body that moves and has no mass, what this engine does not do (beams, couplings, screws,
// bushings, motions, limits and springs of joints), shapes that cannot be used.
Result<Scene> make_scene(const model::Model& model);

// Two coefficients of friction make the smaller one, two of restitution the larger: what a pair of materials does.
double pair_friction(double a, double b);
double pair_restitution(double a, double b);

}  // namespace espalier::contact

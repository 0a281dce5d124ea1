#pragma once

// Balls of radius 0.5 m that stand on each other over the ground, each a little in the next.

#include <numbers>

#include "espalier/contact/test/trial.hpp"

namespace espalier::contact {

inline constexpr double kOverlap = 1e-4;                                        // [m]
inline constexpr double kBallMass = 1000 * 4.0 / 3 * std::numbers::pi * 0.125;  // [kg]

inline model::ModelSpec ball_stack(int balls, double friction = 0.5) {
  model::ModelSpec spec = ground_spec(friction, 0);
  for (int k = 0; k < balls; ++k) {
    add_body(spec, "ball" + std::to_string(k), sphere_shape(0.5), {0, 0, 0.5 - kOverlap + k * (1 - kOverlap)});
  }
  return spec;
}

}  // namespace espalier::contact

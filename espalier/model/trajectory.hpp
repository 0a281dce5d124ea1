#pragma once

// What a simulation hands out while it runs: one Frame at a time, to a Sink. What receives it (a file, a plot, a test)
// is no concern of the engine that computes it.

#include <cstdint>
#include <functional>
#include <span>

namespace espalier::model {

// The mechanism at one instant. The spans point into the engine's memory and live until the sink returns. By joint and
// by body: in the order of the Model, one after the other.
struct Frame {
  double time = 0;                         // [s]
  std::span<const double> q, v;            // coordinates and velocities of the tree the engine works on
  std::span<const double> joint_position;  // every joint, cut or not: position_size numbers each
  std::span<const double> joint_velocity;  // every joint: f numbers each
  std::span<const double> body_pose;  // every body, the ground too: origin x y z [m], quaternion w x y z, in the world
  std::span<const double> body_velocity;  // every body: of its origin x y z [m/s], angular x y z [rad/s], world axes
  std::span<const double> body_acceleration;  // the same, differentiated
  // Every joint: force [N] and couple [N m] on body b from body a, at the origin of frame F, in world axes. All the
  // joint transmits: what it holds by itself, its drive, spring and friction.
  std::span<const double> reaction;
  // Every joint: for force x y z and couple x y z at F, here along the axes of F, 1 where the laws of motion decide the
  // component, 0 where it is one choice of many because equations of loops repeat each other. Empty: not known.
  std::span<const std::uint8_t> reaction_unique;
  double kinetic = 0;        // [J]
  double potential = 0;      // of gravity and of all springs [J]
  double exchanged = 0;      // work done so far by dampers, friction, drives and loads on the mechanism [J]
  double loop_distance = 0;  // largest gap of a cut joint [m]
  double loop_angle = 0;     // the same [rad]
};

// Gets every Frame in order of time. False: stop the run here.
using Sink = std::function<bool(const Frame&)>;

}  // namespace espalier::model

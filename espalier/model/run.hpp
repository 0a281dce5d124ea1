#pragma once

// What every run through time has, whichever engine moves the bodies, and what it hands out: a Frame at a time.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "espalier/base/text.hpp"

namespace espalier::model {

enum class Outcome {
  kDone,     // it reached its end time
  kStopped,  // by its receiver, or by RunOptions::stop
  kFailed,   // the numbers did not work out: a message says when, and the way out
};
constexpr Words<Outcome, 3> words(Outcome) {
  return {{{"done", Outcome::kDone}, {"stopped", Outcome::kStopped}, {"failed", Outcome::kFailed}}};
}

// Its word; "running" where there is none yet.
constexpr const char* outcome_word(std::optional<Outcome> outcome) { return outcome ? word_of(*outcome) : "running"; }

struct RunOptions {
  double end_time = 1;  // [s]
  // Between frames; the first is at the start, the last at the end [s].
  double output_step = 0.01;
  const std::atomic<bool>* stop = nullptr;  // true: end after the step in work; looked at after every step
};

// What a run hands out: one Frame at a time, to a Sink, whichever engine moves the bodies. What receives it (a file, a
// plot, a test) is no concern of the engine that computes it.

// One contact of two bodies.
struct ContactPoint {
  std::int32_t master = 0, slave = 0;  // bodies
  std::array<double, 3> point{};       // in the world, at the middle of the step that ends at the frame [m]
  std::array<double, 3> normal{};      // out of the slave
  std::array<double, 3> force{};       // on the master, mean of the step, world axes [N]
  double gap = 0;                      // below 0: overlap [m]
};

// What one rank had to do since the last frame.
struct RankLoad {
  double busy = 0;          // time of its own, without waiting for others [s]
  double waiting = 0;       // in messages [s]
  std::int64_t bodies = 0;  // owned, now
  std::int64_t contacts = 0;
};

// All bodies at one instant. The spans point into the engine's memory and live until the sink returns. By joint and by
// body: in the order of the Model, one after the other. What an engine does not know is empty or 0.
struct Frame {
  double time = 0;                    // [s]
  std::span<const double> body_pose;  // every body, the ground too: origin x y z [m], quaternion w x y z, in the world;
                                      // of a pseudo-rigid body the rotation nearest to its deformation
  std::span<const double> body_velocity;  // every body: of its origin x y z [m/s], angular x y z [rad/s], world axes
  double kinetic = 0;                     // [J]
  double potential = 0;                   // of gravity and of all springs [J]

  // Accelerations and forces are those of the instant. In a scene they are means of the step that ends at the frame, as
  // its contact forces are; at its start accelerations are 0, and forces those of springs, dampers and loads alone.
  std::span<const double> body_acceleration;   // body_velocity differentiated
  std::span<const double> joint_position;      // every joint, cut or not: position_size numbers each
  std::span<const double> joint_velocity;      // every joint: f numbers each
  std::span<const double> joint_acceleration;  // the same, differentiated
  // Every joint: f efforts each, along its velocities [N m] or [N]. What drives it: loads, held to the effort limit,
  // prescribed motions and couplings; and its own springs, dampers, friction and limits.
  std::span<const double> joint_drive, joint_passive;
  // Every force of the Model: force_size() numbers each, as that says.
  std::span<const double> force;

  // Of a mechanism on its tree (dynamics).
  std::span<const double> q, v;  // coordinates and velocities of the tree the engine works on
  // Every joint: force [N] and couple [N m] on body b from body a, at the origin of frame F, in world axes. All the
  // joint transmits: what it holds by itself, its drive, spring and friction.
  std::span<const double> reaction;
  // Every joint: for force x y z and couple x y z at F, here along the axes of F, 1 where the laws of motion decide the
  // component, 0 where it is one choice of many because equations of loops repeat each other. Empty: not known.
  std::span<const std::uint8_t> reaction_unique;
  double exchanged = 0;      // work done so far by dampers, friction, drives and loads on the mechanism [J]
  double loop_distance = 0;  // largest gap of a cut joint [m]
  double loop_angle = 0;     // the same [rad]

  // Of a scene with contact (contact).
  std::int64_t steps = 0;                  // taken so far
  std::span<const std::int32_t> owner;     // every body: the rank that moves it
  std::span<const ContactPoint> contacts;  // ascending bodies; none before the first step
  std::span<const RankLoad> ranks;
  double strain = 0;  // of pseudo-rigid bodies [J]
};

// Gets every Frame in order of time. False: stop the run here.
using Sink = std::function<bool(const Frame&)>;

}  // namespace espalier::model

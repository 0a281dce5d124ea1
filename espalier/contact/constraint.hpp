#pragma once

// What holds bodies or keeps them apart: one block of three rows of the local dynamics. Plain numbers, so that it can
// travel between ranks. On the rank that owns it a constraint is internal; ranks that hold one of its bodies have it as
// an external record, from which they know where it holds the body and with which impulse.

#include <array>
#include <compare>
#include <cstdint>

#include <Eigen/Core>

#include "espalier/contact/body.hpp"
#include "espalier/contact/local_problem.hpp"

namespace espalier::contact {

// The same for the same constraint in every step and on every rank; the order of keys is the order of all sums.
struct Key {
  std::int32_t master = -1, slave = -1;  // bodies; slave is the ground where a joint holds one body alone
  std::uint32_t part = 0;                // contact: shapes of both, 16 bits each; joint: kJoint + 2 x its number + turn
  std::uint32_t feature = 0;             // of the narrow phase; joint: which of its rows
  friend auto operator<=>(const Key&, const Key&) = default;
};
inline constexpr std::uint32_t kJoint = 0x80000000u;

struct Constraint {
  Key key;
  Law law = Law::kContact;
  bool turn = false;                              // rows of angular velocity
  double lead = 0;                                // rows of a screw: Handle::lead [m/rad]
  std::array<bool, 3> held = {true, true, true};  // kPoint and kDirection: which rows are equations; R = 0 in others
  std::array<double, 3> point{};                  // in the world, mid step
  std::array<double, 9> axes{};                   // rows t1, t2, n
  std::array<double, 3> on_master{}, on_slave{};  // material points
  double friction = 0;                            // contact [-]; spring: largest impulse of its brake [N s]
  double restitution = 0;                         // [-]
  double gap = 0;                                 // contact [m]; others: how far the point may go in a step [m]
  std::array<double, 3> bias{};                   // joints: correction [m/s]; spring: impulse [N s], damping [kg]
  std::array<double, 2> stops{};                  // spring: of U_N [m/s]
  std::array<double, 3> R{};                      // impulse on the master, along the axes [N s]
};

inline Eigen::Matrix3d axes(const Constraint& c) { return Eigen::Matrix<double, 3, 3, Eigen::RowMajor>(c.axes.data()); }
inline Handle on_master(const Constraint& c) { return {Eigen::Vector3d(c.on_master.data()), c.turn, c.lead}; }
inline Handle on_slave(const Constraint& c) { return {Eigen::Vector3d(c.on_slave.data()), c.turn, c.lead}; }

}  // namespace espalier::contact

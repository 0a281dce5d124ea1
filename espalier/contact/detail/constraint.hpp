#pragma once

// What holds bodies or keeps them apart: one block of three rows of the local dynamics. Plain numbers, so that it can
// travel between ranks. On the rank that owns it a constraint is internal; ranks that hold one of its bodies have it as
// an external record, from which they know where it holds the body and with which impulse.

#include <array>
#include <cstdint>

#include <Eigen/Core>

#include "espalier/contact/local_problem.hpp"
#include "espalier/contact/scene.hpp"
#include "espalier/contact/settings.hpp"

namespace espalier::contact::detail {

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
  double allowed = 0;                             // contact: overlap that is left as it is [m]
  // Joints: correction [m/s]. Spring: impulse [N s], damping [kg], and by how much q has to grow to be within its
  // limits again, negative where it has to fall. Link: z [m].
  std::array<double, 3> bias{};
  std::array<double, 2> stops{};  // spring: of U_N [m/s]; link: its length [m]
  std::array<double, 3> R{};      // impulse on the master, along the axes [N s]
};

inline Eigen::Matrix3d axes(const Constraint& c) { return Eigen::Matrix<double, 3, 3, Eigen::RowMajor>(c.axes.data()); }
inline Handle on_master(const Constraint& c) { return {Eigen::Vector3d(c.on_master.data()), c.turn, c.lead}; }
inline Handle on_slave(const Constraint& c) { return {Eigen::Vector3d(c.on_slave.data()), c.turn, c.lead}; }

}  // namespace espalier::contact::detail

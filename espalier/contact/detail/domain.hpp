#pragma once

// The bodies and constraints of one rank.
//   owned body     its centre of mass lies in this rank's cell; this rank moves it (Solfec: parent)
//   ghost          it reaches into this cell; its state is sent again every step   (Solfec: child)
//   internal       a constraint whose point lies in this cell                      (its row of W is here)
//   external       a record of another rank's constraint on a body that is here
// No rank holds anything else; shapes and joints travel with the bodies they belong to. A pair of bodies is tried
// wherever both are, and a contact kept where its point lies: the cell of a point that two bodies share has both, so
// nothing is found twice and nothing is negotiated.

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/contact/detail/constraint.hpp"
#include "espalier/contact/detail/partition.hpp"
#include "espalier/contact/scene.hpp"
#include "espalier/contact/settings.hpp"
#include "espalier/geometry/geometry.hpp"

namespace espalier::contact::detail {

inline Scheme scheme_of(const Settings& settings) { return settings.implicit ? Scheme::kImplicit : Scheme::kExplicit; }

// A body here.
struct LocalBody {
  Body body;
  geometry::Box reach;  // of its shapes and joints at mid step
  int owner = 0;
  std::vector<int> ranks;                                 // that hold it, ascending; the owner is among them
  std::shared_ptr<const BodyShapes> shapes;               // null: nothing to touch
  std::shared_ptr<const BodyShapes> stretched = nullptr;  // of a pseudo-rigid body at mid step
};

// What travels with bodies to ranks where they are new. Between two partitions some of it may stay where it is not
// needed any more.
struct BodyData {
  struct SharedShapes {
    std::int32_t number = 0;
    bool stays = false;  // of an obstacle: a rank that has seen it keeps it
    std::shared_ptr<const BodyShapes> shapes;
  };
  std::vector<SharedShapes> shapes;                             // ascending numbers
  std::vector<Link> links;                                      // ascending numbers
  std::vector<std::pair<std::int32_t, std::int32_t>> links_of;  // body, place in links; ascending
  std::vector<std::pair<std::int32_t, std::int32_t>> excluded;  // bodies that never touch, named both ways; ascending
  std::vector<std::pair<std::int32_t, int>> sent;               // shapes sent since the last partition, and to whom
};

// What has been measured since space was cut.
struct Workload {
  int steps = 0;
  double most = 0, mean = 0;  // own time of the slowest rank and of all, added up [s]
  double cost = 0;            // of cutting space, the last time [s]
  double moved = 0;           // share of objects that changed ranks then [-]
  // Of this rank.
  double bodies = 0, detect = 0, rows = 0;    // [s]
  std::int64_t body_count = 0, vertices = 0;  // as many a step, added up
  double moved_by_rows = 0;                   // velocities of their bodies, the same
};

struct Domain {
  Settings settings;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  double margin = 0;                        // contacts are made within this gap [m]
  bool rebounds = false;                    // some surface has restitution
  std::vector<BodyLoad> loads;              // of all bodies, ascending
  std::vector<model::Expression> formulas;  // of loads and links
  std::vector<Watched> watched;             // the inputs of formulas
  std::vector<double> inputs;               // their values in this step, see watch()
  ShownParts shown;                         // on the root, which makes the frames
  std::vector<std::int32_t> shown_bodies;   // those it speaks of, ascending
  Cells cells;
  double time = 0;
  std::int64_t steps = 0;

  bool is_new = true;  // no body has been placed yet
  Workload load;

  std::vector<LocalBody> bodies;               // ascending ids; ghosts as they were in the middle of the last step
  BodyData body_data;                          // of these bodies
  std::vector<std::array<double, 12>> before;  // velocities of owned bodies at the begin of the last step, by place
  std::vector<Constraint> constraints;         // internal and external, ascending keys
  std::vector<char> internal;                  // by constraint
  std::vector<Reaction> reactions;             // of the last step, ascending keys: where the solver starts

  // Scratch.
  geometry::BroadPhase broad;
  std::vector<geometry::Touch> touches;
};

}  // namespace espalier::contact::detail

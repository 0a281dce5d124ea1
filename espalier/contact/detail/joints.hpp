#pragma once

// Rows of joints, springs, drives and loads at mid step.

#include <cstddef>
#include <optional>
#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/contact/detail/domain.hpp"
#include "espalier/math/pose.hpp"

namespace espalier::contact::detail {

// Where the impulses of a link act, in the world, mid step; the rank of this point has its rows. One point for both
// bodies, so that no momentum is made: that of F where nothing slides, else that of M; of a spring its end on the
// master.
Eigen::Vector3d link_point(const Link& link, const Body& a, const Body& b);

// All rows of one link, without the impulses of the last step.
void make_link_rows(const Domain& domain, const Link& link, const Body& a, const Body& b,
                    std::vector<Constraint>& made);

// Grows `reach`, of `body` at mid step, to where this link's point may be now: the rank of the point must have both
// bodies. What the other body does is known from the last step's rows. An obstacle is everywhere where the other end
// goes about.
void include_link(const Domain& domain, const Link& link, const Body& body, geometry::Box& reach);

// Collective. Domain::inputs: what formulas name, with positions of mid step and rates of its beginning; the same bits
// on every rank.
void watch(const comm::Comm& comm, Domain& domain);

// The frames F and M of a link at mid step.
struct LinkFrames {
  math::Pose F, M;
};
LinkFrames frames_of_link(const Link& link, const Body& a, const Body& b);

// Angular velocity of a body in this state; of a pseudo-rigid one, F = R U, as a whole: the skew part of dF/dt F^-1.
Eigen::Vector3d spin_of(const Body& body);

// The body at the place `i` of the domain as it was before the last step, or as it is where there was none: back from
// the middle, which all ranks know alike.
BodyState state_before(const Domain& domain, std::size_t i);

// A body after a step: `body` has its middle and its end.
struct SteppedBody {
  Body body;
  BodyState before;
};
// What the law of a link did in a step, as mean efforts for growing q: loads, prescribed motions, and its own springs,
// dampers, friction and limits. `impulse` is that of its row; none before the first step.
struct LinkEffort {
  double load = 0, motion = 0, passive = 0;  // [N] or [N m]
  Eigen::Vector3d axis;                      // along or about which they act on b, in the world
};
LinkEffort effort_of_link(const Domain& domain, const Link& link, const SteppedBody& a, const SteppedBody& b,
                          std::optional<double> impulse);

// Weight and loads at mid step.
Wrench load_on(const Domain& domain, const Body& body);

bool stores_energy(const Link& link);
// What the spring of a link stores, in the poses of mid step [J].
double energy_of_link(const Link& link, const Body& a, const Body& b);

}  // namespace espalier::contact::detail

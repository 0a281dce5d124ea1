#pragma once

// Rows of joints, springs, drives and loads at mid step.

#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/contact/detail/domain.hpp"

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

// Weight and loads at mid step.
Wrench load_on(const Domain& domain, const Body& body);

bool stores_energy(const Link& link);
// What the spring of a link stores, in the poses of mid step [J].
double energy_of_link(const Link& link, const Body& a, const Body& b);

}  // namespace espalier::contact::detail

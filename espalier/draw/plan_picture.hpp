#pragma once

#include <string>

#include "espalier/plan/plan.hpp"

namespace espalier::draw {

// The plan as a self-contained SVG: the tree from the root on the left, a column a level; cut joints dashed, the
// critical branch bold, halves of cut bodies open; what it costs and how that is proved in words above. Hovering shows
// names and numbers. Joints are named up to 150 vertices, bodies up to 400; up to 5000 vertices are dots around the
// root. Of more, the number of vertices on each level is drawn instead.
std::string draw_plan_svg(const plan::Plan& plan);

// The same on a page with tables of tree and cut joints, for light and dark screens. Pointing at a cut joint shows its
// loop. Needs no other file.
std::string draw_plan_html(const plan::Plan& plan);

}  // namespace espalier::draw

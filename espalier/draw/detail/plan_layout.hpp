#pragma once

// Where everything of a plan's picture stands.
//
// The tree grows from left to right, one column a level. Every leaf has a row of its own, and so has every vertex at
// which a joint is cut; other vertices stand in the middle of their children. So the way to the right of a cut joint's
// end is free: its line leaves along the row, turns in a lane to the right of all boxes between its two ends, and comes
// back along the other row. Such lines cross each other at right angles, and nothing else.
//
// Lengths are pixels; y grows downwards.

#include <string>
#include <vector>

#include "espalier/plan/plan.hpp"

namespace espalier::draw::detail {

enum class Detail {
  kNames,   // bodies and joints are named
  kBodies,  // bodies are named
  kDots,    // no names
};

struct Box {
  double x = 0;  // left
  double y = 0;  // middle
  double width = 0;
  double height = 0;
};

// The line of the tree that leads to a vertex: a curve from (x0, y0) to (x1, y1), then straight on to x2.
struct Branch {
  int vertex = -1;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0;
};

// A cut joint, or the weld between the halves of a cut body: along the row of a to the lane, along the lane, back along
// the row of b.
struct Arc {
  int edge = -1;  // -1: a weld
  int a = -1;
  int b = -1;
  double xa = 0, ya = 0, lane = 0, xb = 0, yb = 0;
  bool label_at_b = false;  // where its name stands, above its line; else at a
  double label_x = 0;       // left
  int colour = 0;           // 0 .. kArcColours - 1
};

struct PlanLayout {
  Detail detail = Detail::kNames;
  double width = 0;
  double height = 0;
  std::vector<Box> boxes;        // by vertex
  std::vector<int> level;        // by vertex: edges to the root
  std::vector<Branch> branches;  // in the order of the tree
  std::vector<Arc> arcs;         // cut joints in the order of Plan::cut, then welds
};

inline constexpr int kArcColours = 6;
inline constexpr double kBodyFont = 12;
inline constexpr double kJointFont = 10;

// About the width of a text in a common sans-serif font.
double text_width(std::string_view text, double font_size);

// At most `most` characters, the middle left out where there are more.
std::string shortened(std::string_view text, std::size_t most);
std::string body_label(const plan::Network& network, int vertex);
std::string joint_label(const plan::Network& network, int edge);

// O((V + E) V) for small graphs, where the order of children is searched for short arcs; O((V + E) depth) for others.
// The plan must have a tree.
PlanLayout lay_out(const plan::Plan& plan);

}  // namespace espalier::draw::detail

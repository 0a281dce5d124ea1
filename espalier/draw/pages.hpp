#pragma once

// Pictures of a model, of a plan and of moving modes, each one self-contained SVG or HTML.
//   In:   model::Model, plan::Plan, or a ModePage
//   Out:  the text of the file
// Read next: chart.hpp, pictures of numbers.

#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "espalier/draw/chart.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::draw {

// The model in its drawn pose as a self-contained SVG (scene_picture.hpp): its shapes, bars for bodies without, joints
// as symbols, a red dashed line where one stands open, springs, a floor, a scale and the axes of the world. Seen along
// the joints' common axis where the mechanism is planar, else from above at an angle. Hovering shows names.
std::string draw_svg(const model::Model& model);

// The plan as a self-contained SVG: the tree from the root on the left, a column a level; cut joints dashed, the
// critical branch bold, halves of cut bodies open; what it costs and how that is proved in words above. Hovering shows
// names and numbers. Joints are named up to 150 vertices, bodies up to 400; up to 5000 vertices are dots around the
// root. Of more, the number of vertices on each level is drawn instead.
std::string draw_plan_svg(const plan::Plan& plan);

// Mode shapes that move, as one self-contained HTML page: lines, points and their complex displacements, turned with
// the mouse.

// What is drawn: points in the drawn pose, and lines over them.
struct Motion {
  struct Line {
    std::vector<int> points;
    std::string name;    // of the body or joint
    bool rigid = false;  // an arm of a rigid body; else an elastic body, or a joint where `joint`
    bool joint = false;
  };
  struct Shape {
    std::string name;                            // "2: 5.83811 Hz"
    double frequency = 0;                        // [Hz]
    double decay = 0;                            // -Re s [1/s]
    std::vector<Eigen::Vector3cd> displacement;  // by point [m], the largest is 1
    std::vector<double> strain = {};             // by line: its part of the strain energy, 0 to 1; empty: not known
  };
  int up = 2;                           // the axis that points up: 0 x, 1 y, 2 z
  std::vector<Eigen::Vector3d> points;  // [m]
  std::vector<bool> fixed;              // supports
  std::vector<Line> lines;
  std::vector<Shape> shapes;
};

struct ModePage {
  std::string title;
  std::string text;  // preformatted
  Motion motion;     // without shapes: none
  std::vector<Chart> charts;
  std::string command;
  std::vector<std::pair<std::string, std::string>> facts = {};  // where it is from: "model", "mlrs.yaml"
};
// The page of view_page.hpp with the shapes as its scene.
std::string draw_html(const ModePage& page);

// The motion as JSON: up, points, fixed, lines (points, name, kind), modes (name, frequency, decay, displacement: six
// numbers a point, real and imaginary by turns; strain by line).
std::string motion_json(const Motion& motion);
// Such a document, or nothing where it is something else.
std::optional<Motion> read_motion(const std::string& text);

}  // namespace espalier::draw

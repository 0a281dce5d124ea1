#pragma once

// Mode shapes that move, as one self-contained HTML page: lines, points and their complex displacements, turned with
// the mouse.

#include <complex>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "espalier/draw/chart.hpp"

namespace espalier::draw {

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
};
std::string draw_html(const ModePage& page);

// The motion as JSON: up, points, fixed, lines (points, name, kind), modes (name, frequency, decay, displacement: six
// numbers a point, real and imaginary by turns).
std::string motion_json(const Motion& motion);

}  // namespace espalier::draw

#include "espalier/math/rotation.hpp"

#include <cmath>

namespace espalier::math {

double nearest_turn(double angle, double near) { return angle + kTurn * std::round((near - angle) / kTurn); }

double nearest_turn(double angle, double low, double high) {
  // Half a turn outside is as near as a whole turn back would be: ceil(x - 1/2) then leaves the angle where it is.
  if (angle < low) return angle + kTurn * std::ceil((low - angle) / kTurn - 0.5);
  if (angle > high) return angle - kTurn * std::ceil((angle - high) / kTurn - 0.5);
  return angle;
}

}  // namespace espalier::math

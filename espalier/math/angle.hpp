#pragma once

#include <numbers>

namespace espalier::math {

// One turn [rad].
inline constexpr double kTurn = 2 * std::numbers::pi;

// `angle` changed by whole turns until it is as near to `near` as it can be [rad].
double nearest_turn(double angle, double near);
// `angle` changed by the fewest whole turns that bring it to within half a turn of the range from `low` to `high`; left
// alone where it is in the range [rad].
double nearest_turn(double angle, double low, double high);

}  // namespace espalier::math

#include "espalier/model/notes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::model {
namespace {

constexpr double kOpenDistance = 1e-6;  // [m]; what is less is rounding in the file
constexpr double kOpenAngle = 1e-6;     // [rad]
constexpr double kFarOff = 1e4;         // mass over median: a car's body weighs 10^3 times its lightest link
constexpr std::size_t kMostNames = 4;

// "a, b, c, d and 47 more".
std::string some_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kMostNames); ++k)
    text += (k > 0 ? ", " : "") + in_quotes(names[k]);
  return names.size() > kMostNames ? fmt::format("{} and {} more", text, names.size() - kMostNames) : text;
}

// "1.95 mm and 3 deg", leaving out what is closed.
std::string gap_text(const math::PoseGap& gap) {
  const std::string distance =
      gap.distance < 0.01 ? fmt::format("{:.3g} mm", 1000 * gap.distance) : fmt::format("{:.3g} m", gap.distance);
  const std::string angle = fmt::format("{:.3g} deg", gap.angle * 180 / std::numbers::pi);
  // Never empty: a joint without a gap in either is not reported.
  if (gap.angle <= kOpenAngle) return distance;
  return gap.distance <= kOpenDistance ? angle : fmt::format("{} and {}", distance, angle);
}

// One finding for all bodies of a kind: a file that has one such body often has fifty.
void find_impossible_inertias(const Model& model, std::vector<Finding>& findings) {
  constexpr double kRounding = 1e-3;
  // Two findings: what a file of few digits rounds, and what no body can have.
  for (const bool rounding : {false, true}) {
    std::vector<std::string> names;
    Where first;
    double worst = 0;
    for (const Body& body : model.bodies) {
      const double broken = math::impossibility(body.inertia.about_com);
      // Below this it is the rounding of our own sums.
      if (broken <= 1e-9 || (broken <= kRounding) != rounding) continue;
      if (names.empty()) first = body.where;
      names.push_back(body.name);
      worst = std::max(worst, broken);
    }
    if (names.empty()) continue;
    findings.push_back(
        {"inertia",
         fmt::format("{}: moments of inertia break the triangle inequality, by up to {:.3g} % of the largest; {}",
                     some_names(names), 100 * worst,
                     rounding ? "taken for rounding in the file"
                              : "no rigid body has such moments: check their order, their units, and that "
                                "they are about the centre of mass"),
         first});
  }
}

void find_mass_outliers(const Model& model, std::vector<Finding>& findings) {
  std::vector<double> masses;
  for (const Body& body : model.bodies) {
    // Frames without mass are no light bodies.
    if (body.inertia.mass > 0) masses.push_back(body.inertia.mass);
  }
  // Of two masses neither is the outlier.
  if (masses.size() < 3) return;
  std::nth_element(masses.begin(), masses.begin() + static_cast<std::ptrdiff_t>(masses.size() / 2), masses.end());
  // The median and not the mean: one body in grams and not kilograms would pull the mean to itself.
  const double median = masses[masses.size() / 2];
  for (const bool heavy : {true, false}) {
    std::vector<std::string> names;
    Where first;
    double extreme = median;
    for (const Body& body : model.bodies) {
      const double mass = body.inertia.mass;
      if (mass <= 0 || (heavy ? mass < kFarOff * median : mass > median / kFarOff)) continue;
      // The first body is where the finding points.
      if (names.empty()) first = body.where;
      names.push_back(body.name);
      extreme = heavy ? std::max(extreme, mass) : std::min(extreme, mass);
    }
    if (names.empty()) continue;
    findings.push_back({"mass",
                        fmt::format("{} {} far {} than the model's median of {:.3g} kg ({:.3g} kg{}): {}",
                                    counted(names.size(), "body", "bodies"), names.size() == 1 ? "is" : "are",
                                    heavy ? "heavier" : "lighter", median, extreme,
                                    names.size() == 1 ? ""
                                    : heavy           ? " and less"
                                                      : " and more",
                                    some_names(names)),
                        first});
  }
}

void find_open_joints(const Model& model, std::vector<Finding>& findings) {
  for (const Joint& joint : model.joints) {
    // Dynamics will close it, but seldom where its author drew it.
    const math::PoseGap gap = drawn_gap(model, joint);
    if (gap.distance <= kOpenDistance && gap.angle <= kOpenAngle) continue;
    findings.push_back({"open",
                        fmt::format("joint {} is open by {} in the drawn pose", in_quotes(joint.name), gap_text(gap)),
                        joint.where});
  }
}

void find_broken_limits(const Model& model, std::vector<Finding>& findings) {
  for (const Joint& joint : model.joints) {
    for (std::size_t k = 0; k < joint.spec.limits.size(); ++k) {
      const auto& [low, high] = joint.spec.limits[k];
      const double q = joint.position[k];
      // Files round their limits: a joint drawn at its limit may be over it by the last digit.
      const double slack = 1e-9 * std::max({1.0, std::abs(low), std::abs(high)});
      if (q >= low - slack && q <= high + slack) continue;
      findings.push_back(
          {"limits",
           fmt::format("joint {} stands at {:.6g} in the drawn pose, outside its limits [{:.6g}, {:.6g}]",
                       in_quotes(joint.name), q, low, high),
           joint.where});
    }
  }
}

// Springs whose ends are drawn farther apart, or nearer, than they may ever be.
void find_broken_lengths(const Model& model, std::vector<Finding>& findings) {
  for (const Force& force : model.forces) {
    const auto* spring = std::get_if<Spring>(&force.law);
    const auto range = spring != nullptr ? length_range(*spring) : std::nullopt;
    if (!range) continue;
    const Eigen::Vector3d from = model.bodies[spring->a.index()].X_WB * spring->point_a;
    const Eigen::Vector3d to = model.bodies[spring->b.index()].X_WB * spring->point_b;
    const double length = (to - from).norm();
    const auto& [low, high] = *range;
    // Drawings round: a rod of their distance may be off by some digits.
    const double slack = 1e-6 * std::max(length, low);
    if (length >= low - slack && length <= high + slack) continue;
    findings.push_back({"limits",
                        fmt::format("{} is {:.6g} m long in the drawn pose, outside its limits [{:.6g}, {:.6g}]: "
                                    "draw its ends at a length that it may have",
                                    force.name.empty() ? "a spring" : "spring " + in_quotes(force.name), length,
                                    std::max(low, 0.0), high),
                        force.where});
  }
}

// Beyond a turn, and no whole number of degrees that was converted: 7 rad are suspected, 4 pi rad are not. What is past
// 10^4 stands for no limit, and a turn of few digits, 6.3, is one.
bool looks_like_degrees(double angle) {
  constexpr double kTurn = 2 * std::numbers::pi;
  if (std::abs(angle) <= 1.01 * kTurn || std::abs(angle) >= 1e4) return false;
  const double degrees = angle * 360 / kTurn;
  return angle == std::round(angle) || std::abs(degrees - std::round(degrees)) > 0.02;
}

bool range_looks_like_degrees(const std::array<double, 2>& range) {
  return std::any_of(range.begin(), range.end(), looks_like_degrees);
}

void find_limits_in_degrees(const Model& model, std::vector<Finding>& findings) {
  std::vector<std::string> names;
  const Joint* first = nullptr;
  std::array<double, 2> range{};
  for (const Joint& joint : model.joints) {
    for (std::size_t k = 0; k < joint.spec.limits.size(); ++k) {
      // A slide of 90 m is a crane, and a lead screw turns often; only other angles are suspected.
      if (!loses_turns(joint.type, static_cast<int>(k)) || !range_looks_like_degrees(joint.spec.limits[k])) continue;
      // With the numbers of the first joint, in both readings, so that the reader can tell which one is meant.
      if (names.empty()) range = joint.spec.limits[k];
      if (names.empty()) first = &joint;
      names.push_back(joint.name);
      break;
    }
  }
  if (names.empty()) return;
  constexpr double kDegree = std::numbers::pi / 180;
  findings.push_back({"degrees",
                      fmt::format("limits of {} lie beyond a turn: [{:.6g}, {:.6g}] rad; if degrees are meant, "
                                  "write [{:.6g}, {:.6g}]",
                                  some_names(names), range[0], range[1], range[0] * kDegree, range[1] * kDegree),
                      first->where});
}

// The first angle of a keyframe that cannot be meant in radians: the others are then written in the same way.
std::optional<Finding> keyframe_in_degrees(const Model& model, const Keyframe& keyframe) {
  for (const auto& [id, position] : keyframe.positions) {
    const Joint& joint = model.joint(id);
    for (std::size_t k = 0; k < joint_kind(joint.type).coordinates.size(); ++k) {
      if (!loses_turns(joint.type, static_cast<int>(k)) || !looks_like_degrees(position[k])) continue;
      return Finding{"degrees",
                     fmt::format("keyframe {} turns joint {} by {:.6g} rad, more than a turn; if degrees are meant, "
                                 "write {:.6g}",
                                 in_quotes(keyframe.name), in_quotes(joint.name), position[k],
                                 position[k] * std::numbers::pi / 180),
                     joint.where};
    }
  }
  return std::nullopt;
}

void find_keyframes_in_degrees(const Model& model, std::vector<Finding>& findings) {
  for (const Keyframe& keyframe : model.keyframes) {
    if (std::optional<Finding> found = keyframe_in_degrees(model, keyframe)) findings.push_back(*std::move(found));
  }
}

// Bodies welded together share a group; groups without mass at the end of a branch have no inertia to accelerate.
void find_welded_faults(const Model& model, std::vector<Finding>& findings) {
  const std::vector<int> group = weld_groups(model);
  std::vector<double> mass(model.bodies.size(), 0.0);
  std::vector<int> joints(model.bodies.size(), 0);
  // The mass of a weld counts in its group: a frame without mass is fine on a body that has some.
  for (std::size_t b = 0; b < model.bodies.size(); ++b) mass[group[b]] += model.bodies[b].inertia.mass;
  for (const Joint& joint : model.joints) {
    if (joint.type == JointType::kFixed) continue;
    const int a = group[joint.a.index()];
    const int b = group[joint.b.index()];
    ++joints[a];
    ++joints[b];
    // Both ends in one rigid group: the coordinate has nowhere to go.
    if (a == b) {
      findings.push_back({"blocked",
                          fmt::format("joint {} cannot move: {} and {} are welded together", in_quotes(joint.name),
                                      in_quotes(model.body(joint.a).name), in_quotes(model.body(joint.b).name)),
                          joint.where});
    }
  }
  std::vector<std::string> leaves;
  Where first;
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    // One joint or none: with two, mass behind it resists.
    if (group[b] != static_cast<int>(b) || mass[b] > 0 || joints[b] > 1) continue;
    if (leaves.empty()) first = model.bodies[b].where;
    leaves.push_back(model.bodies[b].name);
  }
  if (leaves.empty()) return;
  findings.push_back({"massless",
                      fmt::format("{} without mass at the end of a branch, so nothing resists its joint: {}",
                                  counted(leaves.size(), "body", "bodies"), some_names(leaves)),
                      first});
}

// What the law of a coupling lacks in the drawn pose, and the largest term in it.
struct CouplingGap {
  double gap = 0;
  double scale = 1;
};

CouplingGap coupling_gap(const Model& model, const Coupling& coupling) {
  CouplingGap result;
  const auto add = [&](double term) {
    result.gap += term;
    result.scale = std::max(result.scale, std::abs(term));
  };
  const auto q = [&](std::size_t k) { return model.joint(coupling.joints[k]).position[0]; };
  if (coupling.polynomial.empty()) {
    for (std::size_t k = 0; k < coupling.joints.size(); ++k) add(coupling.ratio[k] * q(k));
    add(-coupling.offset);
    return result;
  }
  add(q(0));
  double power = 1;
  for (const double coefficient : coupling.polynomial) {
    add(-coefficient * power);
    // Of one joint the polynomial is its constant: q0 = c0.
    power *= coupling.joints.size() > 1 ? q(1) : 0;
  }
  return result;
}

void find_broken_couplings(const Model& model, std::vector<Finding>& findings) {
  for (const Coupling& coupling : model.couplings) {
    const CouplingGap off = coupling_gap(model, coupling);
    // Relative to the largest term: counts of teeth are as good as ratios near 1.
    if (std::abs(off.gap) <= 1e-6 * off.scale) continue;
    findings.push_back({"coupling",
                        fmt::format("a coupling of {} is off by {:.3g} in the drawn pose",
                                    in_quotes(model.joint(coupling.joints[0]).name), off.gap),
                        coupling.where});
  }
}

}  // namespace

std::vector<Finding> lint(const Model& model) {
  std::vector<Finding> findings;
  find_impossible_inertias(model, findings);
  find_mass_outliers(model, findings);
  find_welded_faults(model, findings);
  find_open_joints(model, findings);
  find_broken_limits(model, findings);
  find_broken_lengths(model, findings);
  find_limits_in_degrees(model, findings);
  find_keyframes_in_degrees(model, findings);
  find_broken_couplings(model, findings);
  return findings;
}

}  // namespace espalier::model

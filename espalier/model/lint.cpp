#include "espalier/model/notes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "espalier/base/text.hpp"

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

// Whole numbers beyond two turns: a limit in radians is seldom a whole number and seldom so far away. What is past 10^4
// stands for no limit.
bool looks_like_degrees(const std::array<double, 2>& range) {
  const double farthest = std::max(std::abs(range[0]), std::abs(range[1]));
  const bool whole = range[0] == std::round(range[0]) && range[1] == std::round(range[1]);
  return whole && farthest > 4 * std::numbers::pi && farthest < 1e4;
}

void find_limits_in_degrees(const Model& model, std::vector<Finding>& findings) {
  std::vector<std::string> names;
  const Joint* first = nullptr;
  for (const Joint& joint : model.joints) {
    // A slide of 90 m is a crane; only angles are suspected.
    const bool turns = joint.type == JointType::kRevolute || joint.type == JointType::kUniversal;
    if (!turns || std::none_of(joint.spec.limits.begin(), joint.spec.limits.end(), looks_like_degrees)) continue;
    if (first == nullptr) first = &joint;
    names.push_back(joint.name);
  }
  if (first == nullptr) return;
  // With the numbers of the first joint, in both readings, so that the reader can tell which one is meant.
  const auto& range = *std::find_if(first->spec.limits.begin(), first->spec.limits.end(), looks_like_degrees);
  constexpr double kDegree = std::numbers::pi / 180;
  findings.push_back({"degrees",
                      fmt::format("limits of {} lie beyond two turns: [{:.6g}, {:.6g}] rad; if degrees are meant, "
                                  "write [{:.6g}, {:.6g}]",
                                  some_names(names), range[0], range[1], range[0] * kDegree, range[1] * kDegree),
                      first->where});
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
  find_limits_in_degrees(model, findings);
  find_broken_couplings(model, findings);
  return findings;
}

}  // namespace espalier::model

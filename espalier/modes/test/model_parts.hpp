#pragma once

// Parts of which the models of tests are made: steel bars, rigid bodies, welds, springs.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "espalier/modes/test/reference_systems.hpp"

namespace espalier::modes {

inline constexpr double kDensity = 7850, kYoung = 2.1e11, kShear = 8.1e10;
inline const std::vector<std::string> kSpace = {"x", "y", "z", "rx", "ry", "rz"};
inline const std::vector<std::string> kPlane = {"x", "y", "rz"};
inline const std::vector<std::string> kBend = {"y", "rz"};

inline model::ModelSpec steel_spec(const std::string& name, const std::vector<std::string>& active) {
  model::ModelSpec spec = weightless(name, active);
  spec.materials = {material("steel", kDensity, kYoung, kShear)};
  return spec;
}

inline model::BodySpec round(const std::string& name, model::BodyKind kind, const Eigen::Vector3d& from,
                             const Eigen::Vector3d& to, double radius) {
  model::BodySpec body = elastic(name, kind, from, to, "steel");
  body.beam->section.kind = model::SectionKind::kCircle;
  body.beam->section.radius = {radius, radius};
  return body;
}
inline model::BodySpec round_beam(const std::string& name, const Eigen::Vector3d& from, const Eigen::Vector3d& to,
                                  double radius) {
  return round(name, model::BodyKind::kBeam, from, to, radius);
}

// b along local z, h along local y.
inline model::BodySpec flat_beam(const std::string& name, const Eigen::Vector3d& from, const Eigen::Vector3d& to,
                                 double b, double h) {
  model::BodySpec body = elastic(name, model::BodyKind::kBeam, from, to, "steel");
  body.beam->section.b = {b, b};
  body.beam->section.h = {h, h};
  return body;
}

// Moments of inertia about its own point, along world axes.
inline model::BodySpec rigid(const std::string& name, double mass, const Eigen::Vector3d& at,
                             const Eigen::Vector3d& inertia) {
  model::BodySpec body = point_mass(name, mass, at);
  body.kind = model::BodyKind::kRigid;
  body.inertia = Eigen::Matrix3d(inertia.asDiagonal());
  return body;
}

inline void join(model::ModelSpec& spec, model::JointType type, const std::string& a, const std::string& b,
                 const Eigen::Vector3d& at, const Eigen::Vector3d& axis = {0, 0, 1}) {
  spec.joints.push_back(joint_at(fmt::format("{}_{}_{}", a, b, spec.joints.size()), type, a, b, at, axis));
}
inline void weld(model::ModelSpec& spec, const std::string& a, const std::string& b, const Eigen::Vector3d& at) {
  join(spec, model::JointType::kFixed, a, b, at);
}
inline void clamp(model::ModelSpec& spec, const std::string& body, const Eigen::Vector3d& at) {
  weld(spec, "ground", body, at);
}

// A spring along x between two bodies or the ground, that holds them in no other direction that is active.
inline void spring_x(model::ModelSpec& spec, const std::string& a, const std::string& b, const Eigen::Vector3d& at,
                     double stiffness, double damping = 0) {
  join(spec, model::JointType::kPrismatic, a, b, at, Eigen::Vector3d::UnitX());
  spec.joints.back().stiffness = {stiffness};
  if (damping > 0) spec.joints.back().damping = {damping};
}

// An elastic hinge: [kx, ky, kz, krx, kry, krz], 0 releases.
inline void hinge(model::ModelSpec& spec, const std::string& a, const std::string& b, const Eigen::Vector3d& at,
                  const std::vector<double>& stiffness, const std::vector<double>& damping = {}) {
  join(spec, model::JointType::kFree, a, b, at);
  spec.joints.back().stiffness = stiffness;
  spec.joints.back().damping = damping;
}

}  // namespace espalier::modes

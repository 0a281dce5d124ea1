#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/detail/mjcf_document.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr std::array kOrientations = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};

bool usable(const Vector3d& v) { return v.cwiseAbs().maxCoeff() > 1e-100; }

Quaterniond about(const Vector3d& axis, double angle) { return math::rotation_about(math::direction(axis), angle); }

// Lower-case letters turn about the axes as they go, capitals about the axes of the parent.
Quaterniond from_euler(const std::string& sequence, const Vector3d& angles) {
  Quaterniond q = Quaterniond::Identity();
  for (int k = 0; k < 3; ++k) {
    const char letter = sequence[to_index(k)];
    const bool moving = letter >= 'x';
    // Behind the turns before it they go about axes that have been turned, in front of them about fixed ones.
    const Quaterniond turn = about(Vector3d::Unit(letter - (moving ? 'x' : 'X')), angles[k]);
    q = moving ? q * turn : turn * q;
  }
  return q;
}

}  // namespace

double MjcfDocument::angle(double value) const { return compiler.degree ? value * std::numbers::pi / 180 : value; }

void MjcfDocument::note_angles(const XMLElement* element, const char* name, std::span<const double> values) {
  const auto doubtful = compiler.degree ? looks_like_radians : looks_like_degrees;
  if (std::none_of(values.begin(), values.end(), doubtful)) return;
  if (compiler.degree) {
    xml.note_radians(element, name);
  } else {
    xml.note_degrees(element, name);
  }
}

std::optional<Quaterniond> MjcfDocument::orientation(const MjcfSource& source) {
  // The element's own orientation beats one that its class would give, in whatever notation.
  // MJCF lets a class turn an element by `euler` and the element replace it by `quat`; the notations exclude each
  // other.
  for (const char* name : kOrientations) {
    if (source.element->Attribute(name) != nullptr) return orientation_from(source.element);
  }
  for (const char* name : kOrientations) {
    if (const XMLElement* element = holder(source, name)) return orientation_from(element);
  }
  return std::nullopt;
}

std::optional<Quaterniond> MjcfDocument::orientation_from(const XMLElement* element) {
  // Two notations in one element contradict each other even where they agree in value; MuJoCo refuses them too.
  const char* given = nullptr;
  for (const char* name : kOrientations) {
    if (element->Attribute(name) == nullptr) continue;
    if (given != nullptr) {
      xml.fail(ErrorCode::kValue, element,
               fmt::format("<{}> is turned twice, by {} and by {}; keep one", element->Name(), given, name));
      return std::nullopt;
    }
    given = name;
  }
  const std::string_view word = given;
  const std::size_t count = word == "xyaxes" ? 6 : word == "quat" || word == "axisangle" ? 4 : 3;
  const std::vector<double> n = *numbers({element, nullptr, ""}, given, count, count);
  if (xml.failed()) return std::nullopt;
  const auto zero = [&](const char* what) -> std::optional<Quaterniond> {
    xml.fail(ErrorCode::kValue, element, fmt::format("{} in <{}> {}", given, element->Name(), what));
    return std::nullopt;
  };
  const Vector3d first(n[0], n[1], n[2]);
  if (word == "quat") {
    const Eigen::Vector4d all(n[0], n[1], n[2], n[3]);
    // Only the direction of a quaternion counts in MJCF: any length whose square is a number is accepted.
    if (!(all.norm() > 1e-100) || !std::isfinite(all.squaredNorm())) return zero("has no length; 1 0 0 0 is no turn");
    return math::normalised(Quaterniond(n[0], n[1], n[2], n[3]));
  }
  if (word == "euler") note_angles(element, given, n);
  if (word == "axisangle") note_angles(element, given, std::span(n).last(1));
  if (word == "euler") return from_euler(compiler.eulerseq, Vector3d(angle(n[0]), angle(n[1]), angle(n[2])));
  if (!usable(first)) return zero("names a direction of no length");
  if (word == "axisangle") return about(first, angle(n[3]));
  // zaxis leaves the turn about z open; rotation_with_z takes the shortest way there.
  if (word == "zaxis") return math::rotation_with_z(first);
  const Vector3d second(n[3], n[4], n[5]);
  // The second direction only has to span a plane with the first; its share along x is taken out.
  const bool independent = usable(second) && math::direction(first).cross(math::direction(second)).norm() > 1e-9;
  if (!independent) return zero("names two directions that are parallel or of no length");
  return math::rotation_with_xy(first, second);
}

math::Pose MjcfDocument::pose(const MjcfSource& source) {
  math::Pose pose;
  pose.position = vector(source, "pos", Vector3d::Zero());
  pose.rotation = orientation(source).value_or(Quaterniond::Identity());
  return pose;
}

}  // namespace espalier::formats::detail

#include "espalier/formats/detail/sdf_print.hpp"

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::ShapeKind;

// 1.11 is the first with <mimic>.
constexpr const char* kVersion = "1.11";

std::string vector_text(const Vector3d& v) { return sdf_list_text({v.data(), 3}); }

}  // namespace

std::string sdf_list_text(std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    // Every reader of SDF splits lists at blanks.
    if (!text.empty()) text += ' ';
    text += number_text(value);
  }
  return text;
}

void SdfPrint::open(const char* name, const Attributes& attributes) {
  printer_.OpenElement(name);
  // In the order given: the name comes first, as people look for it there.
  for (const auto& [attribute, value] : attributes) printer_.PushAttribute(attribute, value.c_str());
}

void SdfPrint::close() { printer_.CloseElement(); }

void SdfPrint::text(const char* name, const std::string& text) {
  printer_.OpenElement(name);
  // Escaped by the printer, so that names may hold any of & < >.
  printer_.PushText(text.c_str());
  printer_.CloseElement();
}

void SdfPrint::pose(const char* name, const math::Pose& pose) {
  const Vector3d rpy = math::rpy_from_rotation(pose.rotation);
  // Roll, pitch and yaw read best, but near the pole they do not give the rotation back.
  const Quaterniond back = math::rotation_from_rpy(rpy);
  const bool exact = std::abs(std::abs(back.dot(pose.rotation)) - 1) < 1e-15 &&
                     math::rotation_log(back.conjugate() * pose.rotation).norm() < 1e-15;
  const Quaterniond& q = pose.rotation;
  printer_.OpenElement(name);
  if (!exact) printer_.PushAttribute("rotation_format", "quat_xyzw");
  const std::string turn = exact ? vector_text(rpy) : vector_text(q.vec()) + " " + number_text(q.w());
  printer_.PushText(fmt::format("{} {}", vector_text(pose.position), turn).c_str());
  printer_.CloseElement();
}

void SdfPrint::geometry(const model::ShapeSpec& shape) {
  printer_.OpenElement(model::word(shape.kind));
  switch (shape.kind) {
    case ShapeKind::kSphere:
      text("radius", number_text(shape.size[0]));
      break;
    case ShapeKind::kBox:
      text("size", vector_text(shape.size));
      break;
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      text("radius", number_text(shape.size[0]));
      text("length", number_text(shape.size[1]));
      break;
    case ShapeKind::kEllipsoid:
      text("radii", vector_text(shape.size));
      break;
    case ShapeKind::kPlane:
      // A plane of SDF has a size for drawing; ours has none, so that any number will serve.
      text("normal", "0 0 1");
      text("size", "1 1");
      break;
    case ShapeKind::kMesh:
      text("uri", shape.file);
      text("scale", vector_text(shape.scale));
      break;
    case ShapeKind::kHull:
      break;
  }
  printer_.CloseElement();
}

std::string SdfPrint::document() const {
  // Printed first: only then it is known whether our own elements came up.
  const std::string body = printer_.CStr();
  // The namespace is declared only where it is used: most files stay plain SDF.
  const bool own = body.find("espalier:") != std::string::npos;
  return fmt::format("<?xml version=\"1.0\"?>\n<sdf version=\"{}\"{}>\n{}\n</sdf>\n", kVersion,
                     own ? " xmlns:espalier=\"urn:espalier:sdf\"" : "", body);
}

}  // namespace espalier::formats::detail

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/sdf_round_trip.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats {
namespace {

using namespace sdf_test;
using Eigen::Vector3d;
using model::JointType;
using model::ModelSpec;

TEST(SdfPrint, EachClosingTagHasItsOwnLine) {
  ModelSpec spec = drawn_at(JointType::kRevolute, {0});
  EXPECT_TRUE(text_of(spec).ends_with("</joint>\n    </model>\n</sdf>\n")) << text_of(spec);
  spec.gravity = {0, 0, -1.62};
  EXPECT_TRUE(text_of(spec).ends_with("        </model>\n    </world>\n</sdf>\n")) << text_of(spec);
  EXPECT_EQ(text_of(spec).find("\n\n"), std::string::npos) << text_of(spec);
}

TEST(SdfPrint, RotationsAtThePoleOfRollPitchYawComeBack) {
  for (const double pitch : {M_PI / 2, -M_PI / 2, M_PI / 2 - 1e-10, M_PI / 2 - 1e-7, 1.5}) {
    for (const double roll : {0.0, 1.0, -3.0}) {
      ModelSpec spec;
      spec.name = "pole";
      const math::Pose pose{Vector3d(1, 2, 3), math::rotation_from_rpy({roll, pitch, 0.7})};
      spec.bodies = {brick("a", pose)};
      const Result<ModelSpec> back = read_model_text(text_of(spec), "back.sdf");
      ASSERT_TRUE(back.has_value()) << to_string(back.error());
      EXPECT_LE(math::gap_between(back->bodies[0].pose, pose).angle, 1e-14) << pitch << " " << roll;
    }
  }
}

TEST(SdfPrint, ShapesKeepKindRoleNameAndPlace) {
  ModelSpec spec;
  spec.name = "shapes";
  spec.bodies = {brick("a", kSomewhere)};
  using model::ShapeKind;
  using model::ShapeRole;
  for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kBox, ShapeKind::kCapsule, ShapeKind::kCylinder,
                               ShapeKind::kEllipsoid, ShapeKind::kPlane, ShapeKind::kMesh}) {
    for (const ShapeRole role : {ShapeRole::kBoth, ShapeRole::kCollision, ShapeRole::kVisual}) {
      model::ShapeSpec shape;
      shape.kind = kind;
      shape.role = role;
      if (role != ShapeRole::kCollision) shape.name = fmt::format("{} & <{}>", model::word(kind), model::word(role));
      shape.pose = kElsewhere;
      if (kind == ShapeKind::kSphere) shape.size = {1, 0, 0};
      if (kind == ShapeKind::kBox || kind == ShapeKind::kEllipsoid) shape.size = {1, 2, 3};
      if (kind == ShapeKind::kCapsule || kind == ShapeKind::kCylinder) shape.size = {1, 2, 0};
      if (kind == ShapeKind::kMesh) shape.file = "a b & c.stl", shape.scale = {1, 2, 3};
      spec.bodies[0].shapes.push_back(shape);
    }
  }
  EXPECT_EQ(losses(spec), "");
}

}  // namespace
}  // namespace espalier::formats

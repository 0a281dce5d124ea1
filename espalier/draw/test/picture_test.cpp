#include "espalier/draw/pages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "espalier/draw/scene.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::draw {
namespace {

using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

JointSpec joint(const std::string& name, const std::string& a, const std::string& b, const Vector3d& position) {
  JointSpec spec;
  spec.name = name;
  spec.a = a;
  spec.b = b;
  spec.at = math::Pose{position, math::rotation_with_z({0, 1, 0})};
  return spec;
}

//      B ------ C        a four-bar in the x-z plane, hinges along y
//      |        |
//      A        D        A and D on the ground
ModelSpec four_bar() {
  ModelSpec spec;
  for (const char* name : {"crank", "coupler", "rocker"}) {
    model::BodySpec body;
    body.name = name;
    body.mass = 1;
    body.inertia = Eigen::Matrix3d::Identity();
    spec.bodies.push_back(body);
  }
  spec.joints = {joint("A", model::kGround, "crank", {0, 0, 0}), joint("B", "crank", "coupler", {0, 0, 1}),
                 joint("C", "coupler", "rocker", {2, 0, 1}), joint("D", "rocker", model::kGround, {2, 0, 0})};
  return spec;
}

std::string drawn(const ModelSpec& spec) {
  const Result<model::Model> model = model::compile(spec);
  EXPECT_TRUE(model.has_value()) << to_string(model.error());
  return model ? draw_svg(*model) : "";
}

TEST(Picture, ShowsEveryBodyAndJointOnce) {
  const std::string svg = drawn(four_bar());
  EXPECT_EQ(count(svg, "<svg "), 1u);
  EXPECT_EQ(count(svg, "</svg>"), 1u);
  EXPECT_EQ(count(svg, "<title>'crank'</title>"), 1u);
  EXPECT_EQ(count(svg, "<title>'C' (revolute)</title>"), 1u);
  // Three bars and four hinges, seen along their axes.
  EXPECT_EQ(count(svg, "<g><path "), 7u);
}

// The middle of what is drawn of a body or joint, by the title of its group.
Eigen::Vector2d middle_of(const std::string& svg, const std::string& title) {
  const std::size_t end = svg.find("<title>" + title + "</title>"), begin = svg.rfind("<g>", end);
  Eigen::AlignedBox2d box;
  const std::string group = svg.substr(begin, end - begin);
  for (std::size_t at = group.find_first_of("ML"); at != std::string::npos; at = group.find_first_of("ML", at + 1)) {
    double x = 0, y = 0;
    if (std::sscanf(group.c_str() + at + 1, "%lf,%lf", &x, &y) == 2) box.extend(Eigen::Vector2d(x, y));
  }
  return box.center();
}

TEST(Picture, LooksAlongTheCommonAxisOfAPlanarMechanism) {
  // x to the right and z up: A below B, D right of A.
  const std::string svg = drawn(four_bar());
  const Eigen::Vector2d a = middle_of(svg, "'A' (revolute)"), b = middle_of(svg, "'B' (revolute)");
  const Eigen::Vector2d c = middle_of(svg, "'C' (revolute)"), d = middle_of(svg, "'D' (revolute)");
  EXPECT_NEAR(a.x(), b.x(), 0.2);
  EXPECT_NEAR(a.y(), d.y(), 0.2);
  EXPECT_GT(a.y(), b.y() + 300);
  EXPECT_GT(d.x(), a.x() + 600);
  EXPECT_NEAR((c - b).x(), 2 * (a - b).y(), 1);
  // One hinge the other way round changes nothing.
  ModelSpec turned = four_bar();
  turned.joints[0].at->rotation = math::rotation_with_z({0, -1, 0});
  EXPECT_NEAR((middle_of(drawn(turned), "'D' (revolute)") - d).norm(), 0, 0.2);
  // One hinge askew: seen from an angle.
  turned.joints[0].at->rotation = math::rotation_with_z({1, 0, 0});
  const std::string spatial = drawn(turned);
  EXPECT_GT(std::abs((middle_of(spatial, "'A' (revolute)") - middle_of(spatial, "'D' (revolute)")).y()), 20);
}

TEST(Picture, MarksOpenJoints) {
  ModelSpec spec = four_bar();
  EXPECT_EQ(count(drawn(spec), "#d00"), 0u);
  spec.joints[3].at.reset();
  spec.joints[3].in_a = {{2, 0, 0}, math::rotation_with_z({0, 1, 0})};
  spec.joints[3].in_b = {{2.1, 0, 0}, math::rotation_with_z({0, 1, 0})};
  EXPECT_EQ(count(drawn(spec), "stroke=\"#d00\""), 1u);
}

TEST(Picture, DrawsTheShapesOfAScene) {
  ModelSpec spec = four_bar();
  spec.joints.clear();
  spec.bodies.resize(2);
  model::ShapeSpec ball, box;
  ball.size = {0.5, 0, 0};
  box.kind = model::ShapeKind::kBox;
  box.size = {1, 2, 3};
  spec.bodies[0].shapes = {ball};
  spec.bodies[1].shapes = {box};
  spec.bodies[1].pose.position = {3, 0, 0};
  spec.contact.emplace();
  const std::string svg = drawn(spec);
  // A ball and its shading; three faces of a box are seen.
  EXPECT_EQ(count(svg, "<circle "), 2u);
  EXPECT_EQ(count(svg, "<path d=\"M") - count(svg, "stroke=\"#333\""), 3u);
  EXPECT_EQ(count(svg, " m</text>"), 1u) << "a scale";
}

TEST(Picture, NamesMeshesThatAreMissingAndDrawsABoxForThem) {
  ModelSpec spec = four_bar();
  model::ShapeSpec mesh;
  mesh.kind = model::ShapeKind::kMesh;
  mesh.file = "nowhere/hull.stl";
  spec.bodies[0].shapes = {mesh, mesh};
  const Result<model::Model> model = model::compile(spec);
  ASSERT_TRUE(model.has_value());
  const Scene scene = make_scene(*model);
  ASSERT_EQ(scene.missing.size(), 2u);
  EXPECT_EQ(scene.missing[0].file, "nowhere/hull.stl");
  EXPECT_EQ(scene.missing[0].body, "crank");
  EXPECT_EQ(std::count_if(scene.pieces.begin(), scene.pieces.end(),
                          [](const Piece& piece) { return piece.body == 1 && piece.role != PieceRole::kJoint; }),
            1);
}

TEST(Picture, EscapesNames) {
  ModelSpec spec = four_bar();
  spec.bodies[1].name = spec.joints[1].b = spec.joints[2].a = "<script>&amp";
  spec.joints[0].name = "</title>";
  const std::string svg = drawn(spec);
  EXPECT_EQ(count(svg, "<script"), 0u);
  EXPECT_EQ(count(svg, "'&lt;script&gt;&amp;amp'"), 1u);
  EXPECT_EQ(count(svg, "'&lt;/title&gt;' (revolute)"), 1u);
  EXPECT_EQ(count(svg, "<title>"), count(svg, "</title>"));
}

TEST(Picture, OfALoneBodyIsFinite) {
  ModelSpec spec = four_bar();
  spec.joints.clear();
  spec.bodies.resize(1);
  const std::string svg = drawn(spec);
  EXPECT_EQ(count(svg, "<title>'crank'</title>"), 1u);
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_EQ(count(svg, "inf"), 0u);
}

}  // namespace
}  // namespace espalier::draw

#include "espalier/draw/pages.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(count(svg, "<polygon "), 3u);
  EXPECT_EQ(count(svg, "<circle "), 4u);
  EXPECT_EQ(count(svg, "<title>'crank'</title>"), 1u);
  EXPECT_EQ(count(svg, "<title>'C' (revolute)</title>"), 1u);
}

TEST(Picture, HatchesTheGroundWhereJointsTouchIt) {
  EXPECT_EQ(count(drawn(four_bar()), "fill=\"url(#hatch)\""), 2u);
  EXPECT_EQ(count(drawn(four_bar()), "<pattern id=\"hatch\""), 1u);
}

// The title of the first element that starts with `opening`.
std::string title_of(const std::string& svg, const std::string& opening) {
  const std::size_t element = svg.find(opening);
  if (element == std::string::npos) return "not drawn";
  const std::size_t begin = svg.find("<title>", element) + 7;
  return svg.substr(begin, svg.find("</title>", begin) - begin);
}

TEST(Picture, LooksAlongTheCommonAxisOfAPlanarMechanism) {
  // x to the right and z up: A below B, D right of A, all within 960 by 528.
  const std::string svg = drawn(four_bar());
  EXPECT_EQ(count(svg, "viewBox=\"0 0 960 528\""), 1u);
  EXPECT_EQ(title_of(svg, "<circle cx=\"48.0\" cy=\"480.0\""), "'A' (revolute)");
  EXPECT_EQ(title_of(svg, "<circle cx=\"48.0\" cy=\"48.0\""), "'B' (revolute)");
  EXPECT_EQ(title_of(svg, "<circle cx=\"912.0\" cy=\"48.0\""), "'C' (revolute)");
  EXPECT_EQ(title_of(svg, "<circle cx=\"912.0\" cy=\"480.0\""), "'D' (revolute)");
  // One hinge the other way round changes nothing.
  ModelSpec turned = four_bar();
  turned.joints[0].at->rotation = math::rotation_with_z({0, -1, 0});
  EXPECT_EQ(title_of(drawn(turned), "<circle cx=\"48.0\" cy=\"480.0\""), "'A' (revolute)");
  // One hinge askew: seen from an angle.
  turned.joints[0].at->rotation = math::rotation_with_z({1, 0, 0});
  EXPECT_EQ(count(drawn(turned), "<circle cx=\"48.0\" cy=\"480.0\""), 0u);
}

TEST(Picture, MarksOpenJoints) {
  ModelSpec spec = four_bar();
  EXPECT_EQ(count(drawn(spec), "#d00"), 0u);
  spec.joints[3].at.reset();
  spec.joints[3].in_a = {{2, 0, 0}, math::rotation_with_z({0, 1, 0})};
  spec.joints[3].in_b = {{2.1, 0, 0}, math::rotation_with_z({0, 1, 0})};
  EXPECT_EQ(count(drawn(spec), "stroke=\"#d00\""), 1u);
  EXPECT_EQ(count(drawn(spec), "fill=\"#ffc9c9\""), 1u);
}

TEST(Picture, DrawsSlidersAsSquaresAndBallsFilled) {
  ModelSpec spec = four_bar();
  spec.joints[1].type = JointType::kPrismatic;
  spec.joints[2].type = JointType::kSpherical;
  const std::string svg = drawn(spec);
  EXPECT_EQ(count(svg, "<rect x="), 1u);
  EXPECT_EQ(count(svg, "fill=\"#222\""), 1u);
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
  EXPECT_EQ(count(svg, "<polygon "), 1u);
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_EQ(count(svg, "inf"), 0u);
}

}  // namespace
}  // namespace espalier::draw

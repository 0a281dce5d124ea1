#include "espalier/draw/pages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/draw/detail/plan_words.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::draw {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using model::Joint;
using model::JointType;
using model::Model;

constexpr double kWidth = 960;
constexpr double kMargin = 48;
constexpr std::array kColours = {"#4e79a7", "#f28e2b", "#59a14f", "#e15759",
                                 "#76b7b2", "#b07aa1", "#edc948", "#9c755f"};

// Rows: right, up, towards the eye; in world axes.
using View = Eigen::Matrix3d;

// Along the axis that all hinges share; otherwise from the front right, above.
View choose_view(const Model& model) {
  std::optional<Vector3d> normal;
  bool planar = false;
  for (const Joint& joint : model.joints) {
    // A slide and a weld have no axis that a view should follow.
    if (joint.type == JointType::kFixed || joint.type == JointType::kPrismatic) continue;
    const Vector3d axis = model::drawn_frame_a(model, joint).rotation * Vector3d::UnitZ();
    // One axis that differs makes it spatial.
    planar = joint.type == JointType::kRevolute && (!normal || normal->cross(axis).norm() < 1e-6);
    if (!planar) break;
    if (!normal) normal = axis;
  }
  // Up is z of the world, or y where one looks along z.
  Vector3d eye = planar ? *normal : Vector3d(0.62, -0.68, 0.4).normalized();
  const Vector3d up = std::abs(eye.z()) > 0.9 ? Vector3d::UnitY() : Vector3d::UnitZ();
  // Look at a vertical plane from -y, so that x points right.
  if (planar && eye.y() > 0.5) eye = -eye;
  if (planar && eye.z() < -0.5) eye = -eye;
  View view;
  // Rows of a rotation: a point times it is what the reader sees.
  view.row(2) = eye;
  view.row(0) = up.cross(eye).normalized();
  view.row(1) = eye.cross(Vector3d(view.row(0)));
  return view;
}

// What is drawn of one body: its joints' points, and its centre of mass where it has only one joint.
struct Figure {
  std::size_t body = 0;
  std::vector<Vector2d> outline;
  double depth = 0;
};

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// Andrew's monotone chain.
std::vector<Vector2d> convex_outline(std::vector<Vector2d> points) {
  std::sort(points.begin(), points.end(),
            [](const Vector2d& a, const Vector2d& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  // Two points or fewer are their own outline.
  if (points.size() < 3) return points;
  std::vector<Vector2d> hull;
  for (const bool upper : {false, true}) {
    const std::size_t start = hull.size();
    for (const Vector2d& p : points) {
      // A turn that is not to the left would be a dent.
      while (hull.size() >= start + 2 && cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    if (!upper) std::reverse(points.begin(), points.end());
  }
  return hull;
}

class Drawing {
 public:
  explicit Drawing(const Model& model) : model_(model), view_(choose_view(model)) {
    collect();
    fit();
  }

  std::string svg() const {
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"system-ui, "
        "sans-serif\">\n"
        "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\">"
        "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"#555\" stroke-width=\"2\"/></pattern></defs>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        kWidth, height_);
    for (const Figure& figure : figures_) text += body_element(figure);
    for (const Joint& joint : model_.joints) text += joint_element(joint);
    return text + "</svg>\n";
  }

 private:
  Vector3d seen(const Vector3d& point) const { return view_ * point; }

  // Everything is looked at once and kept: the scale is known only when all has been seen.
  void collect() {
    std::vector<std::vector<Vector3d>> points(model_.bodies.size());
    for (const Joint& joint : model_.joints) {
      // Both frames, since a joint that stands open has two places.
      points[joint.a.index()].push_back(seen(model::drawn_frame_a(model_, joint).position));
      points[joint.b.index()].push_back(seen(model::drawn_frame_b(model_, joint).position));
    }
    for (std::size_t b = 1; b < points.size(); ++b) {
      const model::Body& body = model_.bodies[b];
      // A body on one joint would be a point; its centre of mass makes a line of it.
      if (points[b].size() < 2) points[b].push_back(seen(body.X_WB * body.inertia.com));
      Figure figure{b, {}, 0};
      for (const Vector3d& p : points[b]) {
        // Seen from far away: the depth orders, and does not shrink.
        figure.outline.push_back(p.head<2>());
        figure.depth += p.z() / static_cast<double>(points[b].size());
      }
      figures_.push_back(std::move(figure));
    }
    // The ground has no figure of its own, but its joints have to be on the page.
    for (const Vector3d& p : points[0]) extent_.push_back(p.head<2>());
    for (const Figure& figure : figures_) extent_.insert(extent_.end(), figure.outline.begin(), figure.outline.end());
    // The farthest first, so that what is near covers it.
    std::stable_sort(figures_.begin(), figures_.end(),
                     [](const Figure& a, const Figure& b) { return a.depth < b.depth; });
  }

  void fit() {
    low_ = high_ = extent_.empty() ? Vector2d(0, 0) : extent_[0];
    for (const Vector2d& p : extent_) {
      low_ = low_.cwiseMin(p);
      high_ = high_.cwiseMax(p);
    }
    // A mechanism along a line has no height to scale by.
    const Vector2d size = (high_ - low_).cwiseMax(1e-9);
    scale_ = (kWidth - 2 * kMargin) / std::max(size.x(), size.y());
    // Neither a strip nor a tower: the page keeps a shape that can be seen at once.
    height_ = std::clamp(size.y() * scale_, 60.0, kWidth - 2 * kMargin) + 2 * kMargin;
    // Bars get thinner where there are many.
    thickness_ = std::clamp(60.0 / std::sqrt(1.0 + static_cast<double>(figures_.size())), 3.0, 16.0);
  }

  Vector2d page(const Vector2d& p) const {
    const Vector2d centre = 0.5 * (low_ + high_);
    // SVG counts downward.
    return {kWidth / 2 + scale_ * (p.x() - centre.x()), height_ / 2 - scale_ * (p.y() - centre.y())};
  }

  static std::string escaped(std::string_view name) { return detail::escaped(in_quotes(name)); }

  std::string body_element(const Figure& figure) const {
    std::string points;
    for (const Vector2d& p : convex_outline(figure.outline))
      points += fmt::format("{:.1f},{:.1f} ", page(p).x(), page(p).y());
    // By number and not by kind: neighbours in the file are told apart.
    const char* colour = kColours[figure.body % kColours.size()];
    return fmt::format(
        "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.35\" stroke=\"{}\" stroke-width=\"{:.1f}\" "
        "stroke-linejoin=\"round\" stroke-opacity=\"0.85\"><title>{}</title></polygon>\n",
        points, colour, colour, thickness_, escaped(model_.bodies[figure.body].name));
  }

  std::string joint_element(const Joint& joint) const {
    const Vector2d a = page(seen(model::drawn_frame_a(model_, joint).position).head<2>());
    const Vector2d b = page(seen(model::drawn_frame_b(model_, joint).position).head<2>());
    // Joints are smaller than the bars they join, and never too small to point at.
    const double r = std::max(2.0, 0.45 * thickness_);
    std::string text;
    if (joint.a == model::kGroundId || joint.b == model::kGroundId) {
      text +=
          fmt::format("<path d=\"M{:.1f},{:.1f} l{:.1f},{:.1f} h{:.1f} z\" fill=\"url(#hatch)\" stroke=\"#555\"/>\n",
                      a.x(), a.y(), -2.2 * r, 3.4 * r, 4.4 * r);
    }
    // Hovering says the type: the drawing tells slides from turns and no more.
    const model::JointKind& kind = model::joint_kind(joint.type);
    const math::PoseGap gap = model::drawn_gap(model_, joint);
    // Beyond what rounding in a file makes of a closed joint.
    const bool open = gap.distance > 1e-6 || gap.angle > 1e-6;
    if (open) {
      text += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#d00\" stroke-width=\"2\" "
          "stroke-dasharray=\"5 4\"/>\n",
          a.x(), a.y(), b.x(), b.y());
    }
    // A square slides, a circle turns.
    const char* shape =
        joint.type == JointType::kPrismatic || joint.type == JointType::kCylindrical ? "rect" : "circle";
    const std::string place = *shape == 'r'
                                  ? fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"",
                                                a.x() - r, a.y() - r, 2 * r, 2 * r)
                                  : fmt::format("cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"", a.x(), a.y(), r);
    return text + fmt::format("<{} {} fill=\"{}\" stroke=\"#222\" stroke-width=\"1.5\"><title>{} ({})</title></{}>\n",
                              shape, place,
                              open                                                                         ? "#ffc9c9"
                              : joint.type == JointType::kSpherical || joint.type == JointType::kUniversal ? "#222"
                                                                                                           : "#fff",
                              escaped(joint.name), kind.name, shape);
  }

  const Model& model_;
  View view_;
  std::vector<Figure> figures_;
  std::vector<Vector2d> extent_;
  Vector2d low_ = Vector2d::Zero();
  Vector2d high_ = Vector2d::Zero();
  double scale_ = 1;
  double height_ = 0;
  double thickness_ = 8;
};

}  // namespace

std::string draw_svg(const Model& model) { return Drawing(model).svg(); }

}  // namespace espalier::draw

#include "espalier/draw/scene_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/draw/detail/picture_parts.hpp"
#include "espalier/draw/detail/plan_words.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::draw {
namespace {

using detail::Face;
using Eigen::Vector2d;
using Eigen::Vector3d;
using model::Model;

constexpr double kWidth = 960;
constexpr double kMargin = 44;
// Wong's palette, safe for the colour-blind; the page has the same (viewer/scene.js).
constexpr std::array kColours = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                 "#56b4e9", "#cc79a7", "#8a7d00", "#7a5fb0"};
constexpr std::size_t kMostNames = 14;

math::Pose seen_from(const PictureView& view, const math::Pose& X_WP) {
  return {view.axes * X_WP.position, Eigen::Quaterniond(view.axes * X_WP.rotation.toRotationMatrix())};
}

std::string escaped(std::string_view name) { return detail::escaped(in_quotes(name)); }

std::string colour_of(const Model& model, const Piece& piece) {
  // Joints are told by their form, bodies by their colour.
  if (piece.role == PieceRole::kJoint) return "#3a4652";
  const model::Body& body = model.bodies[to_index(piece.body)];
  if (piece.body == 0 || body.kind == model::BodyKind::kObstacle) return "#a3adb8";
  // By the number of the body: the same in every picture and on the page.
  return kColours[to_index(piece.body - 1) % kColours.size()];
}

class Drawing {
 public:
  Drawing(const Model& model, const Scene& scene, const PictureView& view) : model_(model), scene_(scene), view_(view) {
    const Vector2d size = (view.high - view.low).cwiseMax(1e-9);
    scale_ = std::min((kWidth - 2 * kMargin) / size.x(), (kWidth - 2 * kMargin) / size.y());
    // Neither a strip nor a tower: the picture keeps a shape that can be seen at once.
    height_ = std::clamp(size.y() * scale_, 160.0, kWidth - 2 * kMargin) + 2 * kMargin;
    // One hairline for all, or piles would be black.
    line_ = scene.pieces.size() > 2000 ? 0.35 : 0.8;
  }

  std::string head(const PictureOptions& options) const {
    const std::string title = options.title.empty() ? "" : "<title>" + escaped(options.title) + "</title>\n";
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"system-ui, "
        "sans-serif\">\n{}<defs><radialGradient id=\"ball\" cx=\"0.36\" cy=\"0.3\" r=\"0.75\"><stop offset=\"0\" "
        "stop-color=\"#fff\" stop-opacity=\"0.55\"/><stop offset=\"0.45\" stop-color=\"#fff\" stop-opacity=\"0\"/>"
        "<stop offset=\"1\" stop-color=\"#000\" stop-opacity=\"0.35\"/></radialGradient></defs>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        kWidth, height_, title);
  }

  // Planes of the model seen from the side, as a line with what is below it shaded.
  std::string ground(std::span<const math::Pose> poses) const {
    std::string text;
    for (const Piece& piece : scene_.pieces) {
      if (piece.kind != PieceKind::kPlane) continue;
      const math::Pose X_WP = model_.bodies[to_index(piece.body)].X_WB * piece.pose;
      const Vector3d normal = view_.axes * (X_WP.rotation * Vector3d::UnitZ());
      const Vector3d at = view_.axes * X_WP.position;
      // Only a floor: walls would cover what is before them.
      if (normal.y() < 0.7) continue;
      // Seen from above it is a patch, from the side a line.
      if (normal.z() > 0.05) {
        text += floor_patch(X_WP, poses);
        continue;
      }
      const double y = page({0, at.y()}).y();
      text += fmt::format(
          "<rect x=\"0\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.1f}\" fill=\"#e8ecf0\"/><line x1=\"0\" "
          "y1=\"{:.1f}\" x2=\"{:.0f}\" y2=\"{:.1f}\" stroke=\"#8a95a1\"/>\n",
          y, kWidth, height_ - y, y, kWidth, y);
    }
    return text;
  }

  // All that is drawn, the farthest first, so that what is near covers it.
  std::string pieces(std::span<const math::Pose> poses) const {
    struct Item {
      double depth;
      std::string text;
    };
    std::vector<Item> items;
    for (const Piece& piece : scene_.pieces) {
      // In the axes of the eye z points at it: a depth is that number alone.
      const math::Pose X_EP = seen_from(view_, poses[to_index(piece.body)] * piece.pose);
      const bool mesh = piece.kind == PieceKind::kMesh;
      std::vector<Face> faces = detail::visible_faces(scene_, piece, X_EP);
      std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.depth < b.depth; });
      std::string text;
      for (const Face& face : faces) {
        // Triangles of meshes are sorted among those of other bodies; a box is one thing.
        if (mesh)
          items.push_back({is_glass(piece) ? -INFINITY : face.depth, element(piece, face)});
        else
          text += element(piece, face);
      }
      // Joints lie within the bodies they join: they are drawn above them.
      const double nearer = piece.role == PieceRole::kJoint ? 0.5 * half_lengths(scene_, piece).norm() : 0;
      const double depth = is_glass(piece) ? -INFINITY : X_EP.position.z() + nearer;
      if (!mesh && !text.empty()) items.push_back({depth, group(piece, text)});
    }
    for (const SceneLine& line : scene_.lines) items.push_back(line_item<Item>(line, poses));
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.depth < b.depth; });
    std::string text;
    for (const Item& item : items) text += item.text;
    return text;
  }

  // Of joints that stand open in the drawing: a red line from one of its ends to the other.
  std::string open_joints() const {
    std::string text;
    for (const model::Joint& joint : model_.joints) {
      const math::PoseGap gap = model::drawn_gap(model_, joint);
      // Beyond what rounding in a file makes of a closed joint.
      if (!(gap.distance > 1e-6 || gap.angle > 1e-6)) continue;
      const Vector2d a = page((view_.axes * model::drawn_frame_a(model_, joint).position).head<2>());
      const Vector2d b = page((view_.axes * model::drawn_frame_b(model_, joint).position).head<2>());
      text += fmt::format(
          "<path d=\"M{:.1f},{:.1f}L{:.1f},{:.1f}\" stroke=\"#d00\" stroke-width=\"2\" "
          "stroke-dasharray=\"5 4\"><title>{} is open</title></path>\n",
          a.x(), a.y(), b.x(), b.y(), escaped(joint.name));
    }
    return text;
  }

  std::string names(std::span<const math::Pose> poses) const {
    // More names than these would lie on each other.
    if (model_.bodies.size() > kMostNames + 1) return "";
    std::string text;
    for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
      // At the middle of what is drawn: a body's origin may lie far from it.
      const auto piece = std::find_if(scene_.pieces.begin(), scene_.pieces.end(), [&](const Piece& p) {
        return p.body == static_cast<int>(b) && p.role != PieceRole::kJoint;
      });
      const math::Pose X_BP = piece == scene_.pieces.end() ? math::Pose() : piece->pose;
      const Vector2d at = page((view_.axes * (poses[b] * X_BP).position).head<2>());
      text += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"15\" text-anchor=\"middle\" fill=\"#16202b\" stroke=\"#fff\" "
          "stroke-width=\"4\" paint-order=\"stroke\">{}</text>\n",
          at.x(), at.y() - 8, detail::shown_text(detail::clean_name(model_.bodies[b].name)));
    }
    return text;
  }

  // A round length below, and the axes of the world.
  std::string scale_bar() const {
    const double wanted = 0.2 * (kWidth - 2 * kMargin) / scale_,
                 decade = elementary::pow(10, std::floor(elementary::log10(wanted)));
    // A length that people count in: 1, 2 or 5 times a power of ten.
    const double length = decade * (wanted / decade >= 5 ? 5 : wanted / decade >= 2 ? 2 : 1);
    const double x = kMargin / 2, y = height_ - 14;
    std::string text = fmt::format(
        "<path d=\"M{0:.1f},{1:.1f}v6h{2:.1f}v-6\" fill=\"none\" stroke=\"#333\" stroke-width=\"1.5\"/><text "
        "x=\"{3:.1f}\" y=\"{4:.1f}\" font-size=\"13\" fill=\"#333\">{5} m</text>\n",
        x, y - 6, length * scale_, x + length * scale_ + 8, y, number_text(std::stod(fmt::format("{:.6g}", length))));
    constexpr std::array kNames = {"x", "y", "z"};
    const Vector2d centre(kWidth - 40, height_ - 40);
    for (int k = 0; k < 3; ++k) {
      const Vector3d axis = view_.axes.col(k);
      // One that points at the eye would be a dot.
      if (axis.head<2>().norm() < 0.2) continue;
      const Vector2d tip = centre + 26 * Vector2d(axis.x(), -axis.y());
      text += fmt::format(
          "<path d=\"M{:.1f},{:.1f}L{:.1f},{:.1f}\" stroke=\"#333\" stroke-width=\"1.5\"/><text x=\"{:.1f}\" "
          "y=\"{:.1f}\" font-size=\"12\" text-anchor=\"middle\" fill=\"#333\">{}</text>\n",
          centre.x(), centre.y(), tip.x(), tip.y(), tip.x() + 7 * axis.x(), tip.y() - 8 * axis.y() + 4,
          kNames[to_index(k)]);
    }
    return text;
  }

  std::string clock(double time) const {
    return fmt::format(
        "<text x=\"{:.0f}\" y=\"26\" font-size=\"16\" text-anchor=\"end\" fill=\"#333\">{:.3f} s</text>\n", kWidth - 20,
        time);
  }

  // What is drawn of one body at this pose, without sorting among others.
  std::string body(int index, const math::Pose& X_WB) const {
    std::string text;
    for (const Piece& piece : scene_.pieces) {
      if (piece.body != index) continue;
      std::vector<Face> faces = detail::visible_faces(scene_, piece, seen_from(view_, X_WB * piece.pose));
      std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.depth < b.depth; });
      for (const Face& face : faces) text += element(piece, face);
    }
    return text;
  }

  Vector2d page(const Vector2d& p) const {
    const Vector2d centre = 0.5 * (view_.low + view_.high);
    // SVG counts downward.
    return {kWidth / 2 + scale_ * (p.x() - centre.x()), height_ / 2 - scale_ * (p.y() - centre.y())};
  }
  const PictureView& view() const { return view_; }

 private:
  // The part of a floor that lies below what moves, and somewhat more.
  std::string floor_patch(const math::Pose& X_WP, std::span<const math::Pose> poses) const {
    const math::Pose X_PW = X_WP.inverse();
    Eigen::AlignedBox2d box;
    for (const Piece& piece : scene_.pieces) {
      // Obstacles may reach as far as the floor itself.
      if (piece.kind == PieceKind::kPlane || stands(piece)) continue;
      box.extend(Vector2d((X_PW * (poses[to_index(piece.body)] * piece.pose.position)).head<2>()));
    }
    if (box.isEmpty()) return "";
    const double more = 0.15 * box.diagonal().norm() + 0.05 * (view_.high - view_.low).norm();
    std::string path;
    for (const auto& [u, v] : {std::array{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
      const double x = u < 0 ? box.min().x() - more : box.max().x() + more;
      const double y = v < 0 ? box.min().y() - more : box.max().y() + more;
      const Vector2d corner = page((view_.axes * (X_WP * Vector3d(x, y, 0))).head<2>());
      path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "M" : "L", corner.x(), corner.y());
    }
    return fmt::format("<path d=\"{}z\" fill=\"#eceff3\" stroke=\"#c3cad2\"/>\n", path);
  }
  bool stands(const Piece& piece) const {
    return piece.body == 0 || model_.bodies[to_index(piece.body)].kind == model::BodyKind::kObstacle;
  }
  // Walls that stand around what moves would hide it.
  bool is_glass(const Piece& piece) const {
    return stands(piece) && piece.role == PieceRole::kShape &&
           half_lengths(scene_, piece).norm() > 0.2 * (view_.high - view_.low).norm();
  }

  std::string group(const Piece& piece, const std::string& text) const {
    const std::string name = piece.role == PieceRole::kJoint ? model_.joints[to_index(piece.joint)].name
                                                             : model_.bodies[to_index(piece.body)].name;
    std::string kind;
    if (piece.role == PieceRole::kJoint) {
      kind = fmt::format(" ({})", model::joint_kind(model_.joints[to_index(piece.joint)].type).name);
    }
    // Titles of 10^4 grains would be most of the file.
    if (scene_.pieces.size() > 2000) return text;
    return fmt::format("<g>{}<title>{}{}</title></g>\n", text, escaped(name), kind);
  }

  std::string element(const Piece& piece, const Face& face) const {
    const std::string base = colour_of(model_, piece);
    // A ball looks round from everywhere: a circle and one light for all.
    if (face.radius > 0) {
      const Vector2d at = page(face.outline[0]);
      const std::string place =
          fmt::format("cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"", at.x(), at.y(), face.radius * scale_);
      return fmt::format("<circle {} fill=\"{}\"/><circle {} fill=\"url(#ball)\"/>", place, base, place);
    }
    std::string path;
    for (const Vector2d& corner : face.outline) {
      const Vector2d at = page(corner);
      path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "M" : "L", at.x(), at.y());
    }
    const std::string fill = detail::lightened(base, face.light);
    // The hairline of a mesh has its own colour: it closes the gaps between triangles.
    const std::string edge = piece.kind == PieceKind::kMesh ? fill : detail::lightened(base, 0.22);
    return fmt::format("<path d=\"{}z\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>",
                       path, fill, edge, line_, is_glass(piece) ? " opacity=\"0.15\"" : "");
  }

  template <class Item>
  Item line_item(const SceneLine& line, std::span<const math::Pose> poses) const {
    const Vector3d a = view_.axes * (poses[to_index(line.a)] * line.from);
    const Vector3d b = view_.axes * (poses[to_index(line.b)] * line.to);
    const Vector2d from = page(a.head<2>()), to = page(b.head<2>());
    return {0.5 * (a.z() + b.z()),
            fmt::format("<path d=\"M{:.1f},{:.1f}L{:.1f},{:.1f}\" stroke=\"#cc79a7\" stroke-width=\"2.5\" "
                        "stroke-dasharray=\"7 3\"><title>{}</title></path>\n",
                        from.x(), from.y(), to.x(), to.y(), escaped(line.name))};
  }

  const Model& model_;
  const Scene& scene_;
  const PictureView& view_;
  double scale_ = 1, height_ = 0, line_ = 0.8;
};

// Rows of the view for an eye in this direction: z of the world is up, or y where one looks along z.
Eigen::Matrix3d axes_of(const Vector3d& eye) {
  // Looking down there is no up in the world.
  const Vector3d up = std::abs(eye.z()) > 0.9 ? Vector3d::UnitY() : Vector3d::UnitZ();
  Eigen::Matrix3d axes;
  axes.row(2) = eye;
  axes.row(0) = up.cross(eye).normalized();
  axes.row(1) = eye.cross(Vector3d(axes.row(0)));
  return axes;
}

bool in_plane(const Scene& scene, std::span<const math::Pose> poses, std::size_t bodies) {
  // Only along the common axis of all hinges is a turn a turn of the picture.
  if (!scene.flat) return false;
  // Turns about another axis would show other sides of a body.
  for (std::size_t k = bodies; k < poses.size(); ++k) {
    // Against its first pose, which is the one that is drawn.
    const Eigen::Quaterniond step = poses[k].rotation * poses[k % bodies].rotation.conjugate();
    if (step.vec().cross(*scene.flat).norm() > 1e-6) return false;
  }
  return true;
}

// Degrees about the eye's axis from one pose to another, counted on from `last`.
double angle_from(const math::Pose& first, const math::Pose& now, const Vector3d& eye, double last) {
  const Eigen::Quaterniond step = now.rotation * first.rotation.conjugate();
  const double angle = 2 * elementary::atan2(step.vec().dot(eye), step.w()) * 360 / math::kTurn;
  return angle + 360 * std::round((last - angle) / 360);
}

}  // namespace

PictureView choose_view(const Model& model, const Scene& scene, std::span<const math::Pose> poses) {
  PictureView view;
  // From the front, the right and above, where all three axes show.
  view.axes = axes_of(scene.flat.value_or(Vector3d(0.58, -0.72, 0.38).normalized()));
  const std::size_t bodies = model.bodies.size();
  const auto box_of = [&](bool still) {
    Eigen::AlignedBox2d box;
    for (std::size_t at = 0; at + bodies <= poses.size(); at += bodies) {
      for (const Piece& piece : scene.pieces) {
        const auto b = to_index(piece.body);
        const bool stands = b == 0 || model.bodies[b].kind == model::BodyKind::kObstacle;
        // A plane has no end.
        if (piece.kind == PieceKind::kPlane || stands != still) continue;
        const math::Pose X_EP = seen_from(view, poses[at + b] * piece.pose);
        const Vector3d half = half_lengths(scene, piece);
        // How far a box reaches along the axes of the picture, whatever its turn.
        const Vector2d reach = X_EP.rotation.toRotationMatrix().cwiseAbs().topRows<2>() * half;
        box.extend(Vector2d(X_EP.position.head<2>() + reach));
        box.extend(Vector2d(X_EP.position.head<2>() - reach));
      }
    }
    return box;
  };
  Eigen::AlignedBox2d box = box_of(false);
  const Eigen::AlignedBox2d still = box_of(true);
  // Ground that is far larger than what moves on it would make that too small to see.
  const bool small = box.isEmpty() || still.diagonal().norm() < 1.5 * box.diagonal().norm();
  if (!still.isEmpty() && small) box.extend(still);
  if (box.isEmpty()) box.extend(Vector2d(0, 0));
  view.low = box.min();
  view.high = box.max();
  return view;
}

std::string draw_picture(const Model& model, const Scene& scene, const PictureView& view,
                         std::span<const math::Pose> poses, const PictureOptions& options) {
  const Drawing drawing(model, scene, view);
  std::string text = drawing.head(options);
  if (!options.plain_ground) text += drawing.ground(poses);
  text += drawing.pieces(poses);
  if (options.names) text += drawing.names(poses);
  if (!options.plain_ground) text += drawing.scale_bar();
  if (options.time)
    text += drawing.clock(*options.time);
  else
    text += drawing.open_joints();
  return text + "</svg>\n";
}

std::string draw_moving_picture(const Model& model, const Scene& scene, const PictureView& view,
                                std::span<const math::Pose> poses, double seconds, const PictureOptions& options) {
  const Drawing drawing(model, scene, view);
  const std::size_t bodies = model.bodies.size(), frames = poses.size() / bodies;
  std::string text = drawing.head(options) + drawing.ground(poses.first(bodies));
  // A spatial motion needs each frame drawn; a planar one is drawn once, and its bodies are moved.
  if (!in_plane(scene, poses, bodies)) {
    for (std::size_t f = 0; f < frames; ++f) {
      // Each frame is seen for its share of the time alone.
      const double begin = static_cast<double>(f) / static_cast<double>(frames);
      const double end = static_cast<double>(f + 1) / static_cast<double>(frames);
      text += fmt::format(
          "<g display=\"none\"><animate attributeName=\"display\" dur=\"{}s\" repeatCount=\"indefinite\" "
          "calcMode=\"discrete\" keyTimes=\"0;{:.5f};{:.5f}\" values=\"none;inline;none\"/>{}</g>\n",
          seconds, begin, end, drawing.pieces(poses.subspan(f * bodies, bodies)));
    }
    return text + drawing.scale_bar() + "</svg>\n";
  }
  // Bodies farther away first, as they lie in the first frame.
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t b = 0; b < bodies; ++b) {
    double depth = 0;
    int count = 0;
    for (const Piece& piece : scene.pieces) {
      if (piece.body != static_cast<int>(b) || piece.role == PieceRole::kJoint) continue;
      depth += seen_from(view, poses[b] * piece.pose).position.z();
      ++count;
    }
    order.emplace_back(count > 0 ? depth / count : -1e9, b);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [depth, b] : order) {
    const math::Pose& first = poses[b];
    const Vector2d home = drawing.page((view.axes * first.position).head<2>());
    std::string moves, turns;
    double angle = 0;
    for (std::size_t f = 0; f < frames; ++f) {
      const math::Pose& now = poses[f * bodies + b];
      const Vector2d at = drawing.page((view.axes * now.position).head<2>());
      angle = angle_from(first, now, view.axes.row(2), angle);
      // The turn is about where the body was drawn, and the shift is added outside of it.
      moves += fmt::format("{}{:.1f},{:.1f}", f > 0 ? ";" : "", at.x() - home.x(), at.y() - home.y());
      turns += fmt::format("{}{:.2f},{:.1f},{:.1f}", f > 0 ? ";" : "", -angle, home.x(), home.y());
    }
    const std::string drawn = drawing.body(static_cast<int>(b), first);
    if (drawn.empty()) continue;
    const std::string what = fmt::format("dur=\"{}s\" repeatCount=\"indefinite\"", seconds);
    text += fmt::format(
        "<g><animateTransform attributeName=\"transform\" type=\"translate\" {} values=\"{}\"/><g>"
        "<animateTransform attributeName=\"transform\" type=\"rotate\" {} values=\"{}\"/>{}</g></g>\n",
        what, moves, what, turns, drawn);
  }
  return text + drawing.scale_bar() + "</svg>\n";
}

}  // namespace espalier::draw

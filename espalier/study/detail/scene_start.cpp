#include "espalier/study/detail/scene_start.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/contact/contact.hpp"

namespace espalier::study::detail {
namespace {

namespace fs = std::filesystem;
using model::ShapeKind;

constexpr std::array kShapeWords = {
    std::pair(ShapeKind::kSphere, "sphere"),       std::pair(ShapeKind::kBox, "box"),
    std::pair(ShapeKind::kCapsule, "capsule"),     std::pair(ShapeKind::kCylinder, "cylinder"),
    std::pair(ShapeKind::kEllipsoid, "ellipsoid"), std::pair(ShapeKind::kPlane, "plane"),
    std::pair(ShapeKind::kHull, "hull"),           std::pair(ShapeKind::kMesh, "mesh")};

// As geometry::make_geometry seeks it: relative to the folder of the file that names it.
fs::path path_of(const model::ShapeSpec& shape) {
  const fs::path written = shape.file;
  return written.is_absolute() ? written : fs::path(shape.where.file).parent_path() / written;
}

std::string missing_text(const model::ShapeSpec& shape, const fs::path& path) {
  // package:// and model:// stand for folders that only the user's own system knows.
  const bool is_address = shape.file.find("://") != std::string::npos;
  return fmt::format("mesh {} is not found{}", in_quotes(shape.file),
                     is_address ? ": addresses are not resolved; name it by its path, from the folder of this file"
                                : fmt::format(": there is no file {}", in_quotes(path.string())));
}

void count_shapes(const model::Model& model, SceneStart& start) {
  for (const auto& [kind, word] : kShapeWords) {
    const model::ShapeKind wanted = kind;
    int count = 0;
    for (const model::Body& body : model.bodies) {
      count += static_cast<int>(std::count_if(body.shapes.begin(), body.shapes.end(), [&](const model::Shape& shape) {
        return shape.spec.kind == wanted && shape.spec.role != model::ShapeRole::kVisual;
      }));
    }
    if (count > 0) start.shapes.emplace_back(word, count);
  }
}

void add_to_range(double value, std::array<double, 2>& range) {
  range = {std::min(range[0], value), std::max(range[1], value)};
}

}  // namespace

void add_missing_meshes(const model::Model& model, std::vector<model::Note>& notes) {
  std::set<fs::path> seen;
  for (const model::Body& body : model.bodies) {
    for (const model::Shape& shape : body.shapes) {
      if (shape.spec.kind != ShapeKind::kMesh || shape.spec.file.empty()) continue;
      const fs::path path = path_of(shape.spec);
      std::error_code ignored;
      // A robot names the same mesh for what is seen and for what is touched.
      if (!seen.insert(path).second || fs::is_regular_file(path, ignored)) continue;
      notes.push_back({missing_text(shape.spec, path), shape.spec.where});
    }
  }
}

Result<SceneStart> look_at_scene(const model::Model& model) {
  Result<contact::Scene> scene = contact::make_scene(model);
  ESPALIER_TRY(scene);
  SceneStart start;
  count_shapes(model, start);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  std::array<double, 2> masses = {kInfinite, -kInfinite};
  start.friction = start.restitution = masses;
  for (const contact::Body& body : scene->bodies) {
    if (body.constants.kind == contact::Kind::kObstacle) continue;
    ++start.moving;
    start.mass += body.constants.mass;
    add_to_range(body.constants.mass, masses);
  }
  for (const std::shared_ptr<const contact::BodyShapes>& shapes : scene->shapes) {
    for (const contact::SceneShape& shape : *shapes) {
      add_to_range(shape.friction, start.friction);
      add_to_range(shape.restitution, start.restitution);
    }
  }
  // Where nothing moves or touches there is no range to tell.
  if (start.moving > 0) {
    start.lightest = masses[0];
    start.heaviest = masses[1];
  }
  if (start.shapes.empty()) start.friction = start.restitution = {};
  if (const std::optional<contact::Overlap> overlap = contact::find_overlap(*scene)) {
    start.overlaps = overlap->pairs;
    start.deepest = overlap->depth;
    start.deepest_pair = {model.bodies[to_index(overlap->a)].name, model.bodies[to_index(overlap->b)].name};
  }
  return start;
}

}  // namespace espalier::study::detail

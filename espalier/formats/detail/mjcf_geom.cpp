#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/mjcf_state.hpp"
#include "espalier/geometry/geometry.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Vector3d;
using model::ShapeKind;
using model::ShapeSpec;

// The hull of more points than this would take seconds; such a mesh is treated like one in a file.
constexpr std::size_t kLargestHull = 500;
// All geoms together: each keeps its own copy of its mesh's points.
constexpr std::size_t kMostHullPoints = 1'000'000;
// Geoms of this group and above are hidden unless asked for: collision shapes that are not meant to be seen.
constexpr double kHiddenGroup = 3;

struct GeomType {
  const char* word;
  ShapeKind kind;
  std::size_t sizes;         // numbers in `size`
  std::size_t fromto_sizes;  // the same where fromto gives the length; 0: fromto is not allowed
};
constexpr std::array<GeomType, 7> kTypes = {{
    {"sphere", ShapeKind::kSphere, 1, 0},
    {"capsule", ShapeKind::kCapsule, 2, 1},
    {"cylinder", ShapeKind::kCylinder, 2, 1},
    {"ellipsoid", ShapeKind::kEllipsoid, 3, 1},
    {"box", ShapeKind::kBox, 3, 1},
    {"plane", ShapeKind::kPlane, 0, 0},
    {"mesh", ShapeKind::kMesh, 0, 0},
}};

constexpr std::string_view kKnown[] = {"name",         "class",    "type", "contype",   "conaffinity", "group",
                                       "size",         "material", "rgba", "friction",  "mass",        "density",
                                       "shellinertia", "pos",      "quat", "axisangle", "euler",       "xyaxes",
                                       "zaxis",        "fromto",   "mesh", "user",      "fitscale"};

// The word as MJCF spells it; hfield and sdf are MJCF's too and get a note instead of an error in read_type().
const GeomType* find_type(const std::string& word) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const GeomType& t) { return t.word == word; });
  return found == kTypes.end() ? nullptr : &*found;
}

// MJCF's half sizes as our full lengths.
Vector3d shape_size(ShapeKind kind, const Vector3d& half) {
  switch (kind) {
    case ShapeKind::kSphere:
      return {half[0], 0, 0};
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      return {half[0], 2 * half[1], 0};
    case ShapeKind::kBox:
      return 2 * half;
    // MJCF gives the ellipsoid its three radii, which is what ours holds.
    case ShapeKind::kEllipsoid:
      return half;
    default:
      return Vector3d::Zero();
  }
}

const std::optional<math::Inertia>& hull_unit_inertia(MjcfMesh& mesh) {
  // A failed hull is remembered as well: geoms by the hundred may share one mesh.
  if (!mesh.measured) {
    mesh.measured = true;
    if (const std::optional<math::Hull> hull = math::convex_hull(mesh.points)) mesh.unit = math::hull_inertia(*hull, 1);
  }
  return mesh.unit;
}

// A given mass scales the solid of unit density to it; otherwise the density does.
math::Inertia weighed(const math::Inertia& unit, const math::Pose& pose, const std::optional<double>& mass,
                      double density) {
  const double factor = mass ? *mass / unit.mass : density;
  return math::transformed(pose, {unit.mass * factor, unit.com, unit.about_com * factor});
}

// Steps through one geom; each leaves with the document failed where the file is wrong.
class GeomReader {
 public:
  GeomReader(MjcfState& state, const XMLElement* element, const MjcfClass* defaults)
      : state_(state), doc_(state.doc), source_(doc_.source(element, defaults, "geom")) {}

  MjcfGeom read(const math::Pose& X_BF) {
    MjcfGeom geom;
    const GeomType* type = read_type();
    if (type == nullptr || doc_.xml.failed()) return geom;
    ShapeSpec shape;
    shape.kind = type->kind;
    shape.name = doc_.xml.text(source_.element, "name");
    shape.where = doc_.xml.where(source_.element);
    shape.pose = doc_.pose(source_);
    MjcfMesh* mesh = type->kind == ShapeKind::kMesh ? read_mesh(shape) : nullptr;
    // A mesh has the size of its points or of its file.
    if (mesh == nullptr) read_size(*type, shape);
    if (doc_.xml.failed()) return geom;
    shape.pose = X_BF * shape.pose;
    shape.role = read_role();
    shape.material = read_friction();
    weigh(shape, mesh, geom);
    doc_.only_attributes(source_.element, kKnown);
    geom.shape = std::move(shape);
    return geom;
  }

 private:
  const GeomType* read_type() {
    // MJCF's default shape is the sphere.
    std::string word = doc_.text(source_, "type", "sphere");
    // Another type with a mesh asks for that primitive to be fitted to the mesh, which is not opened here.
    if (doc_.holder(source_, "mesh") != nullptr && word != "mesh" && word != "sdf") {
      doc_.xml.note(source_.element, fmt::format("a {} fitted to a mesh: kept as the mesh", in_quotes(word)), "fitted",
                    model::Effect::kContact);
      word = "mesh";
    }
    const GeomType* type = find_type(word);
    if (type != nullptr) return type;
    if (word == "hfield" || word == "sdf") {
      doc_.xml.note(source_.element, fmt::format("a geom of type {}: not read", word), word,
                    word == "sdf" ? model::Effect::kForces : model::Effect::kContact);
    } else {
      doc_.xml.fail(ErrorCode::kValue, source_.element,
                    fmt::format("type={} in <geom> is none of sphere, capsule, cylinder, ellipsoid, box, plane, mesh",
                                in_quotes(word)));
    }
    return nullptr;
  }

  MjcfMesh* read_mesh(ShapeSpec& shape) {
    const std::string name = doc_.text(source_, "mesh");
    const auto found = state_.meshes.find(name);
    if (found == state_.meshes.end()) {
      std::vector<std::string> names;
      for (const auto& [known, unused] : state_.meshes) names.push_back(known);
      doc_.xml.fail(ErrorCode::kName, source_.element,
                    fmt::format("<geom> names an unknown mesh {}; list it in <asset>{}", in_quotes(name),
                                did_you_mean(name, names)));
      return nullptr;
    }
    MjcfMesh& mesh = found->second;
    if (mesh.points.empty()) {
      // Points of a file are scaled when the file is opened; inline vertices were scaled when they were read.
      shape.file = mesh.file;
      shape.scale = mesh.scale;
    } else {
      shape.kind = ShapeKind::kHull;
      shape.points = mesh.points;
      state_.hull_points += mesh.points.size();
      if (state_.hull_points > kMostHullPoints) {
        doc_.xml.fail(ErrorCode::kLimit, source_.element,
                      fmt::format("more than {} points in the meshes of all geoms", kMostHullPoints));
      }
    }
    return &mesh;
  }

  void read_size(const GeomType& type, ShapeSpec& shape) {
    // A plane of MJCF is endless for contact, and its size only says how much of it is drawn.
    if (type.kind == ShapeKind::kPlane) return;
    const bool line = doc_.holder(source_, "fromto") != nullptr && type.fromto_sizes > 0;
    const std::size_t least = line ? type.fromto_sizes : type.sizes;
    // How many of the three count depends on the type.
    const std::optional<std::vector<double>> size = doc_.numbers(source_, "size", 1, 3);
    Vector3d half = Vector3d::Zero();
    for (std::size_t k = 0; size && k < size->size(); ++k) half[static_cast<Eigen::Index>(k)] = (*size)[k];
    if (line) place_on_line(shape, half);
    const bool enough = size && size->size() >= least;
    const Eigen::Index positive = static_cast<Eigen::Index>(line ? std::max<std::size_t>(type.sizes, 2) : type.sizes);
    if (doc_.xml.failed() || (enough && half.head(positive).minCoeff() > 0)) {
      shape.size = shape_size(type.kind, half);
      return;
    }
    doc_.xml.fail(ErrorCode::kValue, source_.element,
                  fmt::format("<geom> of type {} needs {} in size (half lengths), each above zero; size={} is not",
                              type.word, counted(least, "number"), in_quotes(doc_.text(source_, "size"))));
  }

  // fromto: two end points. Capsule and cylinder take their half length from them, box and ellipsoid are round or
  // square about them.
  void place_on_line(ShapeSpec& shape, Vector3d& half) {
    // It replaces place, direction and length at once.
    const std::vector<double> n = *doc_.numbers(source_, "fromto", 6, 6);
    const Vector3d from(n[0], n[1], n[2]);
    const Vector3d to(n[3], n[4], n[5]);
    const double length = (to - from).norm();
    if (!(length > 0) || !std::isfinite(length)) {
      doc_.xml.fail(ErrorCode::kValue, source_.element, "fromto in <geom> needs two different points");
      return;
    }
    // MuJoCo points z from the second point to the first.
    shape.pose = {(from + to) / 2, math::rotation_with_z(from - to)};
    if (shape.kind == ShapeKind::kCapsule || shape.kind == ShapeKind::kCylinder) {
      half = {half[0], length / 2, 0};
    } else {
      half = {half[0], half[0], length / 2};
    }
  }

  model::ShapeRole read_role() {
    const double type = doc_.number(source_, "contype", 1);
    const double affinity = doc_.number(source_, "conaffinity", 1);
    // contype and conaffinity are bit masks. Where each is 0 or 1, whether a geom can touch says everything.
    const auto plain = [](double mask) { return mask == 0 || mask == 1; };
    if (!(plain(type) && plain(affinity)) && !state_.masks_noted) {
      state_.masks_noted = true;
      doc_.xml.note(source_.element, "contype and conaffinity: read is only whether a geom can touch, not which others",
                    "contype", model::Effect::kContact);
    }
    // MJCF has no word for "visual": a geom that can touch nothing is there to be seen.
    if (type == 0 && affinity == 0) return model::ShapeRole::kVisual;
    return doc_.number(source_, "group", 0) >= kHiddenGroup ? model::ShapeRole::kCollision : model::ShapeRole::kBoth;
  }

  // Friction that the file asks for becomes a material: the geom's own where all its geoms agree, else one a value.
  std::string read_friction() {
    const std::optional<std::vector<double>> friction = doc_.numbers(source_, "friction", 1, 3);
    if (!friction) return "";
    // The first number slides; the others, against spinning and rolling, have no counterpart here.
    const double value = (*friction)[0];
    std::string name = doc_.text(source_, "material");
    const auto known = state_.materials.find(name);
    // Two geoms of one material with different friction: only a material of its own keeps both values.
    if (name.empty() || (known != state_.materials.end() && known->second != value)) {
      name = fmt::format("friction_{}", number_text(value));
    }
    if (state_.materials.try_emplace(name, value).second) {
      model::MaterialSpec material;
      material.name = name;
      material.friction = value;
      material.where = doc_.xml.where(doc_.holder(source_, "friction"));
      state_.spec.materials.push_back(std::move(material));
    }
    return name;
  }

  void weigh(const ShapeSpec& shape, MjcfMesh* mesh, MjcfGeom& geom) {
    const double group = doc_.number(source_, "group", 0);
    const MjcfCompiler& compiler = doc_.compiler;
    // A plane has no volume, and inertiagrouprange leaves out whole groups.
    if (shape.kind == ShapeKind::kPlane || group < compiler.group_range[0] || group > compiler.group_range[1]) return;
    // 1000 kg/m^3, water, is MJCF's default.
    const double density = doc_.number(source_, "density", 1000);
    std::optional<double> mass;
    if (doc_.holder(source_, "mass") != nullptr) mass = doc_.number(source_, "mass", 0);
    // A weightless geom is a common way to draw without weighing.
    if (mass.value_or(density) == 0) return;
    if (mass.value_or(density) < 0) {
      doc_.xml.fail(ErrorCode::kValue, source_.element, "mass and density of a <geom> are zero or more");
      return;
    }
    if (doc_.text(source_, "shellinertia", "false") == "true") {
      doc_.xml.note(source_.element, "shellinertia: the geom is weighed as a solid", "shellinertia",
                    model::Effect::kForces);
    }
    // A mesh in a file is opened only where the body is weighed by it.
    if (shape.kind == ShapeKind::kMesh) {
      geom.unknown_mesh = doc_.text(source_, "mesh");
      geom.mass = mass;
      geom.density = density;
      return;
    }
    const std::optional<math::Inertia> unit =
        shape.kind == ShapeKind::kHull ? hull_unit_inertia(*mesh) : model::solid_inertia(shape);
    // A flat hull has no volume: the caller names it in a note.
    if (!unit || !(unit->mass > 0))
      geom.unknown_mesh = doc_.text(source_, "mesh");
    else
      geom.inertia = weighed(*unit, shape.pose, mass, density);
  }

  MjcfState& state_;
  MjcfDocument& doc_;
  MjcfSource source_;
};

void read_points(MjcfState& state, const MjcfSource& source, MjcfMesh& mesh) {
  const XMLElement* element = state.doc.holder(source, "vertex");
  if (element == nullptr) return;
  const std::vector<double> n = *state.doc.xml.optional_numbers(element, "vertex");
  // Fewer than four points span no volume.
  if (n.size() < 12 || n.size() % 3 != 0) {
    state.doc.xml.fail(ErrorCode::kType, element,
                       "vertex in <mesh> needs three numbers per point, and four points "
                       "at least");
    return;
  }
  // With faces the surface need not be convex, and a hull would fill it.
  if (n.size() / 3 > kLargestHull || source.element->Attribute("face") != nullptr) {
    state.doc.xml.note(element,
                       fmt::format("mesh {}: only its convex hull could be read, and only up to {} points; "
                                   "kept by name",
                                   in_quotes(mesh.file), kLargestHull),
                       "mesh", model::Effect::kContact);
    return;
  }
  for (std::size_t k = 0; k < n.size(); k += 3) {
    mesh.points.push_back(Vector3d(n[k], n[k + 1], n[k + 2]).cwiseProduct(mesh.scale));
  }
}

// An absolute path stays what it is.
std::string placed_file(const MjcfCompiler& compiler, const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path path = compiler.strip_path ? fs::path(file).filename() : fs::path(file);
  return (fs::path(compiler.mesh_folder) / path).string();
}

// One vertex for each place, since STL files repeat them; whether every edge has a triangle on either side, turned
// alike: else there is no inside.
bool is_closed(const geometry::TriangleMesh& mesh) {
  std::map<std::array<double, 3>, int> places;
  const auto vertex = [&](int k) {
    const Vector3d& p = mesh.vertices[to_index(k)];
    return places.try_emplace({p.x(), p.y(), p.z()}, static_cast<int>(places.size())).first->second;
  };
  std::map<std::array<int, 2>, int> sides;
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = vertex(triangle[k]), b = vertex(triangle[(k + 1) % 3]);
      // Triangles without area have edges that lead nowhere.
      if (a != b) sides[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  return std::all_of(sides.begin(), sides.end(), [](const auto& side) { return side.second == 0; });
}

const std::optional<math::Inertia>& mesh_unit_inertia(const ShapeSpec& shape, MjcfMesh& mesh) {
  if (mesh.measured) return mesh.unit;
  mesh.measured = true;
  const Result<geometry::Geometry> opened = geometry::make_geometry(shape);
  if (!opened || !opened->mesh || !is_closed(*opened->mesh)) return mesh.unit;
  math::Inertia solid = math::hull_inertia({opened->mesh->vertices, opened->mesh->triangles}, 1);
  // Inside out: all signs are turned.
  if (solid.mass < 0) solid = {-solid.mass, solid.com, -solid.about_com};
  if (solid.mass > 0 && solid.about_com.allFinite()) mesh.unit = solid;
  return mesh.unit;
}

}  // namespace

std::optional<math::Inertia> weigh_mesh(MjcfState& state, const MjcfGeom& geom) {
  const auto mesh = state.meshes.find(geom.unknown_mesh);
  if (mesh == state.meshes.end() || !geom.shape || geom.shape->kind != ShapeKind::kMesh) return std::nullopt;
  const std::optional<math::Inertia>& unit = mesh_unit_inertia(*geom.shape, mesh->second);
  if (!unit) return std::nullopt;
  return weighed(*unit, geom.shape->pose, geom.mass, geom.density);
}

MjcfGeom read_geom(MjcfState& state, const XMLElement* element, const MjcfClass* defaults, const math::Pose& X_BF) {
  return GeomReader(state, element, defaults).read(X_BF);
}

void read_meshes(MjcfState& state) {
  MjcfDocument& doc = state.doc;
  doc.only_default_attributes("geom", kKnown);
  for (const XMLElement* asset : doc.sections("asset")) {
    for (const XMLElement* element : doc.children(asset, "mesh")) {
      const MjcfSource source = doc.source(element, nullptr);
      MjcfMesh mesh;
      mesh.file = doc.text(source, "file");
      mesh.scale = doc.vector(source, "scale", Vector3d::Ones());
      std::string name = doc.xml.text(element, "name");
      // Without a name, a mesh is called like its file, less folder and ending.
      if (name.empty()) name = std::filesystem::path(mesh.file).stem().string();
      if (mesh.file.empty())
        mesh.file = name;
      else
        mesh.file = placed_file(doc.compiler, mesh.file);
      if (name.empty()) {
        doc.xml.fail(ErrorCode::kName, element, "<mesh> needs a name or a file");
        return;
      }
      read_points(state, source, mesh);
      doc.only_attributes(element, {"name", "class", "file", "scale", "vertex", "face", "normal", "texcoord", "inertia",
                                    "smoothnormal", "maxhullvert", "content_type", "material"});
      if (!state.meshes.emplace(name, std::move(mesh)).second) {
        doc.xml.fail(ErrorCode::kName, element, fmt::format("two meshes are named {}; rename one", in_quotes(name)));
        return;
      }
    }
  }
}

}  // namespace espalier::formats::detail

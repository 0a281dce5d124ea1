#include <array>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/usd_writer.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::Body;
using model::ShapeKind;
using model::ShapeRole;

std::string example_of(const Body& body) { return fmt::format("body {}", in_quotes(body.name)); }

// Principal moments and the axes they are about.
void write_moments(UsdPrint& print, const Matrix3d& about_com) {
  if (about_com.isDiagonal(0)) {
    print.attribute("float3", "physics:diagonalInertia", usd_tuple(Vector3d(about_com.diagonal())));
    // Said as well, or a reader would choose axes of its own.
    print.attribute("quatf", "physics:principalAxes", "(1, 0, 0, 0)");
    return;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(about_com);
  Matrix3d axes = solver.eigenvectors();
  // Eigenvectors may be left-handed, which no quaternion is.
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  print.attribute("float3", "physics:diagonalInertia", usd_tuple(Vector3d(solver.eigenvalues())));
  print.attribute("quatf", "physics:principalAxes", usd_tuple(Eigen::Quaterniond(axes).normalized()));
}

class ShapeWriter {
 public:
  ShapeWriter(UsdDraft& draft, const model::Shape& shape, const std::string& name)
      : draft_(draft), print_(draft.print), shape_(shape), spec_(shape.spec), name_(name) {}

  void write() {
    switch (spec_.kind) {
      case ShapeKind::kBox:
        open("Cube");
        print_.attribute("double", "size", "1");
        return close(spec_.size);
      case ShapeKind::kSphere:
        open("Sphere");
        print_.attribute("double", "radius", usd_number(spec_.size[0]));
        return close();
      case ShapeKind::kEllipsoid:
        open("Sphere");
        print_.attribute("double", "radius", "1");
        return close(spec_.size);
      case ShapeKind::kCapsule:
      case ShapeKind::kCylinder:
        open(spec_.kind == ShapeKind::kCapsule ? "Capsule" : "Cylinder");
        print_.attribute("uniform token", "axis", "\"Z\"");
        print_.attribute("double", "radius", usd_number(spec_.size[0]));
        print_.attribute("double", "height", usd_number(spec_.size[1]));
        return close();
      case ShapeKind::kPlane:
        open("Plane");
        print_.attribute("uniform token", "axis", "\"Z\"");
        return close();
      case ShapeKind::kHull:
        open("Mesh");
        write_points();
        return close();
      case ShapeKind::kMesh:
        return;
    }
  }

 private:
  void open(const char* type) {
    std::vector<std::string> apis;
    const bool collides = spec_.role != ShapeRole::kVisual;
    if (collides) apis.emplace_back("PhysicsCollisionAPI");
    // Without it a mesh collides as a mesh.
    if (collides && spec_.kind == ShapeKind::kHull) apis.emplace_back("PhysicsMeshCollisionAPI");
    // A binding counts only with its schema.
    if (collides && shape_.material.valid()) apis.emplace_back("MaterialBindingAPI");
    print_.open(type, name_, apis);
    if (spec_.name.empty()) {
      print_.own("bool", "espalier:unnamed", "true");
    } else {
      print_.own_name(spec_.name, name_);
    }
    if (!collides) return;
    // Shapes of a model without contact do not touch in USD either.
    const bool touches = draft_.model.contact && draft_.model.contact->on;
    if (!touches) print_.attribute("bool", "physics:collisionEnabled", "false");
    if (spec_.role == ShapeRole::kCollision) print_.attribute("uniform token", "purpose", "\"guide\"");
    if (shape_.material.valid()) {
      print_.target("material:binding:physics", draft_.materials[shape_.material.index()]);
    }
  }

  void close(const Vector3d& scale = Vector3d::Ones()) {
    print_.pose(spec_.pose, scale);
    print_.close();
  }

  void write_points() {
    std::vector<std::string> points;
    for (const Vector3d& point : spec_.points) points.push_back(usd_tuple(point));
    print_.attribute("point3f[]", "points", fmt::format("[{}]", fmt::join(points, ", ")));
    print_.attribute("uniform token", "physics:approximation", "\"convexHull\"");
    // The faces are for the eye, and their points those of the hull where it has all of them.
    const std::optional<math::Hull> hull = math::convex_hull(spec_.points);
    if (!hull || hull->vertices.size() != spec_.points.size()) return;
    std::vector<int> corners;
    for (const auto& triangle : hull->triangles) {
      for (const int corner : triangle) corners.push_back(index_of(hull->vertices[to_index(corner)]));
    }
    print_.attribute("int[]", "faceVertexCounts",
                     fmt::format("[{}]", fmt::join(std::vector<int>(hull->triangles.size(), 3), ", ")));
    print_.attribute("int[]", "faceVertexIndices", fmt::format("[{}]", fmt::join(corners, ", ")));
  }

  int index_of(const Vector3d& point) const {
    return static_cast<int>(std::find(spec_.points.begin(), spec_.points.end(), point) - spec_.points.begin());
  }

  UsdDraft& draft_;
  UsdPrint& print_;
  const model::Shape& shape_;
  const model::ShapeSpec& spec_;
  const std::string& name_;
};

}  // namespace

void write_usd_mass(UsdDraft& draft, const Body& body) {
  UsdPrint& print = draft.print;
  if (body.kind == model::BodyKind::kObstacle) return print.attribute("bool", "physics:kinematicEnabled", "true");
  const math::Inertia& inertia = body.inertia;
  print.number("physics:mass", inertia.mass);
  print.attribute("point3f", "physics:centerOfMass", usd_tuple(inertia.com));
  // USD takes zero for "find it from the shapes".
  if (inertia.mass == 0) {
    print.own("bool", "espalier:massless", "true");
    draft.remarks.add("bodies without mass: other USD readers find one for them", example_of(body));
  } else if (inertia.about_com.isZero(0)) {
    print.own("double3", "espalier:inertia", "(0, 0, 0)");
    draft.remarks.add("bodies without moments of inertia: other USD readers find some for them", example_of(body));
  } else {
    write_moments(print, inertia.about_com);
  }
  if (!body.velocity) return;
  print.attribute("vector3f", "physics:velocity", usd_tuple(body.velocity->linear));
  // In degrees per second, as all angles of USD.
  print.attribute("vector3f", "physics:angularVelocity",
                  usd_tuple(Vector3d(180 / std::numbers::pi * body.velocity->angular)));
}

void write_usd_shapes(UsdDraft& draft, const Body& body) {
  UniqueNames names;
  for (const model::Shape& shape : body.shapes) {
    // A visual hull could be written as a mesh, but would come back as none.
    const bool seen_hull = shape.spec.kind == ShapeKind::kHull && shape.spec.role == ShapeRole::kVisual;
    if (shape.spec.kind == ShapeKind::kMesh || seen_hull) {
      draft.remarks.add("meshes in files, and hulls that are only seen, are lost", example_of(body));
      continue;
    }
    ShapeWriter(draft, shape, usd_prim_name(shape.spec.name.empty() ? "shape" : shape.spec.name, names)).write();
  }
}

}  // namespace espalier::formats::detail

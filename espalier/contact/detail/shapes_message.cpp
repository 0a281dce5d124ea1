#include "espalier/contact/detail/body_data.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

struct TravellingShape {
  geometry::Geometry::Kind kind = geometry::Geometry::Kind::kSphere;
  geometry::Geometry::Round round = geometry::Geometry::Round::kNone;
  bool has_polyhedron = false, has_mesh = false;
  std::array<double, 3> size{}, position{};
  std::array<double, 4> rotation{};
  double friction = 0, restitution = 0;
};

// Vectors of Eigen do not travel byte by byte.
struct TravellingNode {
  std::array<double, 6> box{};
  int first = 0, count = 0;
};

std::array<double, 3> numbers(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

void put_points(const std::vector<Vector3d>& points, comm::Parcel& parcel) {
  std::vector<std::array<double, 3>> sent;
  // Bytes of an Eigen type are its own affair: three plain numbers are the same on every rank.
  for (const Vector3d& point : points) sent.push_back(numbers(point));
  parcel.put(sent);
}

std::vector<Vector3d> take_points(comm::ParcelReader& reader) {
  std::vector<Vector3d> points;
  for (const std::array<double, 3>& point : reader.take<std::array<double, 3>>()) points.emplace_back(point.data());
  return points;
}

void put_polyhedron(const geometry::Polyhedron& polyhedron, comm::Parcel& parcel) {
  put_points(polyhedron.vertices, parcel);
  put_points(polyhedron.normals, parcel);
  parcel.put(polyhedron.offsets);
  // Faces and edges follow from the vertices, but only by a hull anew, whose order could be another one.
  parcel.put(polyhedron.rim_begin);
  parcel.put(polyhedron.rim);
  parcel.put(polyhedron.rim_edge);
  parcel.put(polyhedron.edges);
  parcel.put(numbers(polyhedron.centre));
  parcel.put(polyhedron.inner_radius);
}

geometry::Polyhedron take_polyhedron(comm::ParcelReader& reader) {
  geometry::Polyhedron polyhedron;
  polyhedron.vertices = take_points(reader);
  polyhedron.normals = take_points(reader);
  polyhedron.offsets = reader.take<double>();
  polyhedron.rim_begin = reader.take<int>();
  polyhedron.rim = reader.take<int>();
  polyhedron.rim_edge = reader.take<int>();
  polyhedron.edges = reader.take<geometry::Polyhedron::Edge>();
  polyhedron.centre = Vector3d(reader.take_one<std::array<double, 3>>().data());
  polyhedron.inner_radius = reader.take_one<double>();
  return polyhedron;
}

void put_mesh(const geometry::TriangleMesh& mesh, comm::Parcel& parcel) {
  put_points(mesh.vertices, parcel);
  parcel.put(mesh.triangles);
  // Neighbours and tree travel as well: to find them again would cost more than to send them.
  parcel.put(mesh.beyond);
  parcel.put(mesh.ring_begin);
  parcel.put(mesh.ring);
  std::vector<TravellingNode> nodes;
  for (const geometry::TriangleMesh::Node& node : mesh.nodes) {
    const Vector3d &low = node.low, &high = node.high;
    nodes.push_back({{low.x(), low.y(), low.z(), high.x(), high.y(), high.z()}, node.first, node.count});
  }
  parcel.put(nodes);
  parcel.put(mesh.order);
}

geometry::TriangleMesh take_mesh(comm::ParcelReader& reader) {
  geometry::TriangleMesh mesh;
  mesh.vertices = take_points(reader);
  mesh.triangles = reader.take<std::array<int, 3>>();
  mesh.beyond = reader.take<std::array<int, 3>>();
  mesh.ring_begin = reader.take<int>();
  mesh.ring = reader.take<int>();
  for (const TravellingNode& node : reader.take<TravellingNode>()) {
    mesh.nodes.push_back({Vector3d(node.box.data()), Vector3d(node.box.data() + 3), node.first, node.count});
  }
  mesh.order = reader.take<int>();
  return mesh;
}

SceneShape take_shape(const TravellingShape& from, comm::ParcelReader& reader) {
  SceneShape shape;
  shape.geometry.kind = from.kind;
  shape.geometry.round = from.round;
  shape.geometry.size = Vector3d(from.size.data());
  shape.pose.position = Vector3d(from.position.data());
  shape.pose.rotation = Eigen::Quaterniond(from.rotation[0], from.rotation[1], from.rotation[2], from.rotation[3]);
  shape.friction = from.friction;
  shape.restitution = from.restitution;
  // Shared by nobody here: the rank that it came from has its own.
  if (from.has_polyhedron)
    shape.geometry.polyhedron = std::make_shared<const geometry::Polyhedron>(take_polyhedron(reader));
  if (from.has_mesh) shape.geometry.mesh = std::make_shared<const geometry::TriangleMesh>(take_mesh(reader));
  return shape;
}

}  // namespace

void put_shapes(const BodyShapes& shapes, comm::Parcel& parcel) {
  std::vector<TravellingShape> sent;
  for (const SceneShape& shape : shapes) {
    const Eigen::Quaterniond& q = shape.pose.rotation;
    sent.push_back({shape.geometry.kind,
                    shape.geometry.round,
                    shape.geometry.polyhedron != nullptr,
                    shape.geometry.mesh != nullptr,
                    numbers(shape.geometry.size),
                    numbers(shape.pose.position),
                    {q.w(), q.x(), q.y(), q.z()},
                    shape.friction,
                    shape.restitution});
  }
  // First one record per shape, then what only some have, in the same order: the reader takes it so.
  parcel.put(sent);
  for (const SceneShape& shape : shapes) {
    if (shape.geometry.polyhedron) put_polyhedron(*shape.geometry.polyhedron, parcel);
    if (shape.geometry.mesh) put_mesh(*shape.geometry.mesh, parcel);
  }
}

BodyShapes take_shapes(comm::ParcelReader& reader) {
  BodyShapes shapes;
  // Records tell which polyhedra and meshes follow, in the order of shapes.
  for (const TravellingShape& shape : reader.take<TravellingShape>()) shapes.push_back(take_shape(shape, reader));
  return shapes;
}

}  // namespace espalier::contact::detail

#include "espalier/draw/paraview.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/draw/detail/pack.hpp"
#include "espalier/draw/detail/triangles.hpp"

namespace espalier::draw {
namespace {

using Eigen::Vector3d;

// What a cell is.
enum Part : std::int32_t { kBody, kContact, kSurface };

template <class Number>
std::span<const std::uint8_t> bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size() * sizeof(Number)};
}

// In VTK's words: one block, deflated; before it, in base64 of their own, the number of blocks, the size of a whole
// one, of a partial one (there is none), and of each deflated one.
template <class Number>
std::string packed(const std::vector<Number>& numbers) {
  const std::span<const std::uint8_t> bytes = bytes_of(numbers);
  // A block of no size would be divided by.
  if (bytes.empty()) return detail::base64(bytes_of(std::vector<std::uint64_t>{0, 1, 0}));
  const detail::Bytes block = detail::deflated(bytes);
  return detail::base64(bytes_of(std::vector<std::uint64_t>{1, bytes.size(), 0, block.size()})) + detail::base64(block);
}

template <class Number>
std::string array(std::string_view name, int components, const std::vector<Number>& numbers) {
  const char* type = std::is_same_v<Number, float> ? "Float32" : sizeof(Number) == 8 ? "Int64" : "Int32";
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
                     type, name, components, packed(numbers));
}

void append(const Vector3d& v, std::vector<float>& to) {
  for (const double x : {v.x(), v.y(), v.z()}) to.push_back(static_cast<float>(x));
}

// All of a frame, column by column as the file has it.
class Polygons {
 public:
  explicit Polygons(const ParaviewFrame& frame) : frame_(frame) {}

  void add_body(std::size_t body, double radius) {
    add_point(body, pose(body).position, Vector3d::Zero(), radius);
    add_cell(kBody, body);
  }
  void add_contact(const ParaviewFrame::Contact& contact) {
    const std::size_t body = to_index(contact.body);
    add_point(body, Vector3d::Map(contact.point.data()), Vector3d::Map(contact.force.data()), 0);
    add_cell(kContact, body);
  }
  void add_surface(std::size_t body, const SceneMesh& mesh) {
    const auto first = static_cast<std::int64_t>(radius_.size());
    const math::Pose X_WB = pose(body);
    for (const Vector3d& p : mesh.points) add_point(body, X_WB * p, Vector3d::Zero(), 0);
    for (const std::array<int, 3>& triangle : mesh.triangles) {
      for (const int corner : triangle) corners_.push_back(first + corner);
      ends_.push_back(static_cast<std::int64_t>(corners_.size()));
      add_cell(kSurface, body);
    }
  }

  std::string text() const {
    // One cell for each of the points that stand for a body or a contact; they come first.
    const auto dots = part_.size() - ends_.size();
    std::vector<std::int64_t> points, ends;
    for (std::size_t k = 0; k < dots; ++k) {
      points.push_back(static_cast<std::int64_t>(k));
      ends.push_back(static_cast<std::int64_t>(k + 1));
    }
    const auto cells = [](const char* name, const auto& connectivity, const auto& offsets) {
      return fmt::format("<{0}>\n{1}{2}</{0}>\n", name, array("connectivity", 1, connectivity),
                         array("offsets", 1, offsets));
    };
    return "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
           "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n" +
           fmt::format(
               "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
               "NumberOfPolys=\"{}\">\n",
               radius_.size(), dots, ends_.size()) +
           "<PointData Vectors=\"velocity\">\n" + array("velocity", 3, velocity_) + array("force", 3, force_) +
           array("radius", 1, radius_) + "</PointData>\n<CellData Scalars=\"body\">\n" + array("part", 1, part_) +
           array("body", 1, body_) + array("rank", 1, rank_) + "</CellData>\n<Points>\n" + array("points", 3, place_) +
           "</Points>\n" + cells("Verts", points, ends) + cells("Polys", corners_, ends_) +
           "</Piece>\n</PolyData>\n</VTKFile>\n";
  }

 private:
  math::Pose pose(std::size_t body) const {
    const double* p = &frame_.poses[7 * body];
    return {Vector3d::Map(p), Eigen::Quaterniond(p[3], p[4], p[5], p[6])};
  }

  // Of the point of the body that lies there now.
  Vector3d velocity(std::size_t body, const Vector3d& at) const {
    if (frame_.velocities.empty()) return Vector3d::Zero();
    const double* v = &frame_.velocities[6 * body];
    return Vector3d::Map(v) + Vector3d::Map(v + 3).cross(at - pose(body).position);
  }

  void add_point(std::size_t body, const Vector3d& at, const Vector3d& force, double radius) {
    append(at, place_);
    append(velocity(body, at), velocity_);
    append(force, force_);
    radius_.push_back(static_cast<float>(radius));
  }
  void add_cell(Part part, std::size_t body) {
    part_.push_back(part);
    body_.push_back(static_cast<std::int32_t>(body));
    // Nobody owns the ground: it is shown as rank 0's.
    rank_.push_back(frame_.owner.empty() ? 0 : std::max(0, static_cast<std::int32_t>(frame_.owner[body])));
  }

  const ParaviewFrame& frame_;
  std::vector<float> place_, velocity_, force_, radius_;
  std::vector<std::int32_t> part_, body_, rank_;
  std::vector<std::int64_t> corners_, ends_;
};

}  // namespace

ParaviewBodies make_paraview_bodies(const Scene& scene, std::size_t bodies) {
  ParaviewBodies made{{}, std::vector<double>(bodies, 0)};
  const bool surfaces = scene.pieces.size() <= kMostSurfaces;
  if (surfaces) made.surface.resize(bodies);
  for (const Piece& piece : scene.pieces) {
    const std::size_t body = to_index(piece.body);
    const double reach = half_lengths(scene, piece).norm();
    const double radius = piece.kind == PieceKind::kSphere ? piece.size.x() : reach;
    made.radius[body] = std::max(made.radius[body], piece.pose.position.norm() + radius);
    if (!surfaces) continue;
    SceneMesh& whole = made.surface[body];
    const SceneMesh mesh = detail::piece_triangles(scene, piece);
    const int first = static_cast<int>(whole.points.size());
    whole.points.insert(whole.points.end(), mesh.points.begin(), mesh.points.end());
    for (const std::array<int, 3>& t : mesh.triangles) {
      whole.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
  }
  return made;
}

// In VTK's order: points that are cells of their own, then polygons.
std::string draw_paraview_frame(const ParaviewBodies& bodies, const ParaviewFrame& frame) {
  Polygons polygons(frame);
  // Not of the ground, which has no place of its own.
  for (std::size_t b = 1; b < bodies.radius.size(); ++b) polygons.add_body(b, bodies.radius[b]);
  for (const ParaviewFrame::Contact& contact : frame.contacts) polygons.add_contact(contact);
  for (std::size_t b = 0; b < bodies.surface.size(); ++b) polygons.add_surface(b, bodies.surface[b]);
  return polygons.text();
}

std::string draw_paraview_collection(std::span<const double> times, std::span<const std::string> files) {
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  for (std::size_t k = 0; k < times.size(); ++k) {
    text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", number_text(times[k]), files[k]);
  }
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace espalier::draw

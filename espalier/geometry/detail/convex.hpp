#pragma once

// What the narrow phase works on: two convex cores in one frame, each with a rounding (a capsule is a line of some
// thickness). Their separating axes, the points where they are nearest, and the points of contact made from both.

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/geometry/shapes.hpp"
#include "espalier/math/pose.hpp"

namespace espalier::geometry::detail {

// A core without faces (a line) has normals all the same: edges span quarter turns between them.
struct Convex {
  std::span<const Eigen::Vector3d> vertices;
  std::span<const Eigen::Vector3d> normals;  // of faces, then others that edges name
  std::span<const double> offsets;           // one a face
  std::span<const int> rim_begin, rim, rim_edge;
  std::span<const Polyhedron::Edge> edges;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double inner_radius = 0;             // [m]
  double rounding = 0;                 // [m]
  const TriangleMesh* mesh = nullptr;  // whose triangle it is
  int triangle = -1;

  int faces() const { return static_cast<int>(offsets.size()); }
  double thickness() const { return inner_radius + rounding; }
};

Convex as_convex(const Polyhedron& polyhedron);

// The straight part of a capsule, along z.
struct CapsuleCore {
  explicit CapsuleCore(const Eigen::Vector3d& size);
  Convex convex() const;
  std::array<Eigen::Vector3d, 2> vertices;
  double radius;
};

// A triangle of a mesh, with both sides.
struct TriangleCore {
  TriangleCore(const TriangleMesh& whole, int triangle);
  Convex convex() const;
  std::array<Eigen::Vector3d, 3> vertices;
  std::array<Eigen::Vector3d, 5> normals;  // up, down, and out over each edge
  std::array<double, 2> offsets;
  const TriangleMesh* mesh;
  int number;
};

// Whether `normal` points out of the whole mesh where it points out of a triangle: no neighbour lies on its side. The
// normals of the triangle itself always do.
bool is_allowed(const Convex& shape, const Eigen::Vector3d& normal);

// Memory for one pair at a time. Nothing in it outlives a call.
struct Scratch {
  // A corner of a face, with its number and that of the edge behind it.
  struct RimCorner {
    Eigen::Vector3d point;
    int vertex = 0, edge = 0;
  };
  // A corner of what clipping leaves of the face of the other shape; indices into `other`, -1 - k into `face`.
  struct Corner {
    Eigen::Vector3d point;
    int vertex = 0;  // negative: made by a cut
    int after = 0;   // the edge behind it
  };
  // A point of the other shape over a face.
  struct Mark {
    Eigen::Vector3d point;
    double height = 0;  // [m]
    std::uint32_t feature = 0;
  };
  std::vector<Eigen::Vector3d> vertices, normals;  // of a moved core
  std::vector<double> offsets;
  std::vector<int> edges_a, edges_b;
  std::vector<RimCorner> face, other;
  std::vector<Corner> polygon, clipped;
  std::vector<Mark> marks;
  std::vector<Touch> touches, hidden;
  std::vector<int> triangles;
};
Scratch& scratch();  // of this thread

// `shape` turned and moved, its numbers kept in `memory`.
Convex moved(const Convex& shape, const Eigen::Matrix3d& R, const Eigen::Vector3d& p, Scratch& memory);

struct Axis {
  double separation = -1e300;                         // of the cores; negative where they overlap [m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // out of a, towards b
  int a = -1, b = -1;                                 // faces or edges
  bool known() const { return a >= 0; }
};
struct Axes {
  Axis face_a, face_b;  // best of each kind; less good ones than the best of all may be missing
  Axis edges;
  bool hidden = false;  // an axis that is not allowed is better
};
// False as soon as an axis shows the cores farther apart than `reach`. Kinds that are worse than the best by more than
// `slack` may be left out. O(faces x vertices + edges x edges), most of it left out by bounds.
bool find_axes(const Convex& a, const Convex& b, double reach, double slack, Scratch& memory, Axes& axes);

// The nearest points of two cores. Distance 0 where they overlap.
struct Nearest {
  Eigen::Vector3d on_a = Eigen::Vector3d::Zero(), on_b = Eigen::Vector3d::Zero();
  double distance = 0;
};
Nearest find_nearest(const Convex& a, const Convex& b, const Eigen::Vector3d& towards_b);

// Where two lines that are not parallel pass each other, kept within 0 .. 1 of each: shares of u from p, of v from q.
std::array<double, 2> pass_edges(const Eigen::Vector3d& p, const Eigen::Vector3d& u, const Eigen::Vector3d& q,
                                 const Eigen::Vector3d& v);

// At most four points of contact, in the frame of the cores; normals out of a.
struct Manifold {
  std::array<Touch, 4> touches;
  int count = 0;
  bool hidden = false;  // of a triangle, where its neighbours know better
  void add(const Touch& touch) { touches[count++] = touch; }
};
Manifold make_manifold(const Convex& a, const Convex& b, double margin, Scratch& memory);

// What the faces of a and of b see: the direction out of a towards b, and how far apart along it.
struct FaceViews {
  Eigen::Vector3d of_a = Eigen::Vector3d::UnitZ(), of_b = Eigen::Vector3d::UnitZ();
  double apart_a = 0, apart_b = 0;  // [m]
  double thickness = 0;             // of the thinner one [m]
};
// Of the thickness: edges are taken for as round as this.
inline constexpr double kEdgeRounding = 0.05;
// Where an edge of one lies beside an edge of the other, neither face is the one that is touched: as on edges that are
// a little round, the normal goes over from one to the other, by which of them sees the shapes farther apart. For
// points over a face of a, or of b.
void lean_on_edges(const FaceViews& views, bool a_has_face, Manifold& manifold);

// How much nearer edges and corners must be than faces to be preferred [m].
double face_bias(const Convex& a, const Convex& b);

// Features: what of the first touches what of the second.
enum class Meeting : std::uint32_t { kCornerFace, kFaceCorner, kEdgeEdge, kOther };
inline std::uint32_t make_feature(Meeting meeting, int first, int second) {
  return static_cast<std::uint32_t>(meeting) << 30 | static_cast<std::uint32_t>(first) << 15 |
         static_cast<std::uint32_t>(second);
}

// A face of one shape (`memory.face`, counter-clockwise about `normal`) and one of the other (`memory.other`).
struct FacePair {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // unit, out of the face
  double offset = 0;                                  // [m]
  int face = 0, other = 0;                            // their numbers
  bool face_is_a = true;
  double face_rounding = 0, other_rounding = 0;  // [m]
  double reach = 0;                              // marks higher than this are left out [m]
  double bias = 0;                               // corners nearer to each other than this count as one [m]
};
// Marks where the other face lies over the face, sorted by feature. The lowest height, or 1e300 where there is none.
double clip_faces(const FacePair& pair, Scratch& memory);
// The marks, at most four of them, as contacts.
void add_marks(const FacePair& pair, Scratch& memory, Manifold& manifold);

// Of points over a face at most four, spread wide, the deepest among them. Sorts `marks` and cuts it short. Nearly
// equal choices (within `bias`) fall to the lower feature, so that they stay the same as bodies tremble.
// Sets of no more than `enough` points are kept whole.
void keep_four(const Eigen::Vector3d& normal, double bias, std::vector<Scratch::Mark>& marks, std::size_t enough = 4);

}  // namespace espalier::geometry::detail

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "espalier/geometry/detail/convex.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;
using Corner = Scratch::Corner;
using Mark = Scratch::Mark;

int side_of(int after) { return -1 - after; }

// Keeps what lies inside of side k. A cut leaves an edge along the side.
void cut(const Vector3d& origin, const Vector3d& out, int k, const std::vector<Corner>& polygon,
         std::vector<Corner>& clipped) {
  clipped.clear();
  if (polygon.empty()) return;
  double distance = out.dot(polygon[0].point - origin);
  // The last edge ends where the first began, with the same bits.
  const double first = distance;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner& from = polygon[i];
    const Corner& to = polygon[i + 1 < polygon.size() ? i + 1 : 0];
    const double next = i + 1 < polygon.size() ? out.dot(to.point - origin) : first;
    if (distance <= 0) clipped.push_back(from);
    if ((distance <= 0) != (next <= 0)) {
      // Where the walk leaves the inside, an edge along the side follows; where it comes back, it stays on its edge.
      const double t = distance / (distance - next);
      clipped.push_back({from.point + t * (to.point - from.point), -1, distance <= 0 ? -1 - k : from.after});
    }
    distance = next;
  }
}

// What of the face meets what of the other, with its bits in the order of a and b.
class Namer {
 public:
  Namer(const FacePair& pair, const Scratch& memory) : pair_(pair), memory_(memory) {}

  // The cut between edges that are flush trembles from one side to the other: near a corner it has the corner's name.
  std::uint32_t name(const Corner& corner, int before, double height) const {
    // A corner of the other that no side has cut off keeps its name.
    if (corner.vertex >= 0) return of_other(corner.vertex);
    const bool cut_before = before < 0;
    const bool cut_after = corner.after < 0;
    if (cut_before && cut_after) return name_corner(corner, side_of(before), side_of(corner.after), height);
    if (!cut_before && !cut_after) return make_feature(Meeting::kOther, 0, before);
    // One side of the face cuts one edge of the other: two edges meet here.
    const int edge = cut_before ? corner.after : before;
    const int side = side_of(cut_before ? before : corner.after);
    // Corners of the other are asked first, then those of the face below: in one order names do not jump.
    for (const int end : {edge, next(edge, memory_.other)}) {
      if (is_near(corner.point, memory_.other[end].point)) return of_other(end);
    }
    const Vector3d foot = corner.point - height * pair_.normal;
    for (const int end : {side, next(side, memory_.face)}) {
      if (is_near(foot, memory_.face[end].point)) return of_face(end);
    }
    const int a = memory_.face[side].edge;
    const int b = memory_.other[edge].edge;
    return make_feature(Meeting::kEdgeEdge, pair_.face_is_a ? a : b, pair_.face_is_a ? b : a);
  }

 private:
  static int next(int k, const std::vector<Scratch::RimCorner>& rim) {
    return k + 1 < static_cast<int>(rim.size()) ? k + 1 : 0;
  }
  bool is_near(const Vector3d& p, const Vector3d& q) const { return (p - q).squaredNorm() <= pair_.bias * pair_.bias; }

  std::uint32_t of_other(int corner) const {
    const int vertex = memory_.other[corner].vertex;
    return pair_.face_is_a ? make_feature(Meeting::kFaceCorner, pair_.face, vertex)
                           : make_feature(Meeting::kCornerFace, vertex, pair_.face);
  }
  std::uint32_t of_face(int corner) const {
    const int vertex = memory_.face[corner].vertex;
    return pair_.face_is_a ? make_feature(Meeting::kCornerFace, vertex, pair_.other)
                           : make_feature(Meeting::kFaceCorner, pair_.other, vertex);
  }
  // Between two sides of the face: its corner.
  std::uint32_t name_corner(const Corner& corner, int i, int j, double height) const {
    for (int k = 0; k < static_cast<int>(memory_.other.size()); ++k) {
      if (is_near(corner.point, memory_.other[k].point)) return of_other(k);
    }
    if (next(i, memory_.face) == j) return of_face(j);
    if (next(j, memory_.face) == i) return of_face(i);
    // Sides that are not neighbours meet where a short side between them has been jumped: its nearer end.
    const Vector3d foot = corner.point - height * pair_.normal;
    const auto distance = [&](int k) { return (memory_.face[k].point - foot).squaredNorm(); };
    int nearest = 0;
    for (int k = 1; k < static_cast<int>(memory_.face.size()); ++k) {
      if (distance(k) < distance(nearest)) nearest = k;
    }
    return of_face(nearest);
  }

  const FacePair& pair_;
  const Scratch& memory_;
};

// Sorted by feature, of equal ones the lowest alone.
void sort_marks(std::vector<Mark>& marks) {
  const auto before = [](const Mark& a, const Mark& b) {
    return a.feature != b.feature ? a.feature < b.feature : a.height < b.height;
  };
  // By insertion: few marks, and a sort of the library would not be faster.
  for (std::size_t i = 1; i < marks.size(); ++i) {
    for (std::size_t j = i; j > 0 && before(marks[j], marks[j - 1]); --j) std::swap(marks[j], marks[j - 1]);
  }
  const auto same = [](const Mark& a, const Mark& b) { return a.feature == b.feature; };
  marks.erase(std::unique(marks.begin(), marks.end(), same), marks.end());
}

// The first for which `value` is within a thousandth of the highest, or -1 where that is not above `least`.
template <class Value>
int highest(const std::vector<Mark>& marks, double least, const Value& value) {
  double most = least;
  for (const Mark& mark : marks) most = std::max(most, value(mark));
  if (!(most > least)) return -1;
  // Not the very highest: rounding would choose another one of equals in every step.
  for (int k = 0; k < static_cast<int>(marks.size()); ++k) {
    if (value(marks[k]) >= (1 - kFaceBias) * most) return k;
  }
  return -1;
}

int deepest(const std::vector<Mark>& marks, double bias) {
  double least = marks[0].height;
  for (const Mark& mark : marks) least = std::min(least, mark.height);
  // The first by feature of those that are as deep within the bias, for the same reason.
  int k = 0;
  while (marks[k].height > least + bias) ++k;
  return k;
}

}  // namespace

void keep_four(const Vector3d& normal, double bias, std::vector<Mark>& marks, std::size_t enough) {
  sort_marks(marks);
  if (marks.size() <= enough) return;
  // Four of them carry what all do: the deepest, the farthest from it, and the two that add most area.
  std::array<int, 4> kept = {deepest(marks, bias), -1, -1, -1};
  const auto farthest_from = [&](const Vector3d& p) {
    return highest(marks, 0, [&](const Mark& m) { return normal.cross(m.point - p).squaredNorm(); });
  };
  kept[1] = farthest_from(marks[kept[0]].point);
  // Where all lie on one spot one is enough, where all lie on a line two.
  if (kept[1] >= 0) {
    const Vector3d p1 = marks[kept[1]].point;
    // The deepest may lie in the middle of others as deep.
    // Of many points that are as deep, the one farthest from the second replaces the first.
    const int opposite = farthest_from(p1);
    if (marks[opposite].height <= marks[kept[0]].height + bias) kept[0] = opposite;
    const Vector3d p0 = marks[kept[0]].point;
    // Less than this off the line is rounding.
    const double no_area = 1e-9 * (p1 - p0).squaredNorm();
    const auto area = [&](const Vector3d& from, const Vector3d& to, const Vector3d& p) {
      return normal.dot((to - from).cross(p - from));
    };
    kept[2] = highest(marks, no_area, [&](const Mark& m) { return std::abs(area(p0, p1, m.point)); });
    if (kept[2] >= 0) {
      Vector3d second = p1;
      Vector3d third = marks[kept[2]].point;
      // Counterclockwise about the normal: what lies outside of a side then has a negative area with it.
      if (area(p0, second, third) < 0) std::swap(second, third);
      // What a fourth point adds to the triangle.
      kept[3] = highest(marks, no_area, [&](const Mark& m) {
        return -std::min({area(p0, second, m.point), area(second, third, m.point), area(third, p0, m.point)});
      });
    }
  }
  // Back into the order of features; a place may have been chosen twice.
  std::sort(kept.begin(), kept.end());
  std::size_t count = 0;
  for (const int k : kept) {
    if (k >= 0) marks[count++] = marks[k];
  }
  marks.resize(count);
  marks.erase(
      std::unique(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.feature == b.feature; }),
      marks.end());
}

double clip_faces(const FacePair& pair, Scratch& memory) {
  memory.polygon.clear();
  for (int k = 0; k < static_cast<int>(memory.other.size()); ++k) {
    memory.polygon.push_back({memory.other[k].point, k, k});
  }
  // Sutherland and Hodgman: the other face, cut by the planes through the sides of this one.
  for (int k = 0; k < static_cast<int>(memory.face.size()); ++k) {
    const Vector3d& from = memory.face[k].point;
    const Vector3d& to = memory.face[k + 1 < static_cast<int>(memory.face.size()) ? k + 1 : 0].point;
    cut(from, (to - from).cross(pair.normal), k, memory.polygon, memory.clipped);
    memory.polygon.swap(memory.clipped);
  }
  memory.marks.clear();
  // How low the face comes: the caller compares it with what the axis promises.
  double lowest = 1e300;
  const Namer namer(pair, memory);
  for (std::size_t k = 0; k < memory.polygon.size(); ++k) {
    const Corner& corner = memory.polygon[k];
    const double height = pair.normal.dot(corner.point) - pair.offset;
    if (!(height <= pair.reach)) continue;
    const int before = memory.polygon[k > 0 ? k - 1 : memory.polygon.size() - 1].after;
    memory.marks.push_back({corner.point, height, namer.name(corner, before, height)});
    lowest = std::min(lowest, height);
  }
  return lowest;
}

void add_marks(const FacePair& pair, Scratch& memory, Manifold& manifold) {
  keep_four(pair.normal, pair.bias, memory.marks);
  for (const Mark& mark : memory.marks) {
    const double gap = mark.height - pair.face_rounding - pair.other_rounding;
    // Half way between the surfaces, which lie off the cores by their roundings.
    const double to_middle = (pair.face_rounding - pair.other_rounding - mark.height) / 2;
    manifold.add({mark.point + to_middle * pair.normal, pair.face_is_a ? pair.normal : Vector3d(-pair.normal), gap,
                  mark.feature});
  }
}

}  // namespace espalier::geometry::detail

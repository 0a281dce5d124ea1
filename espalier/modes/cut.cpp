#include "espalier/modes/results.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/beam_fields.hpp"
#include "espalier/modes/detail/beam_slice.hpp"
#include "espalier/modes/detail/idle_fields.hpp"

namespace espalier::modes {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Waves of bending are as long as 1 / sqrt(s): a third of what a pass would take for a slice.
constexpr double kFiner = 9;

Directions carried(const Beam& beam) {
  return {beam.axial, beam.bend_y, beam.bend_z, beam.torsion, beam.bend_z, beam.bend_y};
}

class Cutter {
 public:
  Cutter(const Structure& structure, const Tree& tree) : whole_(detail::without_idle_fields(structure)), tree_(tree) {
    cut_.structure = whole_;
    // Vertices keep their numbers, elements get new ones.
    cut_.structure.elements.clear();
    cut_.tree = tree;
    cut_.whole_vertices = static_cast<int>(whole_.vertices.size());
    cut_.axes.assign(whole_.vertices.size(), Matrix3d::Identity());
  }

  CutStructure make(std::span<const int> slices) {
    for (std::size_t e = 0; e < whole_.elements.size(); ++e) add(static_cast<int>(e), slices[e]);
    return std::move(cut_);
  }

 private:
  bool is_support(int vertex) const {
    const Directions& moves = whole_.vertices[to_index(vertex)].moves;
    return std::none_of(moves.begin(), moves.end(), [](bool m) { return m; });
  }

  void add(int e, int count) {
    const Element& whole = whole_.elements[to_index(e)];
    std::vector<int> way = {whole.vertex[0]};
    // From end to end, so that slices of one element follow each other.
    for (int k = 1; k < count; ++k) way.push_back(add_vertex(whole, static_cast<double>(k) / count, k));
    way.push_back(whole.vertex[1]);
    const int first = static_cast<int>(cut_.structure.elements.size());
    std::vector<int> slices;
    for (int k = 0; k < count; ++k) {
      Element slice = whole;
      slice.vertex = {way[to_index(k)], way[to_index(k) + 1]};
      // Vertices inside stand on the beam and have its axes.
      if (k > 0) slice.to_local[0] = Matrix6::Identity();
      if (k + 1 < count) slice.to_local[1] = Matrix6::Identity();
      if (Beam* beam = std::get_if<Beam>(&slice.law)) beam->length /= count;
      slices.push_back(first + k);
      cut_.structure.elements.push_back(std::move(slice));
    }
    hang(e, way, first);
    cut_.slices.push_back(std::move(slices));
  }

  int add_vertex(const Element& whole, double part, int k) {
    const std::array<Vector3d, 2> ends = end_points(whole_, whole);
    Vertex vertex;
    vertex.name = fmt::format("{}/{}", whole.name, k);
    vertex.point = (1 - part) * ends[0] + part * ends[1];
    // In directions that the beam does not carry nothing would hold the vertex.
    vertex.moves = carried(std::get<Beam>(whole.law));
    cut_.structure.vertices.push_back(std::move(vertex));
    cut_.tree.parent.push_back(-1);
    cut_.tree.element.push_back(-1);
    cut_.axes.emplace_back(whole.to_local[0].topLeftCorner<3, 3>());
    return static_cast<int>(cut_.structure.vertices.size()) - 1;
  }

  void hang_on(int vertex, int parent, int element) {
    cut_.tree.parent[to_index(vertex)] = parent;
    cut_.tree.element[to_index(vertex)] = element;
  }

  // The vertices between hang on the end that is nearer to the root; where neither end tells, on the first that moves.
  void hang(int e, const std::vector<int>& way, int first) {
    const int a = way.front(), b = way.back(), last = static_cast<int>(way.size()) - 1;
    const auto is_tree = [&](int child, int parent) {
      return tree_.element[to_index(child)] == e && tree_.parent[to_index(child)] == parent;
    };
    // A beam that closes a loop has one slice that is no part of the tree.
    const bool up = is_tree(a, b) || (!is_tree(b, a) && is_support(a) && !is_support(b));
    const auto at = [&](int k) { return way[to_index(k)]; };
    for (int k = up ? 0 : 1; k <= (up ? last - 1 : last); ++k) {
      const int parent = up ? at(k + 1) : at(k - 1);
      // Ends are attached as they were in the whole tree, through the slice that is theirs now.
      const bool inside = k > 0 && k < last;
      if (inside && !(parent < cut_.whole_vertices && is_support(parent))) {
        hang_on(at(k), parent, up ? first + k : first + k - 1);
      } else if (!inside && is_tree(at(k), up ? b : a)) {
        hang_on(at(k), parent, up ? first + k : first + k - 1);
      }
    }
  }

  Structure whole_;
  const Tree& tree_;
  CutStructure cut_;
};

// The point that an end holds, from the arm in its map.
Vector3d end_point(const Vertex& vertex, const Matrix6& to_local) {
  const Matrix3d axes = to_local.topLeftCorner<3, 3>();
  // The corner holds -R [arm x] for the rotation R; what is left without R has the arm as its antisymmetric part.
  const Matrix3d cross = -axes.transpose() * to_local.topRightCorner<3, 3>();
  return vertex.point + 0.5 * Vector3d(cross(2, 1) - cross(1, 2), cross(0, 2) - cross(2, 0), cross(1, 0) - cross(0, 1));
}

}  // namespace

CutStructure cut_beams(const Structure& structure, const Tree& tree, double largest_s, int least) {
  return cut_beams(structure, tree, slice_counts(structure, largest_s, least));
}

CutStructure cut_beams(const Structure& structure, const Tree& tree, std::span<const int> slices) {
  return Cutter(structure, tree).make(slices);
}

std::vector<int> slice_counts(const Structure& structure, double largest_s, int least) {
  std::map<model::BodyId, int> elements_of;
  for (const Element& element : structure.elements) {
    if (const Beam* beam = std::get_if<Beam>(&element.law)) ++elements_of[beam->body];
  }
  std::vector<int> counts;
  for (const Element& element : structure.elements) {
    const Beam* beam = std::get_if<Beam>(&element.law);
    counts.push_back(1);
    // A hinge is one slice.
    if (beam == nullptr) continue;
    const int needed = detail::slices_for(detail::plain_law(*beam), kFiner * largest_s);
    // The segments of a tapered body share what is asked of the whole body.
    const int of_body = elements_of[beam->body];
    counts.back() = std::max(needed, (least + of_body - 1) / of_body);
  }
  return counts;
}

Matrix3d beam_axes(const CutStructure& cut, const Element& slice) {
  if (slice.vertex[0] >= cut.whole_vertices) return cut.axes[to_index(slice.vertex[0])];
  return slice.to_local[0].topLeftCorner<3, 3>();
}

std::array<Vector3d, 2> end_points(const Structure& structure, const Element& element) {
  return {end_point(structure.vertices[to_index(element.vertex[0])], element.to_local[0]),
          end_point(structure.vertices[to_index(element.vertex[1])], element.to_local[1])};
}

}  // namespace espalier::modes

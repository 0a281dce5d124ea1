#include "espalier/geometry/detail/mesh_tree.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include <Eigen/Geometry>

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

constexpr int kLeaf = 4;  // triangles

// An STL holds each corner of each triangle by itself.
void join_vertices(TriangleMesh& mesh) {
  std::vector<int> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int v) {
    const Vector3d& p = mesh.vertices[v];
    return std::tuple(p[0], p[1], p[2]);
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  std::vector<Vector3d> vertices;
  std::vector<int> number(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    // Only equal bits are joined: files repeat the corners of their triangles digit by digit.
    if (k == 0 || key(order[k - 1]) != key(order[k])) vertices.push_back(mesh.vertices[order[k]]);
    number[order[k]] = static_cast<int>(vertices.size()) - 1;
  }
  mesh.vertices = std::move(vertices);
  for (std::array<int, 3>& triangle : mesh.triangles) {
    for (int& v : triangle) v = number[v];
  }
}

void drop_flat(TriangleMesh& mesh) {
  std::vector<std::array<int, 3>> kept;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const double longest = std::max({(mesh.vertices[b] - mesh.vertices[a]).squaredNorm(),
                                     (mesh.vertices[c] - mesh.vertices[b]).squaredNorm(),
                                     (mesh.vertices[a] - mesh.vertices[c]).squaredNorm()});
    // Its normal has to be known to some digits, whichever way round its corners are counted.
    if (triangle_area(mesh, t).norm() > 1e-9 * longest) kept.push_back(mesh.triangles[t]);
  }
  mesh.triangles = std::move(kept);
}

void find_neighbours(TriangleMesh& mesh) {
  struct Side {
    std::array<int, 2> vertices;
    int triangle, edge;
  };
  std::vector<Side> sides;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      // Low number first: neighbours walk along their common side in opposite directions.
      const auto [low, high] = std::minmax(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]);
      sides.push_back({{low, high}, t, k});
    }
  }
  std::stable_sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.vertices < b.vertices; });
  mesh.beyond.assign(mesh.triangles.size(), {-1, -1, -1});
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    // A side of one triangle is a border, and one of three has no single neighbour: both keep their -1.
    while (end < sides.size() && sides[end].vertices == sides[i].vertices) ++end;
    if (end == i + 2) {
      const Side& a = sides[i];
      const Side& b = sides[i + 1];
      // The corner opposite to the side says whether the surface rises or falls beyond it.
      mesh.beyond[a.triangle][a.edge] = mesh.triangles[b.triangle][(b.edge + 2) % 3];
      mesh.beyond[b.triangle][b.edge] = mesh.triangles[a.triangle][(a.edge + 2) % 3];
    }
    i = end;
  }
}

void find_rings(TriangleMesh& mesh) {
  std::vector<std::array<int, 2>> sides;
  for (const std::array<int, 3>& corner : mesh.triangles) {
    // In both directions: what two triangles share is there twice and becomes one below.
    for (int k = 0; k < 3; ++k) {
      sides.push_back({corner[k], corner[(k + 1) % 3]});
      sides.push_back({corner[(k + 1) % 3], corner[k]});
    }
  }
  std::sort(sides.begin(), sides.end());
  sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
  // All rings in one list, since sides are sorted by their first vertex.
  mesh.ring_begin.assign(mesh.vertices.size() + 1, 0);
  mesh.ring.clear();
  for (const auto& [from, to] : sides) {
    ++mesh.ring_begin[from + 1];
    mesh.ring.push_back(to);
  }
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) mesh.ring_begin[v + 1] += mesh.ring_begin[v];
}

class TreeBuilder {
 public:
  explicit TreeBuilder(TriangleMesh& mesh) : mesh_(mesh), middle_(mesh.triangles.size()) {
    for (std::size_t t = 0; t < middle_.size(); ++t) {
      const auto& [a, b, c] = mesh.triangles[t];
      middle_[t] = (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3;
    }
    mesh.order.resize(middle_.size());
    std::iota(mesh.order.begin(), mesh.order.end(), 0);
    mesh.nodes.assign(1, {});
    fill(0, 0, static_cast<int>(middle_.size()));
  }

 private:
  // Halves have equal counts: the depth is the logarithm of the count, whatever the mesh.
  void fill(int node, int begin, int end) {
    bound(mesh_.nodes[node], begin, end);
    if (end - begin <= kLeaf) {
      mesh_.nodes[node].first = begin;
      mesh_.nodes[node].count = end - begin;
      return;
    }
    // Across the longest side, so that boxes stay compact and few overlap what is asked about.
    int axis = 0;
    (mesh_.nodes[node].high - mesh_.nodes[node].low).maxCoeff(&axis);
    const int half = begin + (end - begin) / 2;
    const auto at = mesh_.order.begin();
    // Equal places by number: the halves are then the same with every library.
    std::nth_element(at + begin, at + half, at + end,
                     [&](int a, int b) { return std::pair(middle_[a][axis], a) < std::pair(middle_[b][axis], b); });
    // The order within halves is left to the library by nth_element; ours is by number.
    std::sort(at + begin, at + half);
    std::sort(at + half, at + end);
    const int children = static_cast<int>(mesh_.nodes.size());
    mesh_.nodes[node].first = children;
    // The nodes may move in memory here: they are called by number.
    mesh_.nodes.resize(mesh_.nodes.size() + 2);
    fill(children, begin, half);
    fill(children + 1, half, end);
  }

  void bound(TriangleMesh::Node& node, int begin, int end) const {
    node.low = node.high = mesh_.vertices[mesh_.triangles[mesh_.order[begin]][0]];
    for (int k = begin; k < end; ++k) {
      for (const int v : mesh_.triangles[mesh_.order[k]]) {
        node.low = node.low.cwiseMin(mesh_.vertices[v]);
        node.high = node.high.cwiseMax(mesh_.vertices[v]);
      }
    }
  }

  TriangleMesh& mesh_;
  std::vector<Vector3d> middle_;
};

}  // namespace

Vector3d triangle_area(const TriangleMesh& mesh, int triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  return (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]);
}

void complete_mesh(TriangleMesh& mesh) {
  // Neighbours are known by the numbers of vertices, so that equal ones become one first.
  join_vertices(mesh);
  drop_flat(mesh);
  // Nothing to build a tree over; the caller says so.
  if (mesh.triangles.empty()) return;
  find_neighbours(mesh);
  find_rings(mesh);
  TreeBuilder{mesh};
}

}  // namespace espalier::geometry::detail

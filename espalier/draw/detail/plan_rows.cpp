#include "espalier/draw/detail/plan_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "espalier/base/index.hpp"

namespace espalier::draw::detail {
namespace {

constexpr int kSweeps = 12;
constexpr int kMostSwapped = 300;  // vertices; a swap costs O(V + E)

class RowFinder {
 public:
  explicit RowFinder(const plan::Plan& plan) : plan_(plan) {
    collect_links();
    collect_children();
  }

  // Barycentres first, which move whole branches; then swaps of neighbours, which mend what is left.
  Rows find() {
    assign_rows();
    sort_by_partners();
    if (plan_.network.graph.vertices <= kMostSwapped) swap_neighbours();
    return std::move(rows_);
  }

 private:
  std::size_t vertices() const { return to_index(plan_.network.graph.vertices); }

  // Cut joints and welds look alike from here: both are lines between two rows.
  void collect_links() {
    for (const int e : plan_.cut) {
      const graph::Edge& edge = plan_.network.graph.edges[e];
      rows_.links.push_back({e, edge.a, edge.b});
    }
    for (const plan::HalfBody& half : plan_.half_bodies) rows_.links.push_back({-1, half.vertex, half.other});
    // By vertex, since ports and labels are placed vertex by vertex.
    rows_.links_at.resize(vertices());
    for (std::size_t k = 0; k < rows_.links.size(); ++k) {
      rows_.links_at[rows_.links[k].a].push_back(static_cast<int>(k));
      rows_.links_at[rows_.links[k].b].push_back(static_cast<int>(k));
    }
  }

  void collect_children() {
    rows_.children.resize(vertices());
    rows_.owns_row.assign(vertices(), 0);
    rows_.row.assign(vertices(), 0);
    level_.assign(vertices(), 0);
    for (const int v : plan_.tree.order) {
      const int parent = plan_.tree.parent[v];
      if (parent < 0) {
        // A forest has several; its trees stand below each other.
        roots_.push_back(v);
      } else {
        rows_.children[parent].push_back(v);
        level_[v] = level_[parent] + 1;
      }
    }
    for (std::size_t v = 0; v < vertices(); ++v) {
      // A vertex with links needs a row of its own for their lines; one without stands between its children.
      rows_.owns_row[v] = rows_.children[v].empty() || !rows_.links_at[v].empty() ? 1 : 0;
    }
  }

  // From top to bottom: the first half of a vertex's children, itself, the other half.
  void assign_rows() {
    rows_.count = 0;
    rows_.piece.clear();
    // No recursion: a chain may be as deep as the graph has vertices.
    struct Visit {
      int vertex;
      std::size_t next;
    };
    std::vector<Visit> stack;
    for (std::size_t piece = 0; piece < roots_.size(); ++piece) {
      stack.push_back({roots_[piece], 0});
      while (!stack.empty()) {
        const int v = stack.back().vertex;
        const std::size_t k = stack.back().next++;
        const std::vector<int>& children = rows_.children[v];
        // Half of the children are done: the vertex stands in their middle.
        if (k == children.size() / 2) {
          rows_.row[v] = rows_.count;
          if (rows_.owns_row[v]) {
            rows_.piece.push_back(static_cast<int>(piece));
            ++rows_.count;
          }
        }
        if (k < children.size()) {
          stack.push_back({children[k], 0});
        } else {
          stack.pop_back();
        }
      }
    }
  }

  std::int64_t total_span() const {
    std::int64_t total = 0;
    // What an order is judged by: long lines are what makes a picture hard to read.
    for (const Link& link : rows_.links) total += std::abs(rows_.row[link.a] - rows_.row[link.b]);
    return total;
  }

  // The lowest vertex above both; -1 if they stand in different trees.
  int meeting_vertex(int a, int b) const {
    while (a != b) {
      if (a < 0 || b < 0) return -1;
      // The deeper of the two goes up, so that both arrive at the meeting vertex together.
      (level_[a] >= level_[b] ? a : b) = plan_.tree.parent[level_[a] >= level_[b] ? a : b];
    }
    return a;
  }

  // By vertex: the mean row of what the links that leave its branch lead to.
  std::vector<double> wanted_rows() const {
    std::vector<double> wanted(vertices(), 0);
    std::vector<int> count(vertices(), 0);
    for (const Link& link : rows_.links) {
      const int meeting = meeting_vertex(link.a, link.b);
      for (const auto& [from, to] : {std::pair(link.a, link.b), std::pair(link.b, link.a)}) {
        // A link pulls at all of the branch below the meeting, whose order it can change.
        for (int v = from; v != meeting; v = plan_.tree.parent[v]) {
          wanted[v] += rows_.row[to];
          ++count[v];
        }
      }
    }
    for (std::size_t v = 0; v < vertices(); ++v) wanted[v] = count[v] > 0 ? wanted[v] / count[v] : rows_.row[v];
    return wanted;
  }

  void sort_by_partners() {
    // Sorting by means may make it worse: the best order so far is kept.
    std::vector<std::vector<int>> best = rows_.children;
    std::int64_t least = total_span();
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      // From the rows of the last round: all children are sorted by the same picture.
      const std::vector<double> wanted = wanted_rows();
      for (std::vector<int>& children : rows_.children) {
        std::stable_sort(children.begin(), children.end(), [&](int p, int q) { return wanted[p] < wanted[q]; });
      }
      assign_rows();
      // The next round starts from the worse order all the same: it may lead to a better one.
      if (total_span() >= least) continue;
      least = total_span();
      best = rows_.children;
    }
    rows_.children = std::move(best);
    assign_rows();
  }

  void swap_neighbours() {
    std::int64_t least = total_span();
    bool better = true;
    for (int pass = 0; better && pass < kSweeps; ++pass) {
      better = false;
      for (std::vector<int>& children : rows_.children) {
        for (std::size_t k = 0; k + 1 < children.size(); ++k) {
          std::swap(children[k], children[k + 1]);
          assign_rows();
          if (total_span() < least) {
            least = total_span();
            better = true;
          } else {
            // No better: put back.
            std::swap(children[k], children[k + 1]);
          }
        }
      }
    }
    assign_rows();
  }

  const plan::Plan& plan_;
  std::vector<int> roots_;
  std::vector<int> level_;  // by vertex
  Rows rows_;
};

}  // namespace

Rows find_rows(const plan::Plan& plan) { return RowFinder(plan).find(); }

}  // namespace espalier::draw::detail

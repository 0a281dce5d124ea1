#pragma once

// The predicted time of a tree that is changed step by step. What happens at a vertex depends on its joint and on the
// loops open above it alone, so that an exchange of two joints of one loop is felt on that loop and nowhere else.

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "espalier/graph/graph.hpp"
#include "espalier/plan/detail/vertex_elimination.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::plan::detail {

class TimeTree {
 public:
  // Keeps a reference to the network, which must know its joints' f.
  TimeTree(const Network& network, std::span<const HalfBody> half_bodies, const MachineConstants& machine, int workers);

  // Takes over this forest. False where it takes longer than `most` [s]: then nothing else may be asked until the next
  // forest. O(V + sum of all open loops).
  bool set(const graph::Tree& forest, double most = std::numeric_limits<double>::infinity());

  double time() const;                                // [s]
  double path() const { return nodes_[world_].way; }  // [s]
  WorkCount count() const;                            // O(V)
  std::int64_t visits() const { return visits_; }     // vertices and loops looked at so far
  int parent(int vertex) const;                       // -1 for a root
  int parent_edge(int vertex) const { return nodes_[vertex].edge; }
  std::span<const int> children(int vertex) const { return nodes_[vertex].children; }

  // The edges of the tree on the loop that a cut edge closes.
  std::vector<int> loop_edges(int cut);

  // Puts the cut edge into the tree and takes `out`, an edge of its loop, out of it. Time of the vertices of the loop,
  // and of the whole tree where a spatial loop becomes planar by it or the other way round.
  void exchange(int cut, int out);
  // Hangs a floating tree on a child of its root instead.
  void move_root(int child);
  // Takes the last change back; one only.
  void undo();

 private:
  struct Node {
    int parent = -1;
    int edge = -1;  // to the parent
    std::vector<int> children;
    std::vector<int> ends;  // loops that end here
    std::vector<int> open;  // loops that pass the edge, increasing
    WorkCount work;
    double time = 0;  // of `work` [s]
    double way = 0;   // the longest from a leaf to here [s]
  };
  // The two ways from a loop's ends, without the vertex where they meet.
  struct LoopWays {
    std::vector<int> a, b;
    int top = -1;
  };

  Node& node(int vertex) { return nodes_[vertex]; }
  const Node& node(int vertex) const { return nodes_[vertex]; }
  std::pair<int, int> ends_of(int loop) const;
  bool stands_still(int vertex) const;
  int coordinates(int vertex) const;
  LoopWays find_ways(int loop);
  bool find_planar(int loop);
  void set_planar(int loop, bool planar);
  void evaluate(int vertex);
  void add_joint(int vertex, WorkCount& work) const;
  bool update_way(int vertex);
  void evaluate_all();
  void save(int vertex);
  void begin_change();
  void update_ways_above(int vertex);
  bool update_planar(std::span<const int> loops);

  const Network& network_;
  MachineConstants machine_;
  int workers_;
  int world_;                               // the vertex all roots hang on, behind all others
  std::vector<std::pair<int, int>> welds_;  // loops behind the edges: halves of bodies, a ground that hangs on another
  std::size_t ground_weld_;                 // the last one: out of use where the ground is a root
  bool any_planar_ = false;                 // some loop may be planar
  bool all_planar_ = false;                 // every loop is
  std::vector<Node> nodes_;
  std::vector<char> planar_;    // by loop
  std::vector<int> equations_;  // by loop: independent ones
  double work_ = 0;             // sum of all nodes' time [s]
  std::int64_t visits_ = 0;
  VertexElimination step_;
  std::vector<int> closing_;  // scratch
  std::vector<int> mark_;     // by vertex, scratch of find_ways
  int last_mark_ = 0;

  // What undo restores.
  struct SavedLoop {
    int loop;
    char planar;
    int equations;
  };
  std::vector<std::pair<int, Node>> saved_nodes_;
  std::vector<SavedLoop> saved_loops_;
  std::vector<std::pair<int, double>> saved_ways_;
  double saved_work_ = 0;
};

}  // namespace espalier::plan::detail

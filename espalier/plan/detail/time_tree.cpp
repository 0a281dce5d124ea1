#include "espalier/plan/detail/time_tree.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"

namespace espalier::plan::detail {
namespace {

constexpr int kFloating = 6;
constexpr int kRedundantIfPlanar = 3;
// What eliminating a loop takes, in times of looking at one: 0.6 us and 30 ns.
constexpr std::size_t kVisitsToClose = 20;

void erase_value(std::vector<int>& values, int value) { values.erase(std::find(values.begin(), values.end(), value)); }

}  // namespace

TimeTree::TimeTree(const Network& network, std::span<const HalfBody> half_bodies, const MachineConstants& machine,
                   int workers)
    : network_(network),
      machine_(machine),
      workers_(workers),
      world_(network.graph.vertices),
      ground_weld_(half_bodies.size()),
      step_(network.graph.edges.size() + half_bodies.size() + 1),
      mark_(to_index(network.graph.vertices) + 1, 0) {
  ESPALIER_CHECK(network.freedom.size() == network.graph.edges.size(), "time is predicted of joints with a type");
  for (const HalfBody& half : half_bodies) welds_.emplace_back(half.vertex, half.other);
  welds_.emplace_back(world_, network.ground);
  // Where all joints move in one plane every loop does, and no loop has to be looked at.
  const auto hinge = std::find_if(network.axes.begin(), network.axes.end(),
                                  [](const JointAxis& axis) { return axis.kind == JointAxis::Kind::kHinge; });
  any_planar_ = hinge != network.axes.end();
  all_planar_ = any_planar_ && std::all_of(network.axes.begin(), network.axes.end(),
                                           [&](const JointAxis& axis) { return moves_in_plane(axis, hinge->in_a); });
}

std::pair<int, int> TimeTree::ends_of(int loop) const {
  const auto edges = static_cast<int>(network_.graph.edges.size());
  // Welds are loops as well: six equations between a half body and the other one, or between the ground and the
  // world.
  if (loop >= edges) return welds_[loop - edges];
  return {network_.graph.edges[loop].a, network_.graph.edges[loop].b};
}

// What closes at the world or at a ground that stands on it meets no acceleration there.
bool TimeTree::stands_still(int vertex) const {
  return vertex == world_ || (vertex == network_.ground && node(vertex).parent == world_);
}

int TimeTree::coordinates(int vertex) const {
  return node(vertex).edge >= 0 ? network_.freedom[node(vertex).edge] : kFloating;
}

int TimeTree::parent(int vertex) const { return node(vertex).parent == world_ ? -1 : node(vertex).parent; }

bool TimeTree::set(const graph::Tree& forest, double most) {
  const auto edges = static_cast<int>(network_.graph.edges.size());
  nodes_.assign(to_index(world_) + 1, {});
  planar_.assign(edges + welds_.size(), 0);
  equations_.assign(edges + welds_.size(), 0);
  work_ = 0;
  for (const int v : forest.order) {
    node(v).parent = forest.parent[v] < 0 ? world_ : forest.parent[v];
    node(v).edge = forest.parent_edge[v];
    node(node(v).parent).children.push_back(v);
  }
  std::vector<int> loops = graph::chords(forest, network_.graph.edges.size());
  for (std::size_t w = 0; w < ground_weld_; ++w) loops.push_back(edges + static_cast<int>(w));
  // A ground that hangs on another body is tied to the world by six equations.
  const int ground = network_.ground;
  if (ground >= 0 && node(ground).parent != world_) loops.push_back(edges + static_cast<int>(ground_weld_));
  for (const int loop : loops) {
    const auto [a, b] = ends_of(loop);
    node(a).ends.push_back(loop);
    node(b).ends.push_back(loop);
    set_planar(loop, find_planar(loop));
  }
  for (auto v = forest.order.rbegin(); v != forest.order.rend(); ++v) {
    evaluate(*v);
    // Work only grows, and no schedule is faster than an even share of it.
    if (work_ > most * workers_) return false;
  }
  evaluate(world_);
  return time() <= most;
}

// (P22)
double TimeTree::time() const { return workers_ == 1 ? work_ : std::min(work_, std::max(path(), work_ / workers_)); }

WorkCount TimeTree::count() const {
  WorkCount sum;
  for (const Node& each : nodes_) sum += each.work;
  return sum;
}

// Both ways are climbed by turns, so that the time is that of the loop and not of the way to the root.
TimeTree::LoopWays TimeTree::find_ways(int loop) {
  const auto [a, b] = ends_of(loop);
  LoopWays ways;
  if (a == b) return {{}, {}, a};
  const int marks[2] = {++last_mark_, ++last_mark_};
  std::vector<int>* sides[2] = {&ways.a, &ways.b};
  int at[2] = {a, b};
  mark_[a] = marks[0];
  mark_[b] = marks[1];
  for (int side = 0; ways.top < 0; side = 1 - side) {
    if (at[side] == world_) continue;
    sides[side]->push_back(at[side]);
    at[side] = node(at[side]).parent;
    if (mark_[at[side]] == marks[1 - side]) ways.top = at[side];
    mark_[at[side]] = marks[side];
  }
  // The side that went on above the meeting point has a few vertices too many.
  for (std::vector<int>* side : sides) {
    const auto above = std::find(side->begin(), side->end(), ways.top);
    side->erase(above, side->end());
    visits_ += static_cast<std::int64_t>(side->size());
  }
  return ways;
}

bool TimeTree::find_planar(int loop) {
  const auto edges = static_cast<int>(network_.graph.edges.size());
  if (!any_planar_ || loop == edges + static_cast<int>(ground_weld_)) return false;
  if (all_planar_) return true;
  const LoopWays ways = find_ways(loop);
  std::vector<int> joints;
  if (loop < edges) joints.push_back(loop);
  for (const std::vector<int>* side : {&ways.a, &ways.b}) {
    for (const int v : *side) joints.push_back(node(v).edge);
  }
  // A floating root is no joint of the network; only the ground's own weld passes it.
  const auto hinge = std::find_if(joints.begin(), joints.end(),
                                  [&](int e) { return network_.axes[e].kind == JointAxis::Kind::kHinge; });
  if (hinge == joints.end()) return false;
  return std::all_of(joints.begin(), joints.end(),
                     [&](int e) { return moves_in_plane(network_.axes[e], network_.axes[*hinge].in_a); });
}

// A planar loop fulfils three of its equations whatever happens; the solver leaves them out.
void TimeTree::set_planar(int loop, bool planar) {
  const auto edges = static_cast<int>(network_.graph.edges.size());
  const int all = kFloating - (loop < edges ? network_.freedom[loop] : 0);
  planar_[loop] = planar ? 1 : 0;
  equations_[loop] = planar ? std::max(0, all - kRedundantIfPlanar) : all;
}

// What happens at one vertex, of which the parts of docs/theory/plan.md ("What one evaluation takes") are counted:
// 1. The loops that come down its branches or end here; one with both ends seen closes.
// 2. (P21) Each that closes is eliminated, coupled to those that are still open.
// 3. The joint to the parent carries the open ones on.
// Only the children's open loops go in, which is why an exchange is felt on its loop alone.
void TimeTree::evaluate(int vertex) {
  Node& here = node(vertex);
  step_.clear();
  for (const int child : here.children) step_.add_branch(node(child).open);
  for (const int loop : here.ends) step_.add_end(loop);
  here.open.clear();
  closing_.clear();
  const std::span<const VertexElimination::Present> present = step_.present();
  for (const auto& [loop, ends] : present) (ends == 2 ? closing_ : here.open).push_back(loop);
  WorkCount work;
  const bool still = stands_still(vertex);
  for (const VertexElimination::Closed& closed : step_.close(closing_, equations_)) {
    const int m = equations_[closed.loop];
    work[Work::kLoop] += 1;
    work[Work::kRow] += m;
    work[Work::kFlop] += elimination_flops(m, closed.rows, still ? Meeting::kAtWorld : Meeting::kOnBody);
    work[Work::kPair] += closed.blocks;
  }
  if (!still) add_joint(vertex, work);
  // Beside the old value, so that the sum over all vertices need not be made anew.
  work_ -= here.time;
  here.work = work;
  here.time = time_of(work, machine_);
  work_ += here.time;
  visits_ += static_cast<std::int64_t>(1 + present.size() + kVisitsToClose * closing_.size());
  update_way(vertex);
}

void TimeTree::add_joint(int vertex, WorkCount& work) const {
  const int f = coordinates(vertex);
  double rows = 0;
  for (const int loop : node(vertex).open) rows += equations_[loop];
  work[Work::kJoint] += 1;
  work[Work::kCoordinate] += f;
  work[Work::kCarriedRow] += rows;
  work[Work::kCarriedCoordinate] += rows * f;
  work[Work::kCoupling] += rows * (rows + 1) / 2 * f;
}

bool TimeTree::update_way(int vertex) {
  Node& here = node(vertex);
  double longest = 0;
  for (const int child : here.children) longest = std::max(longest, node(child).way);
  const double before = here.way;
  // Branches that meet wait for each other.
  here.way = here.time + longest + (here.children.size() > 1 ? machine_.synchronisation : 0);
  return here.way != before;
}

std::vector<int> TimeTree::loop_edges(int cut) {
  const LoopWays ways = find_ways(cut);
  std::vector<int> edges;
  for (const int v : ways.a) edges.push_back(node(v).edge);
  for (auto v = ways.b.rbegin(); v != ways.b.rend(); ++v) edges.push_back(node(*v).edge);
  return edges;
}

void TimeTree::begin_change() {
  saved_nodes_.clear();
  saved_loops_.clear();
  saved_ways_.clear();
  saved_work_ = work_;
}

void TimeTree::save(int vertex) { saved_nodes_.emplace_back(vertex, node(vertex)); }

// 1. Which side of the loop `out` lies on. 2. The loop that is open is that of `out` now. 3. The branch between `out`
// and the end of `cut` on that side is turned over and hung on `cut`. 4. Everything that saw a change is evaluated
// again, children before parents.
void TimeTree::exchange(int cut, int out) {
  begin_change();
  LoopWays ways = find_ways(cut);
  std::pair<int, int> ends = ends_of(cut);
  const auto holds = [&](int v) { return node(v).edge == out; };
  // 1. Let side a be the one whose part above `out` changes its direction.
  if (std::none_of(ways.a.begin(), ways.a.end(), holds)) {
    std::swap(ways.a, ways.b);
    std::swap(ends.first, ends.second);
  }
  const auto found = std::find_if(ways.a.begin(), ways.a.end(), holds);
  ESPALIER_CHECK(found != ways.a.end(), "only an edge of the loop can be exchanged");
  const auto turned = static_cast<int>(found - ways.a.begin());
  // All that the exchange touches, so that undo() costs no more than it.
  for (const std::vector<int>* side : {&ways.a, &ways.b}) {
    for (const int v : *side) save(v);
  }
  save(ways.top);
  // Other loops over `out` go the other way round now, over other joints: they may become planar, or cease to be.
  std::vector<int> passing = node(*found).open;
  erase_value(passing, cut);
  // 2. The loop keeps its joints, so that it stays planar or not.
  for (const int loop : {cut, out}) saved_loops_.push_back({loop, planar_[loop], equations_[loop]});
  for (const int end : {ends.first, ends.second}) erase_value(node(end).ends, cut);
  for (const int end : {ends_of(out).first, ends_of(out).second}) node(end).ends.push_back(out);
  set_planar(out, planar_[cut] != 0);
  // 3. Turn the branch.
  int up = ends.second;
  int edge = cut;
  for (int k = 0; k <= turned; ++k) {
    Node& here = node(ways.a[k]);
    erase_value(node(here.parent).children, ways.a[k]);
    here.parent = std::exchange(up, ways.a[k]);
    edge = std::exchange(here.edge, edge);
    node(here.parent).children.push_back(ways.a[k]);
  }
  // 4. From the new leaves to where the ways meet. A loop that changes its number of equations is felt wherever it
  // passes, which may be anywhere.
  if (update_planar(passing)) return evaluate_all();
  for (int k = turned; k >= 0; --k) evaluate(ways.a[k]);
  for (const int v : ways.b) evaluate(v);
  for (std::size_t k = turned + 1; k < ways.a.size(); ++k) evaluate(ways.a[k]);
  evaluate(ways.top);
  update_ways_above(ways.top);
}

// True if the equations of any of these loops have changed.
bool TimeTree::update_planar(std::span<const int> loops) {
  if (!any_planar_ || all_planar_) return false;
  bool changed = false;
  for (const int loop : loops) {
    const bool planar = find_planar(loop);
    if (planar == (planar_[loop] != 0)) continue;
    saved_loops_.push_back({loop, planar_[loop], equations_[loop]});
    set_planar(loop, planar);
    changed = true;
  }
  return changed;
}

void TimeTree::evaluate_all() {
  std::vector<char> is_saved(nodes_.size(), 0);
  for (const auto& [vertex, before] : saved_nodes_) is_saved[vertex] = 1;
  std::vector<int> order = {world_};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Node& here = node(order[k]);
    order.insert(order.end(), here.children.begin(), here.children.end());
    if (is_saved[order[k]] == 0) save(order[k]);
  }
  for (auto v = order.rbegin(); v != order.rend(); ++v) evaluate(*v);
}

void TimeTree::update_ways_above(int vertex) {
  while (vertex != world_) {
    vertex = node(vertex).parent;
    saved_ways_.emplace_back(vertex, node(vertex).way);
    // Another branch is longer: nothing changes above.
    if (!update_way(vertex)) return;
  }
}

void TimeTree::move_root(int child) {
  begin_change();
  const int root = node(child).parent;
  // A floating root has six coordinates, its child those of the joint between them: the two change places, nothing
  // else.
  for (const int v : {child, root, world_}) save(v);
  erase_value(node(root).children, child);
  erase_value(node(world_).children, root);
  node(root).parent = child;
  node(root).edge = std::exchange(node(child).edge, -1);
  node(child).parent = world_;
  node(child).children.push_back(root);
  node(world_).children.push_back(child);
  for (const int v : {root, child, world_}) evaluate(v);
}

void TimeTree::undo() {
  // No vertex is in both lists: ways are saved above the loop only, whole nodes on it.
  for (auto& [vertex, way] : saved_ways_) node(vertex).way = way;
  for (auto& [vertex, before] : saved_nodes_) node(vertex) = std::move(before);
  // Backwards: a loop that was saved twice ends as it was first.
  for (auto saved = saved_loops_.rbegin(); saved != saved_loops_.rend(); ++saved) {
    planar_[saved->loop] = saved->planar;
    equations_[saved->loop] = saved->equations;
  }
  work_ = saved_work_;
  begin_change();
}

}  // namespace espalier::plan::detail

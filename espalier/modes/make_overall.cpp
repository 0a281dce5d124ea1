#include <algorithm>

#include "espalier/modes/transfer.hpp"

namespace espalier::modes {
namespace {

using Kind = OverallUnknown::Kind;

enum class Role { kTree, kSupport, kBetweenSupports, kCut };

bool is_support(const Vertex& vertex) { return vertex.moves == Directions{}; }

std::vector<int> states_of(const std::vector<int>& displacements) {
  std::vector<int> states = displacements;
  for (const int d : displacements) states.push_back(force_row(d));
  std::sort(states.begin(), states.end());
  return states;
}

// Steps of the construction:
//   1. directions in use, and what each element is for the tree
//   2. for each part of the structure: its root, and its vertices with children first
//   3. inputs of each vertex, and the unknowns they bring
//   4. columns of the unknowns
struct Builder {
  const Structure& structure;
  const Tree& tree;
  OverallEquation out;
  std::vector<Role> role;                  // by element
  std::vector<std::vector<int>> incident;  // by vertex: elements; one that ends twice there stands twice
  std::vector<int> position;               // by vertex: in out.vertices, -1 before it is placed

  Builder(const Structure& s, const Tree& t) : structure(s), tree(t) {}

  void find_directions();
  void find_roles();
  Result<std::vector<int>> local_directions(const Element& element) const;
  Result<int> add_step(int element, bool forward);
  int add_unknown(OverallUnknown unknown);
  int degree(int vertex) const { return static_cast<int>(incident[vertex].size()); }
  int other_end(int element, int vertex) const;
  std::vector<int> part_of(int root) const;
  std::pair<int, int> root_boundary(const std::vector<int>& part) const;
  Result<int> place(int vertex, int to_parent, int root_support);
  Result<bool> add_inputs(OverallVertex& at, int element, int to_parent, int root_support);
  Result<bool> add_cut(OverallVertex& at, int element);
  void add_vertex_laws(OverallVertex& at);
  Result<bool> add_part(int root);
  Result<bool> add_lone_element(int element);
  void number_columns();
};

void Builder::find_directions() {
  Directions used{};
  for (const Vertex& vertex : structure.vertices) {
    for (int d = 0; d < 6; ++d) used[d] = used[d] || vertex.moves[d];
  }
  for (int d = 0; d < 6; ++d) {
    if (used[d]) out.displacements.push_back(d);
  }
  out.states = states_of(out.displacements);
}

void Builder::find_roles() {
  role.assign(structure.elements.size(), Role::kCut);
  incident.resize(structure.vertices.size());
  position.assign(structure.vertices.size(), -1);
  for (int e = 0; e < static_cast<int>(structure.elements.size()); ++e) {
    int supports = 0;
    for (const int v : structure.elements[e].vertex) {
      incident[v].push_back(e);
      supports += is_support(structure.vertices[v]) ? 1 : 0;
    }
    // Supports are no vertices of the tree: what holds to them is a boundary of its own.
    if (supports > 0) role[e] = supports == 1 ? Role::kSupport : Role::kBetweenSupports;
  }
  // Last, since an element of the tree is nothing else beside.
  for (const int e : tree.element) {
    if (e >= 0) role[e] = Role::kTree;
  }
}

// Local directions that the directions in use move. The others stand still, so nothing may couple them.
Result<std::vector<int>> Builder::local_directions(const Element& element) const {
  std::vector<int> local;
  bool coupled = false;
  const auto in_use = [this](int d) {
    return std::find(out.displacements.begin(), out.displacements.end(), d) != out.displacements.end();
  };
  const double small = 1e-9;
  for (int l = 0; l < 6; ++l) {
    double inside = 0, outside = 0;
    for (const Matrix6& map : element.to_local) {
      // A local direction may be used in part at one end alone.
      for (int d = 0; d < 6; ++d) (in_use(d) ? inside : outside) += std::abs(map(l, d));
    }
    if (inside <= small) continue;
    local.push_back(l);
    coupled = coupled || outside > small;
  }
  const auto has = [&](int l) { return std::find(local.begin(), local.end(), l) != local.end(); };
  const Beam* beam = std::get_if<Beam>(&element.law);
  coupled = coupled || local.size() != out.displacements.size();
  // Displacement and rotation of a bending plane belong together: half of them has no transfer matrix.
  const bool half_bending = beam && ((beam->bend_y && has(1) != has(5)) || (beam->bend_z && has(2) != has(4)));
  if (coupled || half_bending) {
    return make_error(ErrorCode::kUnsupported, {},
                      "element '" + element.name +
                          "' couples directions that move with others that do not; the overall transfer equation has "
                          "no place for them: let all of them move, or use another method");
  }
  return local;
}

// A beam need not be evaluated in the directions that are not in use.
void leave_out(Beam& beam, const std::vector<int>& local) {
  const auto has = [&](int l) { return std::find(local.begin(), local.end(), l) != local.end(); };
  beam.axial = beam.axial && has(0);
  beam.torsion = beam.torsion && has(3);
  beam.bend_y = beam.bend_y && has(1);
  beam.bend_z = beam.bend_z && has(2);
}

// The way back through an element undoes the way forth; forces change their sign, which enter and leave see to.
void reverse(Beam& beam) { beam.length = -beam.length; }
void reverse(Hinge& hinge) {
  for (int d = 0; d < 6; ++d) {
    hinge.stiffness[d] = -hinge.stiffness[d];
    hinge.damping[d] = -hinge.damping[d];
  }
}

Result<int> Builder::add_step(int element_index, bool forward) {
  const Element& element = structure.elements[element_index];
  const Result<std::vector<int>> local = local_directions(element);
  ESPALIER_TRY(local);
  OverallStep step;
  step.law = element.law;
  if (Beam* beam = std::get_if<Beam>(&step.law)) leave_out(*beam, *local);
  step.local = states_of(*local);
  // Only states in use: the matrix is as small as the structure's own motions allow.
  step.enter = port_transfer(element.to_local[forward ? 0 : 1])(step.local, out.states);
  step.leave = port_transfer_back(element.to_local[forward ? 1 : 0])(out.states, step.local);
  if (!forward) {
    std::visit([](auto& law) { reverse(law); }, step.law);
    const auto n = static_cast<Eigen::Index>(local->size());
    // Towards the root is against the element here, and what lies ahead lies behind.
    step.enter.bottomRows(n) *= -1;
    step.leave.rightCols(n) *= -1;
  }
  const Directions free = released(element);
  for (const int l : *local) {
    // A released direction has a jump of its own and an equation for its force.
    if (!free[l]) continue;
    step.releases.push_back(add_unknown({Kind::kRelease, false, -1, element_index, l, 0, 1}));
    ++out.releases;
  }
  out.steps.push_back(std::move(step));
  return static_cast<int>(out.steps.size()) - 1;
}

int Builder::add_unknown(OverallUnknown unknown) {
  const int n = static_cast<int>(out.displacements.size());
  // Of a boundary half of the states is known, of a cut none.
  if (unknown.count == 0) unknown.count = unknown.kind == Kind::kCut ? 2 * n : n;
  if (unknown.kind == Kind::kRoot || unknown.kind == Kind::kTip) ++out.boundaries;
  out.unknowns.push_back(unknown);
  return static_cast<int>(out.unknowns.size()) - 1;
}

int Builder::other_end(int element, int vertex) const {
  const std::array<int, 2>& ends = structure.elements[element].vertex;
  return ends[0] == vertex ? ends[1] : ends[0];
}

// All vertices that the tree connects with one, from there outwards.
std::vector<int> Builder::part_of(int root) const {
  std::vector<int> part = {root};
  std::vector<bool> seen(structure.vertices.size(), false);
  seen[root] = true;
  for (std::size_t k = 0; k < part.size(); ++k) {
    for (const int e : incident[part[k]]) {
      const int next = other_end(e, part[k]);
      if (role[e] != Role::kTree || seen[next]) continue;
      seen[next] = true;
      part.push_back(next);
    }
  }
  return part;
}

// The vertex at which the states end, and the element behind which its support is; -1: at a free end.
std::pair<int, int> Builder::root_boundary(const std::vector<int>& part) const {
  std::vector<int> order = part;  // the tree's root first, then by number
  std::sort(order.begin() + 1, order.end());
  for (const int v : order) {
    // A free end or a support as root saves the unknowns of one boundary.
    if (degree(v) <= 1) return {v, -1};
    for (const int e : incident[v]) {
      if (role[e] == Role::kSupport) return {v, e};
    }
  }
  return {part[0], -1};
}

// The state where the loop is opened enters the element, and vertex 0 from behind.
Result<bool> Builder::add_cut(OverallVertex& at, int element) {
  // Its two ends are met one after the other; the first brings the unknown.
  const auto known = std::find_if(out.unknowns.begin(), out.unknowns.end(), [&](const OverallUnknown& u) {
    return u.kind == Kind::kCut && u.element == element;
  });
  int unknown = static_cast<int>(known - out.unknowns.begin());
  const bool first_meeting = known == out.unknowns.end();
  // Both sides of the cut have the same state, so one set of unknowns is enough.
  if (first_meeting) {
    unknown = add_unknown({Kind::kCut, false, -1, element, -1, 0, 0});
    ++out.loops;
  }
  const std::array<int, 2>& ends = structure.elements[element].vertex;
  const bool opposite = ends[0] == at.vertex && (ends[1] != at.vertex || first_meeting);
  int step = -1;
  if (!opposite) {
    const Result<int> added = add_step(element, true);
    ESPALIER_TRY(added);
    step = *added;
  }
  at.inputs.push_back({-1, unknown, step, opposite});
  return true;
}

Result<bool> Builder::add_inputs(OverallVertex& at, int element, int to_parent, int root_support) {
  // States leave by these two.
  if (element == to_parent || element == root_support) return true;
  if (role[element] == Role::kCut) return add_cut(at, element);
  OverallInput input;
  const int from = other_end(element, at.vertex);
  if (role[element] == Role::kSupport) {
    // A support behind the element: displacements 0, forces unknown.
    input.unknown = add_unknown({Kind::kTip, true, from, element, -1, 0, 0});
  } else {
    input.child = position[from];
  }
  const Result<int> step = add_step(element, structure.elements[element].vertex[0] == from);
  ESPALIER_TRY(step);
  input.step = *step;
  at.inputs.push_back(input);
  return true;
}

void Builder::add_vertex_laws(OverallVertex& at) {
  const Vertex& vertex = structure.vertices[at.vertex];
  const int n = static_cast<int>(out.displacements.size());
  at.mass = at.damping = at.stiffness = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    const int state = out.states[n + i];
    // Moments and forces stand in the state in the order of [Rui14], not in that of the displacements.
    const int d = state < 9 ? state - 3 : state - 9;  // on which this force does work
    for (int j = 0; j < n; ++j) {
      const int k = out.displacements[j];
      at.mass(i, j) = force_sign(d) * vertex.mass(d, k);
      at.damping(i, j) = force_sign(d) * vertex.damping(d, k);
      at.stiffness(i, j) = force_sign(d) * vertex.stiffness(d, k);
    }
  }
  for (const int d : out.displacements) {
    if (vertex.moves[d]) continue;
    at.restraints.push_back(add_unknown({Kind::kRestraint, false, at.vertex, -1, d, 0, 1}));
    ++out.restraints;
  }
}

Result<int> Builder::place(int vertex, int to_parent, int root_support) {
  OverallVertex at;
  at.vertex = vertex;
  // The root that ends freely has its boundary already, that of the root.
  const bool free_root = to_parent < 0 && root_support < 0;
  if (degree(vertex) == 0 || (degree(vertex) == 1 && !free_root)) {
    at.inputs.push_back({-1, add_unknown({Kind::kTip, false, vertex, -1, -1, 0, 0}), -1, false});
  }
  for (const int e : incident[vertex]) {
    const Result<bool> added = add_inputs(at, e, to_parent, root_support);
    ESPALIER_TRY(added);
  }
  add_vertex_laws(at);
  position[vertex] = static_cast<int>(out.vertices.size());
  out.vertices.push_back(std::move(at));
  return position[vertex];
}

Result<bool> Builder::add_part(int tree_root) {
  const auto [root, support] = root_boundary(part_of(tree_root));
  const int boundary = support >= 0 ? other_end(support, root) : root;
  const int unknown = add_unknown({Kind::kRoot, support >= 0, boundary, support, -1, 0, 0});
  const std::vector<int> outwards = part_of(root);
  std::vector<int> to_parent(structure.vertices.size(), -1);
  std::vector<bool> seen(structure.vertices.size(), false);
  for (const int v : outwards) {
    seen[v] = true;
    for (const int e : incident[v]) {
      if (role[e] == Role::kTree && !seen[other_end(e, v)]) to_parent[other_end(e, v)] = e;
    }
  }
  // 2 and 3. From the tips to the root: inputs of a vertex are placed before it.
  for (auto v = outwards.rbegin(); v != outwards.rend(); ++v) {
    const Result<int> placed = place(*v, to_parent[*v], *v == root ? support : -1);
    ESPALIER_TRY(placed);
  }
  out.vertices.back().root = unknown;
  if (support >= 0) {
    const Result<int> step = add_step(support, structure.elements[support].vertex[0] == root);
    ESPALIER_TRY(step);
    out.vertices.back().root_step = *step;
  }
  return true;
}

// An element between two supports is a part of its own; its second support stands for the vertex.
Result<bool> Builder::add_lone_element(int element) {
  const std::array<int, 2>& ends = structure.elements[element].vertex;
  OverallVertex at;
  at.vertex = ends[1];
  const auto n = static_cast<Eigen::Index>(out.displacements.size());
  at.mass = at.damping = at.stiffness = Eigen::MatrixXd::Zero(n, n);
  at.root = add_unknown({Kind::kRoot, true, ends[1], element, -1, 0, 0});
  // It has no vertex between its supports, and therefore no law of one.
  const int tip = add_unknown({Kind::kTip, true, ends[0], element, -1, 0, 0});
  const Result<int> step = add_step(element, true);
  ESPALIER_TRY(step);
  at.inputs.push_back({-1, tip, *step, false});
  out.vertices.push_back(std::move(at));
  return true;
}

void Builder::number_columns() {
  // 4. By kind, so that the unknowns of all boundaries stand together.
  for (const Kind kind : {Kind::kRoot, Kind::kTip, Kind::kCut, Kind::kRelease, Kind::kRestraint}) {
    for (OverallUnknown& unknown : out.unknowns) {
      if (unknown.kind != kind) continue;
      unknown.first = out.order;
      out.order += unknown.count;
    }
  }
}

}  // namespace

Result<OverallEquation> make_overall(const Structure& structure, const Tree& tree) {
  Builder builder(structure, tree);
  // 1.
  builder.find_directions();
  builder.find_roles();
  for (int v = 0; v < static_cast<int>(structure.vertices.size()); ++v) {
    // Only roots: the others are placed on the way to theirs.
    if (is_support(structure.vertices[v]) || tree.parent[v] >= 0) continue;
    const Result<bool> added = builder.add_part(v);
    ESPALIER_TRY(added);
  }
  for (int e = 0; e < static_cast<int>(structure.elements.size()); ++e) {
    if (builder.role[e] != Role::kBetweenSupports) continue;
    const Result<bool> added = builder.add_lone_element(e);
    ESPALIER_TRY(added);
  }
  builder.number_columns();
  return std::move(builder.out);
}

}  // namespace espalier::modes

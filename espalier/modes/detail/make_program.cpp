#include "espalier/modes/detail/make_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/modes/detail/beam_fields.hpp"
#include "espalier/modes/detail/beam_law.hpp"
#include "espalier/modes/detail/both.hpp"
#include "espalier/modes/detail/drafts.hpp"
#include "espalier/modes/detail/idle_fields.hpp"
#include "espalier/modes/detail/pass_rows.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// From a structure on its tree to the program of its pass:
//   1. a draft for each moving vertex
//   2. elements become hops to a parent, parts of a vertex, or loops, whose beams are cut in the middle
//   3. drafts in the order of the pass, children before parents
//   4. coordinates of each vertex, and how the element to its parent sees them
//   5. rows of the loops
//   6. steps: vertices that only two elements hold are passed on the way between others
//   7. rows that are implied by others are dropped, and each closes where it is independent (pass_rows.cpp)
class Maker {
 public:
  Maker(const Structure& structure, const Tree& tree, double largest_s, bool precise)
      : structure_(without_idle_fields(structure)),
        tree_(tree),
        largest_s_(largest_s),
        unit_(structure.length_unit),
        precise_(precise),
        both_(precise) {
    scale_ = Matrix6::Identity();
    scale_.bottomRightCorner<3, 3>() *= unit_;
    unscale_ = Matrix6::Identity();
    unscale_.bottomRightCorner<3, 3>() /= unit_;
  }

  Result<PassProgram> make() {
    // 1 to 3 settle who is attached to whom, before any matrix is known.
    make_drafts();
    hang_elements();
    order_steps();
    // 4. Far ends come second: they need the coordinates of the parent, which is finished later.
    for (Draft& draft : drafts_) finish(draft);
    for (Draft& draft : drafts_) finish_far_end(draft);
    program_.length_unit = unit_;
    program_.row_stiffness = typical_stiffness(drafts_);
    make_rows();
    // 6 and 7.
    const std::vector<int> owner = make_steps();
    return settle_rows(structure_, largest_s_, std::move(program_), row_motions(owner));
  }

 private:
  struct Loop {  // an element that closes one
    int element = -1;
    std::array<int, 2> draft = {-1, -1};
    std::array<Matrix6, 2> to_local;
  };

  bool is_support(int vertex) const {
    const Directions& moves = structure_.vertices[to_index(vertex)].moves;
    return std::none_of(moves.begin(), moves.end(), [](bool m) { return m; });
  }

  // 1. A draft for each moving vertex; joints to the ground are part of it.
  void make_drafts() {
    draft_of_.assign(structure_.vertices.size(), -1);
    for (int v = 0; v < static_cast<int>(structure_.vertices.size()); ++v) {
      // The ground has no coordinates; what holds a vertex to it is part of that vertex.
      if (is_support(v)) continue;
      const Vertex& vertex = structure_.vertices[to_index(v)];
      draft_of_[to_index(v)] = static_cast<int>(drafts_.size());
      Draft draft;
      draft.step.vertex = v;
      draft.moves = MatrixXd::Zero(6, std::count(vertex.moves.begin(), vertex.moves.end(), true));
      Index column = 0;
      for (Index k = 0; k < 6; ++k) {
        if (vertex.moves[to_index(k)]) draft.moves(k, column++) = 1;
      }
      draft.held = MatrixXd::Zero(0, 6);
      draft.mass = MatrixXd(vertex.mass);
      draft.stiffness = MatrixXd(vertex.stiffness);
      draft.damping = MatrixXd(vertex.damping);
      drafts_.push_back(std::move(draft));
    }
  }

  Draft& draft_of(int vertex) { return drafts_[to_index(draft_of_[to_index(vertex)])]; }

  int add_virtual(const MatrixXd& moves) {
    Draft draft;
    draft.moves = moves;
    draft.held = MatrixXd::Zero(0, 6);
    drafts_.push_back(std::move(draft));
    return static_cast<int>(drafts_.size()) - 1;
  }

  // 2. Elements become hops to a parent, parts of a vertex, or loops.
  void hang_elements() {
    for (int e = 0; e < static_cast<int>(structure_.elements.size()); ++e) {
      const Element& element = structure_.elements[to_index(e)];
      const bool fixed0 = is_support(element.vertex[0]), fixed1 = is_support(element.vertex[1]);
      if (std::holds_alternative<Hinge>(element.law)) {
        // A hinge between two supports moves nothing.
        if (fixed0 && fixed1) continue;
        if (fixed0 || fixed1) {
          hold(element, fixed0 ? 1 : 0);
        } else {
          hang(e);
        }
      } else if (fixed0 && fixed1) {
        // A beam between supports vibrates by itself and belongs to no tree of moving vertices.
        hang_between_supports(e);
      } else if (fixed0 || fixed1) {
        hang_support(e, fixed0 ? 0 : 1);
      } else {
        hang(e);
      }
    }
  }

  void hold(const Element& element, int end) {
    const Hinge& hinge = std::get<Hinge>(element.law);
    Draft& draft = draft_of(element.vertex[to_index(end)]);
    const Matrix6& to_local = element.to_local[to_index(end)];
    for (Index k = 0; k < 6; ++k) {
      const auto i = to_index(k);
      if (hinge.kind[i] == Hinge::Kind::kReleased) continue;
      const Eigen::Matrix<double, 1, 6> row = to_local.row(k);
      if (hinge.kind[i] == Hinge::Kind::kRigid) {
        // Rotations are lengths here, so that one threshold tells rigid rows apart whatever their directions.
        add_row(scale_(k, k) * row * unscale_, draft.held);
      } else {
        both_.add_square(hinge.stiffness[i], row, draft.stiffness);
        both_.add_square(hinge.damping[i], row, draft.damping);
      }
    }
  }
  static void add_row(const Eigen::RowVectorXd& row, MatrixXd& rows) {
    rows.conservativeResize(rows.rows() + 1, 6);
    rows.bottomRows(1) = row;
  }

  void hang(int e) {
    const Element& element = structure_.elements[to_index(e)];
    for (std::size_t end = 0; end < 2; ++end) {
      const auto child = to_index(element.vertex[end]);
      // Not in the tree of this end; an element of neither end's tree closes a loop.
      if (tree_.element[child] != e || tree_.parent[child] != element.vertex[1 - end]) continue;
      join(draft_of_[child], draft_of_[to_index(element.vertex[1 - end])], e, static_cast<int>(end));
      return;
    }
    // A hinge from a vertex to itself holds what is rigid anyway.
    if (element.vertex[0] == element.vertex[1] && std::holds_alternative<Hinge>(element.law)) return;
    Loop loop;
    loop.element = e;
    loop.draft = {draft_of_[to_index(element.vertex[0])], draft_of_[to_index(element.vertex[1])]};
    if (std::holds_alternative<Hinge>(element.law)) {
      loop.to_local = element.to_local;
    } else {
      // Each half stays on its end, which it may be alone to hold; what is cut is the weld between them.
      for (const std::size_t end : {0, 1}) {
        const int tip = add_virtual(element_moves(element));
        join(tip, loop.draft[end], e, end == 0 ? 1 : 0, true);
        drafts_[to_index(tip)].hop.beam = make_beam_law(std::get<Beam>(element.law), 0.5, unit_, largest_s_);
        loop.draft[end] = tip;
      }
      // Both tips live in the axes of the beam.
      loop.to_local.fill(Matrix6::Identity());
    }
    loops_.push_back(loop);
  }

  // The motions that the beam itself can make, in its own axes.
  MatrixXd element_moves(const Element& element) const {
    const std::vector<int> rows = beam_rows(std::get<Beam>(element.law));
    MatrixXd moves = MatrixXd::Zero(6, static_cast<Index>(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) moves(rows[k], static_cast<Index>(k)) = 1;
    return moves;
  }

  void hang_support(int e, int end) {
    const Element& element = structure_.elements[to_index(e)];
    // A leaf without coordinates: the frame of its element then starts with e = 0 and any force.
    const int support = add_virtual(MatrixXd::Zero(6, 0));
    join(support, draft_of_[to_index(element.vertex[to_index(1 - end)])], e, end);
  }

  // A beam that is held at both ends has a vertex in its middle.
  void hang_between_supports(int e) {
    const Element& element = structure_.elements[to_index(e)];
    const int middle = add_virtual(element_moves(element));
    for (int end = 0; end < 2; ++end) {
      const int support = add_virtual(MatrixXd::Zero(6, 0));
      join(support, middle, e, end, false, true);
    }
  }

  // `child` hangs on `parent` by an element whose end `end` it is. Virtual ends have the element's own axes.
  void join(int child, int parent, int e, int end, bool tip = false, bool half = false) {
    const Element& element = structure_.elements[to_index(e)];
    Draft& draft = drafts_[to_index(child)];
    draft.step.parent = parent;
    draft.hop.element = e;
    draft.reversed = end == 1;
    draft.hop.is_beam = std::holds_alternative<Beam>(element.law);
    Matrix6 near = element.to_local[to_index(end)];
    Matrix6 far = element.to_local[to_index(1 - end)];
    // A virtual vertex has no axes of its own, so it takes those of the element.
    if (tip || draft.step.vertex < 0) near = Matrix6::Identity();
    if (half) far = Matrix6::Identity();
    near_far_.resize(std::max(near_far_.size(), drafts_.size()));
    near_far_[to_index(child)] = {near, far};
    if (draft.hop.is_beam) {
      draft.hop.beam = make_beam_law(std::get<Beam>(element.law), half ? 0.5 : 1, unit_, largest_s_);
    }
    drafts_[to_index(parent)].children.push_back(child);
  }

  // 3. Children before parents.
  void order_steps() {
    std::vector<int> order, stack;
    for (int d = 0; d < static_cast<int>(drafts_.size()); ++d) {
      if (drafts_[to_index(d)].step.parent < 0) stack.push_back(d);
    }
    // The lowest root first: the order is that of the vertices wherever the tree leaves a choice.
    std::reverse(stack.begin(), stack.end());
    // Parents first, then turned round: a child's subtree stays together.
    while (!stack.empty()) {
      const int d = stack.back();
      stack.pop_back();
      order.push_back(d);
      for (const int child : drafts_[to_index(d)].children) stack.push_back(child);
    }
    std::reverse(order.begin(), order.end());
    std::vector<int> place(drafts_.size());
    // Everything that names a draft by number is renamed with it.
    for (std::size_t k = 0; k < order.size(); ++k) place[to_index(order[k])] = static_cast<int>(k);
    std::vector<Draft> sorted;
    std::vector<std::pair<Matrix6, Matrix6>> maps;
    near_far_.resize(drafts_.size());
    for (const int d : order) {
      sorted.push_back(std::move(drafts_[to_index(d)]));
      maps.push_back(near_far_[to_index(d)]);
      int& parent = sorted.back().step.parent;
      if (parent >= 0) parent = place[to_index(parent)];
    }
    for (Loop& loop : loops_) {
      for (int& d : loop.draft) d = place[to_index(d)];
    }
    drafts_ = std::move(sorted);
    near_far_ = std::move(maps);
  }

  // 4. The coordinates of a vertex, and how the element to its parent sees them. Where rigid rows of a hinge find
  // nothing that could follow, they hold the parent.
  void finish(Draft& draft) {
    Step& step = draft.step;
    const MatrixXd held = draft.held * draft.moves;
    const Split free = split(held);
    draft.basis = draft.moves * free.right.rightCols(draft.moves.cols() - free.rank);
    // What rigid joints to the ground take away is no coordinate at all: nothing is eliminated for it in the pass.
    step.d = static_cast<int>(draft.basis.cols());
    // Masses and springs are in SI units, and in double-double their products keep all digits.
    const MatrixXd physical = unscale_ * draft.basis;
    step.basis = store(physical);
    step.mass = store(both_.congruent(physical, draft.mass));
    step.stiffness = store(both_.congruent(physical, draft.stiffness));
    step.damping = store(both_.congruent(physical, draft.damping));
    if (step.parent < 0) return;
    const Ends ends = draft.hop.is_beam ? beam_ends(draft) : hinge_ends(draft);
    step.n = static_cast<int>(ends.near.rows());
    draft.ahead = ends.far;
    draft.near = ends.near * draft.basis;
    see(draft);
  }

  std::size_t number_of(const Draft& draft) const { return to_index(&draft - drafts_.data()); }

  Ends scaled_ends(const Draft& draft) const {
    const auto& [near, far] = near_far_[number_of(draft)];
    // A virtual vertex lives in the element's axes, scaled already.
    return {draft.step.vertex < 0 ? MatrixXd(near) : MatrixXd(scale_ * near * unscale_),
            drafts_[to_index(draft.step.parent)].step.vertex < 0 ? MatrixXd(far) : MatrixXd(scale_ * far * unscale_)};
  }

  Ends beam_ends(const Draft& draft) const {
    const Beam& beam = std::get<Beam>(structure_.elements[to_index(draft.hop.element)].law);
    const std::vector<int> rows = beam_rows(beam);
    const Ends all = scaled_ends(draft);
    Ends ends{MatrixXd(rows.size(), 6), MatrixXd(rows.size(), 6)};
    // Seen from its other end a beam is turned about its y axis.
    constexpr std::array<double, 6> kReversed = {-1, 1, -1, -1, 1, -1};
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double sign = draft.reversed ? kReversed[to_index(rows[k])] : 1;
      ends.near.row(static_cast<Index>(k)) = sign * all.near.row(rows[k]);
      ends.far.row(static_cast<Index>(k)) = sign * all.far.row(rows[k]);
    }
    return ends;
  }

  Ends hinge_ends(Draft& draft) {
    const Hinge& hinge = std::get<Hinge>(structure_.elements[to_index(draft.hop.element)].law);
    const Ends all = scaled_ends(draft);
    std::vector<Index> elastic, rigid;
    for (Index k = 0; k < 6; ++k) {
      const Hinge::Kind kind = hinge.kind[to_index(k)];
      if (kind == Hinge::Kind::kElastic) elastic.push_back(k);
      if (kind == Hinge::Kind::kRigid) rigid.push_back(k);
    }
    const MatrixXd near = all.near(rigid, Eigen::all), far = all.far(rigid, Eigen::all);
    // Rigid rows that the vertex cannot follow, whatever its coordinates, are conditions on the other end alone.
    const Split follow = split(near * draft.basis);
    const MatrixXd keep = follow.left.leftCols(follow.rank).transpose();
    const MatrixXd lost = follow.left.rightCols(follow.left.cols() - follow.rank).transpose() * far;
    MatrixXd& above = drafts_[to_index(draft.step.parent)].held;
    for (Index k = 0; k < lost.rows(); ++k) {
      if (lost.row(k).norm() > kSame) add_row(lost.row(k), above);
    }
    HingeLaw& law = draft.hop.hinge;
    law.elastic = static_cast<int>(elastic.size());
    for (const Index k : elastic) {
      // In scaled directions a couple per rotation is a force per length.
      const double u = k < 3 ? 1 : unit_ * unit_;
      law.stiffness.push_back(hinge.stiffness[to_index(k)] / u);
      law.damping.push_back(hinge.damping[to_index(k)] / u);
    }
    // Rigid rows come after the elastic ones, with a stiffness that nobody reads.
    law.stiffness.resize(law.stiffness.size() + to_index(keep.rows()));
    law.damping.resize(law.stiffness.size());
    Ends ends{MatrixXd(law.stiffness.size(), 6), MatrixXd(law.stiffness.size(), 6)};
    ends.near << all.near(elastic, Eigen::all), keep * near;
    ends.far << all.far(elastic, Eigen::all), keep * far;
    return ends;
  }

  void see(Draft& draft) {
    Step& step = draft.step;
    const MatrixXd& end = draft.near;
    const Split seen = split(end);
    step.seen = seen.rank;
    // Coordinates need no turning where the element sees all of them, and rounding none.
    const bool all = step.seen == step.d;
    step.axes = store(all ? MatrixXd::Identity(step.d, step.d) : seen.right);
    const MatrixXd into = all ? end : MatrixXd(end * seen.right.leftCols(step.seen));
    step.into = store(into);
    // Forces go the other way than displacements: their map is the transposed inverse.
    step.load = store(both_.dual_basis(into));
    step.reaction = store(both_.kernel_of_transposed(into, seen.left.rightCols(step.n - step.seen)));
    step.free = step.seen;
    // Of a beam all directions are elastic, so nothing is held rigidly.
    if (draft.hop.is_beam) return;
    const MatrixXd held = into.bottomRows(step.n - draft.hop.hinge.elastic);
    const Split rigid = split(held);
    step.free = step.seen - rigid.rank;
    step.free_basis = store(both_.kernel_of_transposed(held.transpose(), rigid.right.rightCols(step.free)));
  }

  void finish_far_end(Draft& draft) {
    if (draft.step.parent < 0) return;
    draft.onto = draft.ahead * drafts_[to_index(draft.step.parent)].basis;
    draft.step.onto = store(draft.onto);
  }

  // Row by row.
  Offset store(const Both& matrix) {
    const Offset at = program_.constants.size();
    const bool has_low = matrix.low.size() > 0;
    for (Index i = 0; i < matrix.high.rows(); ++i) {
      for (Index j = 0; j < matrix.high.cols(); ++j) {
        program_.constants.push_back(matrix.high(i, j));
        if (precise_) program_.constants_low.push_back(has_low ? matrix.low(i, j) : 0);
      }
    }
    return at;
  }

  // 5. Rows of the loops.
  void make_rows() {
    for (const Loop& loop : loops_) {
      const Element& element = structure_.elements[to_index(loop.element)];
      const Hinge* hinge = std::get_if<Hinge>(&element.law);
      std::vector<int> rows = {0, 1, 2, 3, 4, 5};
      // The weld of the halves of a beam has a row for each direction that the beam carries.
      if (hinge == nullptr) rows = beam_rows(std::get<Beam>(element.law));
      for (const int k : rows) {
        if (hinge != nullptr && hinge->kind[to_index(k)] == Hinge::Kind::kReleased) continue;
        add_cut_row(loop, hinge, k);
      }
    }
  }

  void add_cut_row(const Loop& loop, const Hinge* hinge, int k) {
    const auto i = to_index(k);
    CutRow row;
    row.element = loop.element;
    row.rigid = hinge == nullptr || hinge->kind[i] == Hinge::Kind::kRigid;
    const double u = k < 3 ? 1 : unit_ * unit_;
    if (!row.rigid) row.stiffness = hinge->stiffness[i] / u, row.damping = hinge->damping[i] / u;
    double moves = 0;
    RigidRow rigid;
    for (std::size_t side = 0; side < 2; ++side) {
      const Draft& draft = drafts_[to_index(loop.draft[side])];
      const Matrix6 map =
          draft.step.vertex < 0 ? loop.to_local[side] : Matrix6(scale_ * loop.to_local[side] * unscale_);
      const MatrixXd along = (side == 0 ? -1 : 1) * map.row(k) * draft.basis;
      // Each side pulls the other way: what opens the cut is the difference of both displacements.
      moves = std::max(moves, along.norm());
      row.sides[side].step = loop.draft[side];
      row.sides[side].along = store(along);
      if (row.rigid && hinge != nullptr) {
        rigid.vertex[side] = loop.draft[side];
        rigid.along[side] = along;
      }
    }
    // Nothing that could open it.
    if (moves <= kSame) return;
    // A vertex where rows act is a step of its own: on the way they would have no place in a front.
    for (const int draft : loop.draft) drafts_[to_index(draft)].held_by_rows = true;
    program_.rows.push_back(row);
    rigid_rows_.push_back(std::move(rigid));
  }

  // How rigid rows depend on what the joints of the tree leave free. A weld of two halves of a beam depends on nothing
  // but their ends.
  std::vector<RowMotions> row_motions(const std::vector<int>& owner) {
    std::vector<RigidJoint> joints(drafts_.size());
    for (std::size_t k = 0; k < drafts_.size(); ++k) {
      const Draft& draft = drafts_[k];
      joints[k] = {draft.step.parent, draft.step.d, {}, {}};
      program_.motions += draft.step.d;
      if (draft.step.parent < 0 || draft.hop.is_beam) continue;
      const Index rigid = draft.step.n - draft.hop.hinge.elastic;
      joints[k].near = draft.near.bottomRows(rigid);
      joints[k].far = draft.onto.bottomRows(rigid);
      // Rigid rows of the tree are independent of each other, so each takes one motion.
      program_.motions -= static_cast<int>(rigid);
    }
    std::vector<RowMotions> motions = find_row_motions(joints, rigid_rows_);
    for (RowMotions& row : motions) {
      for (RowMotion& motion : row) motion.vertex = owner[to_index(motion.vertex)];
    }
    return motions;
  }

  // 6. Steps: a vertex that only two elements hold is passed on the way between others. Returns, by draft, the step
  // that it is or on whose way it lies.
  std::vector<int> make_steps() {
    std::vector<int> children(drafts_.size(), 0);
    for (const Draft& draft : drafts_) {
      if (draft.step.parent >= 0) ++children[to_index(draft.step.parent)];
    }
    std::vector<bool> passed(drafts_.size(), false);
    for (std::size_t k = 0; k < drafts_.size(); ++k) {
      const int parent = drafts_[k].step.parent;
      // Where ways meet, stiffnesses are summed up, which needs a front.
      if (parent >= 0 && children[to_index(parent)] == 1) {
        passed[to_index(parent)] = can_pass(drafts_[k], drafts_[to_index(parent)]);
      }
    }
    std::vector<int> step_of(drafts_.size(), -1);
    for (std::size_t k = 0; k < drafts_.size(); ++k) {
      if (passed[k]) continue;
      const auto number = static_cast<int>(program_.steps.size());
      step_of[k] = number;
      program_.steps.push_back(drafts_[k].step);
      int parent = drafts_[k].step.parent;
      if (parent >= 0) add_hops(k, passed, program_.steps.back());
      for (; parent >= 0 && passed[to_index(parent)]; parent = drafts_[to_index(parent)].step.parent) {
        step_of[to_index(parent)] = number;
      }
    }
    for (Step& step : program_.steps) {
      if (step.parent >= 0) step.parent = step_of[to_index(step.parent)];
    }
    for (CutRow& row : program_.rows) {
      for (CutRow::Side& side : row.sides) side.step = step_of[to_index(side.step)];
    }
    return step_of;
  }

  bool can_pass(const Draft& before, const Draft& vertex) const {
    const int n = before.step.n;
    if (vertex.held_by_rows || vertex.step.d != n || split(before.onto).rank != n) return false;
    if (vertex.step.parent < 0) return !carries_rows(before);
    // Rigid rows would take displacements out of the frame that its next choice may need.
    const bool soft = vertex.hop.is_beam || vertex.hop.hinge.elastic == vertex.step.n;
    return soft && vertex.step.n == n && vertex.step.seen == n;
  }

  // Loops that pass the root need it as a step.
  bool carries_rows(const Draft&) const { return !program_.rows.empty(); }

  void add_hops(std::size_t start, const std::vector<bool>& passed, Step& step) {
    step.hops.push_back(drafts_[start].hop);
    step.onto = drafts_[start].step.onto;
    const Draft* before = &drafts_[start];
    while (true) {
      step.parent = before->step.parent;
      step.onto = before->step.onto;
      if (!passed[to_index(step.parent)]) return;
      const Draft& vertex = drafts_[to_index(step.parent)];
      step.hops.push_back(make_hop(*before, vertex));
      before = &vertex;
      if (vertex.step.parent >= 0) continue;
      step.parent = -1;
      return;
    }
  }

  Hop make_hop(const Draft& before, const Draft& vertex) {
    Hop hop = vertex.hop;
    const Index n = vertex.step.d;
    // At a root the coordinates are its own.
    const MatrixXd near = vertex.step.parent < 0 ? MatrixXd(MatrixXd::Identity(n, n)) : vertex.near;
    hop.vertex = vertex.step.vertex;
    const Both physical = both_.product(MatrixXd(unscale_ * vertex.basis), both_.inverse(near));
    hop.basis = store(physical);
    const Both axes = both_.product(near, both_.inverse(before.onto));
    hop.straight = (axes.high - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff() < 1e-15;
    hop.axes = store(axes);
    hop.axes_force = store(BothOf::transposed(both_.inverse(axes)));
    hop.bare = vertex.mass.is_zero() && vertex.stiffness.is_zero() && vertex.damping.is_zero();
    hop.mass = store(both_.congruent(physical, vertex.mass));
    hop.stiffness = store(both_.congruent(physical, vertex.stiffness));
    hop.damping = store(both_.congruent(physical, vertex.damping));
    return hop;
  }

  Structure structure_;
  const Tree& tree_;
  double largest_s_;
  double unit_;
  bool precise_;
  BothOf both_;
  Matrix6 scale_, unscale_;
  std::vector<int> draft_of_;
  std::vector<Draft> drafts_;
  std::vector<std::pair<Matrix6, Matrix6>> near_far_;
  std::vector<Loop> loops_;
  std::vector<RigidRow> rigid_rows_;  // by row of the program; empty where it is not a rigid one of a hinge
  PassProgram program_;
};

}  // namespace

Result<PassProgram> make_program(const Structure& structure, const Tree& tree, double largest_s, bool precise) {
  return Maker(structure, tree, largest_s, precise).make();
}

}  // namespace espalier::modes::detail

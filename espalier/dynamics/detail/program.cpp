#include "espalier/dynamics/detail/program.hpp"

#include <algorithm>
#include <map>
#include <numbers>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/world_parts.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/plan/loop_elimination.hpp"

namespace espalier::dynamics::detail {
namespace {

Fixed fixed(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Turn<double> turn_of(const Eigen::Quaterniond& q) {
  const Eigen::Matrix3d m = q.normalized().toRotationMatrix();
  return {fixed(m.col(0)), fixed(m.col(1)), fixed(m.col(2))};
}

// A loop of the kernel: a closure or a drive, with the equations that are kept.
struct Loop {
  int row = 0;
  std::vector<int> kept;
  std::vector<Term> terms;
};

class Maker {
 public:
  Maker(const System& system, const std::vector<bool>& dropped) : system_(system), dropped_(dropped) {}

  // Phases:
  //   1. links with their joints, children and angles
  //   2. loops: closures and drives with the equations that are kept, and their places in the scratch memory
  //   3. parts of the world, so that loops that close there need not all be coupled with each other
  //   4. link by link, tips first: what is gathered and merged, which loops close (D7), which pass the joint (D6)
  //   5. tasks for threads, and blocks of M, which are set to zero before each factorisation
  Program make() {
    program_.positions = system_->position_size;
    program_.velocities = system_->velocity_size;
    for (std::size_t i = 0; i < system_->links.size(); ++i) add_link(i);
    list_children();
    list_angles();
    for (const Closure& closure : system_->closures) add_closure(closure);
    for (std::size_t d = 0; d < system_->drives.size(); ++d) add_drive(static_cast<int>(d));
    // 2 and 3.
    place_loops();
    add_parts();
    place_links();
    // 5.
    std::vector<bool> anchored;
    for (const LinkProgram& link : program_.links) anchored.push_back(link.anchored);
    program_.task_tree = plan::make_task_tree(stands_on_, anchored);
    program_.zeroed.begin = program_.scratch;
    program_.scratch += blocks_;
    program_.zeroed.end = program_.scratch;
    shift_blocks();
    return std::move(program_);
  }

 private:
  int take(int count) {
    const int at = program_.scratch;
    program_.scratch += count;
    return at;
  }

  // The link's own frame is frame B.
  math::Pose in_kernel(int link, const math::Pose& X_LF) const {
    return link == 0 ? X_LF : system_->links[to_index(link)].X_LB.inverse() * X_LF;
  }

  void add_link(std::size_t i) {
    LinkProgram out;
    out.anchored = i == 0;
    if (i > 0) {
      const Link& link = system_->links[i];
      out.parent = link.parent;
      out.type = link.type;
      out.freedom = link.freedom;
      out.q = link.position;
      out.v = link.velocity;
      // From the parent's frame B to this joint's frame A: all that the pass needs of where joints sit.
      const math::Pose X_PA = in_kernel(link.parent, link.X_LA);
      out.turn = turn_of(X_PA.rotation);
      out.turned = !X_PA.rotation.toRotationMatrix().isIdentity(0);
      out.at = fixed(X_PA.position);
      out.lead = link.pitch / (2 * std::numbers::pi);
      // About the origin of frame B, the point at which the kernel keeps a link.
      const math::Inertia inertia = math::transformed(link.X_LB.inverse(), link.inertia);
      out.mass = inertia.mass;
      out.moment = fixed(inertia.mass * inertia.com);
      const Eigen::Matrix3d about_o =
          inertia.about_com + inertia.mass * (inertia.com.squaredNorm() * Eigen::Matrix3d::Identity() -
                                              inertia.com * inertia.com.transpose());
      out.inertia = {about_o(0, 0), about_o(0, 1), about_o(0, 2), about_o(1, 1), about_o(1, 2), about_o(2, 2)};
      out.armature = link.armature;
      // S, U, D^-1 and u of the joint, (D5).
      out.joint = take(joint_scratch(link.freedom));
    }
    program_.links.push_back(out);
  }

  void list_children() {
    std::vector<std::vector<int>> children(program_.links.size());
    for (std::size_t i = 1; i < program_.links.size(); ++i)
      children[to_index(program_.links[i].parent)].push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < program_.links.size(); ++i) {
      program_.links[i].children.begin = static_cast<int>(program_.children.size());
      program_.children.insert(program_.children.end(), children[i].begin(), children[i].end());
      program_.links[i].children.end = static_cast<int>(program_.children.size());
    }
  }

  void list_angles() {
    for (std::size_t i = 1; i < program_.links.size(); ++i) {
      LinkProgram& link = program_.links[i];
      link.angle = static_cast<int>(program_.angles.size());
      const auto& [kind, quaternion, motions, rows, slides, threaded] = model::joint_row(link.type);
      for (std::size_t k = 0; quaternion < 0 && k < kind.coordinates.size(); ++k) {
        if (kind.coordinates[k] == model::CoordinateKind::kAngle)
          program_.angles.push_back(link.q + static_cast<int>(k));
      }
    }
    // Whole packs, so that sines of one state can be taken several at once.
    const int packs = (static_cast<int>(program_.angles.size()) + kLanes - 1) / kLanes;
    // Packs must begin at a multiple of their size.
    take(-program_.scratch & (kLanes - 1));
    program_.sines = take(2 * packs * kLanes);
    program_.cosines = program_.sines + packs * kLanes;
  }

  Term make_term(int a, const math::Pose& X_LA, int b, const math::Pose& X_LB) const {
    Term term;
    term.a = a;
    term.b = b;
    const math::Pose A = in_kernel(a, X_LA), B = in_kernel(b, X_LB);
    term.turn_a = turn_of(A.rotation);
    term.turn_b = turn_of(B.rotation);
    term.at_a = fixed(A.position);
    term.at_b = fixed(B.position);
    return term;
  }

  void add_closure(const Closure& closure) {
    Loop loop;
    loop.row = closure.row;
    for (int r = 0; r < closure.rows; ++r) {
      if (!dropped_[to_index(closure.row + r)]) loop.kept.push_back(r);
    }
    // All of its equations follow from others: it is no loop for the kernel.
    if (loop.kept.empty()) return;
    Term term = make_term(closure.a, closure.X_LA, closure.b, closure.X_LB);
    term.type = closure.type;
    term.lead = closure.pitch / (2 * std::numbers::pi);
    loop.terms.push_back(term);
    loops_.push_back(loop);
  }

  void add_drive(int index) {
    const Drive& drive = system_->drives[to_index(index)];
    if (dropped_[to_index(drive.row)]) return;
    Loop loop;
    loop.row = drive.row;
    loop.kept = {0};
    for (std::size_t k = 0; k < drive.terms.size(); ++k) {
      const DriveTerm& from = drive.terms[k];
      Term term = make_term(from.place.a, from.place.X_LA, from.place.b, from.place.X_LB);
      term.drive = true;
      term.slides = from.slides;
      term.ratio = from.ratio;
      term.drive_index = index;
      term.term_index = static_cast<int>(k);
      loop.terms.push_back(term);
    }
    loops_.push_back(loop);
  }

  void place_loops() {
    // Multipliers stand together, so that callers find them by loop and row.
    int lambda = 0;
    program_.lambdas.begin = program_.scratch;
    for (Loop& loop : loops_) {
      LoopProgram out;
      out.row = loop.row;
      out.rows = static_cast<int>(loop.kept.size());
      std::copy(loop.kept.begin(), loop.kept.end(), out.kept.begin());
      out.lambda = program_.lambdas.begin + lambda;
      lambda += out.rows;
      program_.loops.push_back(out);
    }
    take(lambda);
    program_.lambdas.end = program_.scratch;
    seeds_.resize(loops_.size());
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      const int rows = program_.loops[l].rows;
      program_.loops[l].first_term = static_cast<int>(program_.terms.size());
      for (Term& term : loops_[l].terms) {
        term.rows = rows;
        std::copy(loops_[l].kept.begin(), loops_[l].kept.end(), term.row.begin());
        if (term.drive) term.ratio_at = take(1);
        // Each end of a term is a seed: the rows begin there and are carried towards the root.
        term.K_a = take(6 * rows), term.k_a = take(rows);
        term.K_b = take(6 * rows), term.k_b = take(rows);
        seeds_[l].push_back({term.a, {term.K_a, term.k_a}});
        seeds_[l].push_back({term.b, {term.K_b, term.k_b}});
        program_.terms.push_back(term);
      }
    }
  }

  // Parts of the world are links behind the system's own. An end at the world goes to the part of the loop's first
  // other end: there the world is as good as anywhere.
  void add_parts() {
    const std::size_t count = program_.links.size();
    for (const LinkProgram& link : program_.links) stands_on_.push_back(link.parent);
    std::vector<std::vector<int>> ends(loops_.size());
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      for (const auto& [link, seed] : seeds_[l]) ends[l].push_back(link);
    }
    const WorldParts parts = divide_world(stands_on_, ends);
    for (std::size_t i = 1; i < count; ++i) {
      if (stands_on_[i] == 0 && parts.part_of[i] >= 0) stands_on_[i] = static_cast<int>(count) + parts.part_of[i];
    }
    // A part has no joint and no body, only loops that close in it.
    for (const int above : parts.parent) {
      LinkProgram part;
      part.anchored = true;
      program_.links.push_back(part);
      stands_on_.push_back(above < 0 ? 0 : static_cast<int>(count) + above);
    }
    for (auto& seeds : seeds_) {
      // A loop is closed where its ways meet, and at the world they meet in the part that holds them.
      int part = -1;
      for (const auto& [link, seed] : seeds) {
        if (part < 0 && link > 0) part = parts.part_of[to_index(link)];
      }
      for (auto& [link, seed] : seeds) {
        if (link == 0 && part >= 0) link = static_cast<int>(count) + part;
      }
    }
    // Who brings rows to whom: children of a link, and what stands on a part.
    standing_.resize(program_.links.size());
    for (std::size_t i = 1; i < program_.links.size(); ++i)
      standing_[to_index(stands_on_[i])].push_back(static_cast<int>(i));
  }

  // Where rows of a loop are at the link in work, and the blocks of M that are known there.
  using Key = std::pair<int, int>;

  int new_block(int rows_c, int rows_d) {
    const int at = blocks_;
    blocks_ += rows_c * rows_d;
    return at;
  }

  void place_links() {
    // Parts of the world come before what stands on them.
    const int own = static_cast<int>(system_->links.size());
    const int all = static_cast<int>(program_.links.size());
    std::vector<int> parent, order;
    for (int i = 1; i < all; ++i) parent.push_back(stands_on_[to_index(i)] - 1);
    for (int i = own; i < all; ++i) order.push_back(i - 1);
    for (int i = 1; i < own; ++i) order.push_back(i - 1);
    // Which loops close where is a question of the tree alone, and the plan answers it the same way when it counts
    // work.
    std::vector<plan::LoopEnds> ends(loops_.size());
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      ends[l].equations = program_.loops[l].rows;
      for (const auto& [link, seed] : seeds_[l]) ends[l].ends.push_back(link - 1);
    }
    elimination_ = plan::eliminate_loops(parent, order, ends);
    slots_.resize(program_.links.size());
    known_.resize(program_.links.size());
    seeds_at_.resize(program_.links.size());
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      for (const auto& [link, seed] : seeds_[l])
        seeds_at_[to_index(link)].push_back({static_cast<int>(l), seed});
    }
    // 4. Backwards through an order in which parents stand first.
    for (std::size_t k = order.size(); k-- > 0;) place_link(to_index(order[k] + 1));
    place_link(0);
  }

  void place_link(std::size_t i) {
    LinkProgram& link = program_.links[i];
    // In maps by number, so that places do not depend on any order of insertion.
    std::map<int, Source> here;  // by loop: K, k at this link
    gather(i, here);
    std::map<Key, int> blocks;  // by pair of loops, the lower first: M at this link
    merge(i, blocks);
    // The elimination numbers links without the world, and the world last.
    const std::size_t vertex = i == 0 ? program_.links.size() - 1 : i - 1;
    link.closes.begin = static_cast<int>(program_.closes.size());
    for (const int loop : elimination_.closing[vertex]) close(loop, link.anchored, here, blocks);
    link.closes.end = static_cast<int>(program_.closes.size());
    link.anchored ? hand_on(i, elimination_.open[vertex], here, blocks)
                  : pass(i, elimination_.open[vertex], here, blocks);
  }

  // Rows of each loop with an end here: those that begin at this link and those that its children bring.
  void gather(std::size_t i, std::map<int, Source>& here) {
    std::map<int, std::vector<Source>> sources;
    for (const auto& [loop, seed] : seeds_at_[i]) sources[loop].push_back(seed);
    LinkProgram& link = program_.links[i];
    for (const int child : standing_[i]) {
      for (const auto& [loop, slot] : slots_[to_index(child)]) sources[loop].push_back(slot);
    }
    link.gathers.begin = static_cast<int>(program_.gathers.size());
    for (const auto& [loop, list] : sources) {
      if (list.size() == 1) {
        here[loop] = list.front();
        continue;
      }
      const int rows = program_.loops[to_index(loop)].rows;
      Gather out;
      out.rows = rows;
      // Only where several come in is a sum needed; one alone is read where it stands.
      out.K = take(6 * rows), out.k = take(rows);
      out.sources.begin = static_cast<int>(program_.sources.size());
      program_.sources.insert(program_.sources.end(), list.begin(), list.end());
      out.sources.end = static_cast<int>(program_.sources.size());
      program_.gathers.push_back(out);
      here[loop] = {out.K, out.k};
    }
    link.gathers.end = static_cast<int>(program_.gathers.size());
  }

  // Blocks M of (D4) that children bring; where two bring the same pair, their sum.
  void merge(std::size_t i, std::map<Key, int>& blocks) {
    std::map<Key, std::vector<int>> sources;
    LinkProgram& link = program_.links[i];
    for (const int child : standing_[i]) {
      for (const auto& [key, block] : known_[to_index(child)]) sources[key].push_back(block);
    }
    link.merges.begin = static_cast<int>(program_.merges.size());
    for (const auto& [key, list] : sources) {
      if (list.size() == 1) {
        blocks[key] = list.front();
        continue;
      }
      Merge out;
      const int rows_c = rows(key.first), rows_d = rows(key.second);
      out.size = rows_c * rows_d;
      // A block of its own: the children's blocks are still needed on a resolve.
      out.to = new_block(rows_c, rows_d);
      out.from.begin = static_cast<int>(program_.merge_sources.size());
      program_.merge_sources.insert(program_.merge_sources.end(), list.begin(), list.end());
      out.from.end = static_cast<int>(program_.merge_sources.size());
      program_.merges.push_back(out);
      blocks[key] = out.to;
    }
    link.merges.end = static_cast<int>(program_.merges.size());
  }

  int rows(int loop) const { return program_.loops[to_index(loop)].rows; }

  int block(std::map<Key, int>& blocks, int c, int d) {
    // Stored once for both orders; a block that nobody has brought begins at zero.
    const Key key = std::minmax(c, d);
    const auto [found, is_new] = blocks.try_emplace(key, 0);
    if (is_new) found->second = new_block(rows(key.first), rows(key.second));
    return found->second;
  }

  // Places for (D7) and (D8) of one loop: its own block, those with its neighbours, and what these have with each
  // other.
  void close(int loop, bool at_world, std::map<int, Source>& here, std::map<Key, int>& blocks) {
    Close out;
    out.rows = rows(loop);
    out.K = here[loop].K, out.k = here[loop].k;
    out.M = block(blocks, loop, loop);
    out.yK = at_world ? 0 : take(6 * out.rows);
    out.yk = take(out.rows);
    out.lambda = program_.loops[to_index(loop)].lambda;
    // Eliminating a loop couples all loops it was coupled to, (D8).
    const std::vector<int>& coupled = elimination_.coupled[to_index(loop)];
    out.near.begin = static_cast<int>(program_.nears.size());
    for (const int other : coupled) {
      Near near;
      near.rows = rows(other);
      near.M = block(blocks, loop, other);
      near.transposed = other < loop;
      near.Y = take(out.rows * near.rows);
      near.K = here[other].K, near.k = here[other].k;
      near.lambda = program_.loops[to_index(other)].lambda;
      program_.nears.push_back(near);
    }
    out.near.end = static_cast<int>(program_.nears.size());
    out.updates.begin = static_cast<int>(program_.updates.size());
    for (std::size_t s = 0; s < coupled.size(); ++s) {
      // Each pair once, and each loop with itself.
      for (std::size_t t = s; t < coupled.size(); ++t) {
        Update update;
        update.first = out.near.begin + static_cast<int>(s);
        update.second = out.near.begin + static_cast<int>(t);
        update.M = block(blocks, coupled[s], coupled[t]);
        update.transposed = coupled[s] > coupled[t];
        program_.updates.push_back(update);
      }
    }
    out.updates.end = static_cast<int>(program_.updates.size());
    program_.closes.push_back(out);
  }

  // Places for (D6) of the loops that stay open: K', k' and W for each, M' for each pair.
  void pass(std::size_t i, const std::vector<int>& open, std::map<int, Source>& here, std::map<Key, int>& blocks) {
    LinkProgram& link = program_.links[i];
    link.passes.begin = static_cast<int>(program_.passes.size());
    for (const int loop : open) {
      Pass out;
      out.rows = rows(loop);
      out.K = here[loop].K, out.k = here[loop].k;
      out.K_up = take(6 * out.rows), out.k_up = take(out.rows);
      out.W = take(link.freedom * out.rows), out.WD = take(link.freedom * out.rows);
      out.lambda = program_.loops[to_index(loop)].lambda;
      // Where the parent finds the rows of this loop.
      slots_[i][loop] = {out.K_up, out.k_up};
      program_.passes.push_back(out);
    }
    link.passes.end = static_cast<int>(program_.passes.size());
    link.pairs.begin = static_cast<int>(program_.pairs.size());
    for (std::size_t c = 0; c < open.size(); ++c) {
      for (std::size_t d = c; d < open.size(); ++d) {
        const Pass& first = program_.passes[to_index(link.passes.begin) + c];
        const Pass& second = program_.passes[to_index(link.passes.begin) + d];
        const int M = block(blocks, open[c], open[d]);
        program_.pairs.push_back({first.rows, second.rows, first.W, second.WD, M});
        // M' is added to where M stands: the joint's part needs no block of its own.
        known_[i][{open[c], open[d]}] = M;
      }
    }
    link.pairs.end = static_cast<int>(program_.pairs.size());
  }

  // No joint lies between a part of the world and the next.
  void hand_on(std::size_t i, const std::vector<int>& open, std::map<int, Source>& here, std::map<Key, int>& blocks) {
    for (const int loop : open) slots_[i][loop] = here[loop];
    for (std::size_t c = 0; c < open.size(); ++c) {
      for (std::size_t d = c; d < open.size(); ++d) known_[i][{open[c], open[d]}] = block(blocks, open[c], open[d]);
    }
  }

  // Blocks of M were numbered on their own: they stand together at the end of the scratch memory.
  void shift_blocks() {
    const int at = program_.zeroed.begin;
    for (Merge& merge : program_.merges) merge.to += at;
    for (int& source : program_.merge_sources) source += at;
    for (CoupledPair& pair : program_.pairs) pair.M += at;
    for (Close& close : program_.closes) close.M += at;
    for (Near& near : program_.nears) near.M += at;
    for (Update& update : program_.updates) update.M += at;
  }

  const System& system_;
  const std::vector<bool>& dropped_;
  Program program_;
  std::vector<Loop> loops_;
  std::vector<int> stands_on_;              // by link: its parent, or the part of the world it stands on
  std::vector<std::vector<int>> standing_;  // by link: what stands on it
  std::vector<std::vector<std::pair<int, Source>>> seeds_;     // by loop: link, place
  std::vector<std::vector<std::pair<int, Source>>> seeds_at_;  // by link: loop, place
  std::vector<std::map<int, Source>> slots_;                   // by link: open loops as its parent sees them
  std::vector<std::map<Key, int>> known_;                      // by link: blocks of M of its open loops
  plan::LoopElimination elimination_;
  int blocks_ = 0;
};

}  // namespace

Program make_program(const System& system, const std::vector<bool>& dropped) { return Maker(system, dropped).make(); }

plan::WorkCount count_work(const Program& program, int begin, int end) {
  using plan::Work;
  plan::WorkCount work;
  for (int i = begin; i < end; ++i) {
    const LinkProgram& link = program.links[to_index(i)];
    // Parts of the world have loops and no joints.
    if (!link.anchored) work[Work::kJoint] += 1;
    work[Work::kCoordinate] += link.freedom;
    int open = 0;
    for (int p = link.passes.begin; p < link.passes.end; ++p) open += program.passes[to_index(p)].rows;
    work[Work::kCarriedRow] += open;
    work[Work::kCarriedCoordinate] += open * link.freedom;
    // o open rows bring o^2 / 2 products: the term that makes deep trees of ladders expensive.
    work[Work::kCoupling] += 0.5 * open * (open + 1) * link.freedom;
    for (int c = link.closes.begin; c < link.closes.end; ++c) {
      const Close& close = program.closes[to_index(c)];
      int coupled = 0;
      for (int n = close.near.begin; n < close.near.end; ++n)
        coupled += program.nears[to_index(n)].rows;
      work[Work::kLoop] += 1;
      work[Work::kRow] += close.rows;
      work[Work::kFlop] += plan::elimination_flops(
          close.rows, coupled, link.anchored ? plan::Meeting::kAtWorld : plan::Meeting::kOnBody);
      work[Work::kPair] += close.near.end - close.near.begin;
    }
  }
  return work;
}

}  // namespace espalier::dynamics::detail

#include <algorithm>
#include <functional>
#include <map>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/constraint_rows.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/row_dependence.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/welds.hpp"
#include "espalier/dynamics/detail/workspace_data.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/redundancy.hpp"

namespace espalier::dynamics {
namespace {

using detail::Columns;
using detail::constraint_wrenches;
using detail::ConstraintRows;
using detail::Drive;
using detail::DriveTerm;
using detail::find_dependent_rows;
using detail::RowDependence;
using detail::ScaledRows;
using detail::SparseVector;
using detail::term_slope;
using detail::term_wrench;
using detail::Welds;
using math::Pose;
using math::SpatialVector;

// The rows left out are known. What is left of them beside the others is above this where axes are parallel but for
// rounding in the file; it is sought from below.
constexpr double kLeastTolerance = 1e-6;
constexpr double kMostTolerance = 1e-3;
// Part of the largest wrench of a state below which one is nothing, in tolerances of the rows.
constexpr double kNothing = 10;

// States of wrenches that joints hold against each other without any load, one after the other. All reactions differ
// from each other by sums of these.
class SelfStress {
 public:
  SelfStress(const System& system, const ConstraintRows& rows, double typical, const Welds& welds)
      : system_(system),
        rows_(rows),
        typical_(typical),
        welds_(welds.list()),
        weld_of_(system->body_places.size(), -1),
        on_b_(system->model.joints.size(), SpatialVector::Zero()),
        seen_(system->model.joints.size(), false),
        unique_(6 * system->model.joints.size(), 1) {
    for (std::size_t w = 0; w < welds_.size(); ++w) weld_of_[welds_[w].body] = static_cast<int>(w);
  }

  // Multipliers y of the rows with y^T G = 0.
  void add_relation(const SparseVector& y, const Eigen::VectorXd& row_scale, double nothing) {
    const int first_drive = system_->rows - static_cast<int>(system_->drives.size());
    for (const auto& [row, share] : y) {
      const double lambda = share * row_scale[row];
      row < first_drive ? add_closure_row(row, lambda) : add_drive(row - first_drive, lambda);
    }
    finish(nothing);
  }

  // A fixed joint that closes a loop of fixed joints: any wrench may go around.
  void add_fixed_loop(std::size_t joint, double nothing) {
    for (int k = 0; k < 6; ++k) {
      add(joint, SpatialVector::Unit(k));
      finish(nothing);
    }
  }

  std::vector<std::uint8_t> take() { return std::move(unique_); }

 private:
  const Pose& pose(int link) const { return rows_.links.pose[to_index(link)]; }

  void add(std::size_t joint, const SpatialVector& on_b) {
    on_b_[joint] += on_b;
    if (seen_[joint]) return;
    seen_[joint] = true;
    touched_.push_back(joint);
  }

  void add_closure_row(int row, double lambda) {
    // The last closure that begins at this row or before.
    const auto closure = std::upper_bound(system_->closures.begin(), system_->closures.end(), row,
                                          [](int at, const Closure& candidate) { return at < candidate.row; }) -
                         1;
    const Columns T = constraint_wrenches(closure->type, closure->pitch, pose(closure->a) * closure->X_LA,
                                          pose(closure->b) * closure->X_LB);
    const SpatialVector wrench = lambda * T.column.col(row - closure->row);
    if (closure->joint.valid()) add(closure->joint.index(), wrench);
    carry(closure->a, closure->b, wrench);
  }

  // What a drive does at a joint of the tree is a part of what the joint carries anyway.
  void add_drive(int index, double lambda) {
    const Drive& drive = system_->drives[to_index(index)];
    for (std::size_t k = 0; k < drive.terms.size(); ++k) {
      const DriveTerm& term = drive.terms[k];
      if (term.velocity >= 0) continue;
      const double slope = term_slope(drive, rows_.drives[to_index(index)], k);
      const SpatialVector wrench = lambda * slope * term_wrench(term, rows_.links);
      add(term.place.joint.index(), wrench);
      carry(term.place.a, term.place.b, wrench);
    }
  }

  // A wrench on link b and its opposite on link a are held by the tree between them.
  void carry(int a, int b, const SpatialVector& wrench) {
    while (a != b) {
      const bool from_a = a > b;
      int& deeper = from_a ? a : b;
      const Link& link = system_->links[to_index(deeper)];
      if (link.joint.valid())
        add(link.joint.index(), from_a == link.reversed ? SpatialVector(-wrench) : SpatialVector(wrench));
      deeper = link.parent;
    }
  }

  // Fixed joints are inside links: outermost bodies first, each hands on what it needs.
  void carry_through_welds() {
    std::map<int, SpatialVector, std::greater<>> needs;  // by weld
    const auto need = [&](std::size_t body, const SpatialVector& wrench) {
      if (weld_of_[body] >= 0) needs.try_emplace(weld_of_[body], SpatialVector::Zero()).first->second += wrench;
    };
    for (const std::size_t joint : touched_) {
      need(system_->model.joints[joint].b.index(), -on_b_[joint]);
      need(system_->model.joints[joint].a.index(), on_b_[joint]);
    }
    while (!needs.empty()) {
      const Welds::Weld& weld = welds_[to_index(needs.begin()->first)];
      const SpatialVector wrench = needs.begin()->second;
      needs.erase(needs.begin());
      add(weld.joint, weld.is_b ? wrench : SpatialVector(-wrench));
      need(weld.inner, wrench);
    }
  }

  // Force and couple at frame F along its axes; forces times the typical length, so that both compare.
  SpatialVector in_frame(std::size_t j) const {
    const model::Joint& joint = system_->model.joints[j];
    const BodyPlace& body_place = system_->body_places[joint.a.index()];
    const Pose X_WF = pose(body_place.link) * body_place.X_LB * joint.X_AF;
    const Eigen::Vector3d force = on_b_[j].tail<3>();
    const Eigen::Vector3d couple = on_b_[j].head<3>() - X_WF.position.cross(force);
    SpatialVector seen;
    seen << typical_ * (X_WF.rotation.conjugate() * force), X_WF.rotation.conjugate() * couple;
    return seen;
  }

  // Marks what the state touches, and clears it.
  void finish(double nothing) {
    if (!welds_.empty()) carry_through_welds();
    double most = 0;
    for (const std::size_t joint : touched_) most = std::max(most, in_frame(joint).cwiseAbs().maxCoeff());
    for (const std::size_t joint : touched_) {
      const SpatialVector seen = in_frame(joint);
      for (std::size_t k = 0; k < 6; ++k) {
        if (std::abs(seen[static_cast<Eigen::Index>(k)]) > nothing * most) unique_[6 * joint + k] = 0;
      }
      on_b_[joint].setZero();
      seen_[joint] = false;
    }
    touched_.clear();
  }

  const System& system_;
  const ConstraintRows& rows_;
  double typical_;
  std::span<const Welds::Weld> welds_;
  std::vector<int> weld_of_;         // by body; -1: the first of its link
  std::vector<SpatialVector> on_b_;  // by joint of the model: the state under work
  std::vector<bool> seen_;
  std::vector<std::size_t> touched_;
  std::vector<std::uint8_t> unique_;
};

// Fixed joints beside those by which bodies hang on their links.
std::vector<std::size_t> fixed_loops(const System& system, const Welds& welds) {
  std::vector<bool> hangs(system->model.joints.size(), false);
  for (const Welds::Weld& weld : welds.list()) hangs[weld.joint] = true;
  std::vector<std::size_t> loops;
  for (std::size_t j = 0; j < hangs.size(); ++j) {
    if (system->model.joints[j].type == model::JointType::kFixed && !hangs[j]) loops.push_back(j);
  }
  return loops;
}

// The relations of the rows that were left out to those that were kept, and the tolerance at which they hold.
RowDependence find_relations(const ScaledRows& scaled, const std::vector<bool>& dropped, double& tolerance) {
  std::vector<int> order;
  for (const bool left_out : {false, true}) {
    for (std::size_t row = 0; row < dropped.size(); ++row) {
      if (dropped[row] == left_out) order.push_back(static_cast<int>(row));
    }
  }
  const auto wanted = to_index(std::count(dropped.begin(), dropped.end(), true));
  const std::size_t most_entries = RedundancyOptions{}.most_entries;
  tolerance = kLeastTolerance;
  RowDependence found = find_dependent_rows(scaled.G, order, tolerance, most_entries);
  // The evaluation has found `wanted` rows to be implied; where axes are parallel but for rounding that shows only at a
  // looser tolerance.
  while (found.complete && found.dependent.size() < wanted && tolerance < kMostTolerance) {
    tolerance *= 10;
    found = find_dependent_rows(scaled.G, order, tolerance, most_entries);
  }
  return found;
}

}  // namespace

std::vector<std::uint8_t> unique_reactions(const System& system, double time, std::span<const double> q,
                                           const Workspace& work) {
  const std::size_t size = 6 * system->model.joints.size();
  const Welds welds(system);
  const std::vector<std::size_t> fixed = fixed_loops(system, welds);
  // 1  Nothing repeats anything: all is decided.
  const bool all_kept = std::none_of(work->dropped.begin(), work->dropped.end(), [](bool dropped) { return dropped; });
  if (all_kept && fixed.empty()) return std::vector<std::uint8_t>(size, 1);
  // 2  Relations y^T G = 0 are states of self-stress: any multiple may be added to lambda in (D3).
  const ScaledRows scaled(system, time, q);
  SelfStress stress(system, scaled.rows, scaled.typical, welds);
  double tolerance = kLeastTolerance;
  if (!all_kept) {
    const RowDependence found = find_relations(scaled, work->dropped, tolerance);
    if (!found.complete) return std::vector<std::uint8_t>(size, 0);
    for (const SparseVector& relation : found.relation)
      stress.add_relation(relation, scaled.row_scale, kNothing * tolerance);
  }
  // 3  Loops of fixed joints are inside links, where no row knows of them.
  for (const std::size_t joint : fixed) stress.add_fixed_loop(joint, kNothing * tolerance);
  return stress.take();
}

std::vector<model::JointId> unclear_joints(std::span<const std::uint8_t> unique) {
  std::vector<model::JointId> joints;
  for (std::size_t j = 0; 6 * j < unique.size(); ++j) {
    const std::span<const std::uint8_t> own = unique.subspan(6 * j, 6);
    if (std::find(own.begin(), own.end(), 0) != own.end()) joints.emplace_back(j);
  }
  return joints;
}

}  // namespace espalier::dynamics

#include "espalier/dynamics/start.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/constraint_rows.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/least_squares.hpp"
#include "espalier/dynamics/detail/poses.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/run_tree.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::dynamics {
namespace {

using detail::add_path_rows;
using detail::Columns;
using detail::constrained_least_squares;
using detail::ConstraintRows;
using detail::coordinate_scales;
using detail::joint_rate;
using detail::positions_at;
using detail::row_scales;
using detail::typical_length;
using detail::update_jacobian;
using detail::update_residual;
using math::Pose;
using model::BodyId;
using model::JointId;

// Gaps that a gentle closure leaves and a correction may explain [m, rad].
constexpr double kMostDisagreement = 1e-3;

// Rows on velocities with the values they should have.
struct Wishes {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> value;  // [rad/s or m/s]
  std::vector<double> scale;  // lengths in typical lengths
  std::vector<VelocityChange> source;

  Eigen::SparseMatrix<double> matrix(const Eigen::VectorXd& column_scale) const {
    const auto rows = static_cast<Eigen::Index>(value.size());
    Eigen::SparseMatrix<double> plain(rows, column_scale.size());
    plain.setFromTriplets(entries.begin(), entries.end());
    return row_scale().asDiagonal() * plain * column_scale.asDiagonal();
  }
  Eigen::VectorXd row_scale() const {
    return Eigen::Map<const Eigen::VectorXd>(scale.data(), static_cast<Eigen::Index>(scale.size()));
  }
  Eigen::VectorXd scaled_values() const {
    return row_scale().cwiseProduct(
        Eigen::Map<const Eigen::VectorXd>(value.data(), static_cast<Eigen::Index>(value.size())));
  }
};

// The f rows that make a joint's velocities from v_b - v_a, as columns.
Columns rate_columns(const model::Joint& joint, const Pose& X_WA, const Pose& X_WB) {
  Columns columns;
  columns.count = model::joint_kind(joint.type).freedom;
  std::vector<double> rate(to_index(columns.count));
  for (int k = 0; k < 6; ++k) {
    joint_rate(joint.type, X_WA, X_WB, SpatialVector::Unit(k), rate);
    for (int c = 0; c < columns.count; ++c) columns.column(k, c) = rate[to_index(c)];
  }
  return columns;
}

// Angular, then linear velocity of a point, as columns.
Columns point_columns(const Eigen::Vector3d& point) {
  Columns columns;
  columns.count = 6;
  columns.column.setZero();
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d axis = Eigen::Vector3d::Unit(k);
    columns.column.col(k).head<3>() = axis;
    columns.column.col(3 + k) << point.cross(axis), axis;
  }
  return columns;
}

class WishList {
 public:
  WishList(const System& system, const ConstraintRows& rows, double typical)
      : system_(system), rows_(rows), typical_(typical) {}

  // Joints that give their velocity, or those that do not.
  void add_joints(bool given, Wishes& wishes) const {
    for (std::size_t j = 0; j < system_->model.joints.size(); ++j) {
      const model::Joint& joint = system_->model.joints[j];
      const model::JointKind& kind = model::joint_kind(joint.type);
      if (joint.spec.velocity.empty() == given || kind.freedom == 0) continue;
      const BodyPlace& a = body_place(joint.a);
      const BodyPlace& b = body_place(joint.b);
      // The joint's own coordinates, whichever way the tree runs and whether it is cut or not.
      const Columns columns = rate_columns(joint, frame(a, joint.X_AF), frame(b, joint.X_BM));
      add(columns, a.link, b.link, wishes);
      for (int k = 0; k < kind.freedom; ++k) {
        const auto i = to_index(k);
        const double value = given && i < joint.spec.velocity.size() ? joint.spec.velocity[i] : 0;
        add_value(wishes, value, kind.coordinates[i] == model::CoordinateKind::kLength,
                  {JointId(static_cast<int>(j)), {}, k, value, 0});
      }
    }
  }

  void add_bodies(Wishes& wishes) const {
    for (std::size_t b = 1; b < system_->model.bodies.size(); ++b) {
      const model::Body& body = system_->model.bodies[b];
      if (!body.velocity) continue;
      const BodyPlace& body_place = system_->body_places[b];
      add(point_columns(frame(body_place, Pose{}).position), 0, body_place.link, wishes);
      for (int k = 0; k < 6; ++k) {
        const double value = k < 3 ? body.velocity->angular[k] : body.velocity->linear[k - 3];
        add_value(wishes, value, k >= 3, {{}, BodyId(static_cast<int>(b)), k, value, 0});
      }
    }
  }

  // Pieces that float rest where no body of theirs says otherwise.
  void add_bases(Wishes& wishes) const {
    for (std::size_t i = 1; i < system_->links.size(); ++i) {
      if (system_->links[i].joint.valid()) continue;
      add(point_columns(rows_.links.pose[i].position), 0, static_cast<int>(i), wishes);
      for (int k = 0; k < 6; ++k) add_value(wishes, 0, k >= 3, {});
    }
  }

 private:
  const BodyPlace& body_place(BodyId body) const { return system_->body_places[body.index()]; }
  Pose frame(const BodyPlace& body_place, const Pose& X_BF) const {
    return rows_.links.pose[to_index(body_place.link)] * body_place.X_LB * X_BF;
  }
  void add(const Columns& columns, int a, int b, Wishes& wishes) const {
    add_path_rows(system_, rows_.motion, columns, static_cast<int>(wishes.value.size()), a, b, wishes.entries);
  }
  void add_value(Wishes& wishes, double value, bool length, const VelocityChange& source) const {
    wishes.value.push_back(value);
    wishes.scale.push_back(length ? 1 / typical_ : 1);
    wishes.source.push_back(source);
  }

  const System& system_;
  const ConstraintRows& rows_;
  double typical_;
};

Eigen::SparseMatrix<double> stacked(const Eigen::SparseMatrix<double>& above,
                                    const Eigen::SparseMatrix<double>& below) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](const Eigen::SparseMatrix<double>& part, Eigen::Index from) {
    for (int column = 0; column < part.outerSize(); ++column) {
      for (Eigen::SparseMatrix<double>::InnerIterator entry(part, column); entry; ++entry)
        entries.emplace_back(static_cast<int>(from + entry.row()), column, entry.value());
    }
  };
  add(above, 0);
  add(below, above.rows());
  Eigen::SparseMatrix<double> both(above.rows() + below.rows(), above.cols());
  both.setFromTriplets(entries.begin(), entries.end());
  return both;
}

// What was given and what came out, where the two differ by more than rounding.
std::vector<VelocityChange> find_changes(const Wishes& wishes, const Eigen::VectorXd& taken) {
  constexpr double kRounding = 1e-9;
  std::vector<std::pair<double, VelocityChange>> found;
  double most = 1;
  for (const double value : wishes.value) most = std::max(most, std::abs(value));
  for (std::size_t k = 0; k < wishes.value.size(); ++k) {
    VelocityChange change = wishes.source[k];
    change.taken = taken[static_cast<Eigen::Index>(k)] / wishes.scale[k];
    const double off = std::abs(change.taken - change.given) * wishes.scale[k];
    if (off > kRounding * most) found.emplace_back(off, change);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<VelocityChange> changes;
  for (const auto& [off, change] : found) changes.push_back(change);
  return changes;
}

// Angles that the keyframe counts in whole turns keep them.
void keep_turns(const System& system, const model::Keyframe& keyframe, std::vector<double>& q) {
  for (const auto& [joint, value] : keyframe.positions) {
    const auto link = std::find_if(system->links.begin(), system->links.end(),
                                   [joint = joint](const Link& l) { return l.joint == joint; });
    if (link == system->links.end() || link->type != model::JointType::kRevolute) continue;
    double& angle = q[to_index(link->position)];
    angle = math::nearest_turn(angle, value.front());
  }
}

}  // namespace

// Two least squares, one inside the other:
//   1  rows of the loops, free of units
//   2  what is given and what is wished besides
//   3  nearest to what is given, with the loops closed
//   4  of all these, least in the rest
VelocityFit fit_velocities(const System& system, double time, std::span<const double> q) {
  // 1
  const double typical = typical_length(system);
  ConstraintRows rows(system);
  update_residual(system, time, q, rows);
  update_jacobian(system, rows);
  const Eigen::VectorXd column_scale = coordinate_scales(system, typical);
  const Eigen::VectorXd row_scale = row_scales(system, typical);
  const Eigen::SparseMatrix<double> G = row_scale.asDiagonal() * rows.G * column_scale.asDiagonal();

  // 2
  const WishList list(system, rows, typical);
  Wishes given, rest;
  list.add_joints(true, given);
  list.add_bodies(given);
  list.add_joints(false, rest);
  list.add_bases(rest);

  // 3
  // First what is given, as nearly as loops allow; then the rest, without touching it.
  const Eigen::SparseMatrix<double> A = given.matrix(column_scale);
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(system->velocity_size);
  const Eigen::VectorXd closed = -row_scale.cwiseProduct(rows.drift);
  const Eigen::VectorXd nearest = constrained_least_squares(A, given.scaled_values(), G, closed, still);
  // 4  What was reached in 3 becomes an equation.
  const Eigen::VectorXd taken = A * nearest;
  Eigen::VectorXd values(system->rows + taken.size());
  values << closed, taken;
  const Eigen::VectorXd v =
      constrained_least_squares(rest.matrix(column_scale), rest.scaled_values(), stacked(G, A), values, nearest);
  VelocityFit fit;
  fit.given = static_cast<int>(given.value.size());
  fit.changed = find_changes(given, A * v);
  for (Eigen::Index k = 0; k < v.size(); ++k) fit.v.push_back(v[k] * column_scale[k]);
  return fit;
}

State drawn_state(const System& system) {
  State state{0, system->drawn, system->drawn_rate};
  state.v.resize(to_index(system->velocity_size), 0);
  return state;
}

RunState start_run(const System&, const State& state) {
  RunState start;
  start.state = state;
  return start;
}

// In a keyframe the bodies say where the tree is; as drawn the coordinates do, with the turns they count.
Start find_start(const System& system, const StartOptions& options) {
  Start start;
  const std::vector<Pose> body =
      options.keyframe != nullptr ? keyframe_poses(system->model, *options.keyframe) : drawn_poses(system->model);
  start.gaps = joint_gaps(system->model, body);
  std::vector<double> q = options.keyframe != nullptr ? positions_at(system, body) : system->drawn;
  if (options.keyframe != nullptr) keep_turns(system, *options.keyframe, q);
  AssemblyOptions assembly = options.assembly;
  assembly.time = options.time;
  assembly.drawing = body;
  start.assembly = assemble(system, q, assembly);
  start.state.time = options.time;
  start.state.q = start.assembly.q;
  start.state.v = system->drawn_rate;
  if (start.assembly.outcome == Assembly::Outcome::kOpen) return start;
  start.velocity = fit_velocities(system, options.time, start.state.q);
  start.state.v = start.velocity.v;
  return start;
}

// 1  Close gently: leave open what only motions along nearly lost directions would close.
// 2  Where that is closed, look for what the file rounded off, and begin anew with the frames mended.
// 3  What is still open is closed with all means.
Prepared prepare(const model::Model& given, const plan::Mechanism& mechanism, const plan::Plan& plan,
                 const StartOptions& options) {
  const auto make = options.as_planned ? make_planned_system : make_system;
  // What acts is that of the keyframe from the start on.
  std::optional<model::Model> loaded;
  if (options.keyframe != nullptr && !options.keyframe->loads.empty())
    loaded = model::with_loads(given, *options.keyframe);
  const model::Model& model = loaded ? *loaded : given;
  Prepared prepared{make(model, mechanism, plan), {}, {}};
  // 1
  StartOptions gentle = options;
  gentle.assembly.gentle = true;
  gentle.assembly.rounding = kMostDisagreement;
  prepared.start = find_start(prepared.system, gentle);
  // 2
  if (prepared.start.assembly.outcome != Assembly::Outcome::kOpen) {
    prepared.correction = find_correction(prepared.system, options.time, prepared.start.state.q);
    if (prepared.correction.outcome == Correction::Outcome::kFound) {
      prepared.system = make(corrected(model, prepared.correction), mechanism, plan);
      prepared.start = find_start(prepared.system, gentle);
    }
  }
  // 3
  // What was taken for rounding may be a loop that closes nearly singular.
  if (prepared.start.assembly.outcome != Assembly::Outcome::kClosed)
    prepared.start = find_start(prepared.system, options);
  return prepared;
}

}  // namespace espalier::dynamics

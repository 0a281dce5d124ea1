#include "espalier/dynamics/detail/dense.hpp"

#include <algorithm>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/tree_pass.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {
namespace {

using math::Pose;
using model::JointType;

// 6x6 inertia about the world's origin, in world axes.
math::SpatialMatrix world_inertia(const Pose& X_WL, const math::Inertia& inertia) {
  return math::spatial_matrix(math::transformed(X_WL, inertia));
}

// Adds sign * T^T J of one link to the rows of G: every joint between the link and the world.
void add_rows(const System& system, const Columns& wrenches, int row, int link, double sign, DenseWorkspace& work) {
  for (int i = link; i > 0; i = system->links[to_index(i)].parent) {
    const Link& on_way = system->links[to_index(i)];
    // A joint moves everything beyond it, so that each joint on the way has a part in the row.
    const Columns& s = work.motion[to_index(i)].s;
    work.G.block(row, on_way.velocity, wrenches.count, on_way.freedom) +=
        sign * wrenches.column.leftCols(wrenches.count).transpose() * s.column.leftCols(on_way.freedom);
  }
}

// The angle of a cut screw nearest to what its translation asks for.
double screw_angle(double pitch, const Pose& X_WA, const Pose& X_WB) {
  double angle = 0;
  model::joint_position(JointType::kScrew, pitch, math::relative_pose(X_WA, X_WB), {&angle, 1});
  return angle;
}

void update_closure(const System& system, const Closure& closure, DenseWorkspace& work) {
  const auto a = to_index(closure.a);
  const auto b = to_index(closure.b);
  const Pose X_WA = work.links.pose[a] * closure.X_LA;
  const Pose X_WB = work.links.pose[b] * closure.X_LB;
  // T of (D1), written by the table of joints: the one thing that this method shares with the kernel.
  const Columns wrenches = constraint_wrenches(closure.type, closure.pitch, X_WA, X_WB);
  add_rows(system, wrenches, closure.row, closure.b, 1, work);
  add_rows(system, wrenches, closure.row, closure.a, -1, work);
  const auto rows = to_index(closure.rows);
  const std::span<double> gamma(work.gamma.data() + closure.row, rows);
  constraint_bias(closure.type, wrenches, X_WA, X_WB, work.links.velocity[a], work.links.velocity[b], gamma);
  // (D2): accelerations with q'' = 0 are part of gamma.
  const SpatialVector relative = work.links.acceleration[b] - work.links.acceleration[a];
  for (int k = 0; k < wrenches.count; ++k) gamma[to_index(k)] += wrenches.column.col(k).dot(relative);
  const double angle = model::joint_row(closure.type).threaded ? screw_angle(closure.pitch, X_WA, X_WB) : 0;
  constraint_residual(closure.type, closure.pitch, angle, X_WA, X_WB,
                      std::span<double>(work.residual.data() + closure.row, rows));
}

// A coordinate of the tree is its own row; a cut joint's is the rate of its two bodies along the term's wrench, which
// is carried along by frame A.
void add_term(const System& system, const DriveTerm& term, double slope, int row, DenseWorkspace& work) {
  if (term.velocity >= 0) {
    work.G(row, term.velocity) += slope;
    return;
  }
  const auto a = to_index(term.place.a);
  const auto b = to_index(term.place.b);
  Columns wrench;
  wrench.count = 1;
  wrench.column.col(0) = slope * term_wrench(term, work.links);
  add_rows(system, wrench, row, term.place.b, 1, work);
  add_rows(system, wrench, row, term.place.a, -1, work);
  const SpatialVector carried =
      math::cross_motion(work.links.velocity[a], work.links.velocity[b] - work.links.velocity[a]);
  work.gamma[row] += wrench.column.col(0).dot(work.links.acceleration[b] - work.links.acceleration[a] - carried);
}

void update_drive(const System& system, const Drive& drive, double time, std::span<const double> q,
                  std::span<const double> v, DenseWorkspace& work) {
  const DriveRow row = drive_row(drive, time, q, v, work.links);
  work.residual[drive.row] = row.residual;
  work.gamma[drive.row] = row.bias;
  work.drift[drive.row] = row.drift;
  for (std::size_t k = 0; k < drive.terms.size(); ++k)
    add_term(system, drive.terms[k], term_slope(drive, row, k), drive.row, work);
}

}  // namespace

DenseWorkspace::DenseWorkspace(const System& system)
    : links(system),
      motion(system->links.size()),
      inertia(system->links.size(), math::SpatialMatrix::Zero()),
      gain(system->links.size(), SpatialVector::Zero()),
      H(system->velocity_size, system->velocity_size),
      G(system->rows, system->velocity_size),
      bias(system->velocity_size),
      gamma(system->rows),
      residual(system->rows),
      drift(Eigen::VectorXd::Zero(system->rows)),
      rate(system->rows),
      qdd(system->velocity_size),
      lambda(system->rows) {}

void update_kinematics(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       DenseWorkspace& work) {
  // Velocities and drift outwards, (D1) and (D2).
  work.links.acceleration[0].setZero();
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    detail::pass_to_link(system, static_cast<int>(i), q, v, work.links, work.motion[i]);
    work.inertia[i] = world_inertia(work.links.pose[i], system->links[i].inertia);
  }
  std::fill(work.links.force.begin(), work.links.force.end(), SpatialVector::Zero());
  work.G.setZero();
  for (const Closure& closure : system->closures) update_closure(system, closure, work);
  for (const Drive& drive : system->drives) update_drive(system, drive, time, q, v, work);
  // d residual / dt = G v + drift of the drives.
  work.rate = work.drift;
  work.rate.noalias() += work.G * Eigen::Map<const Eigen::VectorXd>(v.data(), system->velocity_size);
}

void update_bias(const System& system, DenseWorkspace& work) {
  // A world that falls upwards: no body needs its own weight.
  SpatialVector upwards = SpatialVector::Zero();
  upwards.tail<3>() = -system->gravity;
  std::vector<SpatialVector>& force = work.links.force;
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    // (D12) with q'' = 0.
    const SpatialVector momentum = work.inertia[i] * work.links.velocity[i];
    force[i] = work.inertia[i] * (work.links.acceleration[i] + upwards) +
               math::cross_force(work.links.velocity[i], momentum) - force[i];
  }
  for (std::size_t i = system->links.size() - 1; i > 0; --i) {
    const Link& link = system->links[i];
    work.bias.segment(link.velocity, link.freedom) =
        work.motion[i].s.column.leftCols(link.freedom).transpose() * force[i];
    force[to_index(link.parent)] += force[i];
  }
}

void update_mass_matrix(const System& system, DenseWorkspace& work) {
  work.H.setZero();
  // The inertia of a link becomes that of all it carries, tips first.
  for (std::size_t i = system->links.size() - 1; i > 0; --i) {
    const Link& link = system->links[i];
    // The column of H: what a unit of acceleration of this joint asks of each joint below it.
    const Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> momentum =
        work.inertia[i] * work.motion[i].s.column.leftCols(link.freedom);
    for (int j = static_cast<int>(i); j > 0; j = system->links[to_index(j)].parent) {
      const Link& above = system->links[to_index(j)];
      const auto block =
          (momentum.transpose() * work.motion[to_index(j)].s.column.leftCols(above.freedom)).eval();
      work.H.block(link.velocity, above.velocity, link.freedom, above.freedom) = block;
      work.H.block(above.velocity, link.velocity, above.freedom, link.freedom) = block.transpose();
    }
    for (int k = 0; k < link.freedom; ++k)
      work.H(link.velocity + k, link.velocity + k) += link.armature[to_index(k)];
    work.inertia[to_index(link.parent)] += work.inertia[i];
  }
}

void solve_accelerations(const System& system, const Eigen::VectorXd& effort, double tolerance, DenseWorkspace& work) {
  const Eigen::LLT<Eigen::MatrixXd> llt(work.H);
  const Eigen::VectorXd free = llt.solve(effort - work.bias);
  // The motion without loops; what closes them is a correction to it.
  work.qdd = free;
  work.rank = 0;
  if (system->rows > 0) {
    // (D3) with B = G L^-T: rows measured by the motion they can cause. lambda is the smallest that closes all loops.
    const Eigen::MatrixXd B_t = llt.matrixL().solve(work.G.transpose());
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(B_t.rows(), B_t.cols());
    decomposition.setThreshold(tolerance);
    decomposition.compute(B_t);
    work.rank = static_cast<int>(decomposition.rank());
    // B B^T lambda = -gamma - G free, in two steps through the decomposition of B^T.
    const Eigen::VectorXd wanted = -work.gamma - work.G * free;
    const Eigen::VectorXd change = decomposition.transpose().solve(wanted);
    work.lambda = decomposition.solve(change);
    work.qdd += llt.matrixU().solve(change);
  }
  // The velocity-dependent part is there already; add what qdd brings, from the root outwards.
  work.gain[0].setZero();
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    const Link& link = system->links[i];
    work.gain[i] = work.gain[to_index(link.parent)] +
                   work.motion[i].s.column.leftCols(link.freedom) * work.qdd.segment(link.velocity, link.freedom);
    work.links.acceleration[i] += work.gain[i];
  }
}

}  // namespace espalier::dynamics::detail

#include "espalier/dynamics/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/engine.hpp"
#include "espalier/dynamics/detail/forces.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/motion.hpp"
#include "espalier/dynamics/detail/project_again.hpp"
#include "espalier/dynamics/detail/row_share.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/workspace_data.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics {
namespace {

using detail::add_forces;
using detail::constraint_rate;
using detail::constraint_residual;
using detail::Drive;
using detail::drive_row;
using detail::DriveRow;
using detail::Engine;
using detail::export_link;
using detail::LinkState;
using detail::term_slope;
using detail::term_velocity;
using detail::to_eigen;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::SpatialVector;

double largest(const Eigen::VectorXd& values) { return values.size() == 0 ? 0 : values.cwiseAbs().maxCoeff(); }

// The kernel's program depends on which rows are left out: another choice is another kernel.
void make_engine(const System& system, const std::vector<bool>& dropped, Workspace& work) {
  work->engine = std::make_unique<Engine>(system, dropped);
  work->engine->use_threads(work->threads);
}

Engine& engine_of(const System& system, Workspace& work) {
  if (!work->engine) make_engine(system, work->dropped, work);
  return *work->engine;
}

// The kernel's numbers as poses and velocities about the world's origin: of all links, or of those laws ask for.
void export_motion(const System& system, Workspace& work) {
  const std::vector<Link>& links = system->links;
  const Engine& kernel = *work->engine;
  LinkArrays& motion = work->links;
  for (std::size_t i = 1; i < links.size(); ++i) export_link(links[i], i, kernel.link(i), motion);
}
void export_touched(const System& system, Workspace& work) {
  const std::vector<Link>& links = system->links;
  const Engine& kernel = *work->engine;
  LinkArrays& motion = work->links;
  for (const int i : work->touched) export_link(links[to_index(i)], to_index(i), kernel.link(to_index(i)), motion);
}

// A wrench about the world's origin becomes one about the link's point.
void import_forces(Workspace& work) {
  Engine& kernel = *work->engine;
  const std::vector<SpatialVector>& force = work->links.force;
  for (const int i : work->touched) {
    LinkState<double>& state = kernel.link(to_index(i));
    state.outer = detail::outer_wrench(state, force[to_index(i)]);
  }
}

// Residual and rate of one term, in the order of the joint's rows.
void closure_state(const System& system, const Closure& closure, const Engine& kernel, std::span<double> residual,
                   std::span<double> rate) {
  const auto place = [&](int link, const math::Pose& X_LF) {
    // The kernel's poses are those of frames B, at which it moves inertias.
    const math::Pose X = link == 0 ? X_LF : system->links[to_index(link)].X_LB.inverse() * X_LF;
    const LinkState<double>& state = kernel.link(to_index(link));
    const Matrix3d turn = to_eigen(state.turn);
    return std::pair<Matrix3d, Vector3d>(turn * X.rotation.toRotationMatrix(), to_eigen(state.o) + turn * X.position);
  };
  const auto [A, oa] = place(closure.a, closure.X_LA);
  const auto [B, ob] = place(closure.b, closure.X_LB);
  const LinkState<double>& a = kernel.link(to_index(closure.a));
  const LinkState<double>& b = kernel.link(to_index(closure.b));
  const auto velocity = [&, at = oa](const LinkState<double>& state) -> Vector3d {
    return to_eigen(state.velocity) + to_eigen(state.w).cross(at - to_eigen(state.o));
  };
  // In the axes of A, as the table of joints writes d and R.
  const Vector3d d = A.transpose() * (ob - oa);
  const Matrix3d r = A.transpose() * B;
  double angle = 0;
  // A screw alone compares its shift with its angle.
  if (model::joint_row(closure.type).threaded) {
    const math::Pose X_AB{d, Eigen::Quaterniond(r)};
    model::joint_position(closure.type, closure.pitch, X_AB, {&angle, 1});
  }
  constraint_residual(closure.type, closure.pitch, angle, d, r, residual);
  constraint_rate(closure.type, closure.pitch, r, A.transpose() * to_eigen(b.w - a.w),
                  A.transpose() * (velocity(b) - velocity(a)), rate);
}

// The slopes of drives are the ratios of the kernel's terms. Cut joints are measured from the links' poses.
void drive_state(const System& system, double time, std::span<const double> q, std::span<const double> v,
                 Workspace& work) {
  for (std::size_t d = 0; d < system->drives.size(); ++d) {
    const Drive& drive = system->drives[d];
    const DriveRow row = drive_row(drive, time, q, v, work->links);
    work->residual[drive.row] = row.residual;
    // (D9) to (D11): slopes times rates, and what time itself asks for.
    double rate = row.drift;
    for (std::size_t k = 0; k < drive.terms.size(); ++k)
      rate += term_slope(drive, row, k) * term_velocity(drive.terms[k], v, work->links);
    work->rate[drive.row] = rate;
    work->drives[d] = row;
  }
}

void set_slopes(const System& system, Workspace& work) {
  for (const detail::Term& term : work->engine->program().terms) {
    if (!term.drive) continue;
    const auto d = to_index(term.drive_index);
    *work->engine->scratch(term.ratio_at) = term_slope(system->drives[d], work->drives[d], to_index(term.term_index));
  }
}

void add_drive_bias(Workspace& work) {
  for (const detail::Term& term : work->engine->program().terms) {
    if (term.drive && term.term_index == 0)
      *work->engine->scratch(term.k_b) += work->drives[to_index(term.drive_index)].bias;
  }
}

void update_rows(const System& system, double time, std::span<const double> q, std::span<const double> v,
                 Workspace& work) {
  // Before the closures: a drive's slope is part of the kernel's rows.
  if (!system->drives.empty()) {
    export_touched(system, work);
    drive_state(system, time, q, v, work);
    set_slopes(system, work);
  }
  for (const Closure& closure : system->closures) {
    const auto rows = to_index(closure.rows);
    closure_state(system, closure, *work->engine, {work->residual.data() + closure.row, rows},
                  {work->rate.data() + closure.row, rows});
  }
}

void move(const System& system, std::span<const double> q, std::span<const double> v, Workspace& work) {
  engine_of(system, work).forward(q.data(), v.data());
}

// Factors at the last forward(); only the matrices count.
bool factor(Workspace& work) {
  Engine& kernel = *work->engine;
  kernel.rows();
  const bool regular = kernel.factor(work->nothing.data());
  work->massless = kernel.memory().failed;
  return regular;
}

// The smallest change in the mass metric that takes `excess` off the rows, to work->change.
void resolve(const Eigen::VectorXd& excess, Workspace& work) {
  Engine& engine = *work->engine;
  for (const detail::Term& term : engine.program().terms) {
    // Drifts of an evaluation before have no part in a projection.
    std::fill_n(engine.scratch(term.k_a), term.rows, 0.0);
    std::fill_n(engine.scratch(term.k_b), term.rows, 0.0);
  }
  for (std::size_t l = 0; l < engine.program().loops.size(); ++l) {
    const detail::LoopProgram& loop = engine.program().loops[l];
    const detail::Term& term = engine.program().terms[to_index(loop.first_term)];
    for (int r = 0; r < loop.rows; ++r)
      *engine.scratch(term.k_b + r) = excess[loop.row + loop.kept[to_index(r)]];
  }
  engine.resolve();
  engine.outward(work->change.data());
}

double predicted_speed_up(const detail::Program& program, const plan::MachineConstants& machine, int threads) {
  constexpr double kPasses = 3;  // each of which hands the task over
  std::vector<double> seconds;
  for (const plan::Task& task : program.task_tree.tasks)
    seconds.push_back(plan::time_of(detail::count_work(program, task.begin, task.end), machine));
  const double handover = kPasses * machine.synchronisation;
  return plan::shared_time(program.task_tree, seconds, handover, 1) /
         plan::shared_time(program.task_tree, seconds, handover, threads);
}

}  // namespace

detail::WorkspaceData::WorkspaceData(const System& system)
    : links(system),
      input(Eigen::VectorXd::Zero(system->velocity_size)),
      effort(Eigen::VectorXd::Zero(system->velocity_size)),
      qdd(Eigen::VectorXd::Zero(system->velocity_size)),
      residual(Eigen::VectorXd::Zero(system->rows)),
      rate(Eigen::VectorXd::Zero(system->rows)),
      lambda(Eigen::VectorXd::Zero(system->rows)),
      touched(touched_links(system)),
      drives(system->drives.size()),
      dropped(to_index(system->rows), false),
      rows_chosen(system->rows == 0),
      change(Eigen::VectorXd::Zero(system->velocity_size)),
      nothing(Eigen::VectorXd::Zero(system->velocity_size)) {}

Workspace::Workspace(const System& system) : data_(std::make_unique<detail::WorkspaceData>(system)) {}
Workspace::Workspace(Workspace&& other) noexcept = default;
Workspace& Workspace::operator=(Workspace&& other) noexcept = default;
Workspace::~Workspace() = default;

Eigen::Ref<Eigen::VectorXd> Workspace::input() { return data_->input; }
const LinkArrays& Workspace::links() const { return data_->links; }
const Eigen::VectorXd& Workspace::effort() const { return data_->effort; }
const Eigen::VectorXd& Workspace::qdd() const { return data_->qdd; }
const Eigen::VectorXd& Workspace::lambda() const { return data_->lambda; }
const Eigen::VectorXd& Workspace::residual() const { return data_->residual; }
const Eigen::VectorXd& Workspace::rate() const { return data_->rate; }
const std::vector<bool>& Workspace::dropped() const { return data_->dropped; }
int Workspace::massless() const { return data_->massless; }
int Workspace::threads() const { return data_->threads; }

void update_kinematics(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       Workspace& work) {
  move(system, q, v, work);
  export_motion(system, work);
  update_rows(system, time, q, v, work);
}

// S1 and S2 of [Liu99] in five phases:
//   1  poses, columns and drifts of all links, outwards
//   2  laws and drives at these poses
//   3  the rows K, k of all closures (D4)
//   4  joints and loops eliminated inwards, (D5) to (D8)
//   5  multipliers by (D7) and accelerations, outwards
bool evaluate(const System& system, double time, std::span<const double> q, std::span<const double> v,
              Workspace& work) {
  if (!work->rows_chosen) choose_rows(system, time, q, work);
  // A caller's law may have come after the workspace; it sees all links.
  if (system->callback && work->touched.size() + 1 < system->links.size())
    work->touched = detail::touched_links(system);
  // 1
  move(system, q, v, work);
  Engine& kernel = *work->engine;
  // 2  A model without laws and drives asks for no pose outside the kernel.
  work->effort = work->input;
  if (detail::has_laws(system) || !system->drives.empty()) {
    export_touched(system, work);
    for (const int i : work->touched) work->links.force[to_index(i)].setZero();
    add_forces(system, time, q, v, work->links, work->effort);
    import_forces(work);
    drive_state(system, time, q, v, work);
    set_slopes(system, work);
  }
  // 3  What time itself asks of drives is a part of k.
  kernel.rows();
  add_drive_bias(work);
  // 4, 5  Where a joint has no inertia, the numbers behind it mean nothing.
  const bool regular = kernel.factor(work->effort.data());
  work->massless = kernel.memory().failed;
  kernel.outward(work->qdd.data());
  // Rows that are left out keep the 0 that set_dropped_rows gave them.
  for (const detail::LoopProgram& loop : work->engine->program().loops) {
    for (int r = 0; r < loop.rows; ++r)
      work->lambda[loop.row + loop.kept[to_index(r)]] = *kernel.scratch(loop.lambda + r);
  }
  return regular;
}

void update_links(const System& system, Workspace& work) {
  export_motion(system, work);
  const Engine& kernel = *work->engine;
  const Vector3d gravity = system->gravity;
  std::vector<SpatialVector>& acceleration = work->links.acceleration;
  for (std::size_t i = 1; i < acceleration.size(); ++i) {
    const LinkState<double>& state = kernel.link(i);
    const Vector3d alpha = to_eigen(state.acceleration.angular + state.drift.angular);
    const Vector3d o = to_eigen(state.o);
    // Of the material point o, without the world's upward acceleration; then as the rate of the spatial velocity.
    const Vector3d a = to_eigen(state.acceleration.linear + state.drift.linear) + gravity;
    acceleration[i].head<3>() = alpha;
    acceleration[i].tail<3>() = a - alpha.cross(o) - to_eigen(state.w).cross(to_eigen(state.velocity));
  }
}

// With all rows in the program, the elimination strikes those of which the rows before leave next to nothing. Nothing
// moves: only the matrices count.
void choose_rows(const System& system, double time, std::span<const double> q, Workspace& work) {
  const std::vector<bool> all(to_index(system->rows), false);
  make_engine(system, all, work);
  Engine& engine = *work->engine;
  update_kinematics(system, time, q, {work->nothing.data(), to_index(work->nothing.size())}, work);
  detail::Selection selection;
  engine.rows();
  // By one thread: which row is struck depends on those before it, and so on the order.
  engine.factor_alone(work->nothing.data(), selection);
  std::vector<bool> dropped = all;
  for (const detail::LoopProgram& loop : engine.program().loops) {
    for (int r = 0; r < loop.rows; ++r) {
      if (selection.dropped[to_index(loop.lambda - engine.program().lambdas.begin + r)])
        dropped[to_index(loop.row + loop.kept[to_index(r)])] = true;
    }
  }
  set_dropped_rows(system, dropped, work);
}

// The same elimination strikes nothing and measures how near the chosen rows are to implying each other.
double detail::least_row_share(const System& system, double time, std::span<const double> q, Workspace& work) {
  if (system->rows == 0) return 1;
  const std::span<const double> still{work->nothing.data(), to_index(work->nothing.size())};
  move(system, q, still, work);
  update_rows(system, time, q, still, work);
  work->engine->rows();
  detail::Selection selection;
  // Only looks: the choice stays as it is.
  selection.strikes = false;
  work->engine->factor_alone(work->nothing.data(), selection);
  return selection.least;
}

void set_dropped_rows(const System& system, const std::vector<bool>& dropped, Workspace& work) {
  work->dropped = dropped;
  work->rows_chosen = true;
  work->lambda.setZero();
  make_engine(system, dropped, work);
}

void use_threads(const System& system, int threads, Workspace& work) {
  work->threads = threads;
  engine_of(system, work).use_threads(threads);
}

Sharing sharing(const System& system, Workspace& work, const plan::MachineConstants& machine) {
  const Engine& engine = engine_of(system, work);
  const plan::TaskTree& tree = engine.program().task_tree;
  Sharing sharing;
  sharing.tasks = static_cast<int>(tree.tasks.size());
  sharing.levels = tree.levels;
  sharing.shared = engine.is_shared();
  sharing.passes = engine.passes();
  // What the tasks counted themselves while they ran, not what was planned.
  for (const Engine::TaskRun& run : engine.task_runs()) {
    sharing.tasks_run += run.times;
    sharing.levels_run = std::max(sharing.levels_run, run.level);
  }
  if (sharing.shared) sharing.speed_up = predicted_speed_up(engine.program(), machine, work->threads);
  return sharing;
}

// Newton on the residuals: each step is the change of least kinetic energy that would close all loops if they were
// linear, by the factors of (D5) to (D8) with the residuals in place of k.
double project_positions(const System& system, double time, std::span<double> q, double tolerance, Workspace& work) {
  constexpr int kSteps = 25;
  constexpr double kSmallGap = 1e-10;
  if (system->rows == 0) return 0;
  if (!work->rows_chosen) choose_rows(system, time, q, work);
  double last = 0;
  for (int step = 0; step < kSteps; ++step) {
    const std::span<const double> still{work->nothing.data(), to_index(work->nothing.size())};
    move(system, q, still, work);
    update_rows(system, time, q, still, work);
    const double left = largest(work->residual);
    if (!(left > tolerance)) break;
    // Rounding is reached where so small a gap does not become smaller.
    if (step > 0 && left < kSmallGap && left > 0.5 * last) break;
    // The factors of an earlier step serve as long as they gain a factor of ten.
    if (step == 0 || left > 0.1 * last) factor(work);
    last = left;
    resolve(work->residual, work);
    move_positions(system, q, {work->change.data(), to_index(work->change.size())}, 1);
  }
  return largest(work->residual);
}

// Linear in the velocities, so one step is all; the rates are taken once more to say what is left.
double project_velocities(const System& system, double time, std::span<const double> q, std::span<double> v,
                          Workspace& work) {
  if (system->rows == 0) return 0;
  if (!work->rows_chosen) choose_rows(system, time, q, work);
  move(system, q, v, work);
  update_rows(system, time, q, v, work);
  factor(work);
  resolve(work->rate, work);
  for (std::size_t k = 0; k < v.size(); ++k) v[k] += work->change[static_cast<Eigen::Index>(k)];
  move(system, q, v, work);
  update_rows(system, time, q, v, work);
  return largest(work->rate);
}

// With the factors of the last projection, which serve for a second velocity nearby.
void detail::project_again(const System& system, double time, std::span<const double> q, std::span<double> v,
                           Workspace& work) {
  move(system, q, v, work);
  update_rows(system, time, q, v, work);
  resolve(work->rate, work);
  for (std::size_t k = 0; k < v.size(); ++k) v[k] += work->change[static_cast<Eigen::Index>(k)];
}

void move_positions(const System& system, std::span<double> q, std::span<const double> v, double h) {
  for (const Link& link : system->links) {
    if (link.freedom == 0) continue;
    const std::span<double> position = q.subspan(to_index(link.position));
    const std::span<const double> velocity = v.subspan(to_index(link.velocity));
    const int quaternion = model::joint_row(link.type).quaternion;
    const bool turns = quaternion >= 0;
    const auto plain = to_index(turns ? quaternion : link.freedom);
    for (std::size_t k = 0; k < plain; ++k) position[k] += h * velocity[k];
    if (!turns) continue;
    // A turn by h |w| about w, which is given in the axes of B: it stands behind the old rotation.
    const Eigen::Vector3d w(velocity[plain], velocity[plain + 1], velocity[plain + 2]);
    const double angle = h * w.norm();
    const Eigen::Vector3d half = (angle < 1e-8 ? h / 2 : elementary::sin(angle / 2) / w.norm()) * w;
    const Eigen::Quaterniond old(position[plain], position[plain + 1], position[plain + 2], position[plain + 3]);
    const Eigen::Quaterniond turned =
        (old * Eigen::Quaterniond(elementary::cos(angle / 2), half.x(), half.y(), half.z())).normalized();
    position[plain] = turned.w(), position[plain + 1] = turned.x();
    position[plain + 2] = turned.y(), position[plain + 3] = turned.z();
  }
}

}  // namespace espalier::dynamics

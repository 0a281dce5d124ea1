#include "espalier/dynamics/assembly.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/detail/constraint_rows.hpp"
#include "espalier/dynamics/detail/frame_changes.hpp"
#include "espalier/dynamics/detail/least_squares.hpp"
#include "espalier/dynamics/detail/passive.hpp"
#include "espalier/dynamics/detail/row_dependence.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace espalier::dynamics {
namespace {

using detail::constrained_least_squares;
using detail::find_dependent_rows;
using detail::frame_change_size;
using detail::frame_slopes;
using detail::FrameBounds;
using detail::joint_sizes;
using detail::least_norm_solution;
using detail::natural_order;
using detail::RowDependence;
using detail::ScaledRows;
using detail::set_correction;
using detail::SparseRows;
using detail::SparseVector;
using detail::with_frames;
using detail::without_motions;

// What may be left of equations that repeat each other, from the loosest guess on; below the last one it is rounding of
// the program's own numbers.
constexpr std::array kTolerances = {3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6, 1e-7, 1e-8};
constexpr double kOwnRounding = 1e-9;
constexpr double kAgrees = 1e-11;  // gaps that are closed [m or rad], times the extent above 1 m
constexpr std::size_t kEntries = 50'000'000;
constexpr std::uint32_t kWays = 2;      // random directions in which the mechanism is moved, each forwards and back
constexpr int kPoses = 4;               // on a way
constexpr std::size_t kLeastPoses = 4;  // that must be reached where the mechanism moves
constexpr double kStep = 0.15;          // between poses [rad, or typical lengths]
constexpr int kSteps = 12;              // of Newton's method
constexpr int kRounds = 8;              // of the correction
constexpr double kClosed = 1e-13;       // of the equations that count, without units

double largest(const Eigen::VectorXd& values) { return values.size() == 0 ? 0 : values.cwiseAbs().maxCoeff(); }

// Closed poses along the motion that the independent equations alone allow, and what the others lack there.
class Ways {
 public:
  Ways(const System& system, double time, double tolerance, int rank)
      : time_(time), tolerance_(tolerance), rank_(rank), order_(natural_order(system, 0)) {}

  struct Place {
    std::vector<double> q;
    ScaledRows scaled;
    RowDependence dependence;
  };

  // q moved, in the smallest steps, to where the independent equations hold; none where that or their rank fails.
  std::optional<Place> close(const System& system, std::vector<double> q) const {
    for (int step = 0; step < kSteps; ++step) {
      Place place{q, ScaledRows(system, time_, q), {}};
      place.dependence = find_dependent_rows(place.scaled.G, order_, tolerance_, kEntries);
      // Another rank here: this is no pose of the mechanism that is being guessed at.
      if (!place.dependence.complete || place.dependence.rank != rank_) return std::nullopt;
      const Eigen::VectorXd lack = independent(place, -residual(place));
      // Steps of Newton's method from farther than a typical length mean nothing.
      const double worst = largest(lack);
      if (!(worst < 1)) return std::nullopt;
      if (worst <= kClosed) return place;
      q = moved(system, place, least_motion(system, place, Eigen::VectorXd::Zero(system->velocity_size), lack));
    }
    return std::nullopt;
  }

  // From `start` on in a random direction.
  void follow(const System& system, const Place& start, std::uint32_t key, double side, double step, int count,
              std::vector<Place>& places) const {
    // Keyed by the way alone: the same file is corrected alike everywhere.
    Random random(4, key);
    Eigen::VectorXd wanted(system->velocity_size);
    for (double& value : wanted) value = side * random.uniform(-1, 1);
    Place now = start;
    for (int k = 0; k < count; ++k) {
      const Eigen::VectorXd none = Eigen::VectorXd::Zero(system->rows);
      Eigen::VectorXd way = least_motion(system, now, wanted, independent(now, none));
      const double size = largest(way);
      // The independent equations leave nothing to move in this direction.
      if (size < 1e-6) return;
      way *= step / size;
      std::optional<Place> next = close(system, moved(system, now, way));
      if (!next) return;
      now = *std::move(next);
      places.push_back(now);
    }
  }

  static Eigen::VectorXd residual(const Place& place) {
    return place.scaled.row_scale.cwiseProduct(place.scaled.rows.residual);
  }

 private:
  // Without the rows that others imply.
  static Eigen::VectorXd independent(const Place& place, Eigen::VectorXd values) {
    for (const int row : place.dependence.dependent) values[row] = 0;
    return values;
  }

  // The motion nearest to `wanted` that brings `values` to the independent rows.
  static Eigen::VectorXd least_motion(const System& system, const Place& place, const Eigen::VectorXd& wanted,
                                      const Eigen::VectorXd& values) {
    const Eigen::VectorXd counts = independent(place, Eigen::VectorXd::Ones(system->rows));
    const Eigen::SparseMatrix<double> G = counts.asDiagonal() * place.scaled.G;
    Eigen::SparseMatrix<double> all(system->velocity_size, system->velocity_size);
    all.setIdentity();
    return constrained_least_squares(all, wanted, G, values, wanted);
  }

  static std::vector<double> moved(const System& system, const Place& place, const Eigen::VectorXd& motion) {
    std::vector<double> q = place.q;
    const Eigen::VectorXd change = motion.cwiseProduct(place.scaled.column_scale);
    move_positions(system, q, {change.data(), to_index(change.size())}, 1);
    return q;
  }

  double time_;
  double tolerance_;
  int rank_;
  std::vector<int> order_;
};

class Attempt {
 public:
  Attempt(const System& system, double time, std::span<const double> q, double tolerance, int rank,
          const FrameBounds& bounds, double closed)
      : system_(system),
        q_(q.begin(), q.end()),
        ways_(system, time, tolerance, rank),
        bounds_(bounds),
        closed_(closed),
        moves_(rank < system->velocity_size) {}

  // The frames' changes in parts of the bounds; none where no small change will do.
  // Newton's method on the frames: close all poses with the rows that count, see what the others lack there, change the
  // frames by the least that mends it to first order. Then poses that had no say must agree as well.
  std::optional<Eigen::VectorXd> run() {
    if (!walk()) return std::nullopt;
    Eigen::VectorXd change = Eigen::VectorXd::Zero(frame_change_size(system_));
    System now = system_;
    for (int round = 0; round < kRounds; ++round) {
      const double before = lack();
      change = least_change(now, change);
      // Twice the bounds on the way is let pass; the end is held to them.
      if (!change.allFinite() || largest(joint_sizes(change)) > 2) return std::nullopt;
      now = with_frames(system_, change, bounds_);
      if (!close_again(now)) return std::nullopt;
      if (lack() <= 0.01 * closed_ || (lack() <= closed_ && lack() > 0.3 * before)) break;
    }
    if (lack() > closed_ || largest(joint_sizes(change)) > 1 || !holds_elsewhere(now)) return std::nullopt;
    return change;
  }

 private:
  bool walk() {
    std::optional<Ways::Place> start = ways_.close(system_, q_);
    if (!start) return false;
    places_ = {*start};
    for (std::uint32_t key = 0; key < kWays; ++key) {
      // Both sides of the drawing: a loop that is tilted may close on one of them alone.
      for (const double side : {1.0, -1.0}) ways_.follow(system_, *start, key, side, kStep, kPoses, places_);
    }
    // A rank that is lost on the way was that of a special pose, and says nothing of the motion.
    return !moves_ || places_.size() > kLeastPoses;
  }

  bool close_again(const System& now) {
    // In the order of walk(), each from where it closed before: the change of the frames is small.
    for (Ways::Place& place : places_) {
      std::optional<Ways::Place> closed = ways_.close(now, place.q);
      if (!closed) return false;
      place = *std::move(closed);
    }
    return true;
  }

  // The largest gap of all equations in all poses [m or rad].
  double lack() const {
    double worst = 0;
    for (const Ways::Place& place : places_) worst = std::max(worst, largest(place.scaled.rows.residual));
    return worst;
  }

  // With y^T G = 0 an implied row lacks y^T r; a change e of the frames adds y^T E e to it. All these conditions
  // together have the smallest solution in the least squares of the changes.
  Eigen::VectorXd least_change(const System& now, const Eigen::VectorXd& change) const {
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<double> wanted;
    for (const Ways::Place& place : places_) {
      const SparseRows E = place.scaled.row_scale.asDiagonal() * frame_slopes(now, place.scaled.rows, bounds_);
      const Eigen::VectorXd residual = Ways::residual(place);
      for (const SparseVector& relation : place.dependence.relation) {
        Eigen::SparseVector<double> slope(change.size());
        double lacks = 0;
        for (const auto& [row, share] : relation) {
          slope += share * E.row(row).transpose();
          lacks += share * residual[row];
        }
        const double size = slope.norm();
        // No frame changes this relation; it cannot be mended, and dividing by its size would only bring rounding in.
        if (size < 1e-14) continue;
        const int at = static_cast<int>(wanted.size());
        for (Eigen::SparseVector<double>::InnerIterator entry(slope); entry; ++entry)
          entries.emplace_back(at, static_cast<int>(entry.index()), entry.value() / size);
        wanted.push_back((slope.dot(change) - lacks) / size);
      }
    }
    Eigen::SparseMatrix<double> A(static_cast<Eigen::Index>(wanted.size()), change.size());
    A.setFromTriplets(entries.begin(), entries.end());
    return least_norm_solution(A, Eigen::Map<const Eigen::VectorXd>(wanted.data(), A.rows()));
  }

  // Poses that the change was not made for, farther apart.
  bool holds_elsewhere(const System& now) const {
    std::vector<Ways::Place> others;
    // Keys that walk() has not used.
    for (std::uint32_t key = kWays; key < 2 * kWays; ++key)
      ways_.follow(now, places_.front(), key, 1, 2 * kStep, kPoses, others);
    if (moves_ && others.size() < kLeastPoses / 2) return false;
    return std::all_of(others.begin(), others.end(),
                       [&](const Ways::Place& place) { return largest(place.scaled.rows.residual) <= 10 * closed_; });
  }

  const System& system_;
  std::vector<double> q_;
  Ways ways_;
  FrameBounds bounds_;
  double closed_;
  bool moves_;  // equations of this rank leave a freedom
  std::vector<Ways::Place> places_;
};

double extent_of(const ScaledRows& scaled) {
  double extent = 1;
  for (const math::Pose& X_WL : scaled.rows.links.pose) extent = std::max(extent, X_WL.position.norm());
  return extent;
}

}  // namespace

Correction find_correction(const System& driven, double time, std::span<const double> q,
                           const CorrectionOptions& options) {
  Correction correction;
  if (driven->closures.empty()) return correction;
  const System system = without_motions(driven);
  const ScaledRows here(system, time, q);
  const std::vector<int> order = natural_order(system, 0);
  const auto dependence = [&](double tolerance) { return find_dependent_rows(here.G, order, tolerance, kEntries); };
  const double closed = kAgrees * extent_of(here);
  correction.disagreement = largest(here.rows.residual);
  // 1  The rank by the program's own rounding against that by what files lose: where both agree, nothing was rounded.
  const bool open = correction.disagreement > closed;
  const RowDependence strict = dependence(kOwnRounding);
  const RowDependence loose = dependence(kTolerances.front());
  if (!strict.complete || !loose.complete) return correction;
  if (!open && loose.rank == strict.rank && loose.largest_dropped <= kOwnRounding) return correction;

  // 2  Each rank between the two is a guess at how many equations the designer meant to be independent.
  const FrameBounds bounds{options.angle, std::min(options.distance, options.angle * here.typical)};
  int tried = -1;
  for (const double tolerance : kTolerances) {
    const RowDependence found = dependence(tolerance);
    // The same rank is the same guess.
    if (found.rank == tried || found.dependent.empty()) continue;
    if (found.rank == strict.rank && !open) break;
    tried = found.rank;
    const std::optional<Eigen::VectorXd> change = Attempt(system, time, q, tolerance, found.rank, bounds, closed).run();
    if (!change) continue;
    set_correction(system, *change, bounds, correction);
    correction.outcome = Correction::Outcome::kFound;
    return correction;
  }
  // A pose that is singular, or nearly so, is no disagreement.
  if (open) correction.outcome = Correction::Outcome::kLarge;
  return correction;
}

model::Model corrected(model::Model model, const Correction& correction) {
  for (const JointCorrection& change : correction.joints) {
    model::Joint& joint = model.joints[change.joint.index()];
    joint.X_AF = joint.X_AF * change.on_a;
    joint.X_BM = joint.X_BM * change.on_b;
  }
  return model;
}

}  // namespace espalier::dynamics

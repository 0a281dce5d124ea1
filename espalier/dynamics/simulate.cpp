#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/result.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/detail/frames.hpp"
#include "espalier/dynamics/detail/implicit.hpp"
#include "espalier/dynamics/detail/kernel.hpp"
#include "espalier/dynamics/detail/ode.hpp"
#include "espalier/dynamics/detail/row_share.hpp"
#include "espalier/dynamics/detail/run_failures.hpp"
#include "espalier/dynamics/detail/run_memory.hpp"
#include "espalier/dynamics/detail/runge.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/dynamics.hpp"

namespace espalier::dynamics {
namespace {

using detail::Interpolant;
using detail::kMemorySize;
using detail::Ode;
using detail::Point;
using detail::RungeStages;
using model::Outcome;

// A start farther from closed than this is a matter of assembly [m] and [rad].
constexpr double kLargestStartGap = 1e-6;
// Where no more than this part of the energy was kinetic or changed, nothing moved.
constexpr double kStill = 1e-13;
// Output times nearer to the end than this part of the output step are the end.
constexpr double kSameTime = 1e-9;
// Every so many steps kAuto asks whether stability limits the step.
constexpr int kStiffEvery = 50;
// The explicit step is stable to |h lambda| = 3.3 on the negative axis; no accuracy asks for a step near that.
constexpr double kStiffStep = 2.5;
// With more coordinates kAuto stays with explicit steps: an implicit one costs 2 n evaluations and n^3/3.
constexpr int kMostByItself = 2000;
// The first step is at least so many of the shortest.
constexpr double kFirstStep = 1e3;

// One run. Its methods return false where it is over; status_ then says why.
class Run {
 public:
  Run(const System& system, const RunState& start, const model::Sink& sink, const SimulateOptions& options)
      : system_(system),
        sink_(sink),
        options_(options),
        ode_(system, options.loop_tolerance),
        frame_ode_(system, options.loop_tolerance),
        from_(ode_.size()),
        to_(ode_.size()),
        frame_point_(ode_.size()),
        stages_(ode_.size()),
        implicit_(ode_),
        between_(ode_.size()),
        arrays_(system) {
    ESPALIER_CHECK(start.state.q.size() == ode_.positions && start.state.v.size() == ode_.velocities,
                   "the state belongs to another system");
    set_start(start);
  }

  // A run is start(), then prepare(), a step tried, conclude() until one of them says that it is over, then finish().
  RunStatus run() {
    bool goes_on = start();
    while (goes_on) goes_on = prepare() && conclude(try_step());
    return finish();
  }

  bool start() {
    begin_time_ = std::chrono::steady_clock::now();
    const bool goes_on = begin();
    status_.setup_seconds = seconds_since(made_time_);
    return goes_on;
  }

  // Sets up the next step to try.
  bool prepare() {
    if (!attempt_.again && (!(from_.time < options_.run.end_time) || stopped())) return false;
    if (!attempt_.again) attempt_ = {};
    return integrator_ == Integrator::kFixed ? prepare_fixed() : prepare_adaptive();
  }

  // Its estimated error in units of the tolerance. Explicit steps of several runs may be tried together instead.
  double try_step() {
    if (is_explicit()) return explicit_step(method(), step());
    const double error = implicit_step(ode_, from_, attempt_.h, options_.tolerance, implicit_, to_);
    // The Jacobian belongs to the state: a step that is refused is tried again from the same one.
    implicit_.has_jacobian = implicit_.has_jacobian && !(error <= 1);
    return error;
  }
  bool is_explicit() const { return integrator_ != Integrator::kImplicit; }
  const detail::Tableau& method() const {
    return integrator_ == Integrator::kFixed ? detail::kClassical : detail::kDormand;
  }
  detail::Step step() { return {&ode_, &from_, attempt_.h, options_.tolerance, &stages_, &to_}; }
  const std::vector<bool>& dropped() const { return ode_.work.dropped(); }

  bool conclude(double error) {
    return integrator_ == Integrator::kFixed ? conclude_fixed(error) : conclude_adaptive(error);
  }

  RunStatus finish() {
    status_.evaluations = ode_.evaluations + frame_ode_.evaluations;
    // Rounding of large energies is no motion to measure an error against.
    if (status_.energy_scale <= kStill * energy_level_) status_.energy_scale = 0;
    fill_state(status_.end);
    status_.end.fitted = state_.fitted;
    if (!state_.fitted) status_.resume = status_.end;
    status_.unclear_reactions = unclear_joints(arrays_.reaction_unique);
    status_.sharing = sharing(system_, ode_.work);
    status_.seconds = seconds_since(begin_time_);
    return std::move(status_);
  }

 private:
  void set_start(const RunState& start) {
    use_threads(system_, options_.threads, ode_.work);
    from_.time = start.state.time;
    std::copy(start.state.q.begin(), start.state.q.end(), ode_.q(from_.y).begin());
    std::copy(start.state.v.begin(), start.state.v.end(), ode_.v(from_.y).begin());
    from_.y[ode_.size() - 1] = start.exchanged;
    outputs_ = start.outputs;
    step_ = start.step;
    continued_ = start.memory.size() == kMemorySize + to_index(ode_.size() + system_->rows);
    integrator_ = options_.integrator;
    // Who had become implicit goes on so, or the second part would be another run.
    if (integrator_ == Integrator::kAuto) integrator_ = continued_ ? start.integrator : Integrator::kRunge;
    if (!continued_) {
      memory_.origin = start.state.time;
      return;
    }
    memory_ = detail::memory_of(start.memory);
    const auto slope = start.memory.begin() + kMemorySize;
    std::copy(slope, slope + ode_.size(), from_.f.begin());
    std::vector<bool> dropped;
    std::transform(slope + ode_.size(), start.memory.end(), std::back_inserter(dropped),
                   [](double number) { return number != 0; });
    // Before the first evaluation, which would choose for itself.
    set_dropped_rows(system_, dropped, ode_.work);
    set_dropped_rows(system_, dropped, frame_ode_.work);
  }

  // 1. The start: closed, with its slope, its energy and its frame.
  bool begin() {
    if (continued_) {
      update_kinematics(system_, from_.time, ode_.q(from_.y), ode_.v(from_.y), ode_.work);
    } else {
      choose_rows(system_, from_.time, ode_.q(from_.y), ode_.work);
      set_dropped_rows(system_, ode_.work.dropped(), frame_ode_.work);
      if (!close_start()) return false;
    }
    mark_reactions();
    // A continued run needs no slope, but the energies.
    if (!derivative(ode_, from_.time, from_.y, continued_ ? to_.f : from_.f)) return fail_number(from_.time, ode_);
    const Energies start = energies_at(from_);
    start_energy_ = start.kinetic + start.potential - from_.y[ode_.size() - 1];
    start_potential_ = start.potential;
    note_step(from_);
    fixed_ = options_.step > 0 ? options_.step : options_.run.output_step / 10;
    if (outputs_ == 0 && !hand_out(from_.time, from_)) return false;
    if (outputs_ == 0) ++outputs_;
    if (integrator_ != Integrator::kFixed && !(step_ > 0) && from_.time < options_.run.end_time) {
      const double first = first_step(ode_, from_, options_.run.end_time - from_.time, options_.tolerance, stages_);
      step_ = std::max(first, kFirstStep * shortest_step());
    }
    return is_explicit() || system_->velocity_size <= detail::kMostImplicit || fail_size();
  }

  // A component that was not unique once stays marked.
  void mark_reactions() {
    std::vector<std::uint8_t>& unique = arrays_.reaction_unique;
    const std::vector<std::uint8_t> now = unique_reactions(system_, from_.time, ode_.q(from_.y), ode_.work);
    // Equations are chosen again along the way: what was marked in one pose is not taken back in the next.
    unique.resize(now.size(), 1);
    std::transform(now.begin(), now.end(), unique.begin(), unique.begin(), std::bit_and<std::uint8_t>());
  }

  bool close_start() {
    update_kinematics(system_, from_.time, ode_.q(from_.y), ode_.v(from_.y), ode_.work);
    const double gap = system_->rows == 0 ? 0 : ode_.work.residual().cwiseAbs().maxCoeff();
    if (gap <= std::max(kLargestStartGap, options_.loop_tolerance))
      return close_loops(ode_, from_.time, from_.y) || fail_number(from_.time, ode_);
    return fail(detail::open_failure(gap, from_.time));
  }

  // 2. One step: what is tried, and what becomes of it.
  struct Attempt {
    double h = 0;          // [s]
    double end = 0;        // of a fixed step [s]
    bool last = false;     // it reaches the end of the run
    bool again = false;    // the step before it was refused
    bool refused = false;  // for its error
    double error = 0;      // of the step before it
  };

  bool prepare_fixed() {
    if (status_.steps >= options_.max_steps) return fail_count();
    // Times are counted from a base and not added up: a sum of a million steps has a million roundings.
    if (memory_.fixed_step != fixed_ || memory_.base + memory_.count * fixed_ != from_.time) {
      memory_.base = from_.time;
      memory_.count = 0;
      memory_.fixed_step = fixed_;
    }
    attempt_.end = memory_.base + (memory_.count + 1) * fixed_;
    if (attempt_.end > options_.run.end_time - kSameTime * fixed_) {
      keep_resume();
      attempt_.end = options_.run.end_time;
    }
    attempt_.h = attempt_.end - from_.time;
    return true;
  }

  bool conclude_fixed(double error) {
    if (!(error <= 1) && !attempt_.refused) {
      attempt_.refused = attempt_.again = true;
      // The step may have failed for the choice of rows alone.
      if (choose_rows_again(0)) return true;
    }
    if (!(error <= 1)) return fail_number(from_.time, ode_);
    to_.time = attempt_.end;
    memory_.count += 1;
    return accept();
  }

  double shortest_step() const {
    return 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(from_.time), std::abs(options_.run.end_time));
  }

  bool prepare_adaptive() {
    if (status_.steps + status_.rejected >= options_.max_steps) return fail_count();
    const double left = options_.run.end_time - from_.time;
    // A last step that is a little longer is better than one that is a hundredth as long.
    attempt_.last = 1.01 * step_ >= left;
    if (attempt_.last) keep_resume();
    attempt_.h = attempt_.last ? left : step_;
    return !(attempt_.h < shortest_step() && !attempt_.last) || fail_step(attempt_.h, attempt_.error);
  }

  bool conclude_adaptive(double error) {
    const double h = attempt_.h;
    attempt_.error = error;
    if (error <= 1) {
      // A step cut to fit the end says little of what could have been taken.
      const double wanted = h * growth(error, attempt_.refused);
      step_ = attempt_.last ? std::max(step_, wanted) : wanted;
      if (attempt_.last) to_.time = options_.run.end_time;
      memory_.last_error = std::max(error, 1e-4);
      return accept();
    }
    ++status_.rejected;
    attempt_.again = true;
    if (!attempt_.refused && !std::isfinite(error) && choose_rows_again(0)) return true;
    attempt_.refused = true;
    // By the order where an error is known; a number that is none has no size to go by.
    step_ = h * (std::isfinite(error) ? std::max(0.2, 0.9 * elementary::pow(error, -1.0 / order())) : 0.25);
    return !(attempt_.last && h < shortest_step()) || fail_step(h, error);
  }

  // An accepted step, its frames, and what is said about it.
  bool accept() {
    attempt_.again = false;
    ++status_.steps;
    note_step(to_);
    const bool wanted = hand_out_step();
    std::swap(from_, to_);
    look_at_rows();
    if (wanted && options_.integrator == Integrator::kAuto) choose_integrator();
    if (options_.on_step) {
      fill_state(state_);
      options_.on_step(state_);
    }
    return wanted;
  }

  // Equations that were independent where they were chosen may imply each other elsewhere, while others that were left
  // out count: on the way of an over-constrained spatial loop every choice comes to its end.
  void look_at_rows() {
    const std::vector<bool>& dropped = ode_.work.dropped();
    if (std::find(dropped.begin(), dropped.end(), true) == dropped.end()) return;
    if (memory_.rows_wait > 0) {
      memory_.rows_wait -= 1;
      return;
    }
    // Computed now and then alone: it takes an elimination of its own.
    const double share = detail::least_row_share(system_, from_.time, ode_.q(from_.y), ode_.work);
    const bool in_vain = share < detail::kLeastShare && !choose_rows_again(detail::kBetterShare * share);
    memory_.rows_wait = in_vain ? detail::kRowsWaitInVain : share > detail::kPlentyShare ? detail::kRowsWait : 0;
  }

  // Where loops do not close, a row may have been left out in a special position that counts in others.
  bool choose_rows_again(double share) {
    if (!detail::choose_better_rows(system_, from_.time, ode_.q(from_.y), share, ode_.work)) return false;
    set_dropped_rows(system_, ode_.work.dropped(), frame_ode_.work);
    mark_reactions();
    return derivative(ode_, from_.time, from_.y, from_.f);
  }

  // Of the estimated error of a step.
  double order() const { return integrator_ == Integrator::kRunge ? 5 : 4; }

  // The step controller of [Hairer93] IV.2: proportional and integral.
  double growth(double error, bool refused) const {
    const double beta = 0.2 / order();
    // The constants of [Hairer93]: beta 0.2 over the order damps steps that would swing between too long and too short.
    const double alpha = 1 / order() - 0.75 * beta;
    const double factor =
        0.9 * elementary::pow(std::max(error, 1e-10), -alpha) * elementary::pow(memory_.last_error, beta);
    return std::clamp(factor, 0.2, refused ? 1.0 : 10.0);
  }

  // kAuto: from the explicit steps to implicit ones where stability limits them, and back where that did not pay. All
  // that counts is evaluations, no clock, so that a run is the same everywhere.
  void choose_integrator() {
    memory_.since_check += 1;
    if (memory_.since_check < kStiffEvery) return;
    memory_.since_check = 0;
    integrator_ == Integrator::kRunge ? look_for_stiffness() : look_at_pace();
  }

  void look_for_stiffness() {
    // Three times in a row by default: a stroke against a limit is over before that.
    const bool stiff = step_ * spectral_radius(ode_, from_, stages_) > kStiffStep;
    memory_.stiff = stiff ? memory_.stiff + 1 : 0;
    if (memory_.stiff < memory_.patience || system_->velocity_size > kMostByItself) return;
    memory_.stiff = 0;
    // Time gained for each evaluation, of which an explicit step has six.
    memory_.explicit_pace = step_ / 6;
    memory_.check_time = from_.time;
    memory_.last_error = 1e-4;
    integrator_ = Integrator::kImplicit;
    if (!status_.stiff_since) status_.stiff_since = from_.time;
  }

  void look_at_pace() {
    const double pace = (from_.time - memory_.check_time) / (kStiffEvery * evaluations_of_implicit_step());
    memory_.check_time = from_.time;
    if (pace >= memory_.explicit_pace) return;
    integrator_ = Integrator::kRunge;
    step_ = 6 * memory_.explicit_pace;
    // It was no better: the next attempt must have stronger reasons.
    memory_.patience *= 4;
    memory_.last_error = 1e-4;
  }
  double evaluations_of_implicit_step() const {
    return 7 + (options_.tolerance < detail::kBothSidesBelow ? 4 : 2) * static_cast<double>(system_->velocity_size);
  }

  // 3. Frames.
  bool hand_out_step() {
    bool ready = false;
    const bool at_end = to_.time >= options_.run.end_time;
    while (options_.run.output_step > 0) {
      // A whole number of steps from the start, so that a restarted run has the same times.
      const double time = memory_.origin + static_cast<double>(outputs_) * options_.run.output_step;
      const bool is_end = at_end && time > options_.run.end_time - kSameTime * options_.run.output_step;
      if (is_end && time > options_.run.end_time + kSameTime * options_.run.output_step) break;
      if (!is_end && time > to_.time) break;
      if (!ready) set_interpolant();
      ready = true;
      if (!hand_out(is_end ? options_.run.end_time : time, to_)) return false;
      ++outputs_;
      if (is_end) return true;
    }
    return !at_end || hand_out(options_.run.end_time, to_);
  }

  void set_interpolant() {
    if (integrator_ == Integrator::kRunge) {
      set_runge_interpolant(stages_, from_, to_, between_);
    } else if (integrator_ == Integrator::kImplicit) {
      set_implicit_interpolant(implicit_, from_, to_, between_);
    } else {
      between_.set_ends(from_.time, to_.time - from_.time, from_.y, to_.y, from_.f, to_.f);
    }
  }

  // The frame at a time of the last step, which ends in `end`. Evaluated in its own memory: frames leave no trace in
  // the trajectory.
  bool hand_out(double time, const Point& end) {
    Point& at = frame_point_;
    if (time == end.time) {
      at.y = end.y;
    } else {
      between_.at(time, at.y);
    }
    // The continuous extension leaves the loops open by its own error.
    close_loops(frame_ode_, time, at.y);
    if (!derivative(frame_ode_, time, at.y, at.f)) return fail_number(time, frame_ode_);
    update_links(system_, frame_ode_.work);
    const model::Frame frame = make_frame(system_, time, ode_.q(std::as_const(at.y)), ode_.v(std::as_const(at.y)),
                                          at.y[ode_.size() - 1], frame_ode_.work, arrays_);
    if (sink_(frame)) return true;
    status_.outcome = Outcome::kStopped;
    status_.message = fmt::format("stopped by its receiver at t = {} s", time);
    return false;
  }

  // 4. The report.
  Energies energies_at(const Point& point) {
    update_links(system_, ode_.work);
    return energies(system_, point.time, ode_.q(point.y), ode_.v(point.y), ode_.work);
  }

  void note_step(const Point& point) {
    const Energies now = energies_at(point);
    const double sum = now.kinetic + now.potential - point.y[ode_.size() - 1];
    status_.energy_error = std::max(status_.energy_error, std::abs(sum - start_energy_));
    status_.energy_scale = std::max({status_.energy_scale, now.kinetic, std::abs(now.potential - start_potential_)});
    energy_level_ = std::max({energy_level_, now.kinetic, std::abs(now.potential)});
    memory_.energy = std::max(memory_.energy, now.kinetic);
    // What broke is judged against the largest energy so far.
    ode_.energy_scale = memory_.energy;
    const LoopGap gap = loop_gap(system_, ode_.work);
    status_.loop_distance = std::max(status_.loop_distance, gap.distance);
    status_.loop_angle = std::max(status_.loop_angle, gap.angle);
  }

  // Before a step is first fitted to the end time: from here on the run is another than one with a later end.
  void keep_resume() {
    if (!state_.fitted) fill_state(status_.resume);
    state_.fitted = true;
  }

  void fill_state(RunState& state) const {
    state.state.time = from_.time;
    state.state.q.assign(ode_.q(from_.y).begin(), ode_.q(from_.y).end());
    state.state.v.assign(ode_.v(from_.y).begin(), ode_.v(from_.y).end());
    state.integrator = integrator_;
    state.step = step_;
    state.exchanged = from_.y[ode_.size() - 1];
    state.outputs = outputs_;
    const std::array<double, kMemorySize> numbers = detail::numbers_of(memory_);
    state.memory.assign(numbers.begin(), numbers.end());
    state.memory.insert(state.memory.end(), from_.f.begin(), from_.f.end());
    state.memory.insert(state.memory.end(), ode_.work.dropped().begin(), ode_.work.dropped().end());
  }

  bool stopped() {
    if (options_.run.stop == nullptr || !options_.run.stop->load()) return false;
    status_.outcome = Outcome::kStopped;
    status_.message = fmt::format("stopped at t = {} s", from_.time);
    return true;
  }

  bool fail(std::string message) {
    status_.outcome = Outcome::kFailed;
    status_.message = std::move(message);
    return false;
  }
  bool fail_number(double time, const Ode& ode) { return fail(detail::number_failure(time, ode)); }
  bool fail_step(double h, double error) {
    if (!std::isfinite(error)) return fail_number(from_.time, ode_);
    return fail(detail::step_failure(from_.time, h, options_.tolerance));
  }
  bool fail_size() { return fail(detail::size_failure(system_->velocity_size)); }
  bool fail_count() { return fail(detail::count_failure(options_.max_steps, from_.time, step_, options_.tolerance)); }

  static double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  }

  std::chrono::steady_clock::time_point made_time_ = std::chrono::steady_clock::now();  // before all that is made below
  const System& system_;
  const model::Sink& sink_;
  const SimulateOptions& options_;
  Ode ode_;
  Ode frame_ode_;
  Point from_;  // the last good state
  Point to_;
  Point frame_point_;
  RungeStages stages_;
  detail::ImplicitStages implicit_;
  Interpolant between_;
  detail::FrameArrays arrays_;
  Integrator integrator_ = Integrator::kRunge;
  bool continued_ = false;
  double step_ = 0;   // to try next [s]
  double fixed_ = 0;  // of kFixed [s]
  std::int64_t outputs_ = 0;
  detail::RunMemory memory_;
  double start_energy_ = 0;
  double start_potential_ = 0;
  double energy_level_ = 0;  // largest energy, rounding of which is no motion [J]
  Attempt attempt_;
  std::chrono::steady_clock::time_point begin_time_;
  RunState state_;
  RunStatus status_;
};

// Several runs of one system side by side: each has its own time and steps, and all explicit steps that are tried at
// once are evaluated in lanes. Where one ends, the next takes its lane.
class March {
 public:
  March(const System& system, std::span<const RunState> starts, std::span<const model::Sink> sinks,
        const SimulateOptions& options)
      : system_(system), starts_(starts), sinks_(sinks), options_(options), done_(starts.size()) {}

  std::vector<RunStatus> run() {
    const bool pays = detail::least_batch() <= kBatch;
    lanes_.resize(std::min<std::size_t>(pays ? kBatch : 1, starts_.size()));
    while (fill_lanes()) advance();
    return std::move(done_);
  }

 private:
  struct Lane {
    std::unique_ptr<Run> run;
    std::size_t index = 0;
  };

  // False where no run is left.
  bool fill_lanes() {
    bool any = false;
    for (Lane& lane : lanes_) {
      while (!lane.run && next_ < starts_.size()) {
        lane.index = next_++;
        lane.run = std::make_unique<Run>(system_, starts_[lane.index], sinks_[lane.index], options_);
        if (!lane.run->start()) retire(lane);
      }
      any = any || lane.run;
    }
    return any;
  }
  void retire(Lane& lane) {
    done_[lane.index] = lane.run->finish();
    lane.run.reset();
  }

  // One step of every run is tried.
  void advance() {
    together_.clear();
    for (Lane& lane : lanes_) {
      if (!lane.run) continue;
      if (!lane.run->prepare()) {
        retire(lane);
      } else if (lane.run->is_explicit() &&
                 (together_.empty() || lane.run->dropped() == together_.front()->run->dropped())) {
        together_.push_back(&lane);
      } else {
        conclude(lane, lane.run->try_step());
      }
    }
    if (static_cast<int>(together_.size()) < detail::least_batch()) {
      for (Lane* lane : together_) conclude(*lane, lane->run->try_step());
      return;
    }
    std::array<double, kBatch> errors{};
    steps_.clear();
    for (Lane* lane : together_) steps_.push_back(lane->run->step());
    explicit_steps(together_.front()->run->method(), steps_, batch_, errors);
    for (std::size_t k = 0; k < together_.size(); ++k) conclude(*together_[k], errors[k]);
  }
  void conclude(Lane& lane, double error) {
    if (!lane.run->conclude(error)) retire(lane);
  }

  const System& system_;
  std::span<const RunState> starts_;
  std::span<const model::Sink> sinks_;
  const SimulateOptions& options_;
  std::vector<RunStatus> done_;
  std::size_t next_ = 0;
  std::vector<Lane> lanes_;
  std::vector<Lane*> together_;
  std::vector<detail::Step> steps_;
  detail::OdeBatch batch_;
};

}  // namespace

RunStatus simulate(const System& system, const RunState& start, const model::Sink& sink,
                   const SimulateOptions& options) {
  return Run(system, start, sink, options).run();
}

std::vector<RunStatus> simulate_batch(const System& system, std::span<const RunState> starts,
                                      std::span<const model::Sink> sinks, const SimulateOptions& options) {
  ESPALIER_CHECK(starts.size() == sinks.size(), "every run has a start and a sink");
  return March(system, starts, sinks, options).run();
}

}  // namespace espalier::dynamics

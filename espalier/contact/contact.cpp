#include "espalier/contact/contact.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/advance.hpp"
#include "espalier/contact/detail/gather.hpp"
#include "espalier/contact/detail/joints.hpp"

namespace espalier::contact {
namespace {

constexpr double kDeepOverlap = 1e-3;  // against the smaller body

// What the ranks tell each other after a step, in one message.
struct StepSignals {
  bool stop = false;
  bool checkpoint = false;
  bool finite = true;
};

bool is_finite(const detail::Domain& domain) {
  return std::all_of(domain.bodies.begin(), domain.bodies.end(), [](const detail::LocalBody& local) {
    const auto finite = [](double x) { return std::isfinite(x); };
    const BodyState& state = local.body.state;
    if (!std::all_of(state.q.begin(), state.q.end(), finite)) return false;
    // The square of a velocity overflows first, and a report of energies with it.
    const Energy stored = energy(local.body);
    return finite(stored.kinetic) && finite(stored.strain);
  });
}

void add(const model::RankLoad& load, model::RankLoad& sum) {
  sum.busy += load.busy;
  sum.waiting += load.waiting;
  sum.bodies = load.bodies;
  sum.contacts = load.contacts;
}

// A millionth of a step too much is the rounding of time / step, no step of its own.
std::int64_t whole_steps(double time, double step) { return static_cast<std::int64_t>(std::ceil(time / step - 1e-6)); }

// All bodies on the root with the impulses of the last step; the first step shares them out.
detail::Domain restore(const comm::Comm& comm, Scene scene, const RunState& start, const Settings& settings) {
  if (comm.is_root()) {
    ESPALIER_CHECK(start.bodies.size() == scene.bodies.size(), "the state belongs to another scene");
    for (std::size_t id = 0; id < start.bodies.size(); ++id) scene.bodies[id].state = start.bodies[id];
  }
  detail::Domain domain = detail::make_domain(comm, std::move(scene), settings);
  // Formulas are evaluated at this time by every rank.
  domain.time = comm::broadcast(comm, start.time);
  domain.steps = comm::broadcast(comm, start.steps);
  // Impulses follow their bodies in the first step.
  if (comm.is_root()) domain.reactions = start.reactions;
  return domain;
}

// A run under way.
struct Run {
  const comm::Comm& comm;
  const model::Sink& sink;
  const SimulateOptions& options;
  detail::Domain domain;
  RunStatus status = {};
  std::int64_t outputs = 0;
  std::int64_t last_step = 0, frame_every = 1;
  bool sink_stops = false, first_frame = true;
  model::RankLoad since_frame = {}, in_all = {};
  detail::FrameArrays arrays = {};
  int joint_rows = -1;  // of the last step; they never change
  double last_checkpoint = 0;

  double energy_of(const model::Frame& frame) const { return frame.kinetic + frame.potential + frame.strain; }

  void hand_out() {
    // Formulas that the frame shows have no inputs before the first step.
    if (domain.steps == 0) detail::watch(comm, domain);
    const model::Frame frame = detail::gather_frame(comm, domain, since_frame, arrays);
    since_frame = {};
    ++status.frames;
    // The last frame may lie between two outputs: it is handed out and not counted.
    if (domain.steps % frame_every == 0) ++outputs;
    // Gathering took all ranks; the frame is the root's.
    if (!comm.is_root()) return;
    if (first_frame) status.energy_start = energy_of(frame);
    first_frame = false;
    status.energy_end = energy_of(frame);
    if (sink && !sink(frame)) sink_stops = true;
  }

  // The state is kept as the last one that is safe.
  void save() {
    status.end = detail::gather_state(comm, domain, outputs);
    last_checkpoint = detail::read_clock();
    if (comm.is_root() && options.on_checkpoint && !options.on_checkpoint(status.end)) sink_stops = true;
  }

  void count(const StepReport& report) {
    ++status.steps;
    if (!report.solved.converged) ++status.unconverged;
    status.worst_residual = std::max(status.worst_residual, report.solved.accuracy.natural);
    status.sweeps += report.solved.sweeps;
    status.iterations += report.solved.iterations;
    status.contacts = report.contacts;
    status.most_contacts = std::max(status.most_contacts, report.contacts);
    status.penetration = std::max(status.penetration, report.penetration);
    status.time = domain.time;
  }

  std::vector<StepSignals> exchange_signals() const {
    // One message tells every rank what any of them wants: all must leave the loop in the same step.
    StepSignals signals;
    signals.stop = sink_stops || (options.run.stop != nullptr && options.run.stop->load());
    // By the clock of the root alone: those of other ranks may differ.
    signals.checkpoint = comm.is_root() && options.checkpoint_every > 0 &&
                      detail::read_clock() - last_checkpoint >= options.checkpoint_every;
    signals.finite = is_finite(domain);
    return comm::all_gather(comm, signals);
  }

  bool fail(const std::string& message) {
    status.outcome = model::Outcome::kFailed;
    status.message = message;
    return false;
  }

  // True where another step may follow.
  bool advance() {
    const StepReport report = step(comm, domain);
    const model::RankLoad load = detail::load_of(comm, domain, report.times);
    add(load, since_frame);
    add(load, in_all);
    count(report);
    const std::vector<StepSignals> signals = exchange_signals();
    const auto any = [&](auto what) { return std::any_of(signals.begin(), signals.end(), what); };
    // One rank is enough: the others would continue with what it sends them.
    if (any([](const StepSignals& s) { return !s.finite; })) {
      return fail(fmt::format("the bodies' motion is not finite any more at t = {:.6g} s; a smaller step may help",
                              domain.time));
    }
    // Rows of joints never change in number: where one is missing, no rank had both of its bodies.
    const int rows = report.constraints - report.contacts;
    if (joint_rows >= 0 && rows != joint_rows) {
      return fail(
          fmt::format("bodies that a sliding joint or a spring joins flew apart so fast that no rank had both at "
                      "t = {:.6g} s; a smaller step helps, or redundant storage",
                      domain.time));
    }
    joint_rows = rows;
    if (comm.is_root() && options.on_step) {
      options.on_step({domain.time, domain.steps, report, status.unconverged});
    }
    const bool done = domain.steps >= last_step;
    // To gather takes all ranks: decided by what all of them count alike.
    if (done || domain.steps % frame_every == 0) hand_out();
    if (done) return false;
    if (any([](const StepSignals& s) { return s.stop; })) {
      status.outcome = model::Outcome::kStopped;
      return false;
    }
    // Last of all: a run that ends or stops here gathers its state anyway.
    if (any([](const StepSignals& s) { return s.checkpoint; })) save();
    return true;
  }
};

}  // namespace

RunState start_run(const Scene& scene) {
  RunState state;
  for (const Body& body : scene.bodies) state.bodies.push_back(body.state);
  return state;
}

RunStatus simulate(const comm::Comm& comm, Scene scene, const RunState& start, const model::Sink& sink,
                   const SimulateOptions& options) {
  const double h = options.settings.step;
  const double begin = detail::read_clock();
  Run run{comm, sink, options, restore(comm, std::move(scene), start, options.settings)};
  run.outputs = comm::broadcast(comm, start.outputs);
  run.last_step = whole_steps(options.run.end_time, h);
  // At least each step: the interval may be shorter than that.
  run.frame_every = std::max<std::int64_t>(1, std::llround(options.run.output_step / h));
  run.last_checkpoint = begin;
  run.status.time = run.domain.time;
  run.status.frames = run.outputs;
  run.status.end = start;
  // A run that continues has handed out its first frame long ago.
  if (run.outputs == 0) run.hand_out();
  bool goes_on = run.domain.steps < run.last_step;
  while (goes_on) goes_on = run.advance();
  RunStatus& status = run.status;
  // Without a step the state is that which was given; a run that failed keeps the last one that was safe.
  if (status.steps == 0) {
    status.end.outputs = run.outputs;
  } else if (status.outcome != model::Outcome::kFailed) {
    status.end = detail::gather_state(comm, run.domain, run.outputs);
  }
  status.seconds = detail::read_clock() - begin;
  status.ranks = comm::gather(comm, run.in_all);
  return std::move(run.status);
}

std::optional<Overlap> find_overlap(const Scene& scene) {
  // One rank alone, up to the contacts of a first step: no impulse is needed to see an overlap.
  const comm::Comm comm = comm::Comm::serial();
  Settings settings;
  settings.step = 1e-9;  // all but stands still
  detail::Domain domain = detail::make_domain(comm, scene, settings);
  detail::begin_bodies(comm, domain);
  detail::place_bodies(comm, domain, true);
  detail::find_near(domain);
  detail::find_constraints(comm, domain);
  Overlap found;
  std::pair<std::int32_t, std::int32_t> last(-1, -1);
  for (const detail::Constraint& constraint : domain.constraints) {
    if (constraint.law != Law::kContact) continue;
    const auto size = [&](std::int32_t id) {
      const geometry::Box& reach = domain.bodies[to_index(id)].reach;
      return (reach.high - reach.low).norm();
    };
    // Contacts of one pair follow each other: a change of pair is a new one.
    const std::pair pair(constraint.key.master, constraint.key.slave);
    if (-constraint.gap <= kDeepOverlap * std::min(size(pair.first), size(pair.second))) continue;
    if (pair != last) ++found.pairs;
    last = pair;
    if (-constraint.gap <= found.depth) continue;
    found.depth = -constraint.gap;
    found.a = pair.first;
    found.b = pair.second;
  }
  return found.pairs > 0 ? std::optional(found) : std::nullopt;
}

}  // namespace espalier::contact

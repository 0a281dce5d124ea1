#pragma once

// Front door of the room: motion of a mechanism on its tree.
//   In:      Model + Plan -> System (system.hpp); a start State, closed (start.hpp)
//   Out:     Frames to a Sink, one an output time, and a RunStatus
//   Units    m, rad, kg, s, N, J; coordinates q and v as system.hpp counts them
//   Cost     an evaluation is O(n) where loops are local; a step of kRunge takes six of them, of kFixed four, of
//            kImplicit 2 n + 7 and n^3/3 besides
//   Source   [Liu99] for the division into S1, S2, S3; docs/theory/dynamics.md for the formulas
// One evaluation without time: evaluation.hpp; mass matrix and Jacobians: robotics.hpp; which equations of loops repeat
// each other: redundancy.hpp.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/text.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/run.hpp"

namespace espalier::dynamics {

enum class Integrator {
  kAuto,      // kRunge, and kImplicit where it finds the forces stiff; the status says which
  kRunge,     // adaptive, explicit, 5th order with dense output [Dormand80]
  kFixed,     // classical Runge-Kutta of 4th order with a fixed step
  kImplicit,  // adaptive, for stiff forces
};
constexpr Words<Integrator, 4> words(Integrator) {
  return {{{"auto", Integrator::kAuto},
           {"runge", Integrator::kRunge},
           {"fixed", Integrator::kFixed},
           {"implicit", Integrator::kImplicit}}};
}

struct State {
  double time = 0;        // [s]
  std::vector<double> q;  // System::position_size numbers
  std::vector<double> v;  // System::velocity_size numbers
};

// The state the model was drawn in.
State drawn_state(const System& system);

// All an integrator remembers between two steps: a run that goes on from here gives the same numbers, bit for bit, as
// one that was never stopped.
struct RunState {
  State state;
  Integrator integrator = Integrator::kRunge;  // in use
  double step = 0;                             // to try next [s]
  double exchanged = 0;                        // [J], see model::Frame
  std::int64_t outputs = 0;                    // frames handed out so far
  std::vector<double> memory;                  // the integrator's own
  // Steps were fitted to the end time already: a run with a later end goes on from RunStatus::resume instead.
  bool fitted = false;
};

struct SimulateOptions {
  model::RunOptions run;
  Integrator integrator = Integrator::kAuto;
  double tolerance = 1e-6;        // of a step: relative, and absolute in [rad] and [m]
  double step = 0;                // of kFixed; 0: output_step / 10 [s]
  double loop_tolerance = 1e-11;  // to which loops are kept closed [m] and [rad]
  std::int64_t max_steps = 100'000'000;
  int threads = 1;
  std::function<void(const RunState&)> on_step;  // after every accepted step, for progress and checkpoints
};

struct RunStatus {
  model::Outcome outcome = model::Outcome::kDone;
  std::string message;  // why it failed: time, value, way out
  RunState end;         // the last good state
  // A run from here gives, bit for bit, what one in one go gives, whether its end time is the same or a later one. Its
  // time is before that of `end` where the last steps were fitted to the end time.
  RunState resume;
  std::int64_t steps = 0, rejected = 0, evaluations = 0;
  std::optional<double> stiff_since;  // where kAuto went over to kImplicit [s]
  double loop_distance = 0;           // largest of all steps [m]
  double loop_angle = 0;              // [rad]
  double energy_error = 0;            // largest |kinetic + potential - exchanged - (the same at the start)| [J]
  double energy_scale = 0;            // largest kinetic energy and change of potential energy seen [J]
  // Joints whose reactions are, in some components, one choice of many; model::Frame says in which.
  std::vector<model::JointId> unclear_reactions;
  Sharing sharing;           // of an evaluation among threads
  double setup_seconds = 0;  // until the first frame was handed out
  double seconds = 0;
};

// Runs until end_time. The start must be closed to loop_tolerance (start.hpp); its velocities are made consistent.
RunStatus simulate(const System& system, const RunState& start, const model::Sink& sink,
                   const SimulateOptions& options);
// Many runs of one system from several starts, a sink each: the numbers of simulate() for every one of them, bit for
// bit (but for `seconds`, from its first step to its last). Up to eight march side by side and share the machine's
// vectors where that pays; on_step is told of the steps of all.
std::vector<RunStatus> simulate_batch(const System& system, std::span<const RunState> starts,
                                      std::span<const model::Sink> sinks, const SimulateOptions& options);
RunState start_run(const System& system, const State& state);

}  // namespace espalier::dynamics

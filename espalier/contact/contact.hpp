#pragma once

// Front door of the room: many bodies with friction, moved through time by all ranks together.
//   In:   Scene (scene.hpp) and where its bodies start
//   Out:  frames to a sink on the root, and how the run went
//   Source: [Koziara11]; docs/theory/contact.md
// The numbers do not depend on the number of ranks, nor on where a run was interrupted: bit for bit.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/contact/domain.hpp"
#include "espalier/contact/scene.hpp"

namespace espalier::contact {

// All a run needs to go on, on any number of ranks. The root has it; on other ranks it is empty.
struct RunState {
  double time = 0;                  // [s]
  std::int64_t steps = 0;           // taken
  std::int64_t outputs = 0;         // frames handed out at multiples of the output step
  std::vector<BodyState> bodies;    // by id
  std::vector<Reaction> reactions;  // of the last step, ascending keys: where the solver starts
};
RunState start_run(const Scene& scene);

// One contact at the middle of the step that ends at the frame.
struct ContactPoint {
  std::int32_t master = 0, slave = 0;  // bodies
  std::array<double, 3> point{};       // in the world [m]
  std::array<double, 3> normal{};      // out of the slave
  std::array<double, 3> force{};       // on the master, mean of the step, world axes [N]
  double gap = 0;                      // below 0: overlap [m]
};

// What one rank had to do since the last frame.
struct RankLoad {
  double busy = 0;          // time of its own, without waiting for others [s]
  double waiting = 0;       // in messages [s]
  std::int64_t bodies = 0;  // owned, now
  std::int64_t contacts = 0;
};

// The scene at one instant. Poses and velocities are those of the body frames of the Model, as model::Frame has them;
// the turn of a pseudo-rigid body is the rotation nearest to its deformation.
struct SceneFrame {
  double time = 0;  // [s]
  std::int64_t steps = 0;
  std::vector<double> body_pose;       // every body: origin x y z [m], quaternion w x y z, in the world
  std::vector<double> body_velocity;   // every body: of its origin x y z [m/s], angular x y z [rad/s], world axes
  std::vector<std::int32_t> owner;     // every body: its rank
  std::vector<ContactPoint> contacts;  // ascending bodies; none before the first step
  std::vector<RankLoad> ranks;
  double kinetic = 0, potential = 0, strain = 0;  // potential: of gravity, 0 at the origin [J]
};
// Called on the root. False: stop the run here.
using SceneSink = std::function<bool(const SceneFrame&)>;

// After every step.
struct Progress {
  double time = 0;  // [s]
  std::int64_t steps = 0;
  StepReport last;
  std::int64_t unconverged = 0;  // steps so far
};

struct SimulateOptions {
  Settings settings;
  double end_time = 1;  // [s], rounded up to whole steps
  // Between frames, rounded to whole steps [s]. An end that is no multiple of it has a frame too, which a restart
  // drops.
  double output_step = 0.01;
  double checkpoint_every = 0;              // of wall time [s]; 0: none but the end
  const std::atomic<bool>* stop = nullptr;  // looked at after every step, on every rank; one is enough
  // All on the root alone.
  std::function<void(const Progress&)> on_step;
  std::function<bool(const RunState&)> on_checkpoint;  // false: stop the run here
};

struct RunStatus {
  enum class Outcome { kDone, kStopped, kFailed };
  Outcome outcome = Outcome::kDone;
  std::string message;           // of a failure
  double time = 0;               // reached [s]
  std::int64_t steps = 0;        // of this run, without those before a restart
  std::int64_t unconverged = 0;  // of them: the solver stayed above its tolerance
  double worst_residual = 0;     // largest Accuracy::natural of a step
  std::int64_t sweeps = 0, iterations = 0;
  int contacts = 0, most_contacts = 0;  // of the last step, and of the step that had most
  double penetration = 0;               // largest [m]
  double seconds = 0;
  std::vector<RankLoad> ranks;              // of the whole run; on the root
  std::int64_t frames = 0;                  // handed out, those before a restart too
  double energy_start = 0, energy_end = 0;  // kinetic + potential + strain; on the root [J]
  RunState end;                             // of a failed run: the last state that was saved
};

// Collective. `scene` and `start` count on the root alone. A step that does not converge is counted and the run goes
// on; a state that is not finite ends it.
RunStatus simulate(const comm::Comm& comm, Scene scene, const RunState& start, const SceneSink& sink,
                   const SimulateOptions& options);

// Where bodies stand in each other at the start, by more than a thousandth of the smaller one.
struct Overlap {
  std::int32_t a = 0, b = 0;  // the deepest pair
  double depth = 0;           // [m]
  int pairs = 0;              // in all
};
// Nothing where all stand free. One rank looks at the whole scene.
std::optional<Overlap> find_overlap(const Scene& scene);

}  // namespace espalier::contact

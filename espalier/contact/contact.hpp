#pragma once

// Front door of the room: many bodies with friction, moved through time by all ranks together.
//   In:   Scene (scene.hpp) and where its bodies start
//   Out:  frames to a sink on the root, and how the run went
//   Source: [Koziara11]; docs/theory/contact.md
// The numbers do not depend on the number of ranks, nor on where a run was interrupted: bit for bit.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/contact/scene.hpp"
#include "espalier/contact/settings.hpp"
#include "espalier/model/run.hpp"

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

// After every step.
struct Progress {
  double time = 0;  // [s]
  std::int64_t steps = 0;
  StepReport last;
  std::int64_t unconverged = 0;  // steps so far
};

struct SimulateOptions {
  // The end is rounded up, the output step to the nearest of whole steps. An end that is no multiple of it has a frame
  // too, which a restart drops. `stop` is looked at on every rank; one is enough.
  model::RunOptions run;
  Settings settings;
  double checkpoint_every = 0;  // of wall time [s]; 0: none but the end
  // All on the root alone.
  std::function<void(const Progress&)> on_step;
  std::function<bool(const RunState&)> on_checkpoint;  // false: stop the run here
};

struct RunStatus {
  model::Outcome outcome = model::Outcome::kDone;
  std::string message;           // of a failure
  double time = 0;               // reached [s]
  std::int64_t steps = 0;        // of this run, without those before a restart
  std::int64_t unconverged = 0;  // of them: the solver stayed above its tolerance
  double worst_residual = 0;     // largest Accuracy::natural of a step
  std::int64_t sweeps = 0, iterations = 0;
  int contacts = 0, most_contacts = 0;  // of the last step, and of the step that had most
  double penetration = 0;               // largest [m]
  double seconds = 0;
  std::vector<model::RankLoad> ranks;       // of the whole run; on the root
  std::int64_t frames = 0;                  // handed out, those before a restart too
  double energy_start = 0, energy_end = 0;  // kinetic + potential + strain; on the root [J]
  RunState end;                             // of a failed run: the last state that was saved
};

// Collective. `scene` and `start` count on the root alone. A step that does not converge is counted and the run goes
// on; a state that is not finite ends it.
RunStatus simulate(const comm::Comm& comm, Scene scene, const RunState& start, const model::Sink& sink,
                   const SimulateOptions& options);

// Where bodies stand in each other at the start, by more than a thousandth of the smaller one.
struct Overlap {
  std::int32_t a = 0, b = 0;  // the deepest pair
  double depth = 0;           // [m]
  int pairs = 0;              // in all
};
// Nothing where all stand free. One rank looks at the whole scene.
std::optional<Overlap> find_overlap(const Scene& scene);

// A scene that is moved step by step, by all ranks together; contact.hpp does so for whole runs.
//   In:   Scene (scene.hpp)
//   Out:  a StepReport per step
// What a rank holds is explained in detail/domain.hpp.

namespace detail {
struct Domain;
}

class Engine {
 public:
  // Collective. `scene` counts on the root alone, which holds all of it until the first step distributes it.
  Engine(const comm::Comm& comm, Scene scene, const Settings& settings);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Collective. One step. `comm` as at the beginning.
  StepReport step(const comm::Comm& comm);

  // Bodies this rank holds, copies of other ranks' bodies included; and how many of them it needs: those it owns and
  // those that reach into its cell.
  struct Held {
    std::int64_t bodies = 0, needed = 0;
  };
  Held held(const comm::Comm& comm) const;

 private:
  std::unique_ptr<detail::Domain> domain_;
};

}  // namespace espalier::contact

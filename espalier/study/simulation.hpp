#pragma once

// What a simulation is asked (SimulateOptions), what it tells while it runs (RunProgress), and what it answers
// (SimulateAnswer). Read simulate.hpp first: it runs it.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/model/run.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

enum class Engine {
  kAuto,       // kContact where the model has a `contact` section that is on, else kRecursive
  kRecursive,  // dynamics: coordinates of a tree, loops closed exactly; bodies move through each other
  kContact,    // contact: bodies touch and rub, on any number of ranks; joints are held by impulses
};

constexpr Words<Engine, 3> words(Engine) {
  return {{{"auto", Engine::kAuto}, {"recursive", Engine::kRecursive}, {"contact", Engine::kContact}}};
}

// The tree that the recursive engine computes on. It changes the time that a run takes, not the motion.
struct TreeOptions {
  std::string file;                          // A saved plan to compute on; empty: one is made by what follows.
  std::optional<plan::Objective> objective;  // What the tree is best at; not given: the time of one evaluation.
  std::optional<double> beta;                // [-] Weight of W in the objective mccst, 1 if not given.
  std::string root = "auto";                 // The body to start from, "free" for the best one, or "auto".
  std::vector<std::string> pin;              // Joints never to cut.
  std::vector<std::string> cut;              // Joints always to cut; those whose coordinate a law needs stay all the
                                             // same, and a body is cut in two instead.
  std::string machine;                       // File of times of this machine, for the objective time; empty: built in.
};

// What only the contact engine knows. None of it changes where the bodies go, but for `order`, `solver` and
// `max_sweeps`, within the tolerance, and `correction`.
struct ContactOptions {
  std::optional<contact::Storage> storage;      // Redundant storage costs memory and saves no time on few bodies.
  std::optional<contact::Bisection> bisection;  // Who cuts space for the ranks; Zoltan is there to compare with.
  std::optional<contact::Weighing> weighing;    // What a body and a contact count where space is cut.
  std::optional<double> weight_factor;          // [-] Of the weighing by formula; 1 counts what rows cost in full.
  std::optional<contact::Solver> solver;  // Newton needs fewer iterations on heavy stacks, more time on light ones.
  std::optional<contact::Order> order;    // Order by ranks is faster on many ranks and gives other bits.
  std::optional<double> correction;       // [-] Share of an overlap that is taken back per step; 0 leaves it.
  std::optional<int> max_sweeps;          // Iterations in a row before Newton's method takes turns with them.
  std::optional<double> imbalance;        // [-] Slowest rank against the mean above which space is cut again.
  std::optional<int> balance_every;       // Fewest steps between two cuts of space.
};

// How far a run is.
struct RunProgress {
  Engine engine = Engine::kRecursive;
  double start_time = 0, time = 0, end_time = 0;  // [s]
  double loop_distance = 0;                       // recursive: of the last frame [m]
  double energy_error = 0;                        // recursive: of the last frame [J]
  int contacts = 0, iterations = 0;               // contact: of the last step
  double residual = 0, imbalance = 1;             // contact: of the last step [-]
  std::int64_t unconverged = 0;                   // contact: steps so far
};

struct SimulateAnswer;

// What is not given has the default that its sentence names, or, where a run is continued, what the run had.
struct SimulateOptions {
  Engine engine = Engine::kAuto;                   // Who moves the bodies.
  std::optional<double> end_time;                  // [s] Where the run ends, 1; 0 computes the start alone.
  std::optional<double> output_step;               // [s] Time between two frames, 0.01; the motion is the same.
  std::optional<double> tolerance;                 // [-] Error of a step, 1e-6; contact: of its impulses.
  std::optional<double> step;                      // [s] Recursive, fixed: a tenth of `output_step`; contact: 0.001.
  std::optional<double> loop_tolerance;            // [m, rad] Gaps of loops are kept below this, 1e-11.
  std::optional<dynamics::Integrator> integrator;  // Implicit takes long steps through stiff forces.
  std::optional<int> threads;                      // They share one evaluation; small trees gain nothing. 1.
  std::string keyframe;                            // Start from this pose of the model; empty: as drawn.
  TreeOptions tree;
  ContactOptions contact;
  bool strict = false;  // Refuse a scene in which bodies overlap at the start.
  // Files.
  std::filesystem::path folder;            // Where the run is written; empty: no files.
  bool csv = false;                        // Write result.csv beside result.h5.
  std::string quantities;                  // Its columns, "pin.velocity, motor.torque": record/selection.hpp;
                                           // empty: positions, energies and gaps.
  std::optional<double> checkpoint_every;  // [s] of wall time, 60; shorter loses less to a lost machine. 0: at
                                           // the end alone.
  std::string command;                     // How the run was asked for, for run.json.
  // Asked and told while it runs.
  const std::atomic<bool>* stop = nullptr;  // True: end after the step in work; the run can be continued.
  std::function<void(const SimulateAnswer&)> on_begin = {};  // On every rank, before the first step; whole on the root.
  model::Sink on_frame = {};  // On the root, every frame in order of time; false ends the run.
  std::function<void(const RunProgress&)> on_step = {};  // On the root, after every step.
};

// What the recursive engine says of a run.
struct MechanismAnswer {
  plan::Plan plan;             // the tree
  dynamics::System system;     // the mechanism on it, with `correction` in its joints
  dynamics::RunStatus status;  // of this part of the run
  dynamics::SimulateOptions options;
  dynamics::Integrator integrator = dynamics::Integrator::kAuto;  // in use at the end
  // Of all parts of a run that was continued.
  std::int64_t rejected = 0, evaluations = 0;
  double loop_distance = 0, loop_angle = 0;   // largest gaps [m], [rad]
  double energy_error = 0, energy_scale = 0;  // [J], see dynamics::RunStatus
  double drawn_gap = 0;                       // largest gap of a loop before it was closed [m]
  dynamics::Correction correction;            // of joints whose redundant equations disagreed by what files round off
  double setup_seconds = 0;                   // from the plan to the first frame
};

// What the contact engine says of a run.
struct SceneAnswer {
  contact::RunStatus status;  // of this part of the run
  contact::Settings settings;
  std::size_t bodies = 0, joints = 0;
  // Of all parts of a run that was continued.
  std::int64_t unconverged = 0, iterations = 0, newton_iterations = 0;
  double worst_residual = 0;            // of a step [-]
  int contacts = 0, most_contacts = 0;  // in the last step, and in the one with most
  double penetration = 0;               // largest [m]
};

// What a run is about to write, in full frames.
struct ResultSize {
  double frames = 0, bytes = 0;
  bool has_contacts = false;  // whose rows nobody can count before
};

struct SimulateAnswer {
  Engine engine = Engine::kRecursive;  // the one that ran
  std::string model, file;             // its name, and where it was read
  std::optional<model::Outcome> outcome;  // none: it runs
  std::string message;                 // of a failure
  bool continued = false;              // this run began elsewhere
  double start_time = 0, time = 0;     // where this part began, and what was reached [s]
  double end_time = 0;                 // [s]
  double tolerance = 0;                // [-]
  std::int64_t frames = 0, steps = 0;  // of all parts
  double seconds = 0;                  // of all parts
  std::uint64_t state_hash = 0;        // of the state reached
  ResultSize expected;                 // of this part, where files are written; known before it begins
  std::vector<std::string> notes;      // sentences about the run that can be said before it
  std::vector<std::string> end_notes;  // and those that can be said after it
  ReaderNotes reader;
  std::string folder;                        // empty: no files were written
  std::vector<std::string> files;            // names of those in it
  std::optional<Error> problem;              // files could not be written
  std::optional<MechanismAnswer> mechanism;  // of the recursive engine
  std::optional<SceneAnswer> scene;          // of the contact engine
};

// A run to continue: its folder, and where its model is now.
struct Restart {
  std::filesystem::path folder;
  std::string model;  // empty: where run.json says
  LoadOptions load;   // beside what the run was read with
};
// What options are checked for.
struct EngineUse {
  Engine engine = Engine::kRecursive;
  enum class Runs { kOne, kContinued, kMany } runs = Runs::kOne;
  int ranks = 1;
};
// The one place that refuses what an engine cannot do, with the way out; simulate(), restart() and sweep() call it.
Result<void> check_engine_options(const SimulateOptions& options, const EngineUse& use);

}  // namespace espalier::study

#pragma once

// One function a verb; options.cpp fills its command and calls it. Each returns the exit code: 0 done, 1 the solver
// failed, 2 bad input.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/study/load.hpp"
#include "espalier/study/view.hpp"

namespace espalier::app {

enum ExitCode { kDone = 0, kSolverFailed = 1, kBadInput = 2 };

// Words about the tree of a plan, as `plan` and `simulate` take them.
struct TreeWords {
  std::optional<std::string> objective;
  std::optional<double> beta;
  std::string root = "auto";  // a body, "free" or "auto"
};

struct CheckCommand {
  std::string line;  // the whole command, for the page
  std::string model;
  study::LoadOptions load;
  bool json = false;
  bool all = false;      // print every loop and note, however many
  std::string picture;   // SVG file to draw, or empty
  std::string page;      // of `view` to write, or empty; in other commands too
  std::string keyframe;  // close loops from this pose; empty: as drawn
};
int run_check(const CheckCommand& options);

struct ConvertCommand {
  std::string model;
  std::string output;  // empty: standard output
  std::string format;  // empty: from the ending of `output`
  study::LoadOptions load;
  bool json = false;
  bool assembled = false;  // write the pose in which loops are closed
  std::string keyframe;    // the same, closed from this pose; empty: as drawn
};
int run_convert(const ConvertCommand& options);

struct GenerateCommand {
  std::string kind;
  std::vector<int> sizes;             // loops; rows and columns; bodies and joints; ... as the kind asks
  std::optional<std::uint64_t> seed;  // random, 3sat, liu99_table3, pile and silo; 1 if not given
  bool spatial = false;               // ladder alone
  std::string grain;                  // pile alone; empty: sphere
  std::optional<double> thickness;    // arch alone, against its radius; 0.12 if not given [-]
  std::string output;                 // empty: standard output
  std::string format;                 // empty: from the ending of `output`, else native
  bool graph = false;                 // write the graph of the mechanism instead
  bool json = false;
};
int run_generate(const GenerateCommand& options);
// The kinds and their sizes, for --help.
std::string generate_help();

// Words as the user typed them; plan_words.hpp makes study::PlanningOptions of them.
struct PlanCommand {
  std::string line;  // the whole command, for the next one
  std::string model;
  study::LoadOptions load;
  TreeWords tree;
  std::string method = "auto";
  std::optional<double> max_length, max_weight;
  std::string weights;  // empty: "file" for a plain graph, "liu" for a mechanism
  std::vector<std::string> pin, cut, cut_body;
  std::string keyframe;      // close loops from this pose; empty: as drawn
  std::string start, sweep;  // empty: as the method has it
  double exponent = 2.5;
  double time_limit = 0;  // [s]
  std::uint64_t seed = 1;
  std::optional<int> workers;  // of the schedule, 4 if not given; of --objective time, 1 if not given
  bool front = false;
  bool matrices = false;
  bool explain = false;
  bool trace = false;
  bool compare = false;
  bool all_trees = false;
  bool all = false;
  bool json = false;
  std::string output;   // JSON file to write, or empty
  std::string picture;  // SVG file to draw, or empty
  std::string page;
  std::string machine;  // file of its constants; empty: record::machine_place() if there is one, else built in
  bool calibrate = false;
};
int run_plan(const PlanCommand& command);
int run_calibrate(const PlanCommand& command);

// Words as the user typed them; simulate_words.hpp makes study::SimulateOptions of them.
struct SimulateCommand {
  std::string line;   // the whole command, for run.json
  std::string model;  // may be empty with `restart`
  study::LoadOptions load;
  std::string engine = "auto";
  std::optional<double> end, output_step, tolerance, step;  // [s], [s], [-], [s]
  std::optional<double> loop_tolerance;                     // [m] and [rad]
  std::optional<std::string> integrator;
  std::optional<int> threads;
  std::string plan;  // file of a saved plan; empty: one is made, by these words
  TreeWords tree;
  std::vector<std::string> pin, cut;
  std::string keyframe;
  std::string output;  // folder; empty: a new one named after the model
  bool no_files = false;
  bool csv = false;
  std::string page;
  std::string quantities;                  // columns of the table, or empty
  std::string restart;                     // folder of the run to go on with
  std::optional<double> checkpoint_every;  // [s] of wall time, 60 if not given; 0: at the end alone
  bool quiet = false;
  bool json = false;
  // Of the contact engine.
  std::optional<std::string> storage, bisection, weights, solver, order;
  std::optional<double> correction, imbalance;
  std::optional<int> max_sweeps, balance_every;
  bool strict = false;  // a step that does not converge, or energy that is not kept, is a failure
  // Many runs with other numbers in the model.
  std::string sweep;              // file that says which
  std::vector<std::string> vary;  // or words that do
  std::optional<std::int64_t> runs;
  std::optional<std::uint64_t> seed;
  bool frames = false;  // keep a run folder for each
  int ranks = 1;
  std::vector<std::string> words;  // of the command, to start it again on several ranks
};
int run_simulate(const SimulateCommand& command);

// Words as the user typed them; modes_words.hpp makes study::ModesOptions of them.
struct ModesCommand {
  std::string model;
  study::LoadOptions load;
  std::optional<int> count;             // the lowest so many
  std::optional<double> max_frequency;  // or all below this [Hz]
  std::optional<double> max_decay;      // damped: all with -Re s below this [1/s]
  std::vector<double> box;              // or those in it: lower and upper Re s, lower and upper Im s [1/s]
  std::string method = "auto";
  std::vector<int> samples;          // along Re s and Im s
  std::optional<double> resolution;  // [1/s]
  std::string distribution;          // empty: dynamic
  std::optional<int> threads;
  bool certify = false;
  bool no_estimate = false;
  bool no_free_motion = false;
  bool no_shapes = false;
  bool show_matrix = false;  // instead of modes
  std::vector<double> at;    // s of the matrix: Re, Im [1/s]
  std::string scaling = "largest";
  std::string plot, page;             // SVG and HTML file to draw, or empty
  std::vector<std::string> response;  // instead of modes: where the force acts, and where the answer is
  std::optional<double> from, to;     // of it [Hz]
  std::optional<int> points;
  std::string vary;  // instead of one search: PATH=low:high:points
  std::string csv;   // of the response or the sweep, or empty
  std::string line;  // the whole command
  bool quiet = false;
  bool json = false;
  std::string output;  // JSON file to write, or empty
  int ranks = 1;
  std::vector<std::string> words;  // of the command, to start it again on several ranks
};
int run_modes(const ModesCommand& command);

// Words as the user typed them; tune_words.hpp makes study::TuneOptions of them. What is not given is as the file has
// it, or, with `restart`, as the search had it.
struct TuneCommand {
  std::string line;   // the whole command, for the page of results
  std::string model;  // may be empty with `restart`
  study::LoadOptions load;
  std::string study;  // file of the tuning; empty: the model's own section
  std::optional<std::string> algorithm;
  std::optional<int> population, generations, patience;
  std::optional<std::uint64_t> seed;
  bool pareto = false;
  bool strict = false;         // exit 1 where a band or another limit is not held
  std::optional<int> threads;  // all cores if not given, 1 on several ranks
  std::string page;
  std::string output;   // folder; empty: a new one named after the model
  std::string restart;  // folder of the search to go on with
  bool quiet = false;
  bool json = false;
  int ranks = 1;
  std::vector<std::string> words;  // of the command, to start it again on several ranks
};
int run_tune(const TuneCommand& command);

struct ViewCommand {
  std::string what;            // a run folder, a model or a plan
  study::ViewOptions options;  // its `command` is the whole command
  std::string output;          // page; empty: WHAT.html
  bool open = false;           // in the browser
  std::string frames, moving;  // instead: folder of pictures, or one file that moves; empty: none
  std::string at;              // times of those
  std::string paraview;        // instead: folder
  bool json = false;
};
int run_view(const ViewCommand& command);
// The page that other verbs write: empty `file`, nothing.
Result<void> write_page(const std::string& file, const Result<study::ViewAnswer>& page);
// Where an option of pictures names a page, says that it is --page now; the page to write.
std::string page_of(const std::string& page, std::string& picture, const char* option);

// The whole program on these words, without its name.
int run_words(const std::vector<std::string>& words);

struct DemoOptions {
  std::string folder = "espalier-demo";
  bool json = false;
};
int run_demo(const DemoOptions& options);

}  // namespace espalier::app

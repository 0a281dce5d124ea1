// What can be typed: the options of each verb, put into the fields of its command.

#include "apps/espalier/options.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace espalier::app {
namespace {

// Options that are added from here on stand under this heading of the help.
void heading(CLI::App* verb, const char* group) { verb->option_defaults()->group(group); }

// The groups of options, each told once for all verbs that have it.

CLI::Option* add_model(CLI::App* verb, std::string& model, const char* help) {
  return verb->add_option("model", model, help)->type_name("FILE");
}

// What URDF leaves open.
void add_read(CLI::App* verb, formats::ReadOptions& options) {
  heading(verb, "Reading the model");
  const std::map<std::string, formats::Base> bases = {{"floating", formats::Base::kFloating},
                                                      {"fixed", formats::Base::kFixed}};
  verb->add_option(
          "--base", options.base,
          "Whether the root link of a URDF is floating (default) or fixed to the ground; fixed also holds the roots "
          "that an SDF or MJCF file lets float")
      ->transform(CLI::CheckedTransformer(bases, CLI::ignore_case).description(""))
      ->type_name("HOW");
  verb->add_option("--spherical", options.spherical,
                   "Read hinges of a URDF with this word in their names as ball joints, for which URDF has no word")
      ->type_name("WORD");
}

// Of verbs whose answer needs all of the file.
void add_load(CLI::App* verb, study::LoadOptions& options) {
  add_read(verb, options.read);
  verb->add_option("--accept", options.accept,
                   "Continue although this was not read and changes the answer (tendon, gravcomp, ...: `check` lists "
                   "them); may be given again")
      ->type_name("WORD")
      ->allow_extra_args(false);
}

// Of verbs that make a plan.
void add_tree(CLI::App* verb, TreeWords& tree, const char* objective_help) {
  heading(verb, "Tree");
  verb->add_option("--objective", tree.objective, objective_help)->type_name("WORD");
  verb->add_option("--beta", tree.beta,
                   "Worth of one unit of weight W in units of length L, in the objective mccst (default 1)")
      ->type_name("X");
  verb->add_option("--root", tree.root,
                   "Root of the tree: a body, free (the best one), or auto (default: the ground if there is one)")
      ->type_name("NAME");
}

// The same. One joint each time: CLI11 would else take the model's name for another one.
void add_cuts(CLI::App* verb, std::vector<std::string>& pin, std::vector<std::string>& cut) {
  verb->add_option("--pin", pin, "Never cut this joint; may be given again")
      ->type_name("JOINT")
      ->allow_extra_args(false);
  verb->add_option("--cut", cut, "Always cut this joint; may be given again")
      ->type_name("JOINT")
      ->allow_extra_args(false);
}

// Of verbs that compute on several workers.
void add_workers(CLI::App* verb, std::optional<int>& threads, int& ranks, const char* threads_help,
                 const char* ranks_help = "Distribute the work over N processes started by mpirun") {
  heading(verb, "Threads and ranks");
  verb->add_option("--threads", threads, threads_help)->type_name("N");
  verb->add_option("--ranks", ranks, ranks_help)->type_name("N");
}

// Of verbs that write a model.
void add_written_model(CLI::App* verb, std::string& output, std::string& format) {
  heading(verb, "Output");
  verb->add_option("-o,--output", output, "File to write; standard output if not given")->type_name("FILE");
  verb->add_option("--to", format,
                   "Format to write: native, urdf, sdf, mjcf or usda (default: by the ending of the output)")
      ->type_name("FORMAT");
}

// Of verbs that write a folder and can continue it.
void add_folder(CLI::App* verb, std::string& output, std::string& restart, const char* restart_help) {
  heading(verb, "Output");
  verb->add_option("-o,--output", output, "Folder for the results (default: MODEL-1, MODEL-2, ...)")
      ->type_name("FOLDER");
  verb->add_option("--restart", restart, restart_help)->type_name("FOLDER");
}

void add_page(CLI::App* verb, std::string& page) {
  heading(verb, "Output");
  verb->add_option("--page", page, "Write the page of `espalier view` with this answer into this HTML file")
      ->type_name("FILE");
}

void add_json(CLI::App* verb, bool& json, const char* help = "Print one JSON document instead of text") {
  heading(verb, "Output");
  verb->add_flag("--json", json, help);
}

// Of verbs that last.
void add_report(CLI::App* verb, bool& quiet, bool& json) {
  heading(verb, "Output");
  verb->add_flag("--quiet", quiet, "Print no progress and no report; errors are still printed");
  add_json(verb, json);
}

void add_check(CLI::App& app, CheckCommand& options, std::function<int()>& run) {
  CLI::App* verb = app.add_subcommand(
      "check",
      "Read a model, close its loops, count degrees of freedom and redundant constraints, point out doubtful physics");
  add_model(verb, options.model, "Model file: native YAML or JSON, URDF, SDF, MJCF or USD text")->required();
  heading(verb, "Output");
  verb->add_option("--picture", options.picture, "Draw the mechanism, its loops closed, into this SVG file")
      ->type_name("FILE");
  add_page(verb, options.page);
  verb->add_option("--keyframe", options.keyframe,
                   "Close the loops from this keyframe of the model instead of the drawn pose")
      ->type_name("NAME")
      ->group("Reading the model");
  verb->add_flag("--all", options.all, "Show every loop, redundant constraint, finding and note");
  add_json(verb, options.json);
  add_read(verb, options.load.read);
  verb->callback([&] { run = [&] { return run_check(options); }; });
}

void add_convert(CLI::App& app, ConvertCommand& options, std::function<int()>& run) {
  CLI::App* verb =
      app.add_subcommand("convert", "Write a model in another format with its loops, and show what changed");
  add_model(verb, options.model, "Model file")->required();
  add_written_model(verb, options.output, options.format);
  verb->add_flag("--assembled", options.assembled, "Write the pose in which loops are closed instead of the drawn one");
  verb->add_option("--keyframe", options.keyframe, "The same, with the loops closed from this keyframe of the model")
      ->type_name("NAME");
  add_json(verb, options.json);
  add_load(verb, options.load);
  verb->callback([&] { run = [&] { return run_convert(options); }; });
}

void add_generate(CLI::App& app, GenerateCommand& options, std::function<int()>& run) {
  CLI::App* verb = app.add_subcommand("generate", "Make a model by rule, or write one that comes with the program");
  verb->add_option("kind", options.kind, "What to make; see below")->required()->type_name("KIND");
  verb->add_option("sizes", options.sizes, "Sizes, as many as the kind needs")->type_name("N");
  heading(verb, "What is made");
  verb->add_flag("--spatial", options.spatial,
                 "ladder: revolute, universal and spherical joints instead of revolute ones");
  verb->add_option("--seed", options.seed, "random, pile, silo, 3sat, liu99_table3: seed of the random numbers")
      ->type_name("N");
  verb->add_option("--grain", options.grain, "pile: sphere (default), box or mixed")->type_name("WORD");
  verb->add_option("--thickness", options.thickness,
                   "arch: thickness divided by radius (default 0.12; below 0.1075 it falls)")
      ->type_name("X");
  verb->add_flag("--graph", options.graph, "Write the plain graph of the mechanism (JSON) instead of the model");
  add_written_model(verb, options.output, options.format);
  add_json(verb, options.json, "Print one JSON document about what was written");
  verb->footer(generate_help());
  verb->callback([&] { run = [&] { return run_generate(options); }; });
}

constexpr const char* kObjectiveHelp =
    "Objectives. L is the length of the critical branch, the longest way from the root; W is the weight of the tree.\n"
    "  mccst       least computational cost: L + beta W\n"
    "  mwst        least weight W\n"
    "  scbst       shortest critical branch L\n"
    "  scbmwst     least weight W of the trees with the shortest critical branch\n"
    "  mwscbst     shortest critical branch L of the trees with the least weight\n"
    "  bcbmwst     least weight W where L <= --max-length\n"
    "  bwscbst     shortest critical branch L where W <= --max-weight\n"
    "  bcbbwst     whether a tree has L <= --max-length and W <= --max-weight\n"
    "  sequential  fewest equations N(T)\n"
    "  time        least predicted time of one evaluation of the equations of motion, for --workers\n";

void add_plan_goal(CLI::App* verb, PlanCommand& command) {
  add_tree(verb, command.tree, "What to minimise; the list below explains the words (default mccst)");
  verb->add_option("--max-length", command.max_length, "bcbmwst, bcbbwst: longest critical branch L that is allowed")
      ->type_name("K");
  verb->add_option("--max-weight", command.max_weight, "bwscbst, bcbbwst: largest weight W that is allowed")
      ->type_name("K");
  verb->add_option("--weights", command.weights,
                   "Weights of joints: liu (coordinates, default), wang, measured (from --machine or --calibrate, else "
                   "built in) or file (`weight` and `length` of the model's joints); of a plain graph: file")
      ->type_name("WORD");
  add_cuts(verb, command.pin, command.cut);
  verb->add_option("--cut-body", command.cut_body,
                   "Open the loop at this joint and keep the joint: the body behind it is cut in two and welded")
      ->type_name("JOINT")
      ->allow_extra_args(false);
  verb->add_option("--keyframe", command.keyframe,
                   "See whether the loops close from this keyframe of the model instead of the drawn pose")
      ->type_name("NAME");
}

void add_plan_method(CLI::App* verb, PlanCommand& command) {
  heading(verb, "Method");
  verb->add_option("--method", command.method,
                   "auto (default), exact, search, a1, a2, a3, exchange, dfs, bfs, prim, kruskal")
      ->type_name("WORD");
  verb->add_option("--start", command.start, "exchange: tree to start from, scbst or mwst")->type_name("WORD");
  verb->add_option("--sweep", command.sweep, "exchange: order in which leaves are visited, near, far or centre-out")
      ->type_name("WORD");
  verb->add_option("--time-limit", command.time_limit,
                   "Stop after this many seconds with the best tree so far and its gap; without it every machine gives "
                   "the same plan")
      ->type_name("S");
  verb->add_option("--seed", command.seed, "search: seed of the random numbers")->type_name("N");
}

void add_plan(CLI::App& app, PlanCommand& command, std::function<int()>& run) {
  CLI::App* verb = app.add_subcommand("plan", "Choose tree, root and cut joints, and prove how good the choice is");
  add_model(verb, command.model, "Model file, or a plain graph (JSON)");
  add_plan_goal(verb, command);
  add_plan_method(verb, command);
  heading(verb, "What is shown");
  verb->add_flag("--explain", command.explain,
                 "Show for each loop which joint is cut, why, and what another one would cost");
  verb->add_flag("--compare", command.compare, "Show all methods side by side");
  verb->add_flag("--all-trees", command.all_trees, "List every spanning tree with its cost, at most 10000 of them");
  verb->add_flag("--trace", command.trace, "a2, a3, exchange: print every step as in [Liu99]");
  verb->add_flag("--front", command.front, "Find every best pair of critical branch and weight");
  verb->add_flag("--matrices", command.matrices,
                 "Add the arrays PR and CUT, incidence, path and adjacency matrices and the edge array");
  heading(verb, "Workers and machine");
  verb->add_option("--exponent", command.exponent, "Exponent P of the solver's cost N^P, 2 < P < 3 (default 2.5)")
      ->type_name("P");
  verb->add_option("--workers", command.workers,
                   "Number of workers of the schedule (default 4) and of --objective time (default 1)")
      ->type_name("N");
  verb->add_flag(
      "--calibrate", command.calibrate,
      "Measure this machine for --objective time and --weights measured, in some seconds, and write its constants");
  verb->add_option("--machine", command.machine,
                   "File of the machine's constants to use or to write (default: espalier/machine.json in the user's "
                   "configuration)")
      ->type_name("FILE");
  heading(verb, "Output");
  verb->add_option("--picture", command.picture, "Draw the plan into this SVG file")->type_name("FILE");
  add_page(verb, command.page);
  verb->add_option("-o,--output", command.output, "Write the plan as JSON into this file")->type_name("FILE");
  verb->add_flag("--all", command.all, "Show every joint and loop");
  add_json(verb, command.json);
  add_load(verb, command.load);
  verb->footer(kObjectiveHelp);
  verb->callback([&] { run = [&] { return command.calibrate ? run_calibrate(command) : run_plan(command); }; });
}

void add_simulate_run(CLI::App* verb, SimulateCommand& command) {
  heading(verb, "Run");
  verb->add_option("-t,--end", command.end, "Time at which the run ends (default 1; 0: only the start is computed)")
      ->type_name("S");
  verb->add_option("--output-step", command.output_step, "Time between two frames of the result (default 0.01)")
      ->type_name("S");
  verb->add_option("--integrator", command.integrator,
                   "auto (default: runge, or implicit where forces are stiff), runge, fixed, implicit")
      ->type_name("WORD");
  verb->add_option("--tolerance", command.tolerance,
                   "Tolerance of a step, relative and absolute; contact: of the impulses of a step (default 1e-6)")
      ->type_name("X");
  verb->add_option("--loop-tolerance", command.loop_tolerance,
                   "Largest gap of a loop after a step, in m and rad (default 1e-11)")
      ->type_name("X");
  verb->add_option("--step", command.step,
                   "Length of a step; fixed: default a tenth of --output-step; contact: default 0.001")
      ->type_name("S");
  verb->add_option("--keyframe", command.keyframe, "Start from this keyframe instead of the drawn pose")
      ->type_name("NAME");
  verb->add_option("--engine", command.engine,
                   "auto (default: contact where the model has a contact section, else recursive), recursive, contact")
      ->type_name("WORD");
  add_workers(verb, command.threads, command.ranks, "Number of threads; the result does not depend on it (default 1)",
              "Distribute a sweep or a scene with contact over N processes started by mpirun");
}

void add_simulate_contact(CLI::App* verb, SimulateCommand& command) {
  heading(verb, "Scenes with contact");
  verb->add_option(
          "--storage", command.storage,
          "Contact: efficient (default: a rank holds the bodies that it needs) or redundant (a rank holds all)")
      ->type_name("WORD")
      ->group("");  // for tests and bench: nobody runs faster with it or the next (docs/decisions.md)
  verb->add_option("--bisection", command.bisection,
                   "Contact: method that divides space among the ranks, own (default) or zoltan")
      ->type_name("WORD")
      ->group("");
  verb->add_option("--weights", command.weights,
                   "Contact: weights of the load balance: measured time (default), counted, or the factor, 0 to 1, of "
                   "the formula in docs/theory/contact.md")
      ->type_name("WORD");
  verb->add_option(
          "--order", command.order,
          "Contact: order of the rows: keys (default: the same bits for any --ranks) or ranks (faster on many ranks)")
      ->type_name("WORD");
  verb->add_option("--solver", command.solver,
                   "Contact: solver of the impulses, auto (default), gauss_seidel or newton")
      ->type_name("WORD");
  verb->add_option("--max-sweeps", command.max_sweeps,
                   "Contact: Gauss-Seidel iterations in a row before Newton's method takes turns with them (default "
                   "1000); more cost time in steps that converge slowly")
      ->type_name("N");
  verb->add_option("--correction", command.correction,
                   "Contact: share of an overlap that is taken back per step by moving bodies apart, 0 to 1 (default "
                   "0.2); 0 leaves overlaps as they are")
      ->type_name("X");
  verb->add_option("--imbalance", command.imbalance,
                   "Contact: time of the slowest rank against the mean above which space is cut again (default 1.1); "
                   "below 1: always")
      ->type_name("X");
  verb->add_option("--balance-every", command.balance_every,
                   "Contact: fewest steps between two cuts of space (default 5)")
      ->type_name("N");
  verb->add_flag("--strict", command.strict,
                 "Exit with 1 if the energy error is above 100 times --tolerance; contact: exit with 1 if a step does "
                 "not reach --tolerance, and with 2 if bodies overlap at the start");
}

void add_simulate_plan(CLI::App* verb, SimulateCommand& command) {
  heading(verb, "Tree");
  verb->add_option("--plan", command.plan, "Use this plan, as written by `espalier plan -o` or by a run")
      ->type_name("FILE");
  add_tree(verb, command.tree, "Objective of the plan that is made, a word of `espalier plan` (default time)");
  add_cuts(verb, command.pin, command.cut);
}

void add_simulate_sweep(CLI::App* verb, SimulateCommand& command) {
  heading(verb, "Many runs");
  verb->add_option("--sweep", command.sweep, "Sweep: file that says which numbers of the model vary, and how (YAML)")
      ->type_name("FILE");
  verb->add_option("--vary", command.vary,
                   "Sweep: vary a number of the model, PATH=low:high (random), PATH=low:high:points or PATH=a,b,c; may "
                   "be given again")
      ->type_name("WHAT")
      ->allow_extra_args(false);
  verb->add_option("--runs", command.runs, "Sweep: number of random runs at each point (default 1)")->type_name("N");
  verb->add_option("--seed", command.seed, "Sweep: seed of the random numbers (default 1)")->type_name("N");
  verb->add_flag("--frames", command.frames, "Sweep: keep the run folder of each run");
}

void add_simulate(CLI::App& app, SimulateCommand& command, std::function<int()>& run) {
  CLI::App* verb = app.add_subcommand("simulate", "Move a mechanism or a scene through time, and write the result");
  add_model(verb, command.model, "Model file; with --restart the model of that run");
  add_simulate_run(verb, command);
  add_simulate_contact(verb, command);
  add_simulate_plan(verb, command);
  add_simulate_sweep(verb, command);
  add_folder(verb, command.output, command.restart, "Continue the run in this folder from where it stopped");
  verb->add_flag("--no-files", command.no_files, "Write no files");
  verb->add_option_function<std::string>(
          "--csv", [&command](const std::string& words) { command.csv = true, command.quantities = words; },
          "Write result.csv beside result.h5; with QUANTITIES these columns: pin.velocity,motor.torque,energy")
      ->expected(0, 1)
      ->type_name("QUANTITIES");
  add_page(verb, command.page);
  verb->add_option("--checkpoint-every", command.checkpoint_every,
                   "Seconds of wall-clock time between two checkpoints (default 60; 0: only at the end)")
      ->type_name("S");
  add_report(verb, command.quiet, command.json);
  add_load(verb, command.load);
  verb->footer(
      "Exit codes: 0 done, 1 the run failed (state saved), 2 wrong input, 130 stopped by Ctrl-C (state saved).");
  verb->callback([&] { run = [&] { return run_simulate(command); }; });
}

void add_modes_region(CLI::App* verb, ModesCommand& command) {
  heading(verb, "Which modes");
  CLI::Option* count =
      verb->add_option("--count", command.count, "Number of modes to find, from the lowest (default 10)");
  count->type_name("N");
  CLI::Option* frequency =
      verb->add_option("--max-frequency", command.max_frequency, "Find all modes below this frequency");
  frequency->type_name("HZ")->excludes(count);
  CLI::Option* decay = verb->add_option("--max-decay", command.max_decay,
                                        "Damped structures: find all eigenvalues that decay slower than exp(-X t) "
                                        "(default: X equals the frequency in rad/s)");
  decay->type_name("X");
  verb->add_option("--box", command.box,
                   "Find only eigenvalues s in this box: lower and upper Re s, lower and upper Im s, in 1/s")
      ->type_name("X")
      ->expected(4)
      ->excludes(count)
      ->excludes(frequency)
      ->excludes(decay);
}

void add_modes_search(CLI::App* verb, ModesCommand& command) {
  heading(verb, "Search");
  verb->add_option("--method", command.method,
                   "auto (default: counts the modes, so that none is missing), or a search of the literature, which "
                   "does not: recursive, bisection")
      ->type_name("WORD");
  verb->add_option("--samples", command.samples,
                   "recursive, bisection: number of points along Re s and Im s, ends included (default 50 100); an "
                   "undamped structure uses only the second")
      ->type_name("N")
      ->expected(2);
  verb->add_option(
          "--resolution", command.resolution,
          "recursive, bisection: resolution of an eigenvalue in 1/s (default: a millionth of the height of the box)")
      ->type_name("X");
  verb->add_option("--distribution", command.distribution,
                   "recursive: how work is distributed over ranks: dynamic (default); paper, as in the literature by "
                   "points and intervals; elements, as in the literature by the elements of each point")
      ->type_name("WORD");
  add_workers(verb, command.threads, command.ranks,
              "recursive: number of threads per rank; the result does not depend on it (default 1)");
  verb->add_flag("--certify", command.certify, "Exit with 1 unless it is proved that no mode is missing");
}

void add_modes_studies(CLI::App* verb, ModesCommand& command) {
  heading(verb, "Responses and sweeps");
  CLI::Option* response = verb->add_option(
      "--response", command.response,
      "Instead of modes: the frequency response at TO to a harmonic force at FROM, each BODY.DIRECTION, "
      "BODY@x,y,z.DIRECTION, BEAM.from.DIRECTION or BEAM.to.DIRECTION with a direction x y z rx ry rz");
  response->type_name("FROM TO")->expected(2);
  verb->add_option("--from", command.from, "--response: lowest frequency (default 0)")
      ->type_name("HZ")
      ->needs(response);
  verb->add_option("--to", command.to, "--response: highest frequency")->type_name("HZ")->needs(response);
  verb->add_option("--points", command.points, "--response: number of frequencies (default 401)")
      ->type_name("N")
      ->needs(response);
  CLI::Option* vary = verb->add_option("--vary", command.vary,
                                       "Instead of one search: follow the modes while a number of the model changes, "
                                       "PATH=low:high:points or PATH=a,b,c");
  vary->type_name("WHAT")->excludes(response);
  verb->add_option("--csv", command.csv, "--response, --vary: write a table to this file")->type_name("FILE");
}

void add_modes(CLI::App& app, ModesCommand& command, std::function<int()>& run) {
  CLI::App* verb =
      app.add_subcommand("modes", "Find the vibration modes of a structure, and prove that none is missing");
  add_model(verb, command.model, "Model file, drawn in equilibrium")->required();
  add_modes_region(verb, command);
  add_modes_search(verb, command);
  add_modes_studies(verb, command);
  heading(verb, "Which modes");
  verb->add_flag("--no-free-motion", command.no_free_motion,
                 "Refuse a structure in which something can move without stiffness");
  heading(verb, "Output");
  verb->add_flag("--no-shapes", command.no_shapes, "Leave out the shapes of the modes");
  verb->add_option("--scaling", command.scaling,
                   "Scaling of shapes: largest (default: the largest displacement is 1) or mass (the modal mass is 1)")
      ->check(CLI::IsMember({"largest", "mass"}).description(""))
      ->type_name("WORD");
  verb->add_option(
          "--plot", command.plot,
          "Draw the determinant over s with its roots, or the curves of a response or a sweep, into this SVG file")
      ->type_name("FILE");
  add_page(verb, command.page);
  heading(verb, "Search");
  verb->add_flag("--no-estimate", command.no_estimate,
                 "Leave out the second search, which estimates the error of segments in place of tapered bodies");
  heading(verb, "Overall transfer matrix");
  CLI::Option* matrix = verb->add_flag("--show-matrix", command.show_matrix,
                                       "Instead of modes: order and unknowns of the overall transfer equation");
  verb->add_option("--at", command.at,
                   "--show-matrix: show the determinant at this s (Re, Im), with --json also the matrix")
      ->type_name("X")
      ->expected(2)
      ->needs(matrix);
  heading(verb, "Output");
  verb->add_option("-o,--output", command.output, "Write the JSON document with the mode shapes to this file")
      ->type_name("FILE");
  add_report(verb, command.quiet, command.json);
  add_load(verb, command.load);
  verb->footer(
      "Exit codes: 0 done, 1 the number of modes is not certain (auto) or not proved (--certify), 2 wrong input.");
  verb->callback([&] { run = [&] { return run_modes(command); }; });
}

void add_tune_search(CLI::App* verb, TuneCommand& command) {
  heading(verb, "Search");
  verb->add_option("--algorithm", command.algorithm,
                   "genetic (default, our own), or pagmo's: nsga2 (several goals), pso, aco, cmaes, de")
      ->type_name("WORD");
  verb->add_option("--population", command.population, "Number of designs per generation (default 64)")->type_name("N");
  verb->add_option("--generations", command.generations,
                   "Largest number of generations, the first included (default 200)")
      ->type_name("N");
  verb->add_option("--patience", command.patience, "Stop after this many generations without a gain (default: do not)")
      ->type_name("N");
  verb->add_option("--seed", command.seed, "Seed of the random numbers (default 1)")->type_name("N");
  verb->add_flag("--pareto", command.pareto,
                 "Find a front of designs, with each goal for itself, instead of the best weighed sum");
  add_workers(verb, command.threads, command.ranks,
              "Number of designs computed at once; the result does not depend on it (default: all cores, 1 on several "
              "ranks)");
}

void add_tune(CLI::App& app, TuneCommand& command, std::function<int()>& run) {
  CLI::App* verb =
      app.add_subcommand("tune", "Search the numbers of a model for which its frequencies and its run meet goals best");
  add_model(verb, command.model, "Model file; its section `tune` gives parameters and goals");
  heading(verb, "Search");
  verb->add_option("--study", command.study, "Read parameters and goals from this file instead")->type_name("FILE");
  add_tune_search(verb, command);
  add_folder(verb, command.output, command.restart,
             "Continue the search in this folder, on any number of ranks; --generations and --patience may be raised");
  add_page(verb, command.page);
  verb->add_flag("--strict", command.strict, "Exit with 1 if the best design does not hold a band or another limit");
  add_report(verb, command.quiet, command.json);
  add_load(verb, command.load);
  verb->footer(
      "Exit codes: 0 done, 1 files could not be written or (--strict) a limit is not held, 2 wrong input, 130 stopped "
      "by Ctrl-C (everything kept; --restart continues).");
  verb->callback([&] { run = [&] { return run_tune(command); }; });
}

void add_view(CLI::App& app, ViewCommand& command, std::function<int()>& run) {
  CLI::App* verb = app.add_subcommand("view", "Write a page that shows a run, a model or a plan, to turn and to play");
  verb->add_option("what", command.what, "Run folder, model file, or plan as `plan -o` writes it")
      ->type_name("WHAT")
      ->required();
  heading(verb, "Output");
  verb->add_option("-o,--output", command.output, "Page to write (default: WHAT.html, here)")->type_name("FILE");
  verb->add_flag("--open", command.open, "Open the page in the browser");
  verb->add_option("--frames", command.frames, "Write pictures of a run into this folder instead, as SVG files")
      ->type_name("FOLDER");
  verb->add_option("--moving", command.moving, "Write one SVG file of a run that moves by itself instead")
      ->type_name("FILE");
  verb->add_option("--at", command.at, "Times of --frames and --moving in seconds, as FROM:TO:STEP or one time")
      ->type_name("TIMES");
  verb->add_option("--paraview", command.paraview, "Write a run into this folder for ParaView instead, as run.pvd")
      ->type_name("FOLDER");
  verb->add_option("--compare", command.options.compare,
                   "Show another run of the same bodies as a ghost, and where both differ")
      ->type_name("FOLDER");
  verb->add_option("--tolerance", command.options.tolerance, "Distance in m above which two runs differ (default 1e-6)")
      ->type_name("X");
  add_json(verb, command.json);
  add_load(verb, command.options.load);
  verb->add_option("--model", command.options.model, "Where the model of a run or plan is now")->type_name("FILE");
  verb->add_option("--keyframe", command.options.keyframe, "Close the loops of a model from this keyframe")
      ->type_name("NAME");
  verb->callback([&] { run = [&] { return run_view(command); }; });
}

void add_demo(CLI::App& app, DemoOptions& options, std::function<int()>& run) {
  CLI::App* verb = app.add_subcommand("demo", "A guided first run on mechanisms that come with the program");
  heading(verb, "Output");
  verb->add_option("-o,--output", options.folder, "Folder for the files it writes (default: espalier-demo)")
      ->type_name("FOLDER");
  add_json(verb, options.json, "Print one JSON document about what was run instead of the tour");
  verb->callback([&] { run = [&] { return run_demo(options); }; });
}

}  // namespace

void add_verbs(CLI::App& app, Commands& commands, std::function<int()>& chosen) {
  add_check(app, commands.check, chosen);
  add_plan(app, commands.plan, chosen);
  add_simulate(app, commands.simulate, chosen);
  add_view(app, commands.view, chosen);
  add_modes(app, commands.modes, chosen);
  add_tune(app, commands.tune, chosen);
  add_convert(app, commands.convert, chosen);
  add_generate(app, commands.generate, chosen);
  add_demo(app, commands.demo, chosen);
}

}  // namespace espalier::app

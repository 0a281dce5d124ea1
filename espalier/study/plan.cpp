#include "espalier/study/plan.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/dynamics/run_tree.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/plan/arrays.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/study/closing.hpp"

namespace espalier::study {
namespace {

// What is planned, with the options of the search.
struct Task {
  plan::Network network;
  plan::PlanOptions options;
  std::string machine;
};

tl::unexpected<Error> about_option(const char* option, const Error& error) {
  return tl::unexpected(Error{error.code, fmt::format("`{}`: {}", option, error.message), {}, option, error.hint});
}

Result<void> set_exchange(const PlanningOptions& options, plan::PlanOptions& search) {
  // Either word asks for this method alone.
  if (!options.start && !options.sweep) return {};
  if (search.method != plan::Method::kAuto && search.method != plan::Method::kExchange) {
    return make_option_error(
        "start", fmt::format("`start` and `sweep` belong to `method` exchange, not to {}", to_string(search.method)));
  }
  search.method = plan::Method::kExchange;
  search.start = options.start.value_or(search.start);
  search.sweep = options.sweep.value_or(search.sweep);
  return {};
}

// The constants of a machine are read for what asks for them: all other plans are the same on every machine.
Result<void> read_machine(const PlanningOptions& options, Task& task) {
  const bool asks = options.objective == plan::Objective::kTime || options.weights == EdgeWeights::kMeasured;
  // Without a file those that are built in.
  if (!asks || options.machine.empty()) return {};
  const Result<plan::MachineConstants> machine = record::read_machine(options.machine);
  ESPALIER_TRY(machine);
  task.options.machine = *machine;
  task.machine = options.machine;
  return {};
}

// All that does not ask for the network.
Result<Task> begin_task(const PlanningOptions& options) {
  Task task;
  plan::PlanOptions& search = task.options;
  search.objective = options.objective;
  search.method = options.method;
  for (const Result<void>& set : {set_exchange(options, search), read_machine(options, task)}) ESPALIER_TRY(set);
  if (options.workers && *options.workers < 1) {
    return make_option_error("workers", fmt::format("`workers` is {}; at least 1 is needed", *options.workers));
  }
  // Of the objective time; the schedule has its own default.
  search.workers = options.workers.value_or(1);
  search.beta = options.beta;
  search.max_length = options.max_length;
  search.max_weight = options.max_weight;
  search.free_root = options.free_root;
  search.exponent = options.exponent;
  search.time_limit = options.time_limit;
  search.seed = options.seed;
  search.front = options.front;
  search.watch = options.watch;
  return task;
}

Result<plan::Weights> joint_weights(EdgeWeights weights) {
  switch (weights) {
    case EdgeWeights::kWang:
      return plan::Weights::kWang;
    case EdgeWeights::kMeasured:
      return plan::Weights::kMeasured;
    case EdgeWeights::kFile:
      return plan::Weights::kFile;
    case EdgeWeights::kAuto:
    case EdgeWeights::kLiu:
      break;
  }
  return plan::Weights::kLiu;
}

Result<void> check_graph_weights(EdgeWeights weights) {
  if (weights == EdgeWeights::kAuto || weights == EdgeWeights::kFile) return {};
  const char* word = weights == EdgeWeights::kLiu ? "liu" : weights == EdgeWeights::kWang ? "wang" : "measured";
  return make_option_error("weights",
                           fmt::format("`weights` {} is for mechanisms; a plain graph brings its own", word));
}

// Any body of a welded group stands for the group.
Result<int> find_body(const model::Model& model, const plan::Mechanism& mechanism, const plan::Network& network,
                      const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].name == name) return mechanism.vertex_of[b];
    names.push_back(model.bodies[b].name);
  }
  // A name that is nearly one of the model's is a slip, and not one of the network's.
  const std::string near = did_you_mean(name, names);
  // The network knows one body of each welded group, the model all of them.
  if (near.empty()) return plan::find_vertex(network, name);
  return make_error(ErrorCode::kName, {}, fmt::format("no body is called {}{}", in_quotes(name), near));
}

Result<std::vector<int>> find_edges(const plan::Network& network, const model::Model* model, const char* option,
                                    const std::vector<std::string>& names) {
  std::vector<int> edges;
  for (const std::string& name : names) {
    const bool welded =
        model && std::any_of(model->joints.begin(), model->joints.end(), [&](const model::Joint& joint) {
          return joint.name == name && joint.type == model::JointType::kFixed;
        });
    // It is no edge of the network, whose error would not say why.
    if (welded) {
      return make_option_error(
          option, fmt::format("`{}` {}: a fixed joint is welded before planning, never cut", option, in_quotes(name)));
    }
    const Result<int> edge = plan::find_edge(network, name);
    if (!edge) return about_option(option, edge.error());
    edges.push_back(*edge);
  }
  return edges;
}

Result<void> set_edges(const PlanningOptions& options, const model::Model* model, Task& task) {
  for (const auto& [option, names, edges] :
       {std::tuple("pin", &options.pin, &task.options.pin), std::tuple("cut", &options.cut, &task.options.cut),
        std::tuple("cut_body", &options.cut_body, &task.options.cut_body)}) {
    Result<std::vector<int>> found = find_edges(task.network, model, option, *names);
    ESPALIER_TRY(found);
    *edges = *std::move(found);
  }
  return {};
}

Result<void> set_mechanism(const model::Model& model, const plan::Mechanism& mechanism, const PlanningOptions& options,
                           Task& task) {
  const Result<plan::Weights> weights = joint_weights(options.weights);
  ESPALIER_TRY(weights);
  const bool given = std::any_of(model.joints.begin(), model.joints.end(), [](const model::Joint& joint) {
    return joint.spec.weight.has_value() || joint.spec.length.has_value();
  });
  if (*weights == plan::Weights::kFile && !given) {
    return make_option_error("weights", "`weights` file: no joint of the model has a weight or length",
                             "give joints theirs in the model, or take liu, wang or measured");
  }
  task.network = plan::make_network(model, mechanism, *weights);
  // Lengths alone: how long a joint takes, not what it weighs.
  if (*weights == plan::Weights::kMeasured) plan::measure_lengths(task.options.machine, task.network);
  if (!options.root.empty()) {
    const Result<int> root = find_body(model, mechanism, task.network, options.root);
    if (!root) return about_option("root", root.error());
    task.options.root = *root;
  }
  return set_edges(options, &model, task);
}

// With joint types the pieces could be planned one beside the other, but a file of ours with loose ends is a mistake.
Result<void> check_connected(const plan::Network& network, const std::string& file) {
  const std::vector<int> piece = graph::breadth_first_forest(network.graph).component;
  const auto loose = std::find(piece.begin(), piece.end(), 1);
  // Piece 0 is that of vertex 1: whatever has number 1 cannot be reached from there.
  if (loose == piece.end()) return {};
  return make_error(ErrorCode::kTopology, {file, 0, 0},
                    fmt::format("the graph is not connected: no way leads from vertex 1 to vertex {}; plan its parts "
                                "one by one",
                                loose - piece.begin() + 1));
}

Result<void> set_graph(const std::string& text, const std::string& file, const PlanningOptions& options, Task& task) {
  Result<plan::Network> network = record::read_graph_text(text, file);
  ESPALIER_TRY(network);
  const Result<void> connected = check_connected(*network, file);
  ESPALIER_TRY(connected);
  task.network = *std::move(network);
  if (!options.root.empty()) {
    const Result<int> root = plan::find_vertex(task.network, options.root);
    if (!root) return about_option("root", root.error());
    task.options.root = *root;
  }
  return set_edges(options, nullptr, task);
}

// A loop that is drawn open may not close at all, and then a plan is of no use. A model beyond this size is not tried:
// `check` and `simulate` tell.
constexpr std::size_t kMostForClosing = 1000;

Result<std::string> why_open(const model::Model& model, const plan::Mechanism& mechanism, const std::string& keyframe) {
  const auto is_open = [&](const model::Joint& joint) {
    const math::PoseGap gap = model::drawn_gap(model, joint);
    return gap.distance > 1e-6 || gap.angle > 1e-6;
  };
  if (!keyframe.empty()) {
    const Result<const model::Keyframe*> found = find_keyframe(model, keyframe);
    ESPALIER_TRY(found);
  }
  // A keyframe says nothing of how the bodies stand until the loops are closed.
  const bool is_drawn = keyframe.empty() && std::none_of(model.joints.begin(), model.joints.end(), is_open);
  if (model.joints.size() > kMostForClosing || is_drawn) return "";
  const Result<Closing> closing = close_loops(model, mechanism, keyframe);
  // Why it cannot be tried is told by those who compute.
  if (!closing) return "";
  const std::optional<Error> open = closing_error(*closing);
  return open ? full_message(*open) : "";
}

Result<PlanAnswer> answer_task(Task task, const PlanningOptions& options) {
  PlanAnswer answer;
  if (options.trace) {
    Result<plan::ExchangeTrace> traced = plan::trace_exchange(task.network, task.options);
    ESPALIER_TRY(traced);
    answer.trace = *std::move(traced);
  }
  Result<plan::Plan> made = plan::make_plan(task.network, task.options);
  ESPALIER_TRY(made);
  answer.plan = *std::move(made);
  // Beside the plan and not in its place: the answer is that of the method asked for.
  if (options.compare) answer.comparison = plan::compare_methods(task.network, task.options);
  if (options.all_trees) {
    Result<std::vector<plan::ListedTree>> listed = plan::list_trees(task.network, task.options);
    if (!listed) return about_option("all_trees", listed.error());
    answer.all_trees = *std::move(listed);
  }
  const Result<std::optional<graph::TreeCount>> trees = plan::count_trees(task.network, task.options);
  ESPALIER_TRY(trees);
  answer.trees = *trees;
  if (options.objective == plan::Objective::kMccst) {
    const Result<std::optional<plan::Bracket>> bracket = plan::find_bracket(task.network, task.options);
    ESPALIER_TRY(bracket);
    answer.bracket = *bracket;
  }
  // Made again where they are written; here only their error is of use.
  if (options.matrices) {
    const Result<plan::TopologyMatrices> matrices = plan::make_matrices(answer.plan);
    ESPALIER_TRY(matrices);
  }
  answer.options = std::move(task.options);
  if (options.objective == plan::Objective::kTime)
    answer.spread =
        task.machine.empty() ? std::optional(plan::kDefaultSpread) : record::read_machine_spread(task.machine);
  answer.machine = std::move(task.machine);
  answer.measured = options.weights == EdgeWeights::kMeasured;
  answer.workers = options.workers.value_or(answer.workers);
  answer.explain = options.explain;
  answer.matrices = options.matrices;
  return answer;
}

Result<PlanAnswer> plan_task(const LoadedModel& loaded, const PlanningOptions& options, Task task) {
  // Before the search: what is missing may be a joint.
  Result<ReaderNotes> reader = reader_notes(loaded, model::Use::kPlan);
  ESPALIER_TRY(reader);
  const plan::Mechanism mechanism = plan::make_mechanism(loaded.model);
  const Result<void> set = set_mechanism(loaded.model, mechanism, options, task);
  ESPALIER_TRY(set);
  Result<PlanAnswer> answer = answer_task(std::move(task), options);
  ESPALIER_TRY(answer);
  answer->file = loaded.file;
  answer->name = loaded.model.name.empty() ? loaded.file : loaded.model.name;
  answer->bodies = static_cast<int>(loaded.model.bodies.size()) - 1;
  answer->reader = *std::move(reader);
  Result<std::string> open = why_open(loaded.model, mechanism, options.keyframe);
  ESPALIER_TRY(open);
  answer->open = *std::move(open);
  return answer;
}

Result<Task> task_for_run(const model::Model& model, const plan::Mechanism& mechanism, const PlanningOptions& options) {
  Result<Task> task = begin_task(options);
  ESPALIER_TRY(task);
  const Result<void> set = set_mechanism(model, mechanism, options, *task);
  ESPALIER_TRY(set);
  // Joints that laws need are pinned last, behind what the caller has decided.
  task->options = dynamics::options_for_run(model, mechanism, task->options);
  return task;
}

}  // namespace

Result<PlanAnswer> plan(const LoadedModel& loaded, const PlanningOptions& options) {
  Result<Task> task = begin_task(options);
  ESPALIER_TRY(task);
  return plan_task(loaded, options, *std::move(task));
}

Result<PlanAnswer> plan_file(const std::filesystem::path& file, const LoadOptions& load_options,
                             const PlanningOptions& options) {
  Result<Task> task = begin_task(options);
  ESPALIER_TRY(task);
  const Result<std::string> text = files::read_text_file(file);
  ESPALIER_TRY(text);
  if (!formats::is_graph_text(*text)) {
    // Before the model is loaded, which may take long.
    const Result<plan::Weights> weights = joint_weights(options.weights);
    ESPALIER_TRY(weights);
    const Result<LoadedModel> loaded = load_text(*text, file.string(), load_options);
    ESPALIER_TRY(loaded);
    return plan_task(*loaded, options, *std::move(task));
  }
  const Result<void> weights = check_graph_weights(options.weights);
  ESPALIER_TRY(weights);
  if (!options.keyframe.empty())
    return make_option_error("keyframe", "`keyframe` is for models; this is a plain graph");
  if (load_options.read != formats::ReadOptions{}) {
    const char* option = load_options.read.base ? "base" : "spherical";
    return tl::unexpected(Error{ErrorCode::kOption,
                                fmt::format("`{}` is for URDF; this is a plain graph", option),
                                {file.string(), 0, 0},
                                option});
  }
  const Result<void> set = set_graph(*text, file.string(), options, *task);
  ESPALIER_TRY(set);
  Result<PlanAnswer> answer = answer_task(*std::move(task), options);
  ESPALIER_TRY(answer);
  answer->file = answer->name = answer->reader.file = file.string();
  return answer;
}

Result<plan::Plan> plan_for_run(const model::Model& model, const plan::Mechanism& mechanism,
                                const PlanningOptions& options) {
  const Result<Task> task = task_for_run(model, mechanism, options);
  ESPALIER_TRY(task);
  return plan::make_plan(task->network, task->options);
}

Result<plan::PlanOptions> options_for_run(const model::Model& model, const plan::Mechanism& mechanism,
                                          const PlanningOptions& options) {
  Result<Task> task = task_for_run(model, mechanism, options);
  ESPALIER_TRY(task);
  return std::move(task->options);
}

std::string given_text(const plan::PlanOptions& options) {
  const std::size_t cuts = options.cut.size() + options.cut_body.size();
  std::string what = cuts == 0 ? "" : cuts == 1 ? "your cut" : "your cuts";
  const auto add = [&](bool given, const char* thing) {
    if (given) what += (what.empty() ? "" : " and ") + std::string(thing);
  };
  add(!options.pin.empty(), options.pin.size() == 1 ? "your pin" : "your pins");
  add(options.root >= 0, "your root");
  return what.empty() ? "" : " given " + what;
}

}  // namespace espalier::study

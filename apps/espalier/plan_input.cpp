#include "apps/espalier/plan_input.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/espalier/loop_report.hpp"
#include "apps/espalier/machine_place.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/record/graph_file.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/record/machine_file.hpp"
#include "espalier/plan/step_length.hpp"

namespace espalier::app {
namespace {

using plan::Method;
using plan::Objective;
using plan::Start;
using plan::Sweep;

constexpr std::array kObjectives = {
    Objective::kMccst,   Objective::kMwst,    Objective::kScbst,   Objective::kScbmwst,    Objective::kMwscbst,
    Objective::kBcbmwst, Objective::kBwscbst, Objective::kBcbbwst, Objective::kSequential, Objective::kTime};
constexpr std::array kMethods = {Method::kAuto, Method::kExact, Method::kSearch,   Method::kA1,
                                 Method::kA2,   Method::kA3,    Method::kExchange, Method::kDfs,
                                 Method::kBfs,  Method::kPrim,  Method::kKruskal};

// The value whose word this is.
template <class T>
Result<T> find_word(const char* option, const std::string& word, const std::vector<std::pair<std::string, T>>& words) {
  std::vector<std::string> known;
  for (const auto& [name, value] : words) {
    if (name == word) return value;
    known.push_back(name);
  }
  return make_error(ErrorCode::kOption, {},
                    fmt::format("{} {} is unknown; it is one of {}{}", option, in_quotes(word), fmt::join(known, ", "),
                                did_you_mean(word, known)));
}

template <class Values>
auto words_of(const Values& values) {
  std::vector<std::pair<std::string, typename Values::value_type>> words;
  for (const auto value : values) words.emplace_back(plan::to_string(value), value);
  return words;
}

Result<void> read_objective(const PlanCommand& command, plan::PlanOptions& options) {
  const Result<Objective> objective = find_word("--objective", command.objective, words_of(kObjectives));
  ESPALIER_TRY(objective);
  options.objective = *objective;
  return {};
}

Result<void> read_method(const PlanCommand& command, plan::PlanOptions& options) {
  const Result<Method> method = find_word("--method", command.method, words_of(kMethods));
  ESPALIER_TRY(method);
  options.method = *method;
  if (command.start.empty() && command.sweep.empty()) return {};
  if (options.method != Method::kAuto && options.method != Method::kExchange) {
    return make_error(ErrorCode::kOption, {},
                      fmt::format("--start and --sweep belong to --method exchange, not to {}", command.method));
  }
  options.method = Method::kExchange;
  const Result<Start> start = find_word<Start>("--start", command.start.empty() ? "scbst" : command.start,
                                               {{"scbst", Start::kScbst}, {"mwst", Start::kMwst}});
  ESPALIER_TRY(start);
  options.start = *start;
  const Result<Sweep> sweep =
      find_word<Sweep>("--sweep", command.sweep.empty() ? "far" : command.sweep,
                       {{"near", Sweep::kNear}, {"far", Sweep::kFar}, {"centre-out", Sweep::kCentreOut}});
  ESPALIER_TRY(sweep);
  options.sweep = *sweep;
  return {};
}

Result<plan::Weights> read_weights(const std::string& word) {
  if (word == "file") {
    return make_error(ErrorCode::kOption, {},
                      "--weights file is for plain graphs; a mechanism's joints are weighed by liu, wang or measured");
  }
  return find_word<plan::Weights>(
      "--weights", word.empty() ? "liu" : word,
      {{"liu", plan::Weights::kLiu}, {"wang", plan::Weights::kWang}, {"measured", plan::Weights::kMeasured}});
}

// Any body of a welded group stands for the group.
Result<int> find_body(const model::Model& model, const plan::Mechanism& mechanism, const plan::Network& network,
                      const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].name == name) return mechanism.vertex_of[b];
    names.push_back(model.bodies[b].name);
  }
  const std::string near = did_you_mean(name, names);
  // The network knows one body of each welded group, the model all of them.
  if (near.empty())
    return make_error(ErrorCode::kName, {}, "--root: " + plan::find_vertex(network, name).error().message);
  return make_error(ErrorCode::kName, {}, fmt::format("--root: no body is called {}{}", in_quotes(name), near));
}

Result<std::vector<int>> find_edges(const plan::Network& network, const model::Model* model, const char* option,
                                    const std::vector<std::string>& names) {
  std::vector<int> edges;
  for (const std::string& name : names) {
    const bool welded =
        model && std::any_of(model->joints.begin(), model->joints.end(), [&](const model::Joint& joint) {
          return joint.name == name && joint.type == model::JointType::kFixed;
        });
    if (welded) {
      return make_error(
          ErrorCode::kOption, {},
          fmt::format("{} {}: a fixed joint is welded before planning, never cut", option, in_quotes(name)));
    }
    const Result<int> edge = plan::find_edge(network, name);
    if (!edge) return make_error(edge.error().code, {}, fmt::format("{}: {}", option, edge.error().message));
    edges.push_back(*edge);
  }
  return edges;
}

Result<void> read_edges(const PlanCommand& command, const model::Model* model, PlanInput& input) {
  for (const auto& [option, names, edges] :
       {std::tuple("--pin", &command.pin, &input.options.pin), std::tuple("--cut", &command.cut, &input.options.cut),
        std::tuple("--cut-body", &command.cut_body, &input.options.cut_body)}) {
    Result<std::vector<int>> found = find_edges(input.network, model, option, *names);
    ESPALIER_TRY(found);
    *edges = *std::move(found);
  }
  return {};
}

Result<void> read_graph_input(const std::string& text, const PlanCommand& command, PlanInput& input) {
  if (!command.weights.empty() && command.weights != "file") {
    return make_error(ErrorCode::kOption, {},
                      fmt::format("--weights {} is for mechanisms; a plain graph brings its own", command.weights));
  }
  if (command.read != formats::ReadOptions{}) {
    return make_error(
        ErrorCode::kOption, {command.model, 0, 0},
        fmt::format("{} is for URDF; this is a plain graph", command.read.base ? "--base" : "--spherical"));
  }
  Result<plan::Network> network = record::read_graph_text(text, command.model);
  ESPALIER_TRY(network);
  // With joint types the pieces could be planned one beside the other, but a file of ours with loose ends is a mistake.
  const std::vector<int> piece = graph::breadth_first_forest(network->graph).component;
  if (const auto loose = std::find(piece.begin(), piece.end(), 1); loose != piece.end()) {
    return make_error(ErrorCode::kTopology, {command.model, 0, 0},
                      fmt::format("the graph is not connected: no way leads from vertex 1 to vertex {}; plan its parts "
                                  "one by one",
                                  loose - piece.begin() + 1));
  }
  input.network = *std::move(network);
  input.name = command.model;
  if (command.root != "auto" && command.root != "free") {
    const Result<int> root = plan::find_vertex(input.network, command.root);
    if (!root) return make_error(root.error().code, {}, fmt::format("--root: {}", root.error().message));
    input.options.root = *root;
  }
  return read_edges(command, nullptr, input);
}

Result<void> resolve_model(const PlanCommand& command, const model::Model& model, const plan::Mechanism& mechanism,
                           PlanInput& input) {
  const Result<plan::Weights> weights = read_weights(command.weights);
  ESPALIER_TRY(weights);
  input.network = plan::make_network(model, mechanism, *weights);
  if (*weights == plan::Weights::kMeasured) plan::measure_lengths(input.options.machine, input.network);
  input.name = model.name.empty() ? command.model : model.name;
  if (command.root != "auto" && command.root != "free") {
    const Result<int> root = find_body(model, mechanism, input.network, command.root);
    ESPALIER_TRY(root);
    input.options.root = *root;
  }
  return read_edges(command, &model, input);
}

// A loop that is drawn open may not close at all, and then a plan is of no use. A model beyond this size is not tried:
// `check` and `simulate` tell.
constexpr std::size_t kMostForClosing = 1000;

std::string why_open(const model::Model& model, const plan::Mechanism& mechanism) {
  const auto is_open = [&](const model::Joint& joint) {
    const math::PoseGap gap = model::drawn_gap(model, joint);
    return gap.distance > 1e-6 || gap.angle > 1e-6;
  };
  if (model.joints.size() > kMostForClosing || std::none_of(model.joints.begin(), model.joints.end(), is_open))
    return "";
  const Result<LoopReport> report = make_loop_report(model, mechanism, "");
  if (!report) return "";
  const std::optional<Error> open = open_loop(*report);
  return open ? open->message : "";
}

Result<void> read_model_input(const std::string& text, const PlanCommand& command, PlanInput& input) {
  // The words first: a slip in them shows without reading a large file.
  const Result<plan::Weights> weights = read_weights(command.weights);
  ESPALIER_TRY(weights);
  const Result<model::ModelSpec> spec = formats::read_model_text(text, command.model, command.read);
  ESPALIER_TRY(spec);
  Result<ReaderNotes> reader = study::reader_notes(command.model, spec->notes, model::Use::kPlan, command.accept);
  ESPALIER_TRY(reader);
  input.reader = *std::move(reader);
  const Result<model::Model> model = model::compile(*spec);
  ESPALIER_TRY(model);
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  input.open = why_open(*model, mechanism);
  return resolve_model(command, *model, mechanism, input);
}

// What was measured here, if anything was. Only --objective time and --weights measured ask: all other plans are the
// same on every machine.
Result<void> read_machine(const PlanCommand& command, PlanInput& input) {
  std::error_code ignored;
  std::string file = command.machine;
  if (file.empty() && std::filesystem::exists(machine_place(), ignored)) file = machine_place();
  const bool asks = input.options.objective == plan::Objective::kTime || command.weights == "measured";
  if (!asks || file.empty()) return {};
  const Result<plan::MachineConstants> machine = record::read_machine(file);
  ESPALIER_TRY(machine);
  input.options.machine = *machine;
  input.machine = file;
  return {};
}

Result<PlanInput> read_words(const PlanCommand& command) {
  PlanInput input;
  if (command.model.empty()) return make_error(ErrorCode::kOption, {}, "plan needs a model file");
  for (const Result<void>& read : {read_objective(command, input.options), read_method(command, input.options)}) {
    ESPALIER_TRY(read);
  }
  const Result<void> constants = read_machine(command, input);
  ESPALIER_TRY(constants);
  if (command.workers && *command.workers < 1) {
    return make_error(ErrorCode::kOption, {}, fmt::format("--workers is {}; at least 1 is needed", *command.workers));
  }
  input.options.workers = command.workers.value_or(1);
  input.options.beta = command.beta;
  input.options.max_length = command.max_length;
  input.options.max_weight = command.max_weight;
  input.options.free_root = command.root == "free";
  input.options.exponent = command.exponent;
  input.options.time_limit = command.time_limit;
  input.options.seed = command.seed;
  input.options.front = command.front;
  return input;
}

}  // namespace

Result<PlanInput> read_plan_input(const PlanCommand& command) {
  Result<PlanInput> input = read_words(command);
  ESPALIER_TRY(input);
  const Result<std::string> text = files::read_text_file(command.model);
  ESPALIER_TRY(text);
  const Result<void> read =
      formats::is_graph_text(*text) ? read_graph_input(*text, command, *input) : read_model_input(*text, command, *input);
  ESPALIER_TRY(read);
  return input;
}

Result<PlanInput> make_plan_input(const PlanCommand& command, const model::Model& model,
                                  const plan::Mechanism& mechanism) {
  Result<PlanInput> input = read_words(command);
  ESPALIER_TRY(input);
  const Result<void> resolved = resolve_model(command, model, mechanism, *input);
  ESPALIER_TRY(resolved);
  return input;
}

}  // namespace espalier::app

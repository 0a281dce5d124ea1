#include "espalier/study/generate.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/record/plan_file.hpp"

namespace espalier::study {
namespace {

constexpr const char* k3sat = "3sat";

// A function pointer per row: a rule that is added here is known to the help, to messages and to the tests.
struct Rule {
  std::string name;
  std::vector<int> sizes;  // defaults, one for each size it takes
  const char* help;
  Result<model::ModelSpec> (*make)(const GenerateOptions& options, std::span<const int> sizes);
};

const std::vector<Rule>& rules() {
  using Options = GenerateOptions;
  using Sizes = std::span<const int>;
  // Mechanisms first and scenes behind them, since the help speaks of "those below".
  static const std::vector<Rule> all = {
      {"ladder",
       {5},
       "LOOPS four-bars side by side",
       [](const Options& o, Sizes n) {
         return model::generate_ladder(n[0], o.spatial ? model::LadderKind::kSpatial : model::LadderKind::kPlanar);
       }},
      {"chain", {8}, "BODIES bars in a row", [](const Options&, Sizes n) { return model::generate_chain(n[0]); }},
      {"tree", {4}, "LEVELS of a binary tree", [](const Options&, Sizes n) { return model::generate_tree(n[0]); }},
      {"lattice",
       {3, 4},
       "ROWS COLUMNS of plates joined to their neighbours",
       [](const Options&, Sizes n) { return model::generate_lattice(n[0], n[1]); }},
      {"random",
       {20, 25},
       "BODIES JOINTS, a random connected graph",
       [](const Options& o, Sizes n) { return model::generate_random(n[0], n[1], o.seed.value_or(1)); }},
      {"strandbeest",
       {6},
       "PAIRS of legs of a Jansen linkage",
       [](const Options&, Sizes n) { return model::generate_strandbeest(n[0]); }},
      {"pile",
       {200},
       "GRAINS that fall into a tray: a scene with contact, as those below",
       [](const Options& o, Sizes n) {
         return model::generate_pile(n[0], o.grain.value_or(model::Grain::kSphere), o.seed.value_or(1));
       }},
      {"stack",
       {10},
       "BRICKS on top of each other",
       [](const Options&, Sizes n) { return model::generate_stack(n[0]); }},
      {"arch",
       {27},
       "STONES of half a circle, without mortar",
       [](const Options& o, Sizes n) { return model::generate_arch(n[0], o.thickness.value_or(0.12)); }},
      {"beads",
       {20},
       "BEADS on a string of ball joints",
       [](const Options&, Sizes n) { return model::generate_beads(n[0]); }},
      {"silo",
       {200},
       "GRAINS over a funnel",
       [](const Options& o, Sizes n) { return model::generate_silo(n[0], o.seed.value_or(1)); }},
  };
  return all;
}

// No rules, since they make plain graphs, of which no model is compiled.
const GeneratorKind& sat_kind() {
  static const GeneratorKind kind = {
      k3sat, {10, 43}, "VARIABLES CLAUSES, a random formula as a hard question to `plan`", true};
  return kind;
}

const GeneratorKind& figure_kind() {
  static const GeneratorKind kind = {"liu99_fig2a", {}, "the example of [Liu99], Fig. 2a, as we reconstruct it", true};
  return kind;
}

const GeneratorKind& table_kind() {
  static const GeneratorKind kind = {
      "liu99_table3", {1000}, "VERTICES, a weighted random graph as large as those of [Liu99], Table 3", true};
  return kind;
}

const Rule* find_rule(const std::string& name) {
  const auto rule = std::find_if(rules().begin(), rules().end(), [&](const Rule& r) { return r.name == name; });
  return rule == rules().end() ? nullptr : &*rule;
}

// A rule goes before a shipped model of the same name: the rule can make that one too.
const formats::ShippedModel* find_shipped(const std::string& name) {
  if (find_rule(name) != nullptr) return nullptr;
  const std::span<const formats::ShippedModel> all = formats::shipped_models();
  const auto model =
      std::find_if(all.begin(), all.end(), [&](const formats::ShippedModel& m) { return m.name == name; });
  return model == all.end() ? nullptr : &*model;
}

// Options that few kinds understand.
Result<void> check_options(const std::string& kind, const GenerateOptions& options) {
  const auto wrong = [&](const char* option, const char* owner) {
    return make_option_error(option, fmt::format("`{}` belongs to {}; {} has no such choice", option, owner, kind));
  };
  // Refused and not ignored: a pile with a thickness was meant to be another model.
  if (options.spatial && kind != "ladder") return wrong("spatial", "ladder");
  const bool seeded = kind == "random" || kind == "pile" || kind == "silo";
  if (options.seed && !seeded) return wrong("seed", "random, pile, silo, 3sat and liu99_table3");
  if (options.grain && kind != "pile") return wrong("grain", "pile");
  if (options.thickness && kind != "arch") return wrong("thickness", "arch");
  return {};
}

// The sizes that were given, and the defaults for the others.
Result<std::vector<int>> all_sizes(const std::string& name, const std::vector<int>& defaults, const char* help,
                                   const std::vector<int>& given) {
  // Fewer are right, and the rest have defaults; a size too many was meant for another kind.
  if (given.size() > defaults.size()) {
    return make_option_error("sizes", fmt::format("{} takes {}: {}", name, counted(defaults.size(), "size"), help));
  }
  std::vector<int> sizes = defaults;
  std::copy(given.begin(), given.end(), sizes.begin());
  return sizes;
}

tl::unexpected<Error> unknown_kind(const std::string& kind) {
  std::vector<std::string> names;
  for (const Rule& rule : rules()) names.push_back(rule.name);
  // All names together, since nobody knows which of them are rules.
  for (const formats::ShippedModel& shipped : formats::shipped_models()) names.emplace_back(shipped.name);
  for (const GeneratorKind* plain : {&sat_kind(), &figure_kind(), &table_kind()}) names.push_back(plain->name);
  const std::optional<std::string> near = nearest_name(kind, names);
  return make_option_error("kind", fmt::format("nothing to generate is called {}", in_quotes(kind)),
                           near ? fmt::format("did you mean '{}'?", *near) : "");
}

// (1) What is called so; (2) options that this kind has; (3) its sizes, and the model.
Result<model::ModelSpec> make_spec(const std::string& kind, const GenerateOptions& options) {
  // (1) A rule and a shipped model may have the same name; find_shipped() decides.
  const Rule* rule = find_rule(kind);
  const formats::ShippedModel* shipped = find_shipped(kind);
  if (rule == nullptr && shipped == nullptr) return unknown_kind(kind);
  // (2) Shipped models have none of these options, and are checked by the same table.
  const Result<void> checked = check_options(kind, options);
  ESPALIER_TRY(checked);
  if (rule != nullptr) {
    const Result<std::vector<int>> sizes = all_sizes(kind, rule->sizes, rule->help, options.sizes);
    ESPALIER_TRY(sizes);
    return rule->make(options, *sizes);
  }
  // (3) A shipped model has one size.
  if (!options.sizes.empty()) return make_option_error("sizes", fmt::format("{} takes no size", kind));
  return formats::read_model_text(shipped->text, fmt::format("{}.yaml", kind));
}

// A shipped model as its author wrote it, comments and all; everything else through the writer.
Result<void> add_text(const GenerateOptions& options, GenerateAnswer& answer) {
  const LoadedModel& loaded = *answer.loaded;
  // A caller that only wants the model does not pay for writing it.
  if (options.text == GeneratedText::kNone) return {};
  if (options.text == GeneratedText::kGraph) {
    answer.text =
        record::graph_text(plan::make_network(loaded.model, plan::make_mechanism(loaded.model), plan::Weights::kLiu));
    return {};
  }
  const formats::Format format = options.to.value_or(formats::Format::kNative);
  if (format == formats::Format::kNative) {
    // A native text is never converted: that would only lose the comments.
    const formats::ShippedModel* shipped = find_shipped(answer.kind);
    answer.text = shipped != nullptr ? std::string(shipped->text) : formats::write_model(loaded.spec, format)->text;
    return {};
  }
  // With its differences, since another format may not know shapes, loops or laws.
  Result<formats::Conversion> conversion = formats::convert(loaded.spec, format);
  ESPALIER_TRY(conversion);
  answer.text = conversion->written.text;
  answer.conversion = *std::move(conversion);
  return {};
}

// The table of options above is for models, so that those without use are refused here.
Result<void> check_plain_options(const std::string& kind, const GenerateOptions& options) {
  const auto wrong = [&](const char* option, const char* what) {
    return make_option_error(option,
                             fmt::format("{} makes a plain graph, which {}: leave out `{}`", kind, what, option));
  };
  if (options.to) return wrong("to", "has one format");
  if (options.spatial) return wrong("spatial", "has no joints");
  if (options.grain) return wrong("grain", "has no bodies");
  if (options.thickness) return wrong("thickness", "has no bodies");
  return {};
}

Result<GenerateAnswer> generate_graph(const GeneratorKind& kind, const GenerateOptions& options) {
  const Result<std::vector<int>> sizes = all_sizes(kind.name, kind.sizes, kind.help.c_str(), options.sizes);
  ESPALIER_TRY(sizes);
  const Result<void> checked = check_plain_options(kind.name, options);
  ESPALIER_TRY(checked);
  GenerateAnswer answer;
  answer.kind = kind.name;
  if (sizes->empty()) {
    if (options.seed) return make_option_error("seed", fmt::format("{} is one graph: leave out `seed`", kind.name));
    answer.graph = plan::liu99_fig2a();
  } else {
    const int vertices = sizes->front();
    // The largest file of a graph that is read again without thought.
    if (vertices < 2 || vertices > 1'000'000)
      return make_option_error("sizes",
                               fmt::format("{} of {} vertices; from 2 to 1000000 are possible", kind.name, vertices));
    answer.graph = plan::liu99_table3(vertices, options.seed.value_or(1));
  }
  if (options.text != GeneratedText::kNone) answer.text = record::graph_text(*answer.graph);
  return answer;
}

Result<GenerateAnswer> generate_sat(const GenerateOptions& options) {
  const Result<std::vector<int>> sizes = all_sizes(k3sat, sat_kind().sizes, "VARIABLES CLAUSES", options.sizes);
  ESPALIER_TRY(sizes);
  const Result<void> checked = check_plain_options(k3sat, options);
  ESPALIER_TRY(checked);
  // The seed has a default: the same words make the same question on every machine.
  Result<plan::SatProblem> sat = plan::generate_3sat((*sizes)[0], (*sizes)[1], options.seed.value_or(1));
  ESPALIER_TRY(sat);
  GenerateAnswer answer;
  answer.kind = k3sat;
  if (options.text != GeneratedText::kNone) answer.text = record::graph_text(sat->network);
  answer.sat = *std::move(sat);
  return answer;
}

}  // namespace

Result<GenerateAnswer> generate(const std::string& kind, const GenerateOptions& options) {
  // First, because everything below makes a model.
  if (kind == k3sat) return generate_sat(options);
  for (const GeneratorKind* plain : {&figure_kind(), &table_kind()}) {
    if (kind == plain->name) return generate_graph(*plain, options);
  }
  Result<model::ModelSpec> spec = make_spec(kind, options);
  ESPALIER_TRY(spec);
  Result<LoadedModel> loaded = load_spec(*std::move(spec), kind);
  ESPALIER_TRY(loaded);
  GenerateAnswer answer;
  answer.kind = kind;
  // Counted before the model is given to the answer, whose text needs both.
  answer.count = plan::count(loaded->model, plan::make_mechanism(loaded->model));
  answer.loaded = *std::move(loaded);
  const Result<void> added = add_text(options, answer);
  ESPALIER_TRY(added);
  return answer;
}

std::vector<GeneratorKind> generator_kinds() {
  std::vector<GeneratorKind> kinds;
  for (const Rule& rule : rules()) kinds.push_back({rule.name, rule.sizes, rule.help});
  for (const GeneratorKind* plain : {&sat_kind(), &figure_kind(), &table_kind()}) kinds.push_back(*plain);
  return kinds;
}

}  // namespace espalier::study

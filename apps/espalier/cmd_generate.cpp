#include <algorithm>
#include <cstdio>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/commands.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/graph_file.hpp"
#include "espalier/formats/shipped.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/model/generate_scene.hpp"
#include "espalier/plan/mechanism.hpp"
#include "espalier/plan/network.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/summary.hpp"
#include "espalier/base/printable.hpp"

namespace espalier::app {
namespace {

constexpr const char* k3sat = "3sat";

struct Rule {
  std::string name;
  std::vector<int> sizes;  // defaults, one for each size it takes
  const char* help;
  Result<model::ModelSpec> (*make)(const GenerateOptions& options, std::span<const int> sizes);
};

Result<model::ModelSpec> make_pile(const GenerateOptions& options, int bodies) {
  const std::string& word = options.grain;
  const std::uint64_t seed = options.seed.value_or(1);
  if (word.empty() || word == "sphere") return model::generate_pile(bodies, model::Grain::kSphere, seed);
  if (word == "box") return model::generate_pile(bodies, model::Grain::kBox, seed);
  if (word == "mixed") return model::generate_pile(bodies, model::Grain::kMixed, seed);
  const std::vector<std::string> known = {"sphere", "box", "mixed"};
  return make_error(ErrorCode::kOption, {},
                    fmt::format("--grain {} is unknown; it is one of sphere, box, mixed{}", in_quotes(word),
                                did_you_mean(word, known)));
}

const std::vector<Rule>& rules() {
  using Options = GenerateOptions;
  using Sizes = std::span<const int>;
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
       [](const Options& o, Sizes n) { return make_pile(o, n[0]); }},
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

const Rule* find_rule(const std::string& name) {
  const auto rule = std::find_if(rules().begin(), rules().end(), [&](const Rule& r) { return r.name == name; });
  return rule == rules().end() ? nullptr : &*rule;
}

// A rule goes before a shipped model of the same name: the rule can make that one too.
const formats::ShippedModel* find_shipped(const std::string& name) {
  if (find_rule(name) != nullptr) return nullptr;
  const std::span<const formats::ShippedModel> all = formats::shipped_models();
  const auto model = std::find_if(all.begin(), all.end(), [&](const formats::ShippedModel& m) { return m.name == name; });
  return model == all.end() ? nullptr : &*model;
}

// Options that few kinds understand.
Result<void> check_options(const GenerateOptions& options) {
  const auto wrong = [&](const char* owner) {
    return make_error(ErrorCode::kOption, {}, fmt::format("{}; {} has no such choice", owner, options.kind));
  };
  if (options.spatial && options.kind != "ladder") return wrong("--spatial belongs to ladder");
  const bool seeded = options.kind == "random" || options.kind == "pile" || options.kind == "silo";
  if (options.seed && !seeded) return wrong("--seed belongs to random, pile, silo and 3sat");
  if (!options.grain.empty() && options.kind != "pile") return wrong("--grain belongs to pile");
  if (options.thickness && options.kind != "arch") return wrong("--thickness belongs to arch");
  return {};
}

Result<model::ModelSpec> make(const GenerateOptions& options) {
  const auto wrong = [](std::string message) { return make_error(ErrorCode::kOption, {}, std::move(message)); };
  if (find_rule(options.kind) != nullptr || find_shipped(options.kind) != nullptr) {
    const Result<void> checked = check_options(options);
    ESPALIER_TRY(checked);
  }
  if (const Rule* rule = find_rule(options.kind)) {
    if (options.sizes.size() > rule->sizes.size()) {
      return wrong(fmt::format("{} takes {}: {}", rule->name, counted(rule->sizes.size(), "size"), rule->help));
    }
    std::vector<int> sizes = rule->sizes;
    std::copy(options.sizes.begin(), options.sizes.end(), sizes.begin());
    return rule->make(options, sizes);
  }
  if (const formats::ShippedModel* shipped = find_shipped(options.kind)) {
    if (!options.sizes.empty()) return wrong(fmt::format("{} takes no size", shipped->name));
    return formats::read_model_text(shipped->text, fmt::format("{}.yaml", shipped->name));
  }
  std::vector<std::string> names;
  for (const Rule& rule : rules()) names.emplace_back(rule.name);
  for (const formats::ShippedModel& shipped : formats::shipped_models()) names.emplace_back(shipped.name);
  names.emplace_back(k3sat);
  return wrong(fmt::format("nothing to generate is called {} (see `espalier generate --help`){}",
                           in_quotes(options.kind), did_you_mean(options.kind, names)));
}

// A file, and what there is to say of it where the format cannot hold all of the model.
struct Output {
  std::string text;
  std::string remarks;
};

// A shipped model as its author wrote it, comments and all; everything else through the writer.
Result<Output> make_output(const GenerateOptions& options, const model::ModelSpec& spec, const model::Model& model) {
  // The ground is vertex 1; a joint weighs as many coordinates as it has.
  if (options.graph)
    return Output{record::graph_text(plan::make_network(model, plan::make_mechanism(model), plan::Weights::kLiu)), ""};
  const Result<formats::Format> format = formats::choose_format(options.format, options.output);
  ESPALIER_TRY(format);
  const formats::ShippedModel* shipped = find_shipped(options.kind);
  if (*format == formats::Format::kNative) {
    return Output{shipped != nullptr ? std::string(shipped->text) : formats::write_model(spec, *format)->text, ""};
  }
  const Result<formats::Conversion> conversion = formats::convert(spec, *format);
  ESPALIER_TRY(conversion);
  return Output{conversion->written.text, conversion_text("", *format, *conversion)};
}

std::string generate_json(const GenerateOptions& options, const plan::Count& count, const Output& output) {
  nlohmann::ordered_json document = {{"kind", options.kind},
                                     {"written", options.output},
                                     {"bodies", count.bodies},
                                     {"movable_joints", count.movable_joints},
                                     {"loop_count", count.loops}};
  if (options.output.empty()) document["text"] = output.text;
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string generate_help() {
  std::string text = "Kinds by rule, with their default sizes:\n";
  for (const Rule& rule : rules()) {
    std::string sizes;
    for (const int size : rule.sizes) sizes += fmt::format(" {}", size);
    text += fmt::format("  {:<18}{}\n", rule.name + sizes, rule.help);
  }
  text += fmt::format("Plain graphs, with no mechanism behind them:\n  {:<18}{}\n", "3sat 10 43",
                      "VARIABLES CLAUSES, a random formula as a hard question to `plan`");
  std::string names;
  for (const formats::ShippedModel& shipped : formats::shipped_models()) {
    if (find_rule(std::string(shipped.name)) == nullptr) names += fmt::format("{} ", shipped.name);
  }
  return text + "Models that come with the program:\n" + wrapped("  ", names, terminal_width());
}

int run_generate(const GenerateOptions& options) {
  if (options.kind == k3sat) return run_generate_3sat(options);
  const Result<model::ModelSpec> spec = make(options);
  if (!spec) return report(spec.error(), options.json);
  const Result<model::Model> model = model::compile(*spec);
  if (!model) return report(model.error(), options.json);
  const Result<Output> output = make_output(options, *spec, *model);
  if (!output) return report(output.error(), options.json);
  if (!options.output.empty()) {
    const Result<void> written = files::write_text_file(options.output, output->text);
    if (!written) return report(written.error(), options.json);
  }
  const plan::Count count = plan::count(*model, plan::make_mechanism(*model));
  if (options.json) return print_result(generate_json(options, count, *output));
  if (options.output.empty()) {
    say(output->remarks);
    return print_file(output->text);
  }
  return print_result(
      fmt::format("wrote {}: {}, {}, {}\n{}{}", options.output, counted(count.bodies, "body", "bodies"),
                  counted(count.movable_joints, "movable joint"), counted(count.loops, "loop"), output->remarks,
                  options.graph ? "" : fmt::format("next: espalier check {}\n", shell_word(options.output))));
}

}  // namespace espalier::app

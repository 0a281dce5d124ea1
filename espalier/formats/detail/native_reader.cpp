#include <algorithm>
#include <numbers>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/detail/native_parts.hpp"
#include "espalier/formats/detail/tuning_reader.hpp"
#include "espalier/formats/formats.hpp"

namespace espalier::formats::detail {
namespace {

using model::ModelSpec;
using Kind = YamlNode::Kind;

constexpr const char* kWhatIRead = "I read native models (`espalier: 1` at the top), URDF, SDF and MJCF";

// A YAML file that is not ours gets its name, not a list of unknown keys.
// An empty file has no first line; messages need one.
Error not_ours(const YamlNode& root, const std::string& file) {
  const Where where{file, std::max(root.line, 1), 0};
  if (root.kind != Kind::kMap) {
    return {ErrorCode::kFormat,
            fmt::format("not a format I read: the file is {}, not a model; {}", describe(root), kWhatIRead), where};
  }
  // Each test below knows another program's files by a key that only they have.
  if (root.find("chrono-version") != nullptr) {
    return {ErrorCode::kFormat, fmt::format("a Chrono model: not a format I read; {}", kWhatIRead), where};
  }
  if (root.find("vertices") != nullptr && root.find("edges") != nullptr) {
    return {ErrorCode::kFormat, "a plain graph as YAML; I read plain graphs as JSON: quote the keys, use brackets",
            where};
  }
  if (root.find("bodies") != nullptr || root.find("joints") != nullptr) {
    return {ErrorCode::kFormat, "the format version is missing; put `espalier: 1` at the top if this is a native model",
            where};
  }
  return {ErrorCode::kFormat, fmt::format("not a format I read; {}", kWhatIRead), where};
}

void check_version(NativeContext& context, const YamlNode& node) {
  const double version = context.number(node, "`espalier` (the format version)", kNone);
  // A number other than 1 is a file of a later program, whose keys may mean something else.
  if (!context.failed() && version != 1) {
    context.fail(ErrorCode::kFormat, node,
                 fmt::format("format version {}: this program reads version 1", describe(node)));
  }
}

// Inch and foot are exact in metres by their definition.
constexpr std::pair<const char*, double> kLengths[] = {{"m", 1},     {"cm", 0.01},   {"mm", 0.001},
                                                       {"km", 1000}, {"in", 0.0254}, {"ft", 0.3048}};
constexpr std::pair<const char*, double> kAngles[] = {{"rad", 1}, {"deg", std::numbers::pi / 180}};

double read_unit(NativeContext& context, Fields& fields, const char* key,
                 std::span<const std::pair<const char*, double>> units) {
  const YamlNode* node = fields.find(key);
  // Without a unit the file is in metres and radians.
  if (node == nullptr) return 1;
  // Words and not factors: a factor that is typed wrong would pass unseen.
  const std::string word = context.text(*node, fmt::format("units: `{}`", key));
  std::string known;
  for (const auto& [name, value] : units) {
    if (word == name) return value;
    known += known.empty() ? name : fmt::format(", {}", name);
  }
  context.fail(ErrorCode::kValue, *node, fmt::format("unknown unit {} of {}; I know {}", in_quotes(word), key, known));
  return 1;
}

void read_units(NativeContext& context, const YamlNode& node) {
  Fields fields(context, node, "units");
  context.length = read_unit(context, fields, "length", kLengths);
  context.angle = read_unit(context, fields, "angle", kAngles);
  fields.done();
}

void read_sections(NativeContext& context, const YamlNode& root, ModelSpec& spec) {
  Fields fields(context, root, "the model");
  // Units come first: they scale every number that follows.
  check_version(context, *fields.find("espalier"));
  if (const YamlNode* node = fields.find("units")) read_units(context, *node);
  if (const YamlNode* node = fields.find("constants")) read_constants(context, *node, spec);
  spec.name = fields.text("name", "");
  // An acceleration: a length by seconds squared.
  spec.gravity = fields.optional_vector("gravity", kLength).value_or(spec.gravity);
  if (const YamlNode* node = fields.find("active")) spec.active = read_active(context, *node);
  if (const YamlNode* node = fields.find("impossible_inertia")) {
    spec.impossible_inertia_allowed = context.text(*node, "`impossible_inertia`") == "allowed";
    if (!spec.impossible_inertia_allowed)
      context.fail(ErrorCode::kValue, *node, "`impossible_inertia` is either left out or `allowed`");
  }
  // In the order of what points at what: joints name bodies, couplings and keyframes name joints.
  const std::pair<const char*, void (*)(NativeContext&, const YamlNode&, ModelSpec&)> sections[] = {
      {"materials", read_materials}, {"bodies", read_bodies}, {"joints", read_joints},   {"couplings", read_couplings},
      {"tables", read_tables},       {"forces", read_forces}, {"contact", read_contact}, {"keyframes", read_keyframes}};
  for (const auto& [key, read] : sections) {
    // A section left empty reads as null in YAML and means an empty list.
    const YamlNode* node = fields.find(key);
    if (node != nullptr && node->kind != Kind::kNull && !context.failed()) read(context, *node, spec);
  }
  // Who writes `contact:` asks for it, with nothing but defaults: that is no list.
  if (const YamlNode* node = fields.find("contact"); node != nullptr && node->kind == Kind::kNull) {
    spec.contact.emplace().where = context.where(*node);
  }
  // Not of the model; a mistake in it is told all the same.
  if (const YamlNode* node = fields.find("tune"); node != nullptr && !context.failed()) {
    read_tuning_section(context, *node);
  }
  fields.done();
}

}  // namespace

double metres_per(std::string_view unit) {
  for (const auto& [name, value] : kLengths) {
    if (unit == name) return value;
  }
  return 1;
}

model::ActiveDirections read_active(NativeContext& context, const YamlNode& node) {
  model::ActiveDirections active{};
  for (const YamlNode& item : list_items(context, node, "`active`")) {
    const std::string word = context.text(item, "a direction in `active`");
    const auto known = std::find(model::kDirectionWords.begin(), model::kDirectionWords.end(), word);
    if (known == model::kDirectionWords.end()) {
      context.fail(ErrorCode::kValue, item,
                   fmt::format("unknown direction {}; the six are x, y, z, rx, ry, rz", in_quotes(word)));
    } else {
      // What is not listed is held.
      active[to_index(known - model::kDirectionWords.begin())] = true;
    }
  }
  return active;
}

Result<ModelSpec> read_native(std::string_view text, const std::string& name,
                              std::span<const model::TableSpec> known_tables) {
  // A graph is JSON and so YAML as well; it would fail later with a list of unknown keys.
  if (formats::is_graph_text(text)) {
    return make_error(ErrorCode::kFormat, {name, 1, 0},
                      "a plain graph, without bodies and joints: this needs a mechanism");
  }
  const Result<YamlNode> root = parse_yaml(text, name);
  ESPALIER_TRY(root);
  return read_native_document(*root, name, known_tables);
}

Result<ModelSpec> read_native_document(const YamlNode& root, const std::string& name,
                                       std::span<const model::TableSpec> known_tables) {
  // The version key is what tells our files from any other YAML.
  if (root.kind != Kind::kMap || root.find("espalier") == nullptr) return tl::unexpected(not_ours(root, name));
  NativeContext context;
  context.file = name;
  context.known_tables = known_tables;
  ModelSpec spec;
  // Messages about the model as a whole point at its file.
  spec.where = {name, 1, 0};
  read_sections(context, root, spec);
  if (context.failed()) return tl::unexpected(*context.error);
  spec.notes = std::move(context.notes);
  finish_constants(context, root, spec);
  note_unused_tables(spec);
  return spec;
}

}  // namespace espalier::formats::detail

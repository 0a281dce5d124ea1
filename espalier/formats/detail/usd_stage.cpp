#include "espalier/formats/detail/usd_stage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::Effect;

constexpr double kDegree = std::numbers::pi / 180;
constexpr std::string_view kReset = "!resetXformStack!";
constexpr std::string_view kInvert = "!invert!";

// Prims that are looked at, and move nothing that has mass.
bool is_look(std::string_view type) {
  return type == "Shader" || type == "NodeGraph" || type == "Camera" || type == "RenderSettings" ||
         type.ends_with("Light");
}

// "translate" of "xformOp:translate:pivot".
std::string_view kind_of_operation(std::string_view name) {
  name.remove_prefix(std::string_view("xformOp:").size());
  return name.substr(0, name.find(':'));
}

}  // namespace

UsdStage::UsdStage(std::string_view text, const std::string& file) : file_(file) {
  Result<std::unique_ptr<UsdPrim>> root = parse_usda(text, file);
  if (!root) {
    error_ = root.error();
    return;
  }
  root_ = *std::move(root);
  // Sublayers stand in the metadata of the file.
  refuse_arcs(*root_);
  read_units();
  if (!failed()) place_prims();
}

double UsdStage::read_unit(const char* key, double otherwise, const char* meaning) {
  const auto found = root_->metadata.find(std::string_view(key));
  if (found == root_->metadata.end()) {
    // One kilogram is what everybody takes it for; a centimetre is not.
    if (otherwise != 1) note(1, fmt::format("no {}: USD's default, {}", key, meaning));
    return otherwise;
  }
  const std::vector<double>& numbers = found->second.value.numbers;
  if (numbers.size() == 1 && numbers[0] > 0 && std::isfinite(numbers[0])) return numbers[0];
  fail(ErrorCode::kValue, found->second.line, fmt::format("{} must be a number above 0, {}", key, meaning));
  return otherwise;
}

void UsdStage::read_units() {
  length_ = read_unit("metersPerUnit", 0.01, "0.01: centimetres");
  mass_ = read_unit("kilogramsPerUnit", 1, "1: kilograms");
  const auto up = root_->metadata.find(std::string_view("upAxis"));
  if (up == root_->metadata.end()) {
    note(1, "no upAxis: USD's default, y");
    up_axis_ = 1;
    return;
  }
  const std::vector<std::string>& words = up->second.value.texts;
  if (words.size() == 1 && (words[0] == "Y" || words[0] == "Z")) {
    up_axis_ = words[0] == "Y" ? 1 : 2;
    return;
  }
  fail(ErrorCode::kValue, up->second.line,
       fmt::format("upAxis is {}; it can be \"Y\" or \"Z\"", words.empty() ? "no word" : in_quotes(words[0])));
}

// Other layers and other prims that are put into this one: without them the model would be another one.
void UsdStage::refuse_arcs(const UsdPrim& prim) {
  for (const auto& [key, entry] : prim.metadata) {
    // Without its list word: `prepend payload` is a payload.
    const std::string_view word =
        std::string_view(key).substr(key.find(' ') == std::string::npos ? 0 : key.find(' ') + 1);
    const bool arc = word == "references" || word == "payload" || word == "inherits" || word == "specializes" ||
                     word == "subLayers" || word == "variantSet";
    if (!arc || key.starts_with("delete") || entry.value.texts.empty()) continue;
    fail(ErrorCode::kUnsupported, entry.line,
         fmt::format("{} {} is not followed, and without it the model would be another one; write the file with all "
                     "in one by `usdcat --flatten`",
                     word, in_quotes(entry.value.texts[0])));
  }
}

bool UsdStage::counts(const UsdPrim& prim) {
  // What only changes a prim of another file, or is a pattern for others, is not there by itself.
  if (prim.specifier == UsdSpecifier::kOver) {
    note_once(prim.line, "`over` of a prim that this file does not define: not read", "", Effect::kNone);
  }
  if (prim.specifier != UsdSpecifier::kDef || is_look(prim.type)) return false;
  const auto active = prim.metadata.find(std::string_view("active"));
  if (active == prim.metadata.end()) return true;
  const UsdValue& value = active->second.value;
  // `active = false` and `active = 0` are both written.
  const bool off =
      (!value.texts.empty() && value.texts[0] == "false") || (!value.numbers.empty() && value.numbers[0] == 0);
  return !off;
}

void UsdStage::place_prims() {
  for (const std::unique_ptr<UsdPrim>& prim : root_->children) place_prim(*prim, -1, {});
}

// Parents stand before their children in nodes_.
void UsdStage::place_prim(const UsdPrim& prim, int parent, const UsdTransform& X_W) {
  // What is below a prim that does not count does not count either.
  if (failed() || !counts(prim)) return;
  // How a material looks may stand in another file.
  if (prim.type != "Material" || usd_applied(prim, "PhysicsMaterialAPI")) refuse_arcs(prim);
  const int index = static_cast<int>(nodes_.size());
  bool reset = false;
  const UsdTransform local = local_transform(prim, reset);
  if (failed()) return;
  nodes_.push_back({&prim,
                    parent,
                    parent < 0 ? -1 : node(parent).body,
                    // Nothing above moves a prim that resets its stack.
                    reset ? local : X_W * local,
                    reset,
                    {},
                    Eigen::Matrix3d::Identity()});
  index_.emplace(&prim, index);
  if (usd_applied(prim, "PhysicsRigidBodyAPI") && flag(prim, "physics:rigidBodyEnabled", true)) place_body(index);
  // A copy: `nodes_` grows below.
  const UsdTransform placed = node(index).X_W;
  for (const std::unique_ptr<UsdPrim>& child : prim.children) place_prim(*child, index, placed);
}

void UsdStage::place_body(int index) {
  UsdNode& body = nodes_[to_index(index)];
  body.body = index;
  const std::optional<UsdScale> parts = usd_scale(body.X_W.stretch);
  // A body that is mirrored or flattened has no inertia that could be meant.
  if (!parts || !(parts->scale.minCoeff() > 0)) {
    return fail(ErrorCode::kUnsupported, body.prim->line,
                fmt::format("{}: its scale {} it, and no rigid body can follow; scale its shapes by themselves",
                            usd_named("body", *body.prim), parts ? "mirrors or flattens" : "shears"));
  }
  body.X_WB = {length_ * body.X_W.position, body.X_W.rotation * parts->turn};
  body.in_body = parts->turn.conjugate().toRotationMatrix() * body.X_W.stretch * length_;
}

UsdTransform UsdStage::local_transform(const UsdPrim& prim, bool& reset) {
  UsdTransform local;
  const UsdProperty* order = find_property(prim, "xformOpOrder");
  // Scopes and prims without a type are no places.
  if (order == nullptr || prim.type.empty() || prim.type == "Scope") return local;
  for (const std::string& text : order->value.texts) {
    std::string_view name = text;
    if (name == kReset) {
      // Parents count no longer, nor does what stands before it.
      reset = true;
      local = {};
      continue;
    }
    // A pivot stands twice: there and, inverted, back.
    const bool inverted = name.starts_with(kInvert);
    if (inverted) name.remove_prefix(kInvert.size());
    if (!name.starts_with("xformOp:")) {
      fail(ErrorCode::kName, order->line,
           fmt::format("xformOpOrder of {} names {}, which is no xformOp", in_quotes(prim.name), in_quotes(name)));
      return local;
    }
    const UsdTransform step = operation(prim, name);
    if (failed()) return local;
    const std::optional<UsdTransform> back = inverted ? inverse(step) : std::optional(step);
    if (!back) {
      fail(ErrorCode::kValue, order->line, fmt::format("{} of {} has no inverse", name, in_quotes(prim.name)));
      return local;
    }
    // The first operation is the outermost.
    local = local * *back;
  }
  return local;
}

UsdTransform UsdStage::operation(const UsdPrim& prim, std::string_view name) {
  const std::string_view kind = kind_of_operation(name);
  if (find_property(prim, name) == nullptr) {
    // It is there, but only over time.
    const bool moving = prim.properties.contains(name);
    std::vector<std::string> names;
    for (const auto& [other, property] : prim.properties) {
      if (other.starts_with("xformOp:")) names.push_back(other);
    }
    fail(moving ? ErrorCode::kUnsupported : ErrorCode::kName, line_of(prim, moving ? name : "xformOpOrder"),
         fmt::format("{} of {} has no value{}", name, in_quotes(prim.name),
                     moving ? " beside those over time; give one" : did_you_mean(name, names)));
    return {};
  }
  UsdTransform step;
  if (kind == "translate") {
    step.position = vector(prim, name).value_or(Vector3d::Zero());
  } else if (kind == "scale") {
    step.stretch = vector(prim, name).value_or(Vector3d::Ones()).asDiagonal();
  } else if (kind == "orient") {
    step.rotation = rotation(prim, name);
  } else if (kind.starts_with("rotate")) {
    step = rotation_of(prim, name, kind.substr(std::string_view("rotate").size()));
  } else if (kind == "transform") {
    // Rows are the images of the axes, the last one is the translation.
    const std::vector<double> m = numbers_of(prim, name, 16);
    if (m.empty()) return {};
    Matrix3d linear;
    linear << m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10];
    step = usd_transform(linear, {m[12], m[13], m[14]});
  } else {
    fail(ErrorCode::kUnsupported, line_of(prim, name),
         fmt::format("{} is not read; write it as translate, orient, rotateXYZ, scale or transform", name));
  }
  if (!(step.position.allFinite() && step.stretch.allFinite())) {
    fail(ErrorCode::kValue, line_of(prim, name),
         fmt::format("{} of {} must hold finite numbers", name, in_quotes(prim.name)));
  }
  return step;
}

// rotateXYZ turns about x first, then about y, then about z, all three fixed; the numbers stand in the order x y z.
UsdTransform UsdStage::rotation_of(const UsdPrim& prim, std::string_view name, std::string_view letters) {
  UsdTransform step;
  constexpr std::array<std::string_view, 9> kLetters = {"X", "Y", "Z", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};
  if (std::find(kLetters.begin(), kLetters.end(), letters) == kLetters.end()) {
    fail(ErrorCode::kUnsupported, line_of(prim, name), fmt::format("{} is no rotation that I know", name));
    return step;
  }
  const std::vector<double> angles = numbers_of(prim, name, letters.size());
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const int axis = letters[k] - 'X';
    // One letter has one number; three letters have theirs in the order x y z, whatever the order of the turns.
    const double angle = angles[letters.size() == 1 ? 0 : to_index(axis)];
    if (!std::isfinite(angle)) {
      fail(ErrorCode::kValue, line_of(prim, name), fmt::format("{} must hold finite numbers", name));
      return step;
    }
    step.rotation = math::rotation_about(Vector3d::Unit(axis), angle * kDegree) * step.rotation;
  }
  return step;
}

const UsdPrim* UsdStage::follow(const UsdPrim& from, const std::string& target, const UsdPrim*& last) const {
  const UsdPrim* at = target.starts_with('/') ? root_.get() : &from;
  // An attribute or a variant behind the prim does not change which prim it is.
  std::string_view rest =
      std::string_view(target).substr(0, target.find_first_of(".{", target.find_first_not_of("./")));
  while (at != nullptr && !rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (name.empty() || name == ".") continue;
    // The prim in which a path broke off names what is near.
    last = at;
    if (name == "..") {
      at = at->parent;
      continue;
    }
    const auto child = at->by_name.find(name);
    at = child == at->by_name.end() ? nullptr : child->second;
  }
  return at;
}

std::optional<int> UsdStage::look_up(const UsdPrim& from, const std::string& target) const {
  const UsdPrim* last = nullptr;
  const UsdPrim* prim = follow(from, target, last);
  const auto found = prim == nullptr ? index_.end() : index_.find(prim);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int> UsdStage::find(const UsdPrim& from, const std::string& target) {
  const std::optional<int> found = look_up(from, target);
  if (found) return found;
  const UsdPrim* last = nullptr;
  if (follow(from, target, last) != nullptr || last == nullptr) {
    fail(ErrorCode::kName, from.line,
         fmt::format("{} names {}, which is no prim that is defined and active", in_quotes(from.name),
                     in_quotes(target)));
    return std::nullopt;
  }
  // Names of the prim in which the path ends.
  std::vector<std::string> near;
  for (const std::unique_ptr<UsdPrim>& other : last->children) near.push_back(other->name);
  const std::string_view name = std::string_view(target).substr(target.rfind('/') + 1);
  fail(ErrorCode::kName, from.line,
       fmt::format("{} names {}, and there is no such prim{}", in_quotes(from.name), in_quotes(target),
                   did_you_mean(name, near)));
  return std::nullopt;
}

}  // namespace espalier::formats::detail

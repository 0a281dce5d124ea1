#include "espalier/formats/detail/sdf_frames.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/unread.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Kind = SdfFrameKind;
using Eigen::Quaterniond;
using Eigen::Vector3d;

const char* word(Kind kind) {
  switch (kind) {
    case Kind::kWorld:
      return "world";
    case Kind::kModel:
      return "model";
    case Kind::kLink:
      return "link";
    case Kind::kFrame:
      return "frame";
    case Kind::kJoint:
      return "joint";
  }
  return "";
}

// `relative_to`, or `frame` as SDF 1.5 and 1.6 called it; "" where the <pose> says neither.
std::string pose_frame(const XMLElement* parent) {
  const XMLElement* pose = parent->FirstChildElement("pose");
  // A frame without a <pose> coincides with the one it is relative to.
  if (pose == nullptr) return "";
  for (const char* attribute : {"relative_to", "frame"}) {
    const char* value = pose->Attribute(attribute);
    if (value != nullptr && *value != '\0') return value;
  }
  return "";
}

}  // namespace

SdfFrames::SdfFrames(XmlReader& xml) : xml_(xml), nodes_(1), scopes_(1) {}

int SdfFrames::add(Node node) {
  const int index = static_cast<int>(nodes_.size());
  // An element without a name has a place but cannot be named by others.
  if (!node.name.empty()) {
    if (sdf_reserved(node.name)) {
      xml_.fail(ErrorCode::kName, node.element,
                fmt::format("SDF keeps the name {} for itself; rename the {}", in_quotes(node.name), word(node.kind)));
    }
    Scope& scope = scopes_[node.scope];
    // Joints have a space of names of their own here; only a <frame> may not have a joint's name.
    auto& names = node.kind == Kind::kJoint ? scope.joints : scope.frames;
    auto [entry, is_new] = names.emplace(node.name, index);
    if (is_new && node.kind == Kind::kFrame) {
      const auto joint = scope.joints.find(node.name);
      if (joint != scope.joints.end()) entry = joint, is_new = false;
    }
    if (!is_new) {
      const Node& first = nodes_[entry->second];
      xml_.fail(ErrorCode::kName, node.element,
                fmt::format("the name {} of this {} is taken by the {} in line {}; rename one", in_quotes(node.name),
                            word(node.kind), word(first.kind), first.element->GetLineNum()));
    }
  }
  nodes_.push_back(std::move(node));
  return index;
}

int SdfFrames::add_model(const XMLElement* element, const std::string& name) {
  Node node;
  node.kind = Kind::kModel;
  node.name = name;
  node.element = element;
  // A model opens a scope of its own, and its name stands in the scope around it.
  node.opens = static_cast<int>(scopes_.size());
  const int index = add(std::move(node));
  // Only now, so that the name of the model itself was looked up in the scope around it.
  scopes_.emplace_back();
  scopes_.back().model = index;
  return index;
}

int SdfFrames::add_link(const XMLElement* element, int scope, const std::string& name) {
  Node node;
  node.kind = Kind::kLink;
  node.scope = scope;
  node.name = name;
  node.element = element;
  const int index = add(std::move(node));
  // The first link of a model is the canonical one unless the model names another: SDF's rule.
  if (scopes_[scope].canonical_link == kWorld) scopes_[scope].canonical_link = index;
  return index;
}

int SdfFrames::add_frame(const XMLElement* element, int scope, const std::string& name) {
  Node node;
  node.kind = Kind::kFrame;
  node.scope = scope;
  node.name = name;
  node.element = element;
  // A frame without attached_to is held by its model, and so by the canonical link.
  node.attached_name = xml_.text(element, "attached_to");
  return add(std::move(node));
}

int SdfFrames::add_joint(const XMLElement* element, int scope, const std::string& name, const std::string& child) {
  Node node;
  node.kind = Kind::kJoint;
  node.scope = scope;
  node.name = name;
  node.element = element;
  // A joint's frame is attached to its child, whatever its parent is.
  node.attached_name = child;
  return add(std::move(node));
}

std::optional<int> SdfFrames::find(int scope, std::string_view name) const {
  // `world` and `__model__` are SDF's own and mean the same from every scope.
  if (name == "world") return kWorld;
  if (name == "__model__") return scope == kWorldScope ? std::nullopt : std::optional(scopes_[scope].model);
  const std::string key(name);
  const Scope& names = scopes_[scope];
  if (const auto entry = names.frames.find(key); entry != names.frames.end()) return entry->second;
  // A link wins over a joint of its name: old files mean the link where they say so.
  if (const auto entry = names.joints.find(key); entry != names.joints.end()) return entry->second;
  // From outside, model::frame; no model holds another one here, so one step is enough.
  const std::size_t colons = name.find("::");
  // Inside a model a name with :: would lead into a nested one, and those are not read.
  if (scope != kWorldScope || colons == std::string_view::npos) return std::nullopt;
  const auto model = names.frames.find(std::string(name.substr(0, colons)));
  if (model == names.frames.end() || nodes_[model->second].kind != Kind::kModel) return std::nullopt;
  return find(nodes_[model->second].opens, name.substr(colons + 2));
}

int SdfFrames::require(int scope, std::string_view name, const XMLElement* element, const std::string& what) {
  const std::optional<int> found = find(scope, name);
  if (found) return *found;
  // The list of names is only for the message, and only the first failure gets one.
  if (!xml_.failed()) {
    std::vector<std::string> names = {"world"};
    for (const auto& [other, frame] : scopes_[scope].frames) names.push_back(other);
    for (const auto& [other, frame] : scopes_[scope].joints) names.push_back(other);
    // Sorted, since a hash map would offer another of two equally near names on another machine.
    std::sort(names.begin(), names.end());
    const bool scoped = name.find("::") != std::string_view::npos;
    const std::string hint = did_you_mean(name, names);
    xml_.fail(ErrorCode::kName, element,
              fmt::format("{} names an unknown link or frame {}{}", what, in_quotes(name),
                          !hint.empty() ? hint
                          : scoped      ? "; names of nested or included models are not read"
                                        : "; name a link, joint or frame of this model, or world"));
  }
  return kWorld;
}

void SdfFrames::look_up(Node& node) {
  const int model = scopes_[node.scope].model;
  const std::string what = fmt::format("{} {}", word(node.kind), in_quotes(node.name));
  // SDF's default: a pose is relative to what holds the frame, and to the model where nothing does.
  int home = model;
  if (!node.attached_name.empty()) home = require(node.scope, node.attached_name, node.element, what);
  // Links are attached to nothing but themselves, models to their canonical link.
  if (node.kind == Kind::kFrame || node.kind == Kind::kJoint) node.attached = home;
  const std::string relative = pose_frame(node.element);
  node.relative = relative.empty()
                      ? home
                      : require(node.scope, relative, node.element->FirstChildElement("pose"), "the pose of " + what);
  // Here the pose is still relative; resolve() multiplies when all bases are known.
  node.X_RN = read_sdf_pose(xml_, node.element);
}

void SdfFrames::look_up_canonical_links() {
  for (Scope& scope : scopes_) {
    // The world has no canonical link: what is attached to it is fixed.
    if (scope.model == kWorld) continue;
    Node& model = nodes_[scope.model];
    const std::string name = xml_.text(model.element, "canonical_link");
    if (!name.empty()) {
      scope.canonical_link = require(model.opens, name, model.element, fmt::format("model {}", in_quotes(model.name)));
    }
    // The frame of a model is fixed to its canonical link, whatever its <pose> is relative to.
    model.attached = scope.canonical_link;
  }
}

std::vector<int> SdfFrames::order_by(int Node::*next) {
  enum : char { kNew, kOpen, kDone };
  std::vector<char> state(nodes_.size(), kNew);
  // The world is where every chain must end.
  state[kWorld] = kDone;
  std::vector<int> order;
  std::vector<int> path;
  // A walk along `next` with three states: a node met again while still open closes a ring.
  for (int start = 1; start < static_cast<int>(nodes_.size()); ++start) {
    int at = start;
    for (; state[at] == kNew; at = nodes_[at].*next) {
      state[at] = kOpen;
      path.push_back(at);
    }
    if (state[at] == kOpen) {
      xml_.fail(
          ErrorCode::kTopology, nodes_[at].element,
          fmt::format("the {} {} is placed relative to itself, over {}; break the ring by naming a link, "
                      "__model__ or world",
                      word(nodes_[at].kind), in_quotes(nodes_[at].name), in_quotes(nodes_[nodes_[at].*next].name)));
      return {};
    }
    // The last one met is done first: it is the base of those before it.
    for (; !path.empty(); path.pop_back()) {
      state[path.back()] = kDone;
      order.push_back(path.back());
    }
  }
  return order;
}

void SdfFrames::resolve() {
  for (std::size_t i = 1; i < nodes_.size() && !xml_.failed(); ++i) look_up(nodes_[i]);
  look_up_canonical_links();
  if (xml_.failed()) return;
  // An order in which each frame's base is known before it.
  for (const int i : order_by(&Node::relative)) {
    Node& node = nodes_[i];
    node.X_WN = nodes_[node.relative].X_WN * node.X_RN;
    // Products of quaternions drift from unit length; a chain of frames would drift further at every link.
    node.X_WN.rotation = math::normalised(node.X_WN.rotation);
  }
  // A second order: what a frame is placed by and what it is held by need not be the same.
  for (const int i : order_by(&Node::attached)) {
    Node& node = nodes_[i];
    node.link = node.kind == Kind::kLink ? i : nodes_[node.attached].link;
  }
}

bool sdf_reserved(std::string_view name) {
  // SDF keeps names in double underscores for itself.
  return name == "world" || (name.size() >= 4 && name.starts_with("__") && name.ends_with("__"));
}

math::Pose read_sdf_pose(XmlReader& xml, const XMLElement* parent, const char* child) {
  const XMLElement* element = parent->FirstChildElement(child);
  // No <pose> is the identity.
  if (element == nullptr) return {};
  const std::vector<double> all = xml.numbers(element, "the text", XmlReader::content(element));
  if (all.empty() || xml.failed()) return {};
  const std::string format = xml.text(element, "rotation_format", "euler_rpy");
  // Since 1.9 a rotation may be written as a quaternion, x y z w, with the real part last.
  const std::size_t count = format == "quat_xyzw" ? 7 : 6;
  if (format != "quat_xyzw" && format != "euler_rpy") {
    xml.fail(ErrorCode::kValue, element,
             fmt::format("rotation_format {} is unknown; it is euler_rpy or quat_xyzw", in_quotes(format)));
  } else if (all.size() != count) {
    xml.fail(ErrorCode::kType, element,
             fmt::format("a pose has {} numbers, {}; this one has {}", count,
                         count == 7 ? "x y z qx qy qz qw" : "x y z roll pitch yaw", all.size()));
  }
  if (xml.failed()) return {};
  math::Pose pose;
  pose.position = {all[0], all[1], all[2]};
  if (count == 7) {
    const Eigen::Vector4d q(all[3], all[4], all[5], all[6]);
    if (q.stableNorm() < 1e-100) xml.fail(ErrorCode::kValue, element, "the quaternion qx qy qz qw must not be zero");
    pose.rotation =
        // A quaternion of readable length is left alone; one that would overflow when squared is scaled first.
        math::normalised(Quaterniond(q.squaredNorm() > 0.5 && q.squaredNorm() < 2 ? q : q.stableNormalized()));
    return pose;
  }
  // Since 1.9 angles may be written in degrees; the default stays radians.
  const std::string degrees = xml.text(element, "degrees", "false");
  const double unit = degrees == "true" || degrees == "1" ? std::numbers::pi / 180 : 1.0;
  // Only where radians are meant: a file that says degrees may have angles of any size.
  if (unit == 1.0 && std::any_of(all.begin() + 3, all.end(), looks_like_degrees)) xml.note_degrees(element, "rpy");
  // Roll, pitch and yaw turn about fixed axes, x first.
  pose.rotation = math::rotation_from_rpy(unit * Vector3d(all[3], all[4], all[5]));
  return pose;
}

double sdf_number(XmlReader& xml, const XMLElement* parent, const char* child, double otherwise) {
  const XMLElement* element = parent->FirstChildElement(child);
  if (element == nullptr) return otherwise;
  const std::vector<double> all = xml.numbers(element, "the text", XmlReader::content(element));
  if (all.size() == 1) return all[0];
  xml.fail(ErrorCode::kType, element,
           fmt::format("<{}> must hold one number, not {}", child, in_quotes(XmlReader::content(element))));
  return otherwise;
}

Vector3d sdf_vector(XmlReader& xml, const XMLElement* parent, const char* child, const Vector3d& otherwise) {
  const XMLElement* element = parent->FirstChildElement(child);
  if (element == nullptr) return otherwise;
  const std::vector<double> all = xml.numbers(element, "the text", XmlReader::content(element));
  if (all.size() == 3) return {all[0], all[1], all[2]};
  xml.fail(ErrorCode::kType, element,
           fmt::format("<{}> must hold three numbers, not {}", child, in_quotes(XmlReader::content(element))));
  return otherwise;
}

bool sdf_flag(XmlReader& xml, const XMLElement* parent, const char* child, bool otherwise) {
  const XMLElement* element = parent->FirstChildElement(child);
  if (element == nullptr) return otherwise;
  const std::string_view text = XmlReader::content(element);
  // Files have all these spellings; each is unmistakable.
  if (text == "true" || text == "1" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "0" || text == "False" || text == "FALSE") return false;
  xml.fail(ErrorCode::kType, element, fmt::format("<{}> must be true or false, not {}", child, in_quotes(text)));
  return otherwise;
}

}  // namespace espalier::formats::detail

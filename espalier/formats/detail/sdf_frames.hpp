#pragma once

// Poses in SDF ("pose frame semantics"): every model, link, joint and <frame> is a frame; its pose is relative to
// another frame, and it is attached to another one until a link is reached. Frames are named within their model;
// outside, as model::frame.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "espalier/formats/detail/xml.hpp"
#include "espalier/math/pose.hpp"

namespace espalier::formats::detail {

enum class SdfFrameKind { kWorld, kModel, kLink, kFrame, kJoint };

class SdfFrames {
 public:
  static constexpr int kWorld = 0;       // the frame
  static constexpr int kWorldScope = 0;  // the scope: of models, world frames and world joints

  explicit SdfFrames(XmlReader& xml);

  // Each returns the new frame; a name used twice in its scope fails on `element`. A model opens a scope of its own.
  int add_model(const XMLElement* element, const std::string& name);
  int add_link(const XMLElement* element, int scope, const std::string& name);
  int add_frame(const XMLElement* element, int scope, const std::string& name);
  // `child` is the name of the frame the joint is attached to; `name` may be empty (nothing refers to it then).
  int add_joint(const XMLElement* element, int scope, const std::string& name, const std::string& child);

  // Looks up all names, then places all frames. Fails on unknown names and on rings of frames. O(frames).
  void resolve();

  // After resolve():
  const math::Pose& pose(int frame) const { return nodes_[frame].X_WN; }
  // The link a frame is fixed in, or kWorld.
  int link(int frame) const { return nodes_[frame].link; }

  int size() const { return static_cast<int>(nodes_.size()); }
  int scope(int frame) const { return nodes_[frame].opens; }  // of a model
  SdfFrameKind kind(int frame) const { return nodes_[frame].kind; }
  const XMLElement* element(int frame) const { return nodes_[frame].element; }
  const std::string& name(int frame) const { return nodes_[frame].name; }

  // The frame that `name` means in `scope`, or nothing.
  std::optional<int> find(int scope, std::string_view name) const;
  // The same; where there is none, fails on `element` with the nearest name. `what` starts the sentence: "joint 'j': ".
  int require(int scope, std::string_view name, const XMLElement* element, const std::string& what);

 private:
  struct Node {
    SdfFrameKind kind = SdfFrameKind::kWorld;
    int scope = kWorldScope;  // it is named in
    int opens = kWorldScope;  // a model: of its own frames
    std::string name;
    const XMLElement* element = nullptr;
    std::string attached_name;  // frame and joint
    int attached = kWorld;
    int relative = kWorld;  // what X_RN is relative to
    math::Pose X_RN, X_WN;
    int link = kWorld;
  };

  struct Scope {
    int model = kWorld;
    int canonical_link = kWorld;  // the model's frame is attached to it
    std::unordered_map<std::string, int> frames;
    std::unordered_map<std::string, int> joints;  // apart: old files name a joint like its link
  };

  int add(Node node);
  void look_up(Node& node);
  void look_up_canonical_links();
  // Frames in an order in which `next` of each (a member of Node) comes before it; fails on a ring.
  std::vector<int> order_by(int Node::*next);

  XmlReader& xml_;
  std::vector<Node> nodes_;
  std::vector<Scope> scopes_;
};

// The <pose> of `parent` (or another child like it): x y z roll pitch yaw, or x y z qx qy qz qw. The identity where
// there is none.
math::Pose read_sdf_pose(XmlReader& xml, const XMLElement* parent, const char* child = "pose");

// SDF keeps `world` and everything like __this__ for itself.
bool sdf_reserved(std::string_view name);

// Text content as one finite number, three of them, or true/false. `otherwise` where `parent` has no such child.
double sdf_number(XmlReader& xml, const XMLElement* parent, const char* child, double otherwise);
Eigen::Vector3d sdf_vector(XmlReader& xml, const XMLElement* parent, const char* child,
                           const Eigen::Vector3d& otherwise);
bool sdf_flag(XmlReader& xml, const XMLElement* parent, const char* child, bool otherwise);

}  // namespace espalier::formats::detail

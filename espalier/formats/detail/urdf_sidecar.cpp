// The sidecar of the Gepetto team's parallel robots: robot.yaml beside robot.urdf.
//   closed_loop: [[A, B], ...]   the frames that move with joints A and B coincide (a link may be named instead)
//   type: [6d, 3d, ...]          all of the frame, or its origin only
//   name_mot: [...]              the joints that are driven
//   joint_name: [...]            joints that are of another type than URDF can say,
//   joint_type: [...]            in the same order: SPHERICAL, CARDAN (x, then y of the joint's frame), UJOINT_ZY
//                                (z, then y; any two of X Y Z) or FIXED

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/detail/urdf.hpp"
#include "espalier/formats/detail/yaml.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

namespace fs = std::filesystem;

class Sidecar {
 public:
  Sidecar(UrdfRobot& robot, std::string file) : robot_(robot), file_(std::move(file)) {}

  void read(const YamlNode& root) {
    // A YAML file of the robot's name may belong to another program.
    const YamlNode* loops = root.kind == YamlNode::Kind::kMap ? root.find("closed_loop") : nullptr;
    if (loops == nullptr) {
      robot_.notes.push_back({"a file of the same name without `closed_loop`: not read", {file_, 0, 0}});
      return;
    }
    constexpr std::array<std::string_view, 5> kRead = {"closed_loop", "type", "name_mot", "joint_name", "joint_type"};
    for (const YamlEntry& entry : root.entries) {
      if (std::find(kRead.begin(), kRead.end(), entry.key) != kRead.end()) continue;
      robot_.notes.push_back({fmt::format("{}: not read", in_quotes(entry.key)), {file_, entry.line, 0}});
    }
    read_loops(*loops, root.find("type"));
    // After the loops, whose pairs may name joints that are driven as well.
    read_motors(root.find("name_mot"));
    read_types(root.find("joint_name"), root.find("joint_type"));
  }

 private:
  void fail(ErrorCode code, const YamlNode& node, std::string message) {
    robot_.xml.fail(Error{code, std::move(message), where(node)});
  }
  Where where(const YamlNode& node) const { return {file_, node.line, node.column}; }

  bool is_list(const YamlNode& node, std::string_view what) {
    if (node.kind == YamlNode::Kind::kList) return true;
    fail(ErrorCode::kType, node, fmt::format("`{}` must be a list, not {}", what, describe(node)));
    return false;
  }

  // The link that moves with the joint of this name, or the link of this name; -1 and a failure else.
  int find_frame(const YamlNode& node) {
    if (node.kind != YamlNode::Kind::kScalar) {
      fail(ErrorCode::kType, node, fmt::format("`closed_loop` takes names of joints, not {}", describe(node)));
      return -1;
    }
    // A joint's name stands for the frame that moves with it, its child's.
    if (const auto j = robot_.joint_index.find(node.scalar); j != robot_.joint_index.end()) {
      return robot_.joints[j->second].child;
    }
    if (const auto l = robot_.link_index.find(node.scalar); l != robot_.link_index.end()) return l->second;
    std::vector<std::string> names = robot_.joint_names();
    for (std::string& name : robot_.link_names()) names.push_back(std::move(name));
    fail(ErrorCode::kName, node,
         fmt::format("`closed_loop` names an unknown joint or link {}{}", in_quotes(node.scalar),
                     did_you_mean(node.scalar, names)));
    return -1;
  }

  // 6d where `types` says nothing, as the tools that made these files have it.
  model::JointType find_type(const YamlNode* types, std::size_t k) {
    if (types == nullptr) return model::JointType::kFixed;
    const YamlNode& node = types->items[k];
    std::string word = node.scalar;
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (node.kind == YamlNode::Kind::kScalar && word == "6d") return model::JointType::kFixed;
    if (node.kind == YamlNode::Kind::kScalar && word == "3d") return model::JointType::kSpherical;
    fail(ErrorCode::kValue, node, fmt::format("`type` takes 6d and 3d, not {}", describe(node)));
    return model::JointType::kFixed;
  }

  void read_loops(const YamlNode& loops, const YamlNode* types) {
    if (!is_list(loops, "closed_loop") || (types != nullptr && !is_list(*types, "type"))) return;
    if (types != nullptr && types->items.size() != loops.items.size()) {
      fail(ErrorCode::kType, *types,
           fmt::format("`type` has {} and `closed_loop` {}; give each loop one type",
                       counted(types->items.size(), "entry", "entries"), counted(loops.items.size(), "pair")));
      return;
    }
    // A pair of frames without a type may close fully or in a point: said, as it decides the mobility.
    if (types == nullptr) robot_.notes.push_back({"no `type`: all loops are read as 6d", where(loops)});
    for (std::size_t k = 0; k < loops.items.size() && !robot_.xml.failed(); ++k) {
      add_loop(loops.items[k], find_type(types, k));
    }
  }

  void add_loop(const YamlNode& pair, model::JointType type) {
    if (pair.kind != YamlNode::Kind::kList || pair.items.size() != 2) {
      fail(ErrorCode::kType, pair, fmt::format("each entry of `closed_loop` is a pair [A, B], not {}", describe(pair)));
      return;
    }
    UrdfJoint joint;
    // The place of a loop is in the sidecar; the XML element only has to exist.
    joint.element = robot_.element;
    // In the order written: the first is our a.
    joint.parent = find_frame(pair.items[0]);
    joint.child = find_frame(pair.items[1]);
    if (robot_.xml.failed()) return;
    if (joint.parent == joint.child) {
      fail(ErrorCode::kTopology, pair,
           fmt::format("{} and {} move with the same link {}; a loop closes between two",
                       in_quotes(pair.items[0].scalar), in_quotes(pair.items[1].scalar),
                       in_quotes(robot_.links[joint.parent].body.name)));
      return;
    }
    // The pair names the loop, as the file has no other name for it.
    joint.spec.name = robot_.unused_joint_name(pair.items[0].scalar + "-" + pair.items[1].scalar);
    joint.spec.type = type;
    joint.spec.closure = true;
    joint.spec.where = where(pair);
    robot_.add_joint(std::move(joint));
  }

  void read_motors(const YamlNode* motors) {
    if (motors == nullptr || robot_.xml.failed() || !is_list(*motors, "name_mot")) return;
    for (const YamlNode& motor : motors->items) {
      UrdfJoint* joint = find_joint(motor, "name_mot");
      if (joint == nullptr) return;
      // The file says which joints are driven, not how strongly.
      joint->spec.actuated = true;
    }
  }

  // Null and a failure where no joint has this name.
  UrdfJoint* find_joint(const YamlNode& node, std::string_view key) {
    const auto j = robot_.joint_index.find(node.scalar);
    if (node.kind == YamlNode::Kind::kScalar && j != robot_.joint_index.end()) return &robot_.joints[j->second];
    fail(ErrorCode::kName, node,
         fmt::format("`{}` names an unknown joint {}{}", key, describe(node),
                     did_you_mean(node.scalar, robot_.joint_names())));
    return nullptr;
  }

  void read_types(const YamlNode* names, const YamlNode* types) {
    if (robot_.xml.failed() || (names == nullptr && types == nullptr)) return;
    if (names == nullptr || types == nullptr) {
      fail(ErrorCode::kType, names == nullptr ? *types : *names, "`joint_name` and `joint_type` belong together");
      return;
    }
    if (!is_list(*names, "joint_name") || !is_list(*types, "joint_type")) return;
    if (names->items.size() != types->items.size()) {
      fail(ErrorCode::kType, *types,
           fmt::format("`joint_type` has {} and `joint_name` {}; give each joint one type",
                       counted(types->items.size(), "entry", "entries"), counted(names->items.size(), "name")));
      return;
    }
    for (std::size_t k = 0; k < names->items.size() && !robot_.xml.failed(); ++k) {
      // The two lists belong together entry by entry.
      UrdfJoint* joint = find_joint(names->items[k], "joint_name");
      if (joint != nullptr) set_type(types->items[k], *joint);
    }
  }

  // Our universal joint turns about x, then y of its frame: here that frame in the one of URDF. Nothing for a word that
  // is no universal joint.
  static std::optional<math::Pose> universal_axes(const std::string& word) {
    if (word == "CARDAN") return math::Pose();
    constexpr std::string_view kStart = "UJOINT_";
    if (!word.starts_with(kStart) || word.size() != kStart.size() + 2) return std::nullopt;
    const int first = word[kStart.size()] - 'X';
    const int second = word[kStart.size() + 1] - 'X';
    if (first < 0 || first > 2 || second < 0 || second > 2 || first == second) return std::nullopt;
    if (first == 0 && second == 1) return math::Pose();
    return math::Pose{Eigen::Vector3d::Zero(),
                      math::rotation_with_xy(Eigen::Vector3d::Unit(first), Eigen::Vector3d::Unit(second))};
  }

  void set_type(const YamlNode& node, UrdfJoint& joint) {
    const std::string word = node.kind == YamlNode::Kind::kScalar ? node.scalar : "";
    if (word == "SPHERICAL") {
      retype_urdf_joint(joint, model::JointType::kSpherical);
    } else if (const std::optional<math::Pose> axes = universal_axes(word)) {
      retype_urdf_joint(joint, model::JointType::kUniversal);
      // Without the turn that brings z of a hinge's frame onto its axis.
      joint.spec.in_a = joint.spec.in_a * joint.spec.in_b.inverse() * *axes;
      joint.spec.in_b = *axes;
    } else if (word == "FIXED") {
      retype_urdf_joint(joint, model::JointType::kFixed);
    } else {
      fail(ErrorCode::kValue, node,
           fmt::format("`joint_type` takes SPHERICAL, CARDAN, UJOINT_XY (any two of X Y Z) and FIXED, not {}",
                       describe(node)));
    }
  }

  UrdfRobot& robot_;
  std::string file_;
};

}  // namespace

void read_urdf_sidecar(UrdfRobot& robot) {
  const fs::path urdf(robot.file);
  fs::path path = urdf;
  path.replace_extension(".yaml");
  std::error_code code;
  // A file that is its own sidecar, or none: nothing to read.
  if (urdf.stem().empty() || path == urdf || !fs::is_regular_file(path, code)) return;
  const Result<std::string> text = files::read_text_file(path);
  const Result<YamlNode> root = text ? parse_yaml(*text, path.string()) : tl::unexpected(text.error());
  if (!root) {
    robot.xml.fail(root.error());
    return;
  }
  Sidecar(robot, path.string()).read(*root);
}

}  // namespace espalier::formats::detail

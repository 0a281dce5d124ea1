#include <algorithm>
#include <map>
#include <set>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <tinyxml2.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/detail/mjcf_state.hpp"
#include "espalier/formats/detail/mjcf_write_parts.hpp"
#include "espalier/formats/detail/write_tree.hpp"
#include "espalier/formats/detail/written.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using model::BodyId;
using model::Joint;
using model::JointId;
using model::JointType;
using model::Model;

// MuJoCo refuses a moving body without mass, so half a body gets as good as none.
constexpr double kHalfMass = 1e-9;
// What MuJoCo takes for nothing: its mjMINVAL.
constexpr double kLeastInertia = 1e-15;
// tinyxml2, which MuJoCo reads with too, stops at elements nested deeper than this.
constexpr int kDeepest = 100;

// Within rounding of a drawing the two frames of a joint coincide.
bool open_as_drawn(const Model& model, const Joint& joint) {
  const math::PoseGap gap = model::drawn_gap(model, joint);
  return gap.distance > 1e-9 || gap.angle > 1e-9;
}

std::string example_of(const Joint& joint) { return fmt::format("joint {}", in_quotes(joint.name)); }

// MuJoCo's own test for a moving body: mass and each principal moment above mjMINVAL.
bool is_heavy(const math::Inertia& inertia) {
  if (!(inertia.mass >= kLeastInertia)) return false;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia.about_com, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[0] >= kLeastInertia;
}

// The hinge or slide that a servo acts on.
std::optional<JointId> servo_joint(const Model& model, const model::Force& force) {
  const auto* load = std::get_if<model::Load>(&force.law);
  if (load == nullptr || !load->joint.valid()) return std::nullopt;
  const Joint& joint = model.joint(load->joint);
  const bool single = joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
  return single && make_servo(force, joint.name) ? std::optional(load->joint) : std::nullopt;
}

std::set<const Joint*> driven_joints(const Model& model) {
  std::set<const Joint*> all;
  for (const model::Force& force : model.forces) {
    if (const std::optional<JointId> joint = servo_joint(model, force)) all.insert(&model.joint(*joint));
  }
  return all;
}

std::set<const Joint*> coupled_joints(const Model& model) {
  std::set<const Joint*> all;
  for (const model::Coupling& coupling : model.couplings) {
    for (const JointId id : coupling.joints) all.insert(&model.joint(id));
  }
  return all;
}

class MjcfWriter {
 public:
  // coupled_ and driven_ stand before tree_: keep() asks for them while the tree is made.
  explicit MjcfWriter(const Model& model)
      : model_(model), coupled_(coupled_joints(model)), driven_(driven_joints(model)), tree_(make_tree()) {}

  WrittenModel write() {
    // 1. Choose poses, names and half bodies. 2. Head. 3. Assets, which geoms name. 4. Bodies with their joints.
    // 5. What points at bodies and joints, in the order that MuJoCo's own files have.
    prepare();
    xml_.open("mujoco");
    xml_.text("model", model_.name);
    header();
    write_assets(xml_, model_, mesh_names_);
    bodies();
    contact();
    equality();
    actuators();
    keyframes();
    xml_.close();
    remark_light_bodies();
    return {xml_.str(), remarks_.notes()};
  }

 private:
  // One joint on its way into the file: in the tree, or as half a body that a weld ties to `closes`.
  struct Placed {
    JointId joint;
    bool reversed = false;
    MjcfTreeJoint written;
  };

  // The sort asks for each rank many times; a gap costs more than a look-up.
  WriteTree make_tree() const {
    std::vector<int> rank;
    for (const Joint& joint : model_.joints) rank.push_back(keep(joint));
    return make_write_tree(model_, [&](const Joint& joint) { return rank[to_index(&joint - model_.joints.data())]; });
  }

  // What an equality says exactly may be cut; an open loop is best cut, since a tree is always closed.
  int keep(const Joint& joint) const {
    // Rank 0 is the first to be cut. A free joint closes nothing.
    if (joint.type == JointType::kFree || open_as_drawn(model_, joint)) return 0;
    return needs_half(joint) ? 2 : 1;
  }

  // Equalities are a ball, a hinge and a weld, without coordinates: no limits, springs or drives.
  bool needs_half(const Joint& joint) const {
    if (joint.type == JointType::kFixed) return false;
    const bool plain = joint.spec.limits.empty() && !is_elastic(joint) && !joint.spec.actuated &&
                       !joint.spec.effort_limit && !open_as_drawn(model_, joint);
    if (joint.type == JointType::kSpherical) return !plain;
    if (joint.type != JointType::kRevolute) return true;
    // A connect measures no angle, so that a hinge at an angle other than zero needs its coordinate written.
    return !plain || std::abs(joint.position[0]) > 1e-12 || coupled_.count(&joint) + driven_.count(&joint) > 0;
  }

  // 1. Poses as the file will draw them: a tree joint that is open in the model is closed by moving its child.
  // 2. Names. 3. Half bodies for closures that no equality can say.
  void prepare() {
    X_WB_.resize(model_.bodies.size());
    children_.resize(model_.bodies.size());
    for (const model::Body& body : model_.bodies) body_names_.reserve(body.name);
    for (const Joint& joint : model_.joints) joint_names_.reserve(joint.name);
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      const WriteTree::Node& node = tree_.nodes[n];
      node_of_[node.body] = n;
      X_WB_[node.body.index()] = model_.body(node.body).X_WB;
      if (node.body == model::kGroundId) continue;
      // A floating piece has no parent; it stands under the world.
      children_[node.parent.valid() ? node.parent.index() : 0].push_back(node.body);
      if (node.joint.valid()) place(node);
    }
    choose_halves();
  }

  // Two connects of one pair of bodies read as a hinge, so only one joint a pair may be said by connects.
  void choose_halves() {
    std::map<std::pair<BodyId, BodyId>, int> connected;
    // minmax: a pair is the same pair from either side.
    const auto pair_of = [](const Joint& joint) { return std::pair(std::minmax(joint.a, joint.b)); };
    for (const JointId id : tree_.closures) ++connected[pair_of(model_.joint(id))];
    for (const JointId id : tree_.closures) {
      const Joint& joint = model_.joint(id);
      // A weld needs no connects, so that it may share a pair of bodies with others.
      const bool shared = joint.type != JointType::kFixed && connected[pair_of(joint)] > 1;
      if (!shared && !needs_half(joint)) continue;
      half_.insert(id);
      halves_[joint.a].push_back(id);
    }
  }

  void place(const WriteTree::Node& node) {
    const Joint& joint = model_.joint(node.joint);
    if (!open_as_drawn(model_, joint)) {
      // Under a body that moved, the child keeps its place beside it.
      const math::Pose X_PC = math::relative_pose(model_.body(node.parent).X_WB, model_.body(node.body).X_WB);
      const math::PoseGap moved = math::gap_between(X_WB_[node.parent.index()], model_.body(node.parent).X_WB);
      // Only where the parent moved: recomputing the others would cost them their exact drawn numbers.
      if (moved.distance > 0 || moved.angle > 0) X_WB_[node.body.index()] = X_WB_[node.parent.index()] * X_PC;
      return;
    }
    X_WB_[node.body.index()] = X_WB_[node.parent.index()] * child_in_parent(joint, node.reversed, joint.position);
    remarks_.add("a joint that is open as drawn: MJCF draws it closed, with a body moved",
                 fmt::format("joint {}, body {}", in_quotes(joint.name), in_quotes(model_.body(node.body).name)));
  }

  std::string name_of(BodyId id) {
    if (id == model::kGroundId) return "world";
    const std::string& name = model_.body(id).name;
    if (name != "world") return name;
    if (world_name_.empty()) {
      world_name_ = body_names_.make("world_body");
      remarks_.add("body 'world' gets another name: MJCF keeps that one for the ground", in_quotes(world_name_));
    }
    return world_name_;
  }

  void header() {
    xml_.open("compiler");
    // Radians and autolimits are said in words: MuJoCo's defaults are degrees and have changed between its versions.
    xml_.text("angle", "radian");
    xml_.text("autolimits", "true");
    xml_.close();
    xml_.open("option");
    xml_.numbers("gravity", model_.gravity);
    // MuJoCo's geoms touch unless told otherwise; shapes of ours only where contact is asked for.
    if (!model_.contact || !model_.contact->on) {
      xml_.open("flag");
      xml_.text("contact", "disable");
      xml_.close();
    }
    xml_.close();
    custom();
  }

  // What MJCF has no word for and its readers do not need: names of fixed joints, and which body a joint counts from.
  void custom() {
    std::vector<std::pair<std::string, std::string>> texts;
    const auto add = [&](const Joint& joint, BodyId child, bool reversed) {
      if (joint.type == JointType::kFixed && child.valid() && joint.name != name_of(child) + "_weld") {
        texts.emplace_back("fixed_joint:" + name_of(child), joint.name);
      }
      // These two say it by the order of their joints; see MjcfPattern::reversed.
      const bool told = joint.type == JointType::kUniversal || joint.type == JointType::kPlanar;
      if (reversed && !told) texts.emplace_back("reversed:" + joint.name, "true");
    };
    for (const WriteTree::Node& node : tree_.nodes) {
      if (node.joint.valid()) add(model_.joint(node.joint), node.body, node.reversed);
    }
    if (texts.empty()) return;
    xml_.open("custom");
    for (const auto& [name, data] : texts) {
      xml_.open("text");
      xml_.text("name", name);
      xml_.text("data", data);
      xml_.close();
    }
    xml_.close();
  }

  // Depth first, without recursion: a chain may be as long as the model.
  void bodies() {
    struct Open {
      BodyId body;
      std::size_t next = 0;
    };
    int deepest = 0;
    std::vector<Open> open;
    begin_body(model::kGroundId);
    open.push_back({model::kGroundId});
    while (!open.empty()) {
      Open& top = open.back();
      const std::vector<BodyId>& children = children_[top.body.index()];
      if (top.next < children.size()) {
        const BodyId child = children[top.next++];
        begin_body(child);
        open.push_back({child});
        // The two: <mujoco> around the world, and the elements in the body itself.
        deepest = std::max(deepest, static_cast<int>(open.size()) + 2);
        continue;
      }
      // After the real children, so that half bodies come last in qpos as well.
      for (const JointId id : halves_[top.body]) half_body(id);
      xml_.close();
      open.pop_back();
    }
    if (deepest > kDeepest) {
      remarks_.add(fmt::format("elements are nested deeper than {}, where readers on tinyxml2, ours and MuJoCo's, stop",
                               kDeepest),
                   fmt::format("{} levels", deepest));
    }
  }

  void begin_body(BodyId id) {
    const model::Body& body = model_.body(id);
    if (id == model::kGroundId) {
      xml_.open("worldbody");
      write_geoms(xml_, model_, body, mesh_names_, geom_names_);
      return;
    }
    const WriteTree::Node& node = tree_.nodes[node_of_[id]];
    const BodyId parent = node.parent.valid() ? node.parent : model::kGroundId;
    xml_.open("body");
    xml_.text("name", name_of(id));
    xml_.pose(math::relative_pose(X_WB_[parent.index()], X_WB_[id.index()]));
    // An <inertial> is always written: without it MuJoCo would weigh the geoms.
    write_inertial(xml_, body.inertia);
    if (node.joint.valid()) {
      add_joint(node.joint, node.reversed, parent);
    } else if (body.kind != model::BodyKind::kObstacle) {
      float_root(body);
    }
    write_geoms(xml_, model_, body, mesh_names_, geom_names_);
  }

  void add_joint(JointId id, bool reversed, BodyId parent) {
    const Joint& joint = model_.joint(id);
    Placed placed{id, reversed, make_tree_joint(joint, reversed, parent == model::kGroundId)};
    // No motor holds the limit of a joint that servos drive.
    if (driven_.count(&joint) > 0) placed.written.joints[0].effort = joint.spec.effort_limit;
    for (const MjcfWrittenJoint& each : placed.written.joints) write_joint(xml_, each);
    const auto has_effort = [](const MjcfWrittenJoint& each) { return each.effort.has_value(); };
    if (std::any_of(placed.written.joints.begin(), placed.written.joints.end(), has_effort)) {
      remarks_.add("an effort limit is written as actuatorfrcrange, which MuJoCo 2.2 does not know yet",
                   example_of(joint));
    }
    if (has_uneven_ball(joint)) {
      remarks_.add("MJCF has one stiffness, damping, ... for the three turns of a ball: the first is written",
                   example_of(joint));
    }
    placed_.push_back(std::move(placed));
  }

  void float_root(const model::Body& body) {
    const std::string name = joint_names_.make(body.name + "_free");
    xml_.open("freejoint");
    xml_.text("name", name);
    xml_.close();
    // Remembers how many joints came before it, because qpos follows the order of the file.
    floats_.push_back({placed_.size(), body.X_WB});
    remarks_.add("a body that floats gets a free joint to the world",
                 fmt::format("body {}, joint {}", in_quotes(body.name), in_quotes(name)));
  }

  // The joint holds half a body where b would be; an equality welds it to b.
  void half_body(JointId id) {
    const Joint& joint = model_.joint(id);
    xml_.open("body");
    xml_.text("name", joint.name + "__half");
    xml_.pose(child_in_parent(joint, false, joint.position));
    write_inertial(xml_, {kHalfMass, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity() * kHalfMass});
    add_joint(id, false, joint.a);
    xml_.close();
    remarks_.add(fmt::format("a joint closes a loop in a way MJCF has no equality for: it holds a body of its own, "
                             "'<joint>__half' of {} kg, that is welded to the other side",
                             kHalfMass),
                 example_of(joint));
  }

  void contact() {
    if (!model_.contact || model_.contact->exclude.empty()) return;
    xml_.open("contact");
    // MJCF's exclude takes names; every name goes through name_of(), as one of them may be 'world'.
    for (const auto& [a, b] : model_.contact->exclude) {
      xml_.open("exclude");
      xml_.text("body1", name_of(a));
      xml_.text("body2", name_of(b));
      xml_.close();
    }
    xml_.close();
  }

  void equality() {
    MjcfSection section(xml_, "equality");
    for (const JointId id : tree_.closures) close_loop(section, id);
    // A screw is a slide and a hinge in MJCF; only this row ties the one to the other.
    for (const Placed& placed : placed_) {
      if (placed.written.slide.empty()) continue;
      write_equality_joint(section.get(), placed.written.hinge + "__screw", placed.written.slide, placed.written.hinge,
                           {0, placed.written.slope, 0, 0, 0});
    }
    for (const model::Coupling& coupling : model_.couplings) {
      if (!write_coupling(section, model_, coupling)) {
        remarks_.add("MJCF couples two joints by a polynomial of degree 4 at most: a coupling is left out",
                     fmt::format("coupling {}", in_quotes(coupling.name)));
      }
    }
  }

  void close_loop(MjcfSection& section, JointId id) {
    const Joint& joint = model_.joint(id);
    if (half_.count(id) > 0) {
      write_weld(section.get(), joint.name, joint.name + "__half", name_of(joint.b), {});
    } else if (joint.type == JointType::kFixed) {
      write_weld(section.get(), joint.name, name_of(joint.a), name_of(joint.b), joint.X_AF * joint.X_BM.inverse());
    } else if (joint.type == JointType::kSpherical) {
      write_connect(section.get(), joint.name, name_of(joint.a), name_of(joint.b), joint.X_AF.position);
    } else {
      // Two points of the axis.
      // Far enough apart for a lever and near enough that both points lie within the mechanism.
      const Eigen::Vector3d along = joint.X_AF.rotation * Eigen::Vector3d(0, 0, extent() / 10);
      write_connect(section.get(), joint.name + "__1", name_of(joint.a), name_of(joint.b), joint.X_AF.position);
      write_connect(section.get(), joint.name + "__2", name_of(joint.a), name_of(joint.b), joint.X_AF.position + along);
    }
  }

  // A length of the model's own size: the farthest joint from the first.
  double extent() {
    if (extent_ > 0) return extent_;
    for (const Joint& joint : model_.joints) {
      const Eigen::Vector3d from =
          model::drawn_frame_a(model_, joint).position - model::drawn_frame_a(model_, model_.joints[0]).position;
      extent_ = std::max(extent_, from.norm());
    }
    // A model of one joint, or of all joints in one point, has no extent of its own.
    if (!(extent_ > 1e-6)) extent_ = 1;
    return extent_;
  }

  void actuators() {
    MjcfSection section(xml_, "actuator");
    std::map<JointId, std::string> coordinate;
    for (const Placed& placed : placed_) {
      if (placed.written.joints.size() == 1) coordinate[placed.joint] = placed.written.joints[0].name;
    }
    // In the order of the loads, which is theirs when they are read.
    std::set<JointId> driven;
    for (std::size_t k = 0; k < model_.forces.size(); ++k) {
      const model::Force& force = model_.forces[k];
      const std::optional<JointId> joint = servo_joint(model_, force);
      if (!joint || coordinate.count(*joint) == 0) continue;
      MjcfServo servo = *make_servo(force, model_.joint(*joint).name);
      servo.joint = coordinate[*joint];
      if (!servo.name.empty()) servo.name = actuator_names_.make(servo.name);
      write_servo(section.get(), servo);
      driven.insert(*joint);
      servos_.emplace_back(k, std::move(servo));
    }
    for (const Placed& placed : placed_) {
      const Joint& joint = model_.joint(placed.joint);
      if (!joint.spec.actuated || driven.count(placed.joint) > 0) continue;
      for (const MjcfWrittenJoint& each : placed.written.joints) {
        // The slide of a screw follows its hinge; driving both would count the motor twice.
        if (each.name == placed.written.slide) continue;
        write_motor(section.get(), actuator_names_.make(each.name), each.name, joint.spec.effort_limit);
        ++motors_;
      }
    }
  }

  // A body that moves needs mass and moments of inertia, or a part fixed to it that has them.
  void remark_light_bodies() {
    std::vector<bool> heavy(model_.bodies.size());
    for (const model::Body& body : model_.bodies) {
      heavy[to_index(&body - model_.bodies.data())] = is_heavy(body.inertia);
    }
    const auto held = [&](const WriteTree::Node& node) {
      if (node.joint.valid()) return model_.joint(node.joint).type == JointType::kFixed;
      return model_.body(node.body).kind == model::BodyKind::kObstacle;
    };
    // From the tips to the root: what is welded to a body lends it its mass.
    for (auto node = tree_.nodes.rbegin(); node != tree_.nodes.rend(); ++node) {
      if (held(*node) && node->parent.valid() && heavy[node->body.index()]) heavy[node->parent.index()] = true;
    }
    for (const WriteTree::Node& node : tree_.nodes) {
      if (node.body == model::kGroundId || held(node) || heavy[node.body.index()]) continue;
      remarks_.add("MuJoCo refuses moving bodies without mass or without rotational inertia",
                   fmt::format("body {}", in_quotes(model_.body(node.body).name)));
    }
  }

  void keyframes() {
    MjcfSection section(xml_, "keyframe");
    for (const model::Keyframe& keyframe : model_.keyframes) {
      std::map<JointId, const std::vector<double>*> given;
      for (const auto& [joint, position] : keyframe.positions) given[joint] = &position;
      section.get().open("key");
      xml_.text("name", keyframe.name);
      const std::vector<double> qpos = qpos_of(given);
      if (!qpos.empty()) xml_.list("qpos", qpos);
      if (!keyframe.loads.empty() && !servos_.empty()) xml_.list("ctrl", controls_of(keyframe));
      xml_.close();
    }
  }

  // Of all actuators, those of motors last. What no control says shows when the file is read back.
  std::vector<double> controls_of(const model::Keyframe& keyframe) const {
    std::vector<double> controls(servos_.size() + motors_, 0.0);
    for (const auto& [force, value] : keyframe.loads) {
      for (std::size_t k = 0; k < servos_.size(); ++k) {
        if (servos_[k].first != force) continue;
        const auto& load = std::get<model::Load>(model_.forces[force].law);
        controls[k] = control_of(servos_[k].second, value[0], model_.joint(load.joint).name).value_or(0);
      }
    }
    return controls;
  }

  std::vector<double> qpos_of(const std::map<JointId, const std::vector<double>*>& given) const {
    std::vector<double> qpos;
    std::size_t next_float = 0;
    // One round more than there are joints: floats may stand after the last of them.
    for (std::size_t k = 0; k <= placed_.size(); ++k) {
      for (; next_float < floats_.size() && floats_[next_float].before == k; ++next_float) {
        const math::Pose& pose = floats_[next_float].X_WB;
        qpos.insert(qpos.end(), {pose.position.x(), pose.position.y(), pose.position.z(), pose.rotation.w(),
                                 pose.rotation.x(), pose.rotation.y(), pose.rotation.z()});
      }
      if (k == placed_.size()) break;
      const Joint& joint = model_.joint(placed_[k].joint);
      const auto found = given.find(placed_[k].joint);
      // A keyframe names some joints only; the others stay as drawn.
      const std::vector<double>& position = found == given.end() ? joint.position : *found->second;
      const std::vector<double> part = joint_qpos(joint, placed_[k].reversed, placed_[k].written, position);
      qpos.insert(qpos.end(), part.begin(), part.end());
    }
    return qpos;
  }

  // A free joint of a floating piece, which stands in qpos before the placed joint of this number.
  struct Float {
    std::size_t before;
    math::Pose X_WB;
  };

  const Model& model_;
  std::set<const Joint*> coupled_, driven_;
  WriteTree tree_;
  MjcfText xml_;
  Remarks remarks_;
  std::vector<math::Pose> X_WB_;
  std::vector<std::vector<BodyId>> children_;
  std::map<BodyId, std::size_t> node_of_;
  std::map<BodyId, std::vector<JointId>> halves_;  // by the body that holds them
  std::set<JointId> half_;
  std::vector<Placed> placed_;  // in the order of qpos
  std::vector<Float> floats_;
  MjcfNames body_names_, joint_names_;
  MjcfMeshNames mesh_names_;
  MjcfNames actuator_names_;
  std::vector<std::pair<std::size_t, MjcfServo>> servos_;  // by their place in Model::forces
  std::size_t motors_ = 0;
  std::set<std::string> geom_names_;
  std::string world_name_;
  double extent_ = 0;
};

}  // namespace

WrittenModel write_mjcf(const Model& model) { return MjcfWriter(model).write(); }

}  // namespace espalier::formats::detail

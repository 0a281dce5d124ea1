#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/detail/unique_names.hpp"
#include "espalier/formats/detail/usd_body.hpp"
#include "espalier/formats/detail/usd_joint.hpp"
#include "espalier/formats/detail/usd_shape.hpp"
#include "espalier/formats/detail/usd_stage.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Vector3d;
using model::BodySpec;
using model::Effect;
using model::JointSpec;

constexpr double kEarth = 9.81;  // [m/s^2]

// One pass over the prims for each kind of thing, in the order in which they need each other.
class UsdReader {
 public:
  UsdReader(std::string_view text, const std::string& file) : stage_(text, file) { spec_.where = {file, 0, 0}; }

  Result<model::ModelSpec> read() {
    if (!stage_.failed()) read_stage();
    if (stage_.failed()) return tl::unexpected(stage_.error());
    spec_.notes = stage_.notes();
    return std::move(spec_);
  }

 private:
  void read_stage() {
    read_name();
    read_gravity();
    note_unread();
    // 1. Names, so that joints may point forward. 2. Materials and shapes. 3. Bodies. 4. Joints. 5. What nothing holds.
    name_bodies();
    read_shapes();
    if (stage_.failed()) return;
    read_bodies();
    read_joints();
    read_filtered_pairs();
    if (!stage_.failed()) hold_loose_pieces();
  }

  // The default prim is what the file is about.
  void read_name() {
    const auto named = stage_.root().metadata.find(std::string_view("defaultPrim"));
    if (named == stage_.root().metadata.end() || named->second.value.texts.empty()) return;
    spec_.name = named->second.value.texts[0];
    const auto prim = stage_.root().by_name.find(spec_.name);
    // Names here may hold what a prim's may not.
    if (prim != stage_.root().by_name.end()) spec_.name = stage_.token(*prim->second, "espalier:name", spec_.name);
  }

  void read_gravity() {
    Vector3d direction = -Vector3d::Unit(stage_.up_axis());
    double magnitude = kEarth;
    int scenes = 0;
    for (const UsdNode& node : stage_.nodes()) {
      if (node.prim->type != "PhysicsScene") continue;
      // Several scenes are several worlds; ours has one gravity.
      if (++scenes > 1) {
        stage_.note(node.prim->line, "a second PhysicsScene: gravity is that of the first", "PhysicsScene",
                    Effect::kForces);
        continue;
      }
      const Vector3d given = stage_.vector(*node.prim, "physics:gravityDirection").value_or(Vector3d::Zero());
      // The zero vector is USD's default: against the up axis.
      if (given.allFinite() && !given.isZero(0)) direction = given.stableNormalized();
      // Anything below zero asks for that of the earth, in whatever units.
      const double size = stage_.number(*node.prim, "physics:gravityMagnitude").value_or(-1);
      if (size >= 0) magnitude = stage_.length() * stage_.finite(*node.prim, "physics:gravityMagnitude", 0);
    }
    spec_.gravity = magnitude * direction;
    if (scenes == 0) {
      stage_.note(1, fmt::format("no PhysicsScene: gravity is {} m/s^2 against the up axis", kEarth));
    }
  }

  void note_unread() {
    for (const UsdNode& node : stage_.nodes()) {
      const UsdPrim& prim = *node.prim;
      if (prim.type == "PhysicsCollisionGroup") {
        stage_.note_once(prim.line, "prims of type PhysicsCollisionGroup: not read", prim.type, Effect::kContact);
      } else if (prim.type == "PointInstancer") {
        stage_.note_once(prim.line, "prims of type PointInstancer: not read", prim.type, Effect::kMechanism);
      }
      for (const std::string& api : prim.apis) {
        if (api.starts_with("PhysxTendon")) {
          stage_.note_once(prim.line, "tendons: not read", "tendon", Effect::kForces);
        } else if (api.starts_with("PhysxDeformable") || api.starts_with("PhysxParticle")) {
          stage_.note_once(prim.line, fmt::format("prims with {}: not read", api), "deformable", Effect::kMechanism);
        }
      }
    }
  }

  // The prim's own name, or the name it had here; where two have the same, its path.
  std::vector<std::string> choose_names(const std::vector<int>& nodes, UniqueNames& taken) {
    std::unordered_map<std::string, int> count;
    std::vector<std::string> names;
    for (const int k : nodes) {
      const UsdPrim& prim = *stage_.node(k).prim;
      names.push_back(stage_.token(prim, "espalier:name", prim.name));
      ++count[names.back()];
    }
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const UsdPrim& prim = *stage_.node(nodes[k]).prim;
      // Counted first: of two arms with a `hand` each both have their path, and not only the second.
      names[k] = taken.make(count[names[k]] > 1 ? usd_path(prim).substr(1) : names[k]);
    }
    return names;
  }

  void name_bodies() {
    std::vector<int> nodes;
    for (std::size_t k = 0; k < stage_.nodes().size(); ++k) {
      if (stage_.nodes()[k].body == static_cast<int>(k)) nodes.push_back(static_cast<int>(k));
    }
    names_.assign(stage_.nodes().size(), model::kGround);
    // In our models `ground` is the world; a body that happens to have this name gets another one.
    UniqueNames taken;
    taken.add(model::kGround);
    const std::vector<std::string> names = choose_names(nodes, taken);
    for (std::size_t k = 0; k < nodes.size(); ++k) names_[to_index(nodes[k])] = names[k];
  }

  void read_shapes() {
    const UsdMaterials materials = read_usd_materials(stage_);
    for (std::size_t k = 0; k < stage_.nodes().size(); ++k) {
      const auto found = materials.find(static_cast<int>(k));
      // In the order of the file, as everything that is read.
      if (found != materials.end()) spec_.materials.push_back(found->second);
      std::optional<UsdShape> shape = read_usd_shape(stage_, static_cast<int>(k), materials);
      if (stage_.failed()) return;
      if (shape) shapes_[stage_.nodes()[k].body].push_back(*std::move(shape));
    }
  }

  void read_bodies() {
    // What no body moves belongs to the ground.
    BodySpec ground;
    ground.name = model::kGround;
    // Meshes that are not read weigh nothing on the ground.
    for (UsdShape& each : shapes_[-1]) {
      if (each.has_volume) ground.shapes.push_back(std::move(each.shape));
    }
    if (!ground.shapes.empty()) {
      ground.where = ground.shapes[0].where;
      spec_.bodies.push_back(std::move(ground));
    }
    for (std::size_t k = 0; k < stage_.nodes().size(); ++k) {
      const int index = static_cast<int>(k);
      if (stage_.nodes()[k].body != index) continue;
      BodySpec body = read_usd_body(stage_, index, shapes_[index]);
      body.name = names_[k];
      spec_.bodies.push_back(std::move(body));
      if (stage_.failed()) return;
    }
  }

  void read_joints() {
    std::vector<int> nodes;
    for (std::size_t k = 0; k < stage_.nodes().size(); ++k) {
      if (is_usd_joint(stage_.nodes()[k].prim->type)) nodes.push_back(static_cast<int>(k));
    }
    const std::vector<std::string> names = choose_names(nodes, joint_names_);
    for (std::size_t k = 0; k < nodes.size() && !stage_.failed(); ++k) {
      UsdJoint read = read_usd_joint(stage_, *stage_.node(nodes[k]).prim, names[k], names_);
      for (JointSpec& joint : read.joints) spec_.joints.push_back(std::move(joint));
      for (model::ForceSpec& force : read.forces) spec_.forces.push_back(std::move(force));
    }
  }

  // Pairs that never touch. Contact itself is not asked for by a file that only describes.
  void read_filtered_pairs() {
    for (const UsdNode& node : stage_.nodes()) {
      if (!usd_applied(*node.prim, "PhysicsFilteredPairsAPI")) continue;
      for (const std::string& target : stage_.targets(*node.prim, "physics:filteredPairs")) {
        const std::optional<int> other = stage_.find(*node.prim, target);
        if (!other) return;
        const int mine = node.body;
        const int theirs = stage_.node(*other).body;
        // Shapes of one body never touch each other here.
        if (mine == theirs) continue;
        if (!spec_.contact) {
          spec_.contact.emplace();
          // A list of pairs is no wish for contact.
          spec_.contact->on = false;
          spec_.contact->where = stage_.where(node.prim->line);
        }
        spec_.contact->exclude.emplace_back(name_of(mine), name_of(theirs));
      }
    }
  }

  std::string name_of(int body) const { return body < 0 ? model::kGround : names_[to_index(body)]; }

  // Bodies that no joint holds fly. One mechanism that floats as a whole needs no word; several need a free joint each,
  // or nothing would say where they are.
  void hold_loose_pieces() {
    std::unordered_map<std::string, int> index = {{model::kGround, 0}};
    for (const BodySpec& body : spec_.bodies) index.emplace(body.name, static_cast<int>(index.size()));
    DisjointSets pieces(index.size());
    for (const JointSpec& joint : spec_.joints) pieces.join(index.at(joint.a), index.at(joint.b));
    for (const BodySpec& body : spec_.bodies) {
      // Obstacles stand where they are put.
      if (body.kind == model::BodyKind::kObstacle) pieces.join(0, index.at(body.name));
    }
    std::vector<const BodySpec*> loose;
    std::size_t held = 0;
    for (const BodySpec& body : spec_.bodies) {
      const int k = index.at(body.name);
      if (k != 0 && pieces.find(k) == k) loose.push_back(&body);
      if (k != 0 && pieces.find(k) == 0) ++held;
    }
    // compile() lets the one that floats do so.
    if (loose.empty() || (loose.size() == 1 && held == 0)) return;
    for (const BodySpec* body : loose) {
      JointSpec joint;
      joint.name = joint_names_.make(body->name + "_free");
      joint.type = model::JointType::kFree;
      joint.a = model::kGround;
      joint.b = body->name;
      joint.where = body->where;
      spec_.joints.push_back(std::move(joint));
    }
    stage_.note(loose[0]->where.line, fmt::format("{} held by no joint to the world: each floats on a free joint named "
                                                  "<body>_free",
                                                  counted(loose.size(), "piece is", "pieces are")));
  }

  UsdStage stage_;
  model::ModelSpec spec_;
  std::vector<std::string> names_;                         // by node: the body's; of other nodes the ground's
  std::unordered_map<int, std::vector<UsdShape>> shapes_;  // by the node of their body; -1: the ground
  UniqueNames joint_names_;
};

}  // namespace

Result<model::ModelSpec> read_usd(std::string_view text, const std::string& name) {
  return UsdReader(text, name).read();
}

}  // namespace espalier::formats::detail

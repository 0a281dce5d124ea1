#include "espalier/formats/detail/usd_writer.hpp"

#include <string_view>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"

namespace espalier::formats::detail {
namespace {

using model::Body;
using model::Model;

class UsdWriter {
 public:
  UsdWriter(const Model& model, const WriteOptions& options) : draft_{model}, options_(options) {}

  WrittenModel write() {
    const Model& model = draft_.model;
    UniqueNames roots;
    const std::string root = usd_prim_name(model.name.empty() ? "model" : model.name, roots);
    // Before anything is written: joints, pairs and bindings point forward.
    choose_paths("/" + root);
    std::vector<std::string> apis;
    // All joints below it that are not excluded belong to a tree.
    if (!model.joints.empty()) apis.emplace_back("PhysicsArticulationRootAPI");
    draft_.print.open("Xform", root, apis);
    draft_.print.own_name(model.name, root);
    // Things before those that point at them, which readers by hand are grateful for.
    write_scene();
    write_materials();
    if (has_ground_) write_ground();
    for (std::size_t b = 1; b < model.bodies.size(); ++b) write_body(model.bodies[b], b);
    write_joints();
    draft_.print.close();
    note_losses();
    return {draft_.print.document(root), draft_.remarks.notes()};
  }

 private:
  void choose_paths(const std::string& root) {
    const Model& model = draft_.model;
    UniqueNames taken, materials;
    // Siblings may not have the same name: these are for the prims that the writer adds.
    for (const char* ours : {"scene", "materials", "joints", "ground"}) taken.add(ours);
    for (const Body& body : model.bodies) {
      const bool ground = &body == model.bodies.data();
      draft_.bodies.push_back(root + "/" + (ground ? "ground" : usd_prim_name(body.name, taken)));
    }
    for (const model::MaterialSpec& material : model.materials) {
      draft_.materials.push_back(root + "/materials/" + usd_prim_name(material.name, materials));
    }
    // The world is no prim unless something belongs to it.
    has_ground_ = !model.bodies[0].shapes.empty() || !excluded_by(model::kGroundId).empty();
  }

  static std::string last_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

  void write_scene() {
    const Eigen::Vector3d& gravity = draft_.model.gravity;
    const double magnitude = gravity.norm();
    draft_.print.open("PhysicsScene", "scene");
    draft_.print.attribute("vector3f", "physics:gravityDirection",
                           magnitude > 0 ? usd_tuple(Eigen::Vector3d(gravity / magnitude)) : std::string("(0, 0, -1)"));
    draft_.print.number("physics:gravityMagnitude", magnitude);
    draft_.print.close();
  }

  void write_materials() {
    if (draft_.model.materials.empty()) return;
    draft_.print.open("Scope", "materials");
    for (std::size_t k = 0; k < draft_.model.materials.size(); ++k) {
      write_material(draft_.model.materials[k], last_name(draft_.materials[k]));
    }
    draft_.print.close();
  }

  void write_material(const model::MaterialSpec& material, const std::string& name) {
    UsdPrint& print = draft_.print;
    print.open("Material", name, {"PhysicsMaterialAPI"});
    // Names of prims hold letters, digits and underscores alone.
    print.own_name(material.name, name);
    if (material.density) print.number("physics:density", *material.density);
    // USD knows no "not said": a blocked value is zero to others, and tells our reader.
    const auto coefficient = [&](const char* key, const std::optional<double>& value) {
      print.attribute("float", key, value ? usd_number(*value) : std::string("None"));
    };
    coefficient("physics:dynamicFriction", material.friction);
    coefficient("physics:staticFriction", material.friction);
    coefficient("physics:restitution", material.restitution);
    print.close();
    if (!material.friction) {
      draft_.remarks.add("materials that do not say their friction: other USD readers take none",
                         in_quotes(material.name));
    }
    if (material.young || material.shear) {
      draft_.remarks.add("USD has no elasticity of materials: E and G are lost", in_quotes(material.name));
    }
  }

  void write_ground() {
    const std::vector<std::string> excluded = excluded_by(model::kGroundId);
    draft_.print.open(
        "Xform", "ground",
        excluded.empty() ? std::vector<std::string>() : std::vector<std::string>{"PhysicsFilteredPairsAPI"});
    write_pairs(excluded);
    write_usd_shapes(draft_, draft_.model.bodies[0]);
    draft_.print.close();
  }

  void write_body(const Body& body, std::size_t b) {
    // As chosen before, when nothing could point at it yet.
    const std::string name = last_name(draft_.bodies[b]);
    std::vector<std::string> apis = {"PhysicsRigidBodyAPI"};
    // An obstacle moves as it is told, whatever it weighs.
    if (body.kind != model::BodyKind::kObstacle) apis.emplace_back("PhysicsMassAPI");
    const std::vector<std::string> excluded = excluded_by(model::BodyId(b));
    if (!excluded.empty()) apis.emplace_back("PhysicsFilteredPairsAPI");
    draft_.print.open("Xform", name, apis);
    draft_.print.own_name(body.name, name);
    draft_.print.pose(body.X_WB);
    write_pairs(excluded);
    write_usd_mass(draft_, body);
    write_usd_shapes(draft_, body);
    draft_.print.close();
  }

  // The bodies that never touch this one, each pair at its first body.
  std::vector<std::string> excluded_by(model::BodyId body) const {
    std::vector<std::string> paths;
    if (!draft_.model.contact) return paths;
    for (const auto& [a, b] : draft_.model.contact->exclude) {
      // The reader takes a pair from either side, so once is enough.
      if (a == body) paths.push_back(fmt::format("<{}>", draft_.bodies[b.index()]));
    }
    return paths;
  }

  void write_pairs(const std::vector<std::string>& paths) {
    if (paths.empty()) return;
    draft_.print.attribute("rel", "physics:filteredPairs", fmt::format("[{}]", fmt::join(paths, ", ")));
  }

  // Without a plan the joints that their author wrote as those that close loops.
  std::vector<bool> cut_joints() const {
    std::vector<bool> cut;
    std::unordered_set<std::string_view> names;
    // With a plan its cuts count: the reader builds its articulation from the others.
    if (options_.cut_joints) names.insert(options_.cut_joints->begin(), options_.cut_joints->end());
    for (const model::Joint& joint : draft_.model.joints) {
      cut.push_back(options_.cut_joints ? names.contains(joint.name) : joint.spec.closure);
    }
    return cut;
  }

  void write_joints() {
    const Model& model = draft_.model;
    // Ropes are joints to USD: forces have a place there too.
    if (model.joints.empty() && model.forces.empty()) return;
    draft_.print.open("Scope", "joints");
    write_usd_joints(draft_, cut_joints());
    draft_.print.close();
  }

  void note_losses() {
    const Model& model = draft_.model;
    const auto lost = [&](const char* what, const std::string& example) { draft_.remarks.add(what, example); };
    for (const Body& body : model.bodies) {
      if (body.beam) lost("USD has no elastic bodies here: they are written as rigid ones", in_quotes(body.name));
      if (body.kind == model::BodyKind::kPseudoRigid) {
        lost("USD has no pseudo-rigid bodies: they are written as rigid ones", in_quotes(body.name));
      }
    }
    for (const model::Coupling& coupling : model.couplings) {
      lost("USD has no couplings of coordinates: they are lost", in_quotes(coupling.name));
    }
    for (const model::Keyframe& keyframe : model.keyframes) {
      lost("USD has no keyframes of joints: they are lost", in_quotes(keyframe.name));
    }
    if (model.contact && model.contact->on) {
      lost("contact is not asked for by a USD file that is read here: margin and coefficients are lost", "contact");
    }
    if (draft_.print.has_own()) lost("attributes of the namespace espalier: other USD readers skip them", "espalier:");
  }

  UsdDraft draft_;
  const WriteOptions& options_;
  bool has_ground_ = false;
};

}  // namespace

WrittenModel write_usd(const model::Model& model, const WriteOptions& options) {
  return UsdWriter(model, options).write();
}

}  // namespace espalier::formats::detail

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/detail/sdf_coupling.hpp"
#include "espalier/formats/detail/sdf_frames.hpp"
#include "espalier/formats/detail/sdf_joint.hpp"
#include "espalier/formats/detail/sdf_link.hpp"
#include "espalier/formats/detail/unique_names.hpp"
#include "espalier/formats/detail/xml.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Vector3d;
using model::BodySpec;
using model::JointSpec;
using model::JointType;

constexpr int kOldest = 4, kNewest = 12;  // 1.4 to 1.12
// With several models their names stand before the names of their links.
constexpr std::size_t kLongestName = 1000;

// One pass through the file: name all frames, place them, then bodies, joints and couplings.
class SdfReader {
 public:
  Result<model::ModelSpec> read(std::string_view text, const std::string& file) {
    spec_.where = {file, 0, 0};
    const XMLElement* root = xml_.parse(text, file);
    if (root != nullptr) read_root(root);
    if (xml_.failed()) return tl::unexpected(xml_.error());
    spec_.notes = xml_.notes();
    return std::move(spec_);
  }

 private:
  struct JointPart {
    const XMLElement* element;
    int scope;
    int frame;
    bool is_static;
  };
  struct LinkPart {
    const XMLElement* element;
    int frame;
  };
  struct ModelPart {
    const XMLElement* element;
    int frame;
    bool is_static;
    std::string prefix;  // before the names of its links and joints: "" or "name::"
    std::vector<LinkPart> links;
  };

  void read_root(const XMLElement* root) {
    if (std::string_view(root->Name()) != "sdf") {
      return xml_.fail(ErrorCode::kFormat, root, fmt::format("an SDF file starts with <sdf>, not <{}>", root->Name()));
    }
    read_version(root);
    // 1. All names, so that poses may point forward. 2. Poses. 3. Names of models. 4. Bodies, joints and what holds
    // links.
    const std::vector<const XMLElement*> worlds = children(root, "world");
    if (worlds.size() > 1) {
      xml_.fail(ErrorCode::kUnsupported, worlds[1], "a second <world>; keep one world in a file");
    }
    if (const XMLElement* beside = worlds.empty() ? nullptr : root->FirstChildElement("model")) {
      xml_.fail(ErrorCode::kUnsupported, beside, "a <model> beside a <world>; move it into the world");
    }
    xml_.only_children(root, {"model", "world", "include"});
    collect_models(worlds.empty() ? root : worlds[0]);
    if (!worlds.empty()) collect_world(worlds[0]);
    if (xml_.failed()) return;
    if (models_.empty()) return xml_.fail(ErrorCode::kName, root, "the file holds no <model>; add one with its links");
    // From here on every frame has a pose in the world.
    frames_.resolve();
    if (xml_.failed()) return;
    name_models(worlds);
    if (xml_.failed()) return;
    read_bodies();
    read_joints();
    hold_static_links();
    if (!xml_.failed()) hold_loose_pieces();
  }

  void read_version(const XMLElement* root) {
    // The meaning of axes and poses changed between the versions, so that it must be known first.
    const std::string version = xml_.required_text(root, "version");
    const std::optional<double> minor =
        version.starts_with("1.") ? parse_number(std::string_view(version).substr(2)) : std::nullopt;
    if (!minor || *minor < kOldest || *minor > 1000) {
      return xml_.fail(
          ErrorCode::kFormat, root,
          fmt::format("SDF version {} is not read; I read 1.{} to 1.{}", in_quotes(version), kOldest, kNewest));
    }
    minor_ = static_cast<int>(*minor);
    // A newer file is tried all the same: what it has beside 1.12 is noted element by element.
    if (minor_ > kNewest) xml_.note(root, fmt::format("SDF {} is read as 1.{}", in_quotes(version), kNewest));
  }

  void collect_models(const XMLElement* parent) {
    refuse_includes(parent);
    for (const XMLElement* element : children(parent, "model")) {
      if (xml_.failed()) return;
      collect_model(element, xml_.required_text(element, "name"));
    }
  }

  void collect_model(const XMLElement* element, const std::string& name) {
    refuse_includes(element);
    if (const XMLElement* nested = element->FirstChildElement("model")) {
      xml_.fail(ErrorCode::kUnsupported, nested,
                "a model inside a model is not read; move its links, joints and frames into the outer one");
    }
    if (element->Attribute("placement_frame") != nullptr) {
      xml_.fail(ErrorCode::kUnsupported, element, "placement_frame is not read; place the model by its own <pose>");
    }
    ModelPart model{element, frames_.add_model(element, name), sdf_flag(xml_, element, "static", false), "", {}};
    // Links are named before frames and joints, which may be attached to them.
    const int scope = frames_.scope(model.frame);
    for (const XMLElement* link : children(element, "link")) {
      model.links.push_back({link, frames_.add_link(link, scope, xml_.required_text(link, "name"))});
    }
    collect_frames(element, scope, model.is_static);
    // Kept for later: couplings name joints, which are read when all frames have a place.
    for (const XMLElement* coupling : children(element, "espalier:coupling")) {
      coupling_parts_.emplace_back(coupling, models_.size());
    }
    for (const XMLElement* material : children(element, "espalier:material")) read_material(material);
    xml_.only_children(element, {"pose", "static", "link", "joint", "frame", "model", "include", "drake:joint",
                                 "drake:weld_constraint", "espalier:joint", "espalier:coupling", "espalier:material"});
    models_.push_back(std::move(model));
  }

  void read_material(const XMLElement* element) {
    const auto optional = [&](const char* attribute) -> std::optional<double> {
      if (element->Attribute(attribute) == nullptr) return std::nullopt;
      return xml_.required_number(element, attribute);
    };
    model::MaterialSpec material;
    // A material without a name could not be named by any shape.
    material.name = xml_.required_text(element, "name");
    material.density = optional("density");
    material.young = optional("E");
    material.shear = optional("G");
    material.friction = optional("friction");
    material.restitution = optional("restitution");
    material.where = xml_.where(element);
    spec_.materials.push_back(std::move(material));
  }

  // The <frame>s and joints of a model or of the world.
  void collect_frames(const XMLElement* parent, int scope, bool is_static) {
    for (const XMLElement* child : children(parent)) {
      const std::string_view kind = child->Name();
      if (kind == "frame") {
        // A <frame> has a place and no body of its own.
        frames_.add_frame(child, scope, xml_.required_text(child, "name"));
        xml_.only_children(child, {"pose"});
      } else if (kind == "joint" || kind == "drake:joint" || kind == "espalier:joint") {
        add_joint(child, scope, xml_.required_text(child, "name"), is_static);
      } else if (kind == "drake:weld_constraint") {
        add_joint(child, scope, "", is_static);
      } else if (kind.starts_with("drake:") && kind.ends_with("constraint")) {
        xml_.fail(ErrorCode::kUnsupported, child,
                  fmt::format("<{}> is not read, and without it the mechanism would be another one; write it as a "
                              "<joint>",
                              kind));
      }
    }
  }

  void add_joint(const XMLElement* element, int scope, const std::string& name, bool is_static) {
    // Named here already: a pose may be relative to the joint.
    const std::string child = sdf_joint_end(xml_, element, "child");
    joints_.push_back({element, scope, frames_.add_joint(element, scope, name, child), is_static});
  }

  void collect_world(const XMLElement* world) {
    collect_frames(world, SdfFrames::kWorldScope, false);
    // Since 1.6 gravity stands in the world, before that in <physics>; -9.8 is SDF's default.
    const XMLElement* physics = world->FirstChildElement("physics");
    const bool old = physics != nullptr && world->FirstChildElement("gravity") == nullptr;
    spec_.gravity = sdf_vector(xml_, old ? physics : world, "gravity", {0, 0, -9.8});
    if (physics != nullptr) xml_.only_children(physics, {"gravity"});
    xml_.only_children(world, {"model", "frame", "joint", "gravity", "include", "physics"});
  }

  void refuse_includes(const XMLElement* parent) {
    for (const XMLElement* include : children(parent, "include")) {
      // An <include> may lead to the network or to a database of models; neither is asked.
      const XMLElement* uri = include->FirstChildElement("uri");
      const std::string_view file = uri == nullptr ? std::string_view() : XmlReader::content(uri);
      // The sun of nearly every world file is a light.
      if (file == "model://sun") {
        xml_.not_read(include);
        continue;
      }
      xml_.fail(ErrorCode::kUnsupported, include,
                fmt::format("<include> of {} is not followed, and without it the model would be another one; put the "
                            "text of the included <model> in its place",
                            in_quotes(file)));
    }
  }

  // Our own way to give the ground shapes: a static model `ground` with one link `ground` that stands at the origin.
  bool is_ground(const ModelPart& model) const {
    if (!model.is_static || model.links.size() != 1 || frames_.name(model.frame) != model::kGround) return false;
    const int link = model.links[0].frame;
    const math::PoseGap gap = math::gap_between(frames_.pose(link), {});
    return frames_.name(link) == model::kGround && gap.distance == 0 && gap.angle == 0;
  }

  void name_models(const std::vector<const XMLElement*>& worlds) {
    // The model of the ground is no mechanism of its own.
    const auto count = std::count_if(models_.begin(), models_.end(), [&](const ModelPart& m) { return !is_ground(m); });
    for (ModelPart& model : models_) {
      const std::string& name = frames_.name(model.frame);
      if (count > 1 && name.size() > kLongestName) {
        xml_.fail(ErrorCode::kLimit, model.element,
                  fmt::format("the name of this model is longer than {} bytes; shorten it", kLongestName));
      }
      // Names of several models may collide; a single one needs no prefix.
      if (count > 1 && !is_ground(model)) model.prefix = name + "::";
      if (count == 1 && !is_ground(model)) spec_.name = name;
    }
    if (count > 1 && !worlds.empty()) spec_.name = xml_.text(worlds[0], "name");
  }

  void read_bodies() {
    // What is no link of a body is the ground, `world` above all.
    bodies_.assign(to_index(frames_.size()), model::kGround);
    for (const ModelPart& model : models_) {
      for (const LinkPart& link : model.links) {
        BodySpec body = read_sdf_link(xml_, link.element);
        // The ground weighs nothing; the numbers came from SDF's defaults.
        if (is_ground(model)) {
          body.mass.reset();
          body.com.reset();
          body.inertia.reset();
        } else {
          body.name = body_name(model.prefix + body.name, link.element, frames_.scope(model.frame));
          body.pose = frames_.pose(link.frame);
        }
        bodies_[to_index(link.frame)] = body.name;
        spec_.bodies.push_back(std::move(body));
      }
    }
  }

  // In our models `ground` is the world; a link that happens to have this name gets another one.
  std::string body_name(std::string name, const XMLElement* link, int scope) {
    if (name != model::kGround) return name;
    name = "ground_link";
    while (frames_.find(scope, name)) name += "_";
    xml_.note(link, fmt::format("link 'ground' is called {} here: ground is the world", in_quotes(name)));
    return name;
  }

  // Each model opened one scope, after the world's.
  std::string prefix(int scope) const {
    return scope == SdfFrames::kWorldScope ? "" : models_[to_index(scope) - 1].prefix;
  }

  void read_joints() {
    SdfJointReader reader{xml_, frames_, bodies_, minor_};
    std::vector<const JointPart*> gearboxes;
    for (const JointPart& part : joints_) {
      if (xml_.failed()) return;
      const std::string what = fmt::format("joint {}", in_quotes(frames_.name(part.frame)));
      // Asked for here, so that what follows may take the parent for known.
      frames_.require(part.scope, sdf_joint_end(xml_, part.element, "parent"), part.element, what);
      if (xml_.failed()) return;
      if (part.is_static) {
        xml_.note(part.element, what + " is in a static model and moves nothing: not read");
      } else if (std::string_view(part.element->Name()) == "drake:weld_constraint") {
        read_weld(part);
      } else if (sdf_joint_type(xml_, part.element) == "gearbox") {
        // A gearbox holds no bodies; it only couples two other joints.
        gearboxes.push_back(&part);
      } else {
        JointSpec joint = read_sdf_joint(reader, part.element, part.scope, part.frame);
        joint.name = prefix(part.scope) + joint.name;
        // Names that are made up later, for welds and floating pieces, stay clear of it.
        joint_names_.add(joint.name);
        const std::vector<double> drawn = read_sdf_drawn_position(xml_, part.element);
        // Couplings tie joints of one coordinate only.
        if (drawn.size() == 1) drawn_positions_.emplace(joint.name, drawn[0]);
        spec_.joints.push_back(std::move(joint));
        read_sdf_mimics(xml_, part.element, prefix(part.scope), couplings_);
      }
    }
    // Gearboxes couple joints that stand anywhere in the file: all of them must be read.
    for (const JointPart* part : gearboxes) {
      if (xml_.failed()) return;
      read_sdf_gearbox(reader, part->element, part->scope, part->frame, spec_.joints, couplings_);
    }
    // Between the two: our own couplings count from our zeros already.
    measure_couplings();
    for (const auto& [element, model] : coupling_parts_) {
      read_sdf_coupling(xml_, element, models_[model].prefix, couplings_);
    }
    // Ours carry their place in the list; those of other files keep the order of the file.
    std::stable_sort(couplings_.begin(), couplings_.end(),
                     [](const SdfCoupling& a, const SdfCoupling& b) { return a.order < b.order; });
    for (SdfCoupling& coupling : couplings_) spec_.couplings.push_back(std::move(coupling.spec));
  }

  // SDF's own couplings count from the drawn pose, ours from where the joints read zero.
  void measure_couplings() {
    for (SdfCoupling& coupling : couplings_) {
      for (std::size_t k = 0; k < coupling.spec.joints.size(); ++k) {
        const auto drawn = drawn_positions_.find(coupling.spec.joints[k]);
        if (drawn != drawn_positions_.end()) coupling.spec.offset += coupling.spec.ratio[k] * drawn->second;
      }
    }
  }

  // Drake's constraint: the two named frames coincide. It closes a loop that its author cut through a link.
  void read_weld(const JointPart& part) {
    const int parent = *frames_.find(part.scope, sdf_joint_end(xml_, part.element, "parent"));
    // A weld has no name in the file.
    JointSpec joint;
    joint.type = JointType::kFixed;
    joint.a = bodies_[to_index(frames_.link(parent))];
    joint.b = bodies_[to_index(frames_.link(part.frame))];
    // Made of the bodies it joins, so that the next reading of the file gives the same name.
    joint.name = joint_names_.make(fmt::format("{}_{}_weld", joint.a, joint.b));
    joint.in_a = math::relative_pose(frames_.pose(frames_.link(parent)), frames_.pose(parent));
    joint.in_b = math::relative_pose(frames_.pose(frames_.link(part.frame)), frames_.pose(part.frame));
    joint.closure = true;
    joint.where = xml_.where(part.element);
    spec_.joints.push_back(std::move(joint));
  }

  void hold_static_links() {
    for (const ModelPart& model : models_) {
      if (!model.is_static || is_ground(model)) continue;
      for (const LinkPart& link : model.links) {
        hold(bodies_[to_index(link.frame)], frames_.pose(link.frame), JointType::kFixed, "_static",
             xml_.where(link.element));
      }
    }
  }

  void hold(const std::string& body, const math::Pose& X_WB, JointType type, const char* ending, const Where& where) {
    JointSpec joint;
    // A joint of the file may have this name already.
    joint.name = joint_names_.make(body + ending);
    joint.type = type;
    joint.a = model::kGround;
    joint.b = body;
    // A fixed joint keeps the drawn pose; a free one measures from the world.
    if (type == JointType::kFixed) joint.in_a = X_WB;
    joint.where = where;
    spec_.joints.push_back(std::move(joint));
  }

  // SDF lets every link fly that no joint holds. One mechanism that floats as a whole needs no word; several need a
  // free joint each, or nothing would say where they are.
  void hold_loose_pieces() {
    // Index 0 is the ground, as in DisjointSets the lowest of a set is its representative.
    std::unordered_map<std::string, int> index = {{model::kGround, 0}};
    for (const BodySpec& body : spec_.bodies) index.emplace(body.name, static_cast<int>(index.size()));
    DisjointSets pieces(index.size());
    // Bodies that any joint connects move as one piece.
    for (const JointSpec& joint : spec_.joints) pieces.join(index.at(joint.a), index.at(joint.b));
    std::vector<const BodySpec*> loose;
    std::size_t held = 0;
    for (const BodySpec& body : spec_.bodies) {
      const int i = index.at(body.name);
      // The first body of each piece stands for all of it.
      if (i != 0 && pieces.find(i) == i) loose.push_back(&body);
      if (i != 0 && pieces.find(i) == 0) ++held;
    }
    // A single piece that nothing holds is a mechanism in space.
    if (loose.empty() || (loose.size() == 1 && held == 0)) return;
    for (const BodySpec* body : loose) hold(body->name, body->pose, JointType::kFree, "_free", body->where);
    xml_.note(models_[0].element,
              fmt::format("{} held by no joint to the world: each floats on a free joint named <link>_free",
                          counted(loose.size(), "piece is", "pieces are")));
  }

  XmlReader xml_;
  SdfFrames frames_{xml_};
  int minor_ = kNewest;
  model::ModelSpec spec_;
  std::vector<ModelPart> models_;
  std::vector<JointPart> joints_;
  std::vector<std::pair<const XMLElement*, std::size_t>> coupling_parts_;  // with the index of their model
  std::vector<SdfCoupling> couplings_;
  std::unordered_map<std::string, double> drawn_positions_;  // <espalier:position> of joints with one coordinate
  std::vector<std::string> bodies_;                          // name of the body of each link frame
  UniqueNames joint_names_;
};

}  // namespace

Result<model::ModelSpec> read_sdf(std::string_view text, const std::string& name) {
  return SdfReader().read(text, name);
}

}  // namespace espalier::formats::detail

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/detail/sdf_frames.hpp"
#include "espalier/formats/detail/sdf_joint_writer.hpp"
#include "espalier/formats/detail/sdf_print.hpp"
#include "espalier/formats/detail/unique_names.hpp"

namespace espalier::formats::detail {
namespace {

using model::Body;
using model::BodyKind;
using model::Joint;
using model::Model;
using model::ShapeKind;
using model::ShapeRole;

// A name that SDF and its text elements can carry.
std::string clean(std::string name) {
  for (char& c : name) {
    // Line ends and tabs are white space to an XML reader and would come back as blanks.
    if (static_cast<unsigned char>(c) < 0x20) c = '_';
  }
  if (!name.empty() && name.front() == ' ') name.front() = '_';
  if (!name.empty() && name.back() == ' ') name.back() = '_';
  return sdf_reserved(name) ? name + "_" : name;
}

class SdfWriter {
 public:
  explicit SdfWriter(const Model& model) : model_(model) {}

  WrittenModel write() {
    // Names first: joints, mimics and materials all refer to links and joints by them.
    choose_names();
    // A <world> only where gravity or the ground's shapes need one: others can include a file that is a model alone.
    const bool in_world = model_.gravity != model::ModelSpec().gravity || !model_.bodies[0].shapes.empty();
    // SDF wants a name for every model.
    const std::string name = clean(model_.name.empty() ? "model" : model_.name);
    if (in_world) {
      print_.open("world", {{"name", name}});
      print_.text("gravity", sdf_list_text({model_.gravity.data(), 3}));
    }
    print_.open("model", {{"name", name}});
    write_materials();
    // From 1 on: body 0 is the ground, which SDF has as its world.
    for (std::size_t b = 1; b < model_.bodies.size(); ++b) write_link(model_.bodies[b], links_[b]);
    SdfJointWriter joints(model_, links_, joints_, print_, notes_);
    joints.write_joints();
    // Obstacle joints come after the model's own, so that those keep their order.
    write_obstacle_joints();
    joints.write_couplings();
    print_.close();
    // Beside the mechanism, as its own model: a link of the mechanism would fall.
    if (in_world && !model_.bodies[0].shapes.empty()) write_ground();
    if (in_world) print_.close();
    note_losses();
    return {print_.document(), notes_.all()};
  }

 private:
  void note(const std::string& text) { notes_.add(text); }

  // Links and joints share their names in SDF since 1.7; our reader does not mind.
  void choose_names() {
    UniqueNames links;
    // Names that were cleaned may have become equal.
    links_.push_back("world");
    for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
      links_.push_back(links.make(clean(model_.bodies[b].name)));
      if (links_.back() != model_.bodies[b].name) note_renamed("body", model_.bodies[b].name, links_.back());
    }
    for (const Joint& joint : model_.joints) {
      joints_.push_back(joint_names_.make(clean(joint.name)));
      if (joints_.back() != joint.name) note_renamed("joint", joint.name, joints_.back());
      if (links.contains(joints_.back())) note("a link and a joint share a name: other SDF readers refuse this file");
    }
    // Since SDF 1.7 `::` separates a model from what is in it.
    const auto scoped = [](const std::string& name) { return name.find("::") != std::string::npos; };
    if (std::any_of(links_.begin(), links_.end(), scoped)) note("names with '::': other SDF readers refuse this file");
  }

  void note_renamed(const char* what, const std::string& from, const std::string& to) {
    note(fmt::format("{} {} is called {}: SDF does not carry the name", what, in_quotes(from), in_quotes(to)));
  }

  // SDF knows friction and restitution of a collision, but no named materials with a density.
  void write_materials() {
    for (const model::MaterialSpec& material : model_.materials) {
      SdfPrint::Attributes attributes = {{"name", material.name}};
      const auto add = [&](const char* attribute, const std::optional<double>& value) {
        if (value) attributes.emplace_back(attribute, number_text(*value));
      };
      add("density", material.density);
      add("E", material.young);
      add("G", material.shear);
      add("friction", material.friction);
      add("restitution", material.restitution);
      print_.open("espalier:material", attributes);
      print_.close();
      note("materials: other SDF readers skip them");
    }
  }

  void write_link(const Body& body, const std::string& name) {
    print_.open("link", {{"name", name}});
    // In the world, which the model frame coincides with: the model itself has no pose.
    print_.pose("pose", body.X_WB);
    // An obstacle has no mass: a fixed joint holds it.
    if (body.kind != BodyKind::kObstacle) write_inertial(body);
    write_shapes(body);
    print_.close();
  }

  void write_inertial(const Body& body) {
    print_.open("inertial");
    // The moments are about axes parallel to those of the body, so that only the place is written.
    if (body.inertia.com.norm() > 0) print_.pose("pose", {body.inertia.com, Eigen::Quaterniond::Identity()});
    print_.text("mass", number_text(body.inertia.mass));
    print_.open("inertia");
    const Eigen::Matrix<double, 6, 1> moments = math::moments_from_matrix(body.inertia.about_com);
    constexpr std::array kNames = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    for (int k = 0; k < 6; ++k) print_.text(kNames[k], number_text(moments[k]));
    print_.close();
    print_.close();
    if (body.inertia.mass == 0) note("links of no mass: other SDF readers want a positive <mass>");
  }

  void write_shapes(const Body& body) {
    UniqueNames names;
    for (const model::Shape& shape : body.shapes) {
      const model::ShapeSpec& spec = shape.spec;
      if (spec.kind == ShapeKind::kHull) {
        note("SDF has no convex hulls: these shapes are lost");
        continue;
      }
      // Shapes without a name get one, as SDF wants it, and are marked so that ours come back without.
      const std::string name = names.make(spec.name.empty() ? "shape" : clean(spec.name));
      if (spec.role != ShapeRole::kVisual) write_shape("collision", name, shape);
      if (spec.role != ShapeRole::kCollision) write_shape("visual", name, shape);
    }
  }

  void write_shape(const char* element, const std::string& name, const model::Shape& shape) {
    SdfPrint::Attributes attributes = {{"name", name}};
    if (shape.spec.name.empty()) attributes.emplace_back("espalier:unnamed", "true");
    if (shape.material.valid()) {
      attributes.emplace_back("espalier:material", model_.materials[shape.material.index()].name);
    }
    print_.open(element, attributes);
    print_.pose("pose", shape.spec.pose);
    print_.open("geometry");
    print_.geometry(shape.spec);
    print_.close();
    print_.close();
  }

  // A static model of this name is how our reader knows the ground.
  void write_ground() {
    print_.open("model", {{"name", model::kGround}});
    // Static models are not moved by any engine.
    print_.text("static", "true");
    print_.open("link", {{"name", model::kGround}});
    write_shapes(model_.bodies[0]);
    print_.close();
    print_.close();
  }

  // Obstacles stand where they are drawn; SDF would let them fall.
  void write_obstacle_joints() {
    for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
      if (model_.bodies[b].kind != BodyKind::kObstacle) continue;
      print_.open("joint", {{"name", joint_names_.make(links_[b] + "_fixed")}, {"type", "fixed"}});
      print_.text("parent", "world");
      print_.text("child", links_[b]);
      print_.close();
    }
  }

  void note_losses() {
    const auto has = [&](auto&& test) { return std::any_of(model_.bodies.begin(), model_.bodies.end(), test); };
    if (has([](const Body& body) { return body.beam.has_value(); })) {
      note("SDF has no elastic bodies: beams, rods and shafts are written as rigid ones");
    }
    if (!model_.forces.empty()) note("SDF has no springs, loads and motions: they are lost");
  }

  const Model& model_;
  SdfPrint print_;
  SdfNotes notes_;
  std::vector<std::string> links_;   // name in the file for each body; the ground is the world
  std::vector<std::string> joints_;  // name in the file for each joint
  UniqueNames joint_names_;
};

}  // namespace

WrittenModel write_sdf(const model::Model& model) { return SdfWriter(model).write(); }

}  // namespace espalier::formats::detail

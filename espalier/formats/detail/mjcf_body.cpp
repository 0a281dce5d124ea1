#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/mjcf_state.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::BodySpec;

// Bodies within bodies; tinyxml2 stops at 100 elements a file, so only includes come near.
constexpr int kDeepest = 400;

// A body while its elements are read.
struct OpenBody {
  struct Child {
    const XMLElement* element;
    const MjcfClass* defaults;
    math::Pose X_BF;
  };
  BodySpec spec;
  std::vector<MjcfJoint> joints;
  std::optional<math::Inertia> given;    // <inertial>
  std::optional<math::Inertia> weighed;  // sum over geoms
  std::vector<MjcfGeom> meshes;          // that weigh what their files say
  std::vector<std::string> unknown_meshes;
  std::vector<Child> children;
};

class BodyReader {
 public:
  explicit BodyReader(MjcfState& state) : state_(state), doc_(state.doc) {}

  void world() {
    // MJCF calls the ground "world"; its geoms become shapes of our ground, which is listed as a body only where it has
    // any.
    OpenBody ground;
    ground.spec.name = model::kGround;
    state_.bodies["world"] = {model::kGround, {}};
    for (const XMLElement* section : doc_.sections("worldbody")) {
      if (ground.spec.where.line == 0) ground.spec.where = doc_.xml.where(section);
      content(section, ground, class_within(section, nullptr), {}, 0);
    }
    if (!ground.joints.empty()) {
      doc_.xml.fail(ErrorCode::kTopology, ground.joints[0].element,
                    "the world cannot have a <joint>; put it in a <body>");
    }
    // Moved out first, so that what the world itself holds can be handed on before its bodies are read.
    const std::vector<OpenBody::Child> children = std::move(ground.children);
    if (!ground.spec.shapes.empty()) state_.spec.bodies.push_back(std::move(ground.spec));
    for (const OpenBody::Child& child : children) body(child, {model::kGround, {}}, 1);
    scale_to_total_mass();
  }

 private:
  // childclass of the element, else the one around it.
  const MjcfClass* class_within(const XMLElement* element, const MjcfClass* around) {
    const char* name = element->Attribute("childclass");
    return name == nullptr ? around : doc_.find_class(element, name);
  }

  void body(const OpenBody::Child& child, const MjcfBody& parent, int depth) {
    if (doc_.xml.failed()) return;
    const XMLElement* element = child.element;
    if (depth > kDeepest) {
      doc_.xml.fail(ErrorCode::kLimit, element, fmt::format("bodies nested more than {} deep", kDeepest));
      return;
    }
    OpenBody open;
    open.spec.where = doc_.xml.where(element);
    open.spec.name = body_name(element);
    // MJCF draws poses relative to the parent; a <frame> between the two is already part of X_BF.
    const math::Pose X_PB = child.X_BF * doc_.pose({element, nullptr, "body"});
    open.spec.pose = parent.X_WB * X_PB;
    doc_.only_attributes(element,
                         {"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "user"});
    const MjcfBody made{open.spec.name, open.spec.pose};
    // Keyed by the name in the file: equalities and excludes look it up there, even where our name differs.
    if (const char* name = element->Attribute("name")) state_.bodies[name] = made;
    content(element, open, class_within(element, child.defaults), {}, depth);
    if (doc_.xml.failed()) return;
    // The order below fixes the order of bodies and joints in the model: a parent stands before its children.
    weigh(element, open);
    const std::vector<OpenBody::Child> children = std::move(open.children);
    state_.spec.bodies.push_back(std::move(open.spec));
    add_joints(state_, {element, parent.name, made.name, X_PB, made.X_WB}, std::move(open.joints));
    for (const OpenBody::Child& next : children) body(next, made, depth + 1);
  }

  std::string body_name(const XMLElement* element) {
    // Every body counts, named or not, so that body_7 is the seventh <body> that the walk meets.
    ++count_;
    const std::string name = doc_.xml.text(element, "name");
    if (name.empty()) return state_.body_names.make(fmt::format("body_{}", count_));
    if (name != model::kGround) return name;
    const std::string other = state_.body_names.make("ground_body");
    doc_.xml.note(element, fmt::format("body 'ground' is called {} here: 'ground' is the world", in_quotes(other)));
    return other;
  }

  // What stands in a body or, with frames opened, in a <frame> of it.
  void content(const XMLElement* element, OpenBody& open, const MjcfClass* defaults, const math::Pose& X_BF,
               int depth) {
    for (const XMLElement* child : doc_.children(element)) {
      if (doc_.xml.failed()) return;
      const std::string_view name = child->Name();
      if (name == "geom") {
        add_geom(child, open, defaults, X_BF);
      } else if (name == "joint" || name == "freejoint") {
        open.joints.push_back(read_joint(state_, child, defaults, X_BF));
      } else if (name == "inertial") {
        read_inertial(child, open, X_BF);
      } else if (name == "body") {
        open.children.push_back({child, defaults, X_BF});
      } else if (name == "frame") {
        frame(child, open, defaults, X_BF, depth + 1);
      } else if (name == "site") {
        add_site(child, open, defaults, X_BF);
      } else if (name != "camera" && name != "light") {
        doc_.xml.not_read(child);
      }
    }
  }

  void frame(const XMLElement* element, OpenBody& open, const MjcfClass* defaults, const math::Pose& X_BF, int depth) {
    if (depth > kDeepest) {
      doc_.xml.fail(ErrorCode::kLimit, element, fmt::format("frames nested more than {} deep", kDeepest));
      return;
    }
    content(element, open, class_within(element, defaults), X_BF * doc_.pose({element, nullptr, "frame"}), depth);
  }

  void add_geom(const XMLElement* element, OpenBody& open, const MjcfClass* defaults, const math::Pose& X_BF) {
    MjcfGeom geom = read_geom(state_, element, defaults, X_BF);
    if (!geom.unknown_mesh.empty()) open.meshes.push_back(geom);
    if (geom.shape) open.spec.shapes.push_back(std::move(*geom.shape));
    // With inertiafromgeom the mass is the sum of the geoms, each weighed about the frame of the body.
    if (geom.inertia) open.weighed = open.weighed ? *open.weighed + *geom.inertia : *geom.inertia;
  }

  void add_site(const XMLElement* element, OpenBody& open, const MjcfClass* defaults, const math::Pose& X_BF) {
    const MjcfSource source = doc_.source(element, defaults);
    const math::Pose X_BS = X_BF * doc_.pose(source);
    const std::string name = doc_.xml.text(element, "name");
    // Sites are kept in the world as drawn: equalities join two of them in that pose.
    if (!name.empty()) state_.sites[name] = {{open.spec.name, open.spec.pose}, open.spec.pose * X_BS};
  }

  void read_inertial(const XMLElement* element, OpenBody& open, const math::Pose& X_BF) {
    const MjcfSource source{element, nullptr, "inertial"};
    if (open.given) {
      doc_.xml.fail(ErrorCode::kName, element, fmt::format("body {} has two <inertial>", in_quotes(open.spec.name)));
      return;
    }
    math::Pose pose = doc_.pose(source);
    // A missing diaginertia leaves zero moments, as a point mass has them; compile() judges whether that is allowed.
    math::Inertia inertia;
    inertia.mass = doc_.xml.required_number(element, "mass");
    const std::optional<std::vector<double>> full = doc_.numbers(source, "fullinertia", 6, 6);
    const std::optional<std::vector<double>> diagonal = doc_.numbers(source, "diaginertia", 3, 3);
    // fullinertia is about the axes of the body by MJCF's rule, so that an orientation of its own would contradict it.
    if (full && (diagonal || doc_.orientation(source))) {
      doc_.xml.fail(ErrorCode::kValue, element, "fullinertia goes with neither diaginertia nor an orientation");
    }
    if (full) {
      inertia.about_com = math::matrix_from_moments(Eigen::Map<const Eigen::Matrix<double, 6, 1>>(full->data()));
    } else if (diagonal) {
      inertia.about_com = Vector3d((*diagonal)[0], (*diagonal)[1], (*diagonal)[2]).asDiagonal();
    }
    doc_.only_attributes(
        element, {"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "mass", "diaginertia", "fullinertia"});
    open.given = math::transformed(X_BF * pose, inertia);
    // Turned by nothing, the numbers stay exactly as written.
    if ((X_BF.rotation * pose.rotation).vec().isZero(0)) open.given->about_com = inertia.about_com;
  }

  void weigh(const XMLElement* element, OpenBody& open) {
    using FromGeom = MjcfCompiler::FromGeom;
    const MjcfCompiler& compiler = doc_.compiler;
    // "auto" takes the geoms only where no <inertial> is written.
    const bool from_geoms = compiler.inertia_from_geom == FromGeom::kAlways ||
                            (compiler.inertia_from_geom == FromGeom::kAuto && !open.given);
    for (std::size_t k = 0; from_geoms && k < open.meshes.size(); ++k) {
      const std::optional<math::Inertia> mesh = weigh_mesh(state_, open.meshes[k]);
      if (mesh)
        open.weighed = open.weighed ? *open.weighed + *mesh : *mesh;
      else
        open.unknown_meshes.push_back(open.meshes[k].unknown_mesh);
    }
    std::optional<math::Inertia> inertia = from_geoms ? open.weighed : open.given;
    if (from_geoms) note_unknown_mass(element, open);
    if (!inertia) inertia.emplace();
    bound(*inertia);
    open.spec.mass = inertia->mass;
    open.spec.com = inertia->com;
    open.spec.inertia = inertia->about_com;
  }

  void note_unknown_mass(const XMLElement* element, const OpenBody& open) {
    if (open.unknown_meshes.empty()) return;
    // One note for each body, however many of its geoms share a mesh.
    std::vector<std::string> names = open.unknown_meshes;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const std::string meshes =
        names.size() == 1
            ? fmt::format("mesh {}, which is not found, not closed or cannot be read", in_quotes(names[0]))
            : fmt::format("{} meshes such as {}, which are not found, not closed or cannot be read", names.size(),
                          in_quotes(names[0]));
    doc_.xml.note(element,
                  open.weighed ? fmt::format("body {} gets part of its mass from {}: that part is missing; add "
                                             "<inertial> to it",
                                             in_quotes(open.spec.name), meshes)
                               : fmt::format("body {} gets its mass only from {}: its mass is 0 here; add <inertial> "
                                             "to it",
                                             in_quotes(open.spec.name), meshes),
                  "mesh_mass", model::Effect::kForces);
  }

  // boundmass, boundinertia and balanceinertia of <compiler>.
  void bound(math::Inertia& inertia) {
    const MjcfCompiler& compiler = doc_.compiler;
    inertia.mass = std::max(inertia.mass, compiler.bound_mass);
    // A moment that is not a number would leave the eigensolver without an answer; compile() reports it.
    if (!inertia.about_com.allFinite()) return;
    // MJCF's balanceinertia: moments that break the triangle inequality all become their mean.
    const bool balance = compiler.balance_inertia && math::impossibility(inertia.about_com) > 0;
    if (balance) inertia.about_com = Matrix3d::Identity() * (inertia.about_com.trace() / 3);
    if (compiler.bound_inertia <= 0) return;
    // boundinertia holds for principal moments, not for the entries of the matrix.
    const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(inertia.about_com);
    if (principal.eigenvalues().minCoeff() >= compiler.bound_inertia) return;
    const Vector3d moments = principal.eigenvalues().cwiseMax(compiler.bound_inertia);
    inertia.about_com = principal.eigenvectors() * moments.asDiagonal() * principal.eigenvectors().transpose();
  }

  void scale_to_total_mass() {
    if (doc_.compiler.total_mass <= 0) return;
    double total = 0;
    for (const BodySpec& body : state_.spec.bodies) total += body.mass.value_or(0);
    // A total of zero, or one that overflowed, has no factor that would reach the wanted mass.
    if (!(total > 0) || !std::isfinite(total)) return;
    const double factor = doc_.compiler.total_mass / total;
    for (BodySpec& body : state_.spec.bodies) {
      // Inertia scales with mass: the density changes, not the shape.
      if (!body.mass) continue;
      *body.mass *= factor;
      *body.inertia *= factor;
    }
  }

  MjcfState& state_;
  MjcfDocument& doc_;
  int count_ = 0;
};

}  // namespace

void read_worldbody(MjcfState& state) { BodyReader(state).world(); }

}  // namespace espalier::formats::detail

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/model/detail/check.hpp"
#include "espalier/model/detail/mass.hpp"
#include "espalier/model/model.hpp"

namespace espalier::model {
namespace {

using detail::Names;

constexpr double kStrongestGravity = 1e50;  // [m/s^2]

// The steps of compile(), in the order of the file. Each stops at its first mistake.
class Compiler {
 public:
  explicit Compiler(const ModelSpec& spec) : spec_(spec) {}

  Result<Model> run() {
    model_.name = spec_.name;
    model_.gravity = spec_.gravity;
    // The order counts: each step looks up names that the steps before have entered.
    for (const auto step : {&Compiler::materials, &Compiler::bodies, &Compiler::joints, &Compiler::couplings,
                            &Compiler::forces, &Compiler::contact, &Compiler::keyframes, &Compiler::pieces}) {
      const Result<void> done = (this->*step)();
      ESPALIER_TRY(done);
    }
    return std::move(model_);
  }

 private:
  Result<void> materials() {
    // Files hold no NaN, but a spec can come from a program as well.
    // Squares of the velocities that it gives must be numbers too.
    if (!(spec_.gravity.array().abs() <= kStrongestGravity).all()) {
      return make_error(ErrorCode::kValue, spec_.where, "gravity must be three finite numbers, none beyond 1e50 m/s2");
    }
    for (const MaterialSpec& material : spec_.materials) {
      ESPALIER_TRY(material_names_.add(material.name, material.where));
      ESPALIER_TRY(detail::check_material(material));
      model_.materials.push_back(material);
    }
    return {};
  }

  Result<void> bodies() {
    // The ground is body 0 of every model, listed or not.
    Body ground;
    ground.name = kGround;
    model_.bodies.push_back(std::move(ground));
    // Entered like any other name, so that joints and springs find it and no body can take it.
    ESPALIER_TRY(body_names_.add(kGround, {}));
    bool ground_seen = false;
    for (const BodySpec& body : spec_.bodies) {
      if (body.name != kGround) {
        ESPALIER_TRY(body_names_.add(body.name, body.where));
        ESPALIER_TRY(add_body(body));
        continue;
      }
      // Two lists of shapes would be legal, but one of them was hardly meant.
      if (ground_seen)
        return make_error(ErrorCode::kName, body.where, "'ground' is listed twice; list it once, with all its shapes");
      ground_seen = true;
      ESPALIER_TRY(add_ground(body));
    }
    return {};
  }

  Result<void> add_ground(const BodySpec& spec) {
    // What would be ignored is refused: a ground with a mass is a misunderstanding.
    if (spec.mass || spec.inertia || spec.com || spec.beam || spec.velocity || spec.active ||
        spec.kind != BodyKind::kRigid) {
      return make_error(ErrorCode::kValue, spec.where,
                        "'ground' stands still and weighs nothing; it may have `shapes`, `material` and nothing else");
    }
    Body& ground = model_.bodies[0];
    ground.where = spec.where;
    ground.X_WB = spec.pose;
    // Written as 0 or as a full turn, a pose that does nothing may stand.
    if (math::gap_between(spec.pose, {}).distance > 0 || math::gap_between(spec.pose, {}).angle > 0) {
      return make_error(ErrorCode::kValue, spec.where,
                        "'ground' is the world frame and has no `pose`; place its shapes by `at`");
    }
    return add_shapes(spec, ground);
  }

  Result<void> add_body(const BodySpec& spec) {
    ESPALIER_TRY(detail::check_body(spec));
    Body body;
    body.name = spec.name;
    body.kind = spec.kind;
    body.X_WB = spec.pose;
    body.velocity = spec.velocity;
    body.beam = spec.beam;
    body.where = spec.where;
    // Directions that the model blocks stay blocked for every body: the two lists meet in what both allow.
    if (spec_.active) body.active = *spec_.active;
    if (spec.active) {
      for (std::size_t k = 0; k < 6; ++k) body.active[k] = body.active[k] && (*spec.active)[k];
    }
    ESPALIER_TRY(add_shapes(spec, body));
    // Before the inertia, whose message would name the density alone.
    if (spec.beam) ESPALIER_TRY(detail::check_beam_material(spec, material_of(body.material)));
    const auto density = [this](const std::string& name) -> std::optional<double> {
      const std::optional<int> index = material_names_.find(name);
      return index ? model_.materials[to_index(*index)].density : std::nullopt;
    };
    // Kept as a function: only shapes that weigh ask for a density, and only then may it be missing.
    Result<math::Inertia> inertia = detail::body_inertia(spec, density, spec_.impossible_inertia_allowed);
    ESPALIER_TRY(inertia);
    body.inertia = *inertia;
    model_.bodies.push_back(std::move(body));
    return {};
  }

  const MaterialSpec* material_of(MaterialId id) const { return id.valid() ? &model_.materials[id.index()] : nullptr; }

  Result<void> add_shapes(const BodySpec& spec, Body& body) {
    // Shapes take the body's material where they name none of their own.
    // Unknown names are errors even where nothing asks for the material: they are typing mistakes.
    ESPALIER_TRY(resolve(material_names_, spec.material, "material", spec.where, body.material));
    for (const ShapeSpec& shape : spec.shapes) {
      ESPALIER_TRY(detail::check_shape(shape, spec.name));
      Shape compiled{shape, body.material};
      if (!shape.material.empty())
        ESPALIER_TRY(resolve(material_names_, shape.material, "material", shape.where, compiled.material));
      body.shapes.push_back(std::move(compiled));
    }
    return {};
  }

  // A name as an id; an empty name leaves the id invalid.
  template <class Tag>
  Result<void> resolve(const Names& names, const std::string& name, const char* what, const Where& where,
                       Id<Tag>& id) const {
    if (name.empty()) return {};
    const std::optional<int> index = names.find(name);
    if (!index) {
      return make_error(ErrorCode::kName, where,
                        fmt::format("unknown {} {}{}", what, in_quotes(name), did_you_mean(name, names.all())));
    }
    id = Id<Tag>(*index);
    return {};
  }

  // " 'name'", or nothing for an element without a name.
  static std::string after(const std::string& name) { return name.empty() ? "" : " " + in_quotes(name); }

  Result<void> resolve_pair(const char* what, const std::string& name, const std::string& a, const std::string& b,
                            const Where& where, BodyId& id_a, BodyId& id_b) const {
    // a before b: of two unknown bodies the first is reported, as written.
    for (const auto& [body, id] : {std::pair(&a, &id_a), std::pair(&b, &id_b)}) {
      const std::optional<int> index = body_names_.find(*body);
      if (!index) {
        return make_error(ErrorCode::kName, where,
                          fmt::format("{}{} names an unknown body {}{}", what, after(name), in_quotes(*body),
                                      did_you_mean(*body, body_names_.all())));
      }
      *id = BodyId(*index);
    }
    // A joint of a body with itself would be a loop without a length.
    if (id_a == id_b) {
      return make_error(
          ErrorCode::kTopology, where,
          fmt::format("{}{} joins {} to itself; name two different bodies", what, after(name), in_quotes(a)));
    }
    return {};
  }

  Result<void> joints() {
    for (const JointSpec& spec : spec_.joints) {
      ESPALIER_TRY(joint_names_.add(spec.name, spec.where));
      Joint joint;
      joint.name = spec.name;
      joint.type = spec.type;
      joint.pitch = spec.pitch;
      joint.spec = spec;
      joint.where = spec.where;
      // Before its fields: their messages would lead away from a body that is not there.
      ESPALIER_TRY(resolve_pair("joint", spec.name, spec.a, spec.b, spec.where, joint.a, joint.b));
      ESPALIER_TRY(detail::check_joint(spec));
      // `at` is one frame of the world; in each body it stands relative to the drawn pose.
      if (spec.at) {
        joint.X_AF = math::relative_pose(model_.body(joint.a).X_WB, *spec.at);
        joint.X_BM = math::relative_pose(model_.body(joint.b).X_WB, *spec.at);
      } else {
        joint.X_AF = spec.in_a;
        joint.X_BM = spec.in_b;
      }
      // The drawn pose decides the joint's position: a file has no numbers for it that could contradict the drawing.
      joint.position = joint_position(joint.type, joint.pitch,
                                      math::relative_pose(drawn_frame_a(model_, joint), drawn_frame_b(model_, joint)));
      // Beams are held on their axes, and both bodies may be beams.
      for (const auto& [id, frame] : {std::pair(joint.a, joint.X_AF), std::pair(joint.b, joint.X_BM)}) {
        ESPALIER_TRY(detail::check_on_beam(model_.body(id), frame.position, spec));
      }
      model_.joints.push_back(std::move(joint));
    }
    return {};
  }

  Result<void> resolve_joint(const std::string& what, const std::string& name, const Where& where, JointId& id) const {
    const std::optional<int> index = joint_names_.find(name);
    if (!index) {
      return make_error(
          ErrorCode::kName, where,
          fmt::format("{} names an unknown joint {}{}", what, in_quotes(name), did_you_mean(name, joint_names_.all())));
    }
    id = JointId(*index);
    return {};
  }

  // A joint by name that must have exactly one coordinate.
  Result<void> resolve_single(const char* what, const std::string& name, const Where& where, JointId& id) const {
    ESPALIER_TRY(resolve_joint(what, name, where, id));
    const JointKind& kind = joint_kind(model_.joint(id).type);
    // Ratios and motions count one number each; a ball has three rates and four positions.
    if (kind.freedom != 1) {
      return make_error(ErrorCode::kValue, where,
                        fmt::format("{} needs a joint of one coordinate; {} is {} and has {}", what, in_quotes(name),
                                    kind.name, kind.freedom));
    }
    return {};
  }

  Result<void> couplings() {
    for (const CouplingSpec& spec : spec_.couplings) {
      Coupling coupling{spec.name, {}, spec.ratio, spec.offset, spec.polynomial, spec.where};
      ESPALIER_TRY(detail::check_coupling(spec));
      // A joint named twice would hide that its ratios add up.
      std::set<std::string> seen;
      for (const std::string& name : spec.joints) {
        if (!seen.insert(name).second) {
          return make_error(ErrorCode::kName, spec.where,
                            fmt::format("a coupling names joint {} twice; name each once", in_quotes(name)));
        }
        JointId id;
        ESPALIER_TRY(resolve_single("a coupling", name, spec.where, id));
        coupling.joints.push_back(id);
      }
      model_.couplings.push_back(std::move(coupling));
    }
    return {};
  }

  Result<void> forces() {
    for (const ForceSpec& spec : spec_.forces) {
      ESPALIER_TRY(detail::check_force(spec));
      Force force{spec.name, {}, spec.where};
      // The compiler asks for an add_law() for each kind of law that a spec can have.
      ESPALIER_TRY(std::visit([&](const auto& law) { return add_law(law, spec, force); }, spec.law));
      model_.forces.push_back(std::move(force));
    }
    return {};
  }

  Result<void> add_law(const SpringSpec& law, const ForceSpec& spec, Force& force) {
    Spring spring;
    ESPALIER_TRY(resolve_pair("spring", spec.name, law.a, law.b, spec.where, spring.a, spring.b));
    const math::Pose& X_WA = model_.body(spring.a).X_WB;
    const math::Pose& X_WB = model_.body(spring.b).X_WB;
    // From here on a spring's points belong to its bodies and move with them.
    spring.point_a = law.in_world ? X_WA.inverse() * law.point_a : law.point_a;
    spring.point_b = law.in_world ? X_WB.inverse() * law.point_b : law.point_b;
    spring.stiffness = law.stiffness;
    spring.damping = law.damping;
    spring.tension = law.tension;
    spring.limits = law.limits;
    // Without a length the spring rests as drawn.
    spring.length = law.length.value_or((X_WA * spring.point_a - X_WB * spring.point_b).norm());
    force.law = spring;
    return {};
  }

  Result<void> add_law(const BushingSpec& law, const ForceSpec& spec, Force& force) {
    Bushing bushing;
    ESPALIER_TRY(resolve_pair("bushing", spec.name, law.a, law.b, spec.where, bushing.a, bushing.b));
    // Only body a says where the frame is: b follows from the drawing, since both stand together there.
    const math::Pose& X_WA = model_.body(bushing.a).X_WB;
    // The bushing's second frame coincides with the first one as drawn: there it is free of force.
    bushing.X_AF = law.in_world ? math::relative_pose(X_WA, law.frame) : law.frame;
    bushing.X_BM = math::relative_pose(model_.body(bushing.b).X_WB, X_WA * bushing.X_AF);
    bushing.stiffness = law.stiffness;
    bushing.damping = law.damping;
    force.law = bushing;
    return {};
  }

  // The coordinates that a formula names, as places in Model::watched.
  Result<void> resolve_inputs(const Where& where, Expression& formula) {
    std::vector<int> slots;
    for (const Expression::Input& input : formula.inputs) {
      Watched watched{{}, input.coordinate, input.is_rate, where};
      ESPALIER_TRY(
          resolve_joint(fmt::format("the formula {}", in_quotes(formula.text)), input.joint, where, watched.joint));
      ESPALIER_TRY(detail::check_input(input, model_.joint(watched.joint), where));
      const auto known = std::find_if(model_.watched.begin(), model_.watched.end(), [&](const Watched& other) {
        return other.joint == watched.joint && other.coordinate == watched.coordinate &&
               other.is_rate == watched.is_rate;
      });
      slots.push_back(static_cast<int>(known - model_.watched.begin()));
      if (known == model_.watched.end()) model_.watched.push_back(watched);
    }
    number_inputs(slots, formula);
    return {};
  }

  Result<void> add_law(const LoadSpec& law, const ForceSpec& spec, Force& force) {
    const char* what = law.torque ? "a torque" : "a force";
    Load load;
    load.torque = law.torque;
    load.in_body = law.in_body;
    load.value = law.value;
    for (Expression& value : load.value) ESPALIER_TRY(resolve_inputs(spec.where, value));
    load.point.setZero();
    if (!law.joint.empty()) {
      // On a joint of several coordinates one number would not say which of them it drives.
      ESPALIER_TRY(resolve_single(what, law.joint, spec.where, load.joint));
      // The unit of the law must be that of the coordinate: newtons on a hinge would be read as newton metres.
      const bool angle = joint_kind(model_.joint(load.joint).type).coordinates[0] == CoordinateKind::kAngle;
      if (angle != law.torque) {
        return make_error(
            ErrorCode::kValue, spec.where,
            fmt::format("joint {} {}; write `{}` instead of `{}`", in_quotes(law.joint), angle ? "turns" : "slides",
                        angle ? "torque" : "force", law.torque ? "torque" : "force"));
      }
    } else {
      ESPALIER_TRY(resolve(body_names_, law.body, "body", spec.where, load.body));
      if (load.body == kGroundId)
        return make_error(ErrorCode::kValue, spec.where,
                          fmt::format("{} on the ground moves nothing; name another body", what));
      // Without a point a force acts in the centre of mass and turns nothing.
      load.point = law.at.value_or(model_.body(load.body).inertia.com);
    }
    force.law = std::move(load);
    return {};
  }

  Result<void> add_law(const MotionSpec& law, const ForceSpec& spec, Force& force) {
    Motion motion{JointId(), law.is_velocity, law.value};
    ESPALIER_TRY(resolve_single("a motion", law.joint, spec.where, motion.joint));
    if (!law.value.inputs.empty()) return refuse_coordinates(law.value, FormulaUse::kMotion, spec.where);
    // Two motions of one joint are two equations for one unknown.
    if (!moved_.insert(motion.joint).second) {
      return make_error(ErrorCode::kValue, spec.where,
                        fmt::format("joint {} is moved twice; keep one motion", in_quotes(law.joint)));
    }
    force.law = std::move(motion);
    return {};
  }

  Result<void> contact() {
    if (!spec_.contact) return {};
    ESPALIER_TRY(detail::check_contact(*spec_.contact));
    Contact contact{spec_.contact->on, spec_.contact->margin, spec_.contact->friction, spec_.contact->restitution, {}};
    for (const auto& [a, b] : spec_.contact->exclude) {
      BodyId id_a, id_b;
      // A body excluded from itself is refused there too: rigid bodies never touch themselves.
      ESPALIER_TRY(resolve_pair("contact", "exclude", a, b, spec_.contact->where, id_a, id_b));
      contact.exclude.emplace_back(id_a, id_b);
    }
    model_.contact = std::move(contact);
    return {};
  }

  Result<void> keyframes() {
    Names names("keyframe");
    for (const KeyframeSpec& spec : spec_.keyframes) {
      // Sizes are checked here and not by the reader: a spec that was made in a program comes this way too.
      ESPALIER_TRY(names.add(spec.name, spec.where));
      Keyframe keyframe{spec.name, {}, {}};
      for (const auto& [joint, position] : spec.positions) {
        JointId id;
        ESPALIER_TRY(resolve_joint(fmt::format("keyframe {}", in_quotes(spec.name)), joint, spec.where, id));
        const JointKind& kind = joint_kind(model_.joint(id).type);
        // Numbers of a position, not of a velocity: a ball takes the four of a quaternion.
        if (static_cast<int>(position.size()) != kind.position_size) {
          return make_error(
              ErrorCode::kType, spec.where,
              fmt::format("keyframe {}: joint {} is {} and takes {}, not {}", in_quotes(spec.name), in_quotes(joint),
                          kind.name, counted(kind.position_size, "number"), position.size()));
        }
        ESPALIER_TRY(detail::check_position(spec, joint, kind, position));
        keyframe.positions.emplace_back(id, position);
      }
      for (const auto& load : spec.loads) ESPALIER_TRY(add_keyframe_load(spec, load, keyframe));
      model_.keyframes.push_back(std::move(keyframe));
    }
    return {};
  }

  Result<void> add_keyframe_load(const KeyframeSpec& spec, const std::pair<std::string, std::vector<Expression>>& given,
                                 Keyframe& keyframe) {
    const auto& [name, value] = given;
    const std::string start = fmt::format("keyframe {}", in_quotes(spec.name));
    std::vector<std::string> known;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < model_.forces.size(); ++k) {
      if (!std::holds_alternative<Load>(model_.forces[k].law)) continue;
      known.push_back(model_.forces[k].name);
      if (known.back() == name) places.push_back(k);
    }
    if (name.empty() || places.size() != 1) {
      return make_error(ErrorCode::kName, spec.where,
                        places.empty() ? fmt::format("{} names an unknown load {}{}", start, in_quotes(name),
                                                     did_you_mean(name, known))
                                       : fmt::format("{}: {} loads are called {}; give each a name of its own", start,
                                                     places.size(), in_quotes(name)));
    }
    const std::size_t size = std::get<Load>(model_.forces[places[0]].law).value.size();
    if (value.size() != size) {
      return make_error(
          ErrorCode::kType, spec.where,
          fmt::format("{}: load {} takes {}, not {}", start, in_quotes(name), counted(size, "value"), value.size()));
    }
    keyframe.loads.emplace_back(places[0], value);
    for (Expression& each : keyframe.loads.back().second) ESPALIER_TRY(resolve_inputs(spec.where, each));
    return {};
  }

  // Every body must hang together with the ground, or all of them together float, or contact holds them.
  Result<void> pieces() {
    // Nothing moves in it, and every answer would be an empty one.
    if (model_.bodies.size() == 1) {
      return make_error(ErrorCode::kTopology, spec_.where,
                        "the model has no body besides the ground; list at least one under `bodies`");
    }
    // With contact loose bodies are the rule.
    if (model_.contact && model_.contact->on) return {};
    DisjointSets pieces(model_.bodies.size());
    for (const Joint& joint : model_.joints) pieces.join(joint.a.value(), joint.b.value());
    for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
      // An obstacle is held by the world, as a body that a fixed joint holds is.
      if (model_.bodies[b].kind == BodyKind::kObstacle) pieces.join(0, static_cast<int>(b));
    }
    std::map<int, std::vector<BodyId>> floating;
    for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
      // Sets are named by their lowest member: what hangs on the ground has the name 0.
      const int piece = pieces.find(static_cast<int>(b));
      if (piece != 0) floating[piece].push_back(BodyId(b));
    }
    // All bodies that no way leads to from the ground.
    std::size_t loose = 0;
    for (const auto& [r, bodies] : floating) loose += bodies.size();
    // A single piece that floats is a spacecraft; two of them have no common frame that a tree could start from.
    const bool all_float_together = floating.size() == 1 && loose == model_.bodies.size() - 1;
    if (floating.empty() || all_float_together) return {};
    const Body& first = model_.body(floating.begin()->second.front());
    return make_error(
        ErrorCode::kTopology, first.where,
        fmt::format("the mechanism is in {} pieces: body {} is joined to neither the ground nor the rest; add a "
                    "joint, or `{{type: free, between: [ground, {}], ...}}` if it is meant to fly, or a "
                    "`contact` section",
                    floating.size() + (loose < model_.bodies.size() - 1 ? 1 : 0), in_quotes(first.name), first.name));
  }

  const ModelSpec& spec_;
  Model model_;
  Names material_names_{"material"};
  Names body_names_{"body"};
  Names joint_names_{"joint"};
  std::set<JointId> moved_;
};

}  // namespace

Result<Model> compile(const ModelSpec& spec) { return Compiler(spec).run(); }

Model with_loads(Model model, const Keyframe& keyframe) {
  for (const auto& [force, value] : keyframe.loads) std::get<Load>(model.forces[force].law).value = value;
  return model;
}

// A set is named by its lowest member, which makes the ground's group 0.
std::vector<int> weld_groups(const Model& model) {
  DisjointSets sets(model.bodies.size());
  for (const Joint& joint : model.joints) {
    if (joint.type == JointType::kFixed) sets.join(joint.a.value(), joint.b.value());
  }
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    if (model.bodies[b].kind == BodyKind::kObstacle) sets.join(0, static_cast<int>(b));
  }
  std::vector<int> group(model.bodies.size());
  for (std::size_t b = 0; b < group.size(); ++b) group[b] = sets.find(static_cast<int>(b));
  return group;
}

math::Pose drawn_frame_a(const Model& model, const Joint& joint) { return model.body(joint.a).X_WB * joint.X_AF; }

math::Pose drawn_frame_b(const Model& model, const Joint& joint) { return model.body(joint.b).X_WB * joint.X_BM; }

math::PoseGap drawn_gap(const Model& model, const Joint& joint) {
  return joint_gap(joint.type, joint.pitch,
                   math::relative_pose(drawn_frame_a(model, joint), drawn_frame_b(model, joint)));
}

}  // namespace espalier::model

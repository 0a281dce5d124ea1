#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/detail/native_constants.hpp"
#include "espalier/formats/detail/native_parts.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::ModelSpec;

// A number that YAML 1.1 readers take for one as well: 1e-07 has no dot, so many read it as a word.
std::string yaml_number(double value) {
  // The shortest digits that read back as the same bits.
  std::string text = number_text(value);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

// In double quotes, whatever it holds.
std::string quoted_text(std::string_view text) {
  std::string escaped = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      escaped += fmt::format("\\{}", c);
    else if (code < 0x20 || code == 0x7F)
      // Control characters have no other way through YAML; bytes of UTF-8 go as they are.
      escaped += fmt::format("\\x{:02x}", code);
    else
      escaped += c;
  }
  return escaped + "\"";
}

// Plain where no YAML reader can take it for anything but this text.
std::string yaml_text(std::string_view text) {
  // Words that one reader of YAML or another takes for a truth value or for nothing.
  static constexpr std::string_view kWords[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_plain = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '/';
  };
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool word = std::find(std::begin(kWords), std::end(kWords), lower) != std::end(kWords);
  if (!text.empty() && is_letter(text[0]) && !word && std::all_of(text.begin(), text.end(), is_plain))
    return std::string(text);
  return quoted_text(text);
}

std::string list(std::span<const double> values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + yaml_number(value);
  return "[" + text + "]";
}
std::string list(const Vector3d& v) { return list(std::span<const double>(v.data(), 3)); }
// One number for one coordinate.
std::string number_or_list(std::span<const double> values) {
  return values.size() == 1 ? yaml_number(values[0]) : list(values);
}

// {key: value, ...} on one line.
class Flow {
 public:
  Flow& add(std::string_view key, std::string_view value) {
    text_ += fmt::format("{}{}: {}", text_.empty() ? "" : ", ", key, value);
    return *this;
  }
  Flow& add_text(std::string_view key, const std::string& value) {
    // An empty text is what the reader takes for a missing one.
    return value.empty() ? *this : add(key, yaml_text(value));
  }
  Flow& add_optional(std::string_view key, const std::optional<double>& value) {
    return value ? add(key, yaml_number(*value)) : *this;
  }
  // What equals the default is left out: a written model reads like one that a person wrote.
  Flow& add_nonzero(std::string_view key, double value) { return value == 0 ? *this : add(key, yaml_number(value)); }
  Flow& add_coordinates(std::string_view key, std::span<const double> values) {
    return values.empty() ? *this : add(key, number_or_list(values));
  }
  bool empty() const { return text_.empty(); }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string quaternion(const Quaterniond& q) { return list(std::array{q.w(), q.x(), q.y(), q.z()}); }

// Exactly equal: a rotation of one bit must come back as that bit.
bool is_identity(const Quaterniond& q) { return q.coeffs() == Quaterniond::Identity().coeffs(); }

std::string pose_text(const math::Pose& pose) {
  Flow flow;
  // Exactly zero is left out, and nothing near it: every bit must come back.
  if (!pose.position.isZero(0)) flow.add("position", list(pose.position));
  if (!is_identity(pose.rotation)) flow.add("rotation", quaternion(pose.rotation));
  return flow.text();
}

bool is_identity(const math::Pose& pose) { return pose.position.isZero(0) && is_identity(pose.rotation); }

// An axis reads better than a quaternion, where it gives the same bits back.
std::string joint_frame_text(const math::Pose& frame, model::JointType type) {
  Flow flow;
  // Said even where it is zero, so that every joint shows where it stands.
  flow.add("position", list(frame.position));
  const Vector3d axis = frame.rotation * Vector3d::UnitZ();
  if (model::joint_kind(type).axes == 1 && math::rotation_with_z(axis).coeffs() == frame.rotation.coeffs())
    return flow.add("axis", list(axis)).text();
  return is_identity(frame.rotation) ? flow.text() : flow.add("rotation", quaternion(frame.rotation)).text();
}

std::string active_text(const model::ActiveDirections& active) {
  // The words stand in the order of the six directions, so that a set has one spelling.
  std::string text;
  for (std::size_t k = 0; k < 6; ++k) {
    if (active[k]) text += (text.empty() ? "" : ", ") + std::string(model::kDirectionWords[k]);
  }
  return "[" + text + "]";
}

std::string shape_text(const model::ShapeSpec& shape) {
  Flow measures;
  switch (shape.kind) {
    case model::ShapeKind::kSphere:
      measures.add("radius", yaml_number(shape.size[0]));
      break;
    case model::ShapeKind::kBox:
      measures.add("size", list(shape.size));
      break;
    case model::ShapeKind::kCapsule:
    case model::ShapeKind::kCylinder:
      measures.add("radius", yaml_number(shape.size[0])).add("length", yaml_number(shape.size[1]));
      break;
    case model::ShapeKind::kEllipsoid:
      measures.add("radii", list(shape.size));
      break;
    case model::ShapeKind::kPlane:
      break;
    case model::ShapeKind::kHull: {
      std::string points;
      for (const Vector3d& p : shape.points) points += (points.empty() ? "" : ", ") + list(p);
      measures.add("points", "[" + points + "]");
      break;
    }
    case model::ShapeKind::kMesh:
      // The scale of a mesh is a factor, without a unit: written files are in metres.
      measures.add("file", yaml_text(shape.file));
      if (shape.scale != Vector3d::Ones()) measures.add("scale", list(shape.scale));
      break;
  }
  Flow flow;
  // The word of the shape is the key that the reader looks for.
  flow.add(model::word(shape.kind), measures.text());
  if (!is_identity(shape.pose)) flow.add("at", pose_text(shape.pose));
  flow.add_text("material", shape.material);
  // Most shapes are both seen and felt, which is the default.
  if (shape.role != model::ShapeRole::kBoth) flow.add("role", model::word(shape.role));
  flow.add_text("name", shape.name);
  return flow.text();
}

std::string ends(const model::SectionSpec::Ends& ends) {
  // One number where the beam is not tapered.
  return ends[0] == ends[1] ? yaml_number(ends[0]) : list(ends);
}

std::string section_text(const model::SectionSpec& section) {
  Flow flow;
  switch (section.kind) {
    case model::SectionKind::kRectangle:
      flow.add("b", ends(section.b)).add("h", ends(section.h));
      if (section.wall != model::SectionSpec::Ends{0, 0}) flow.add("t", ends(section.wall));
      break;
    case model::SectionKind::kCircle:
      flow.add("radius", ends(section.radius));
      // A full circle has no inner radius.
      if (section.inner_radius != model::SectionSpec::Ends{0, 0}) flow.add("inner_radius", ends(section.inner_radius));
      break;
    case model::SectionKind::kGeneral:
      flow.add("area", ends(section.area))
          .add("Iy", ends(section.Iy))
          .add("Iz", ends(section.Iz))
          .add("J", ends(section.J));
      if (section.polar) flow.add("polar", ends(*section.polar));
      break;
  }
  if (section.shear_factors) flow.add("shear_factors", list(*section.shear_factors));
  return flow.text();
}

void add_beam(Flow& flow, const model::BeamSpec& beam) {
  flow.add("from", list(beam.from)).add("to", list(beam.to)).add("section", section_text(beam.section));
  // Euler and Bernoulli are the default.
  if (beam.theory != model::BeamTheory::kEuler) flow.add("theory", model::word(beam.theory));
  if (beam.y_axis) flow.add("y_axis", list(*beam.y_axis));
  Flow damping;
  damping.add_nonzero("viscous", beam.viscous).add_nonzero("kelvin_voigt", beam.kelvin_voigt);
  if (!damping.empty()) flow.add("damping", damping.text());
  flow.add_nonzero("foundation", beam.foundation);
  // Zero leaves the number to the analysis.
  if (beam.segments > 0) flow.add("segments", fmt::format("{}", beam.segments));
}

std::string body_text(const model::BodySpec& body) {
  Flow flow;
  flow.add("name", yaml_text(body.name));
  // Rigid is the default.
  if (body.kind != model::BodyKind::kRigid) flow.add("kind", model::word(body.kind));
  // Absent where the shapes weigh the body, and it must stay absent.
  flow.add_optional("mass", body.mass);
  if (body.com) flow.add("com", list(*body.com));
  if (body.inertia) {
    const Eigen::Matrix<double, 6, 1> moments = math::moments_from_matrix(*body.inertia);
    // Three numbers where the products of inertia are exactly zero, as the reader expects.
    const bool diagonal = moments.tail<3>().isZero(0);
    flow.add("inertia", list(std::span<const double>(moments.data(), diagonal ? 3 : 6)));
  }
  if (!is_identity(body.pose)) flow.add("pose", pose_text(body.pose));
  if (body.velocity)
    flow.add("velocity",
             Flow().add("linear", list(body.velocity->linear)).add("angular", list(body.velocity->angular)).text());
  if (body.beam) add_beam(flow, *body.beam);
  flow.add_text("material", body.material);
  if (body.active) flow.add("active", active_text(*body.active));
  if (!body.shapes.empty()) {
    std::string shapes;
    for (const model::ShapeSpec& shape : body.shapes) shapes += (shapes.empty() ? "" : ", ") + shape_text(shape);
    flow.add("shapes", "[" + shapes + "]");
  }
  return flow.text();
}

std::string limits_text(const std::vector<std::array<double, 2>>& limits) {
  // One coordinate has its pair without a second bracket, as people write it.
  if (limits.size() == 1) return list(limits[0]);
  std::string text;
  for (const std::array<double, 2>& pair : limits) text += (text.empty() ? "" : ", ") + list(pair);
  return "[" + text + "]";
}

std::string pair_text(const std::string& a, const std::string& b) {
  return fmt::format("[{}, {}]", yaml_text(a), yaml_text(b));
}

std::string transmission_text(const model::TransmissionSpec& transmission) {
  Flow flow;
  flow.add_text("name", transmission.name).add("reduction", yaml_number(transmission.reduction));
  return flow.add("interface", word_of(transmission.interface)).text();
}

// One joint, or all of a weld of several bodies.
std::string joint_text(std::span<const model::JointSpec> joints) {
  const model::JointSpec& joint = joints.front();
  std::string bodies = yaml_text(joint.a);
  for (const model::JointSpec& one : joints) bodies += ", " + yaml_text(one.b);
  Flow flow;
  flow.add("name", yaml_text(joints.size() > 1 ? joint.group : joint.name))
      .add("type", model::joint_kind(joint.type).name)
      .add("between", fmt::format("[{}]", bodies));
  // `at` and `in` are kept as the model had them: computing one from the other would change bits.
  if (joint.at) {
    flow.add("at", joint_frame_text(*joint.at, joint.type));
  } else {
    Flow frames;
    frames.add(yaml_text(joint.a), joint_frame_text(joint.in_a, joint.type));
    for (const model::JointSpec& one : joints) frames.add(yaml_text(one.b), joint_frame_text(one.in_b, one.type));
    flow.add("in", frames.text());
  }
  flow.add_nonzero("pitch", joint.pitch);
  if (!joint.limits.empty()) flow.add("limits", limits_text(joint.limits));
  flow.add_coordinates("velocity", joint.velocity)
      .add_coordinates("stiffness", joint.stiffness)
      .add_coordinates("damping", joint.damping);
  flow.add_coordinates("rest", joint.rest)
      .add_coordinates("friction", joint.friction)
      .add_coordinates("armature", joint.armature);
  flow.add_optional("effort_limit", joint.effort_limit).add_optional("velocity_limit", joint.velocity_limit);
  if (joint.actuated) flow.add("actuated", "true");
  if (joint.transmission) flow.add("transmission", transmission_text(*joint.transmission));
  if (joint.reaction_wanted) flow.add("reaction", "wanted");
  // Hints stand last: they change no motion.
  if (joint.closure) flow.add("closure", "true");
  flow.add_optional("weight", joint.weight).add_optional("length", joint.length);
  return flow.text();
}

// The joints from `first` on that the file has as one.
std::size_t weld_size(const std::vector<model::JointSpec>& joints, std::size_t first) {
  const model::JointSpec& weld = joints[first];
  std::size_t end = first + 1;
  const auto belongs = [&](const model::JointSpec& joint) {
    return joint.group == weld.group && joint.a == weld.a && joint.type == weld.type;
  };
  while (!weld.group.empty() && end < joints.size() && belongs(joints[end])) ++end;
  return end - first;
}

std::string joints_text(const std::vector<model::JointSpec>& joints) {
  std::string text = joints.empty() ? "" : "joints:\n";
  for (std::size_t k = 0; k < joints.size();) {
    const std::size_t size = weld_size(joints, k);
    text += fmt::format("  - {}\n", joint_text(std::span(joints).subspan(k, size)));
    k += size;
  }
  return text;
}

// An expression that is a plain number stays one; everything else is quoted.
std::string expression_text(const model::Expression& expression) {
  const std::optional<double> number = parse_number(expression.text);
  // The text of the user, not the tree that was parsed from it.
  return number ? expression.text : quoted_text(expression.text);
}

// A joint takes one number, a body a vector.
std::string value_text(const std::vector<model::Expression>& load) {
  std::string values;
  for (const model::Expression& value : load) values += (values.empty() ? "" : ", ") + expression_text(value);
  return load.size() == 1 ? values : "[" + values + "]";
}

// The second half of the pair is the law, the first its key.
struct LawWriter {
  std::pair<std::string, std::string> operator()(const model::SpringSpec& spring) const {
    Flow flow;
    flow.add("between", pair_text(spring.a, spring.b));
    if (spring.in_world)
      flow.add("at", fmt::format("[{}, {}]", list(spring.point_a), list(spring.point_b)));
    else
      flow.add(
          "in",
          Flow().add(yaml_text(spring.a), list(spring.point_a)).add(yaml_text(spring.b), list(spring.point_b)).text());
    flow.add_nonzero("stiffness", spring.stiffness)
        .add_nonzero("damping", spring.damping)
        .add_optional("length", spring.length);
    flow.add_nonzero("tension", spring.tension);
    if (spring.limits) flow.add("limits", list(*spring.limits));
    return {"spring", flow.text()};
  }
  std::pair<std::string, std::string> operator()(const model::BushingSpec& bushing) const {
    Flow flow;
    flow.add("between", pair_text(bushing.a, bushing.b));
    if (bushing.in_world)
      flow.add("at", pose_text(bushing.frame));
    else
      flow.add("in", Flow().add(yaml_text(bushing.a), pose_text(bushing.frame)).text());
    return {"bushing", flow.add("stiffness", list(bushing.stiffness)).add("damping", list(bushing.damping)).text()};
  }
  std::pair<std::string, std::string> operator()(const model::LoadSpec& load) const {
    Flow flow;
    flow.add_text("joint", load.joint).add_text("body", load.body);
    if (load.at) flow.add("point", list(*load.at));
    if (load.in_body) flow.add("frame", "body");
    flow.add("value", value_text(load.value));
    return {load.torque ? "torque" : "force", flow.text()};
  }
  std::pair<std::string, std::string> operator()(const model::MotionSpec& motion) const {
    Flow flow;
    flow.add("joint", yaml_text(motion.joint))
        .add(motion.is_velocity ? "velocity" : "position", expression_text(motion.value));
    return {"motion", flow.text()};
  }
};

std::string force_text(const model::ForceSpec& force) {
  Flow flow;
  flow.add_text("name", force.name);
  const auto [key, law] = std::visit(LawWriter(), force.law);
  return flow.add(key, law).text();
}

std::string coupling_text(const model::CouplingSpec& coupling) {
  Flow flow;
  flow.add_text("name", coupling.name);
  std::string joints;
  for (const std::string& joint : coupling.joints) joints += (joints.empty() ? "" : ", ") + yaml_text(joint);
  flow.add("joints", "[" + joints + "]");
  if (!coupling.ratio.empty()) flow.add("ratio", list(coupling.ratio));
  if (!coupling.polynomial.empty()) flow.add("polynomial", list(coupling.polynomial));
  return flow.add_nonzero("offset", coupling.offset).text();
}

std::string contact_text(const model::ContactSpec& contact) {
  Flow flow;
  // Said in any case: a section may also stand for its pairs alone.
  flow.add("engine", contact.on ? "on" : "off").add_nonzero("margin", contact.margin);
  flow.add_optional("friction", contact.friction).add_optional("restitution", contact.restitution);
  if (contact.exclude.empty()) return flow.text();
  std::string pairs;
  for (const auto& [a, b] : contact.exclude) pairs += (pairs.empty() ? "" : ", ") + pair_text(a, b);
  return flow.add("pairs", Flow().add("exclude", "[" + pairs + "]").text()).text();
}

std::string keyframe_text(const model::KeyframeSpec& keyframe) {
  Flow positions;
  for (const auto& [joint, position] : keyframe.positions) positions.add(yaml_text(joint), number_or_list(position));
  Flow flow;
  flow.add("name", yaml_text(keyframe.name)).add("positions", positions.text());
  if (keyframe.loads.empty()) return flow.text();
  Flow loads;
  // Loads of a keyframe go by the names of forces, as positions by those of joints.
  for (const auto& [force, value] : keyframe.loads) loads.add(yaml_text(force), value_text(value));
  return flow.add("loads", loads.text()).text();
}

std::string material_text(const model::MaterialSpec& material) {
  Flow flow;
  flow.add_optional("density", material.density).add_optional("E", material.young).add_optional("G", material.shear);
  return flow.add_optional("friction", material.friction).add_optional("restitution", material.restitution).text();
}

std::string constant_text(const model::ConstantSpec& constant) {
  return constant.formula.empty() ? yaml_number(constant.value) : fmt::format("\"{}\"", constant.formula);
}

template <class T>
std::string section(const char* key, const std::vector<T>& items, std::string (*write)(const T&)) {
  // An empty section would read as one that somebody forgot to fill.
  if (items.empty()) return "";
  std::string text = fmt::format("{}:\n", key);
  for (const T& item : items) text += fmt::format("  - {}\n", write(item));
  return text;
}

}  // namespace

namespace {

std::string table_text(const model::TableSpec& table) {
  Flow flow;
  const auto add_unit = [&](const char* key, const std::string& word) {
    // In quotes a number would be a word.
    if (parse_number(word))
      flow.add(key, word);
    else
      flow.add_text(key, word);
  };
  flow.add("file", yaml_text(table.file)).add("argument", yaml_text(table.argument));
  add_unit("argument_unit", table.argument_unit_word);
  flow.add("value", yaml_text(table.value));
  add_unit("value_unit", table.value_unit_word);
  return flow.add("between", word_of(table.rows->between)).add("outside", word_of(table.rows->outside)).text();
}

// A word where it says the same in metres and radians, else the number.
std::string written_unit(const std::string& word, double value) {
  // The file that is written counts in metres and radians, whatever the one that was read did.
  if (word.empty() || unit_value(word) == value) return word;
  return yaml_number(value);
}

std::string written_path(const model::TableSpec& table, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  // Without a folder nobody knows where the text will be.
  if (folder.empty() || fs::path(table.file).is_absolute()) return table.file;
  std::error_code code;
  const fs::path file = fs::weakly_canonical(fs::absolute(table.path, code), code);
  const fs::path there = fs::weakly_canonical(fs::absolute(folder, code), code);
  // Seen from the new file: the table stays where it is.
  const fs::path relative = file.lexically_relative(there);
  return relative.empty() ? file.string() : relative.string();
}

}  // namespace

std::vector<model::TableSpec> written_tables(const ModelSpec& spec, const std::filesystem::path& folder) {
  std::vector<model::TableSpec> tables = spec.tables;
  for (model::TableSpec& table : tables) {
    table.file = written_path(table, folder);
    table.argument_unit_word = written_unit(table.argument_unit_word, table.argument_unit);
    table.value_unit_word = written_unit(table.value_unit_word, table.value_unit);
  }
  return tables;
}

WrittenModel write_native(const ModelSpec& spec, const std::filesystem::path& folder) {
  // Everything is written in metres, radians and newtons: no `units` line is needed.
  std::string text = "espalier: 1\n";
  if (!spec.name.empty()) text += fmt::format("name: {}\n", yaml_text(spec.name));
  if (!spec.constants.empty()) text += "constants:\n";
  for (const model::ConstantSpec& constant : spec.constants) {
    text += fmt::format("  {}: {}\n", yaml_text(constant.name), constant_text(constant));
  }
  text += fmt::format("gravity: {}\n", list(spec.gravity));
  // Only where it matters: nobody should copy this line without need.
  const bool impossible = std::any_of(spec.bodies.begin(), spec.bodies.end(), [](const model::BodySpec& body) {
    return body.inertia && math::impossibility(*body.inertia) > 0;
  });
  if (spec.impossible_inertia_allowed && impossible) text += "impossible_inertia: allowed\n";
  if (spec.active) text += fmt::format("active: {}\n", active_text(*spec.active));
  if (!spec.materials.empty()) text += "materials:\n";
  for (const model::MaterialSpec& material : spec.materials) {
    text += fmt::format("  {}: {}\n", yaml_text(material.name), material_text(material));
  }
  // Sections in the order in which the reader needs them.
  text += section("bodies", spec.bodies, body_text);
  text += joints_text(spec.joints);
  text += section("couplings", spec.couplings, coupling_text);
  if (!spec.tables.empty()) text += "tables:\n";
  for (const model::TableSpec& table : written_tables(spec, folder)) {
    text += fmt::format("  {}: {}\n", yaml_text(table.name), table_text(table));
  }
  text += section("forces", spec.forces, force_text);
  if (spec.contact) text += fmt::format("contact: {}\n", contact_text(*spec.contact));
  text += section("keyframes", spec.keyframes, keyframe_text);
  return {put_formulas(std::move(text), spec.formulas), {}};
}

}  // namespace espalier::formats::detail

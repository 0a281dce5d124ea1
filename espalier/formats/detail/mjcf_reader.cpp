#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/detail/mjcf_state.hpp"

namespace espalier::formats::detail {
namespace {

using model::Effect;

// Wind acts through density and viscosity alone.
void note_medium(MjcfDocument& doc, const XMLElement* element) {
  for (const char* medium : {"wind", "density", "viscosity"}) {
    const std::vector<double> values =
        doc.numbers({element, nullptr, ""}, medium, 1, 3).value_or(std::vector<double>());
    // A medium of density and viscosity zero is MJCF's default, empty space; only a value that acts is noted.
    if (std::all_of(values.begin(), values.end(), [](double value) { return value == 0; })) continue;
    doc.xml.note(element, fmt::format("{} of <option>: not read; bodies move in empty space here", medium), "fluid",
                 std::string_view(medium) == "wind" ? Effect::kNone : Effect::kForces);
  }
}

void read_option(MjcfState& state) {
  MjcfDocument& doc = state.doc;
  for (const XMLElement* element : doc.sections("option")) {
    const MjcfSource source{element, nullptr, ""};
    state.spec.gravity = doc.vector(source, "gravity", state.spec.gravity);
    note_medium(doc, element);
    for (const XMLElement* flags : doc.children(element, "flag")) {
      // A disabled gravity wins over the vector beside it.
      if (doc.xml.text(flags, "gravity") == "disable") state.spec.gravity.setZero();
      // contact="disable" is as it is here: shapes are read, but contact is not turned on. Nothing is actuated either.
      for (const auto& [flag, effect] : {std::pair("constraint", Effect::kMechanism),
                                         {"equality", Effect::kMechanism},
                                         {"frictionloss", Effect::kForces},
                                         {"limit", Effect::kForces},
                                         {"passive", Effect::kForces},
                                         {"spring", Effect::kForces},
                                         {"damper", Effect::kForces},
                                         {"actuation", Effect::kNone}}) {
        if (doc.xml.text(flags, flag) != "disable") continue;
        doc.xml.note(flags, fmt::format("{}=\"disable\" of <flag>: not read; it stays in force here", flag), "flag",
                     effect);
      }
    }
  }
}

// What our writer keeps of a model that MJCF has no element for: <text name="fixed_joint:BODY" data="NAME"> names the
// joint of a body that is fixed to its parent, <text name="reversed:JOINT"> says that the child is the joint's a.
void read_custom(MjcfState& state) {
  constexpr std::string_view kFixed = "fixed_joint:";
  constexpr std::string_view kReversed = "reversed:";
  for (const XMLElement* section : state.doc.sections("custom")) {
    for (const XMLElement* text : state.doc.children(section, "text")) {
      const std::string name = state.doc.xml.text(text, "name");
      const std::string data = state.doc.xml.text(text, "data");
      if (name.starts_with(kFixed) && !data.empty()) state.weld_names[name.substr(kFixed.size())] = data;
      if (name.starts_with(kReversed)) state.reversed.insert(name.substr(kReversed.size()));
    }
  }
}

// A tendon without a law of its own is a name for actuators and equalities, which tell for themselves.
bool has_law(MjcfDocument& doc, const XMLElement* tendon) {
  const MjcfSource source = doc.source(tendon, nullptr, "tendon");
  for (const char* law : {"stiffness", "damping", "frictionloss", "armature", "range"}) {
    const XMLElement* holder = doc.holder(source, law);
    if (holder == nullptr) continue;
    const std::vector<double> values = doc.xml.optional_numbers(holder, law).value_or(std::vector<double>());
    if (std::any_of(values.begin(), values.end(), [](double value) { return value != 0; })) return true;
  }
  return false;
}

void note_tendons(MjcfDocument& doc, const XMLElement* section) {
  const std::vector<const XMLElement*> tendons = doc.children(section);
  // The effect decides how loud `check` speaks, so that a tendon that only carries a name stays quiet.
  const bool acts = std::any_of(tendons.begin(), tendons.end(), [&](const XMLElement* t) { return has_law(doc, t); });
  doc.xml.note_once(section, "<tendon> in <mujoco>: not read", "tendon", acts ? Effect::kForces : Effect::kNone);
}

void note_sections(MjcfState& state) {
  constexpr std::array<std::string_view, 13> kRead = {"compiler", "option", "default", "asset", "worldbody", "equality",
                                                      "contact", "actuator", "keyframe", "custom",
                                                      // Looks and memory: nothing that moves.
                                                      "visual", "statistic", "size"};
  for (const XMLElement* section : state.doc.sections()) {
    if (std::find(kRead.begin(), kRead.end(), section->Name()) != kRead.end()) continue;
    if (std::string_view(section->Name()) == "tendon") {
      note_tendons(state.doc, section);
    } else {
      state.doc.xml.not_read(section);
    }
  }
}

}  // namespace

Result<model::ModelSpec> read_mjcf(std::string_view text, const std::string& name) {
  MjcfDocument document(text, name);
  MjcfState state(document);
  state.spec.where = {name, 0, 0};
  using Stage = void (*)(MjcfState&);
  // The order counts. Names come before anything is named after them; bodies and joints before what points at them;
  // joints before keyframes, which need the layout of qpos.
  for (const Stage stage : {read_option, read_custom, read_names, check_joint_defaults, read_meshes, read_worldbody,
                            read_equality, read_actuators, read_contact, read_keyframes, note_sections}) {
    if (document.xml.failed()) return tl::unexpected(document.xml.error());
    stage(state);
  }
  if (document.xml.failed()) return tl::unexpected(document.xml.error());
  // The name that MuJoCo gives a model without one.
  state.spec.name = document.xml.text(document.root(), "model", "MuJoCo Model");
  state.spec.notes = document.take_notes();
  return std::move(state.spec);
}

}  // namespace espalier::formats::detail

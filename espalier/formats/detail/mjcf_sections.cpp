// <contact> and <keyframe>: short sections that only point at bodies and joints read before.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/mjcf_state.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using model::Effect;
using model::JointSpec;

std::vector<std::string> known_names(const auto& map) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : map) names.push_back(name);
  return names;
}

// Puts `qpos` into the positions of our joints; quaternions get unit length.
class KeyframeReader {
 public:
  KeyframeReader(MjcfState& state, const XMLElement* element) : state_(state), doc_(state.doc), element_(element) {}

  std::vector<std::pair<std::string, std::vector<double>>> positions(const std::vector<double>& qpos) {
    std::vector<std::pair<std::string, std::vector<double>>> all;
    for (const MjcfGather& gather : state_.gathers) {
      const JointSpec& joint = state_.spec.joints[gather.joint];
      std::vector<double> position;
      for (std::size_t k = 0; k < gather.address.size(); ++k) {
        // qpos reads whole turns that our coordinate does not count; see add_coordinates() in mjcf_joint.cpp.
        position.push_back(qpos[to_index(gather.address[k])] - gather.shift[k]);
      }
      const model::JointKind& kind = model::joint_kind(joint.type);
      if (kind.position_size != kind.freedom) set_quaternion(position, gather, joint.name);
      all.emplace_back(joint.name, std::move(position));
    }
    return all;
  }

 private:
  void set_quaternion(std::vector<double>& position, const MjcfGather& gather, const std::string& joint) {
    // The quaternion stands last in the positions of a ball and of a free joint.
    double* n = position.data() + position.size() - 4;
    Eigen::Quaterniond q(n[0], n[1], n[2], n[3]);
    // As MuJoCo has it: shorter than this is no rotation.
    if (q.norm() < 1e-15) q = Eigen::Quaterniond::Identity();
    if (!std::isfinite(q.squaredNorm())) {
      doc_.xml.fail(
          ErrorCode::kValue, element_,
          fmt::format("the quaternion of joint {} in qpos has no finite length; 1 0 0 0 is no turn", in_quotes(joint)));
      return;
    }
    Eigen::Quaterniond unit = math::normalised(q);
    // A ball matched from three slides and a ball has axes of its own; qpos counts in those of the body.
    if (!gather.ball_axes.vec().isZero(0)) unit = gather.ball_axes.conjugate() * unit * gather.ball_axes;
    n[0] = unit.w();
    n[1] = unit.x();
    n[2] = unit.y();
    n[3] = unit.z();
    // A joint read from the other side holds the inverse motion, which mixes all its numbers.
    const model::JointType type = position.size() == 4 ? model::JointType::kSpherical : model::JointType::kFree;
    if (gather.inverse) position = model::joint_position(type, 0, model::joint_pose(type, 0, position).inverse());
  }

  MjcfState& state_;
  MjcfDocument& doc_;
  const XMLElement* element_;
};

std::string excluded_body(MjcfState& state, const XMLElement* element, const char* attribute) {
  const std::string name = state.doc.xml.required_text(element, attribute);
  const auto found = state.bodies.find(name);
  if (found != state.bodies.end()) return found->second.name;
  state.doc.xml.fail(ErrorCode::kName, element,
                     fmt::format("<exclude> names an unknown body {}{}", in_quotes(name),
                                 did_you_mean(name, known_names(state.bodies))));
  return "";
}

}  // namespace

void read_contact(MjcfState& state) {
  MjcfDocument& doc = state.doc;
  for (const XMLElement* section : doc.sections("contact")) {
    for (const XMLElement* element : doc.children(section)) {
      if (doc.xml.failed()) return;
      if (std::string_view(element->Name()) != "exclude") {
        doc.xml.not_read(element);
        continue;
      }
      if (!state.spec.contact) {
        // A robot file lists what must not touch, but does not ask for contact.
        state.spec.contact.emplace();
        state.spec.contact->on = false;
        state.spec.contact->where = doc.xml.where(element);
      }
      const std::string first = excluded_body(state, element, "body1");
      const std::string second = excluded_body(state, element, "body2");
      state.spec.contact->exclude.emplace_back(first, second);
    }
  }
}

void read_keyframes(MjcfState& state) {
  MjcfDocument& doc = state.doc;
  int count = 0;
  for (const XMLElement* section : doc.sections("keyframe")) {
    for (const XMLElement* element : doc.children(section, "key")) {
      if (doc.xml.failed()) return;
      model::KeyframeSpec keyframe;
      // Keyframes need no name in MJCF; ours are asked for by name.
      keyframe.name = doc.xml.text(element, "name", fmt::format("key_{}", ++count));
      keyframe.where = doc.xml.where(element);
      // Velocities and activations of a key are not read, and are counted.
      doc.only_attributes(element, {"name", "time", "qpos", "ctrl"});
      if (const auto qpos = doc.xml.optional_numbers(element, "qpos")) {
        // Only now is the size of qpos known: all joints of the file have been read.
        if (!doc.xml.failed() && qpos->size() != to_index(state.qpos_size)) {
          doc.xml.fail(ErrorCode::kType, element,
                       fmt::format("qpos of keyframe {} has {}; the joints of this file take {}",
                                   in_quotes(keyframe.name), counted(qpos->size(), "number"), state.qpos_size));
        }
        if (doc.xml.failed()) return;
        keyframe.positions = KeyframeReader(state, element).positions(*qpos);
      }
      read_controls(state, element, keyframe);
      state.spec.keyframes.push_back(std::move(keyframe));
    }
  }
}

}  // namespace espalier::formats::detail

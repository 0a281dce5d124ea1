#pragma once

// The checks of compile() that look at one element alone.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/model/model.hpp"

namespace espalier::model::detail {

// Unique names of one kind of element, in order of appearance.
class Names {
 public:
  explicit Names(const char* what) : what_(what) {}
  Result<void> add(const std::string& name, const Where& where);
  std::optional<int> find(const std::string& name) const;
  const std::vector<std::string>& all() const { return names_; }

 private:
  const char* what_;
  std::vector<std::string> names_;
  std::vector<Where> places_;
  std::unordered_map<std::string, int> index_;
};

Result<void> check_material(const MaterialSpec& material);
Result<void> check_shape(const ShapeSpec& shape, const std::string& body);
Result<void> check_body(const BodySpec& body);
Result<void> check_joint(const JointSpec& joint);
Result<void> check_coupling(const CouplingSpec& coupling);
Result<void> check_force(const ForceSpec& force);
// The joint has the coordinate that a formula names, as a number of its own.
Result<void> check_input(const Expression::Input& input, const Joint& joint, const Where& where);
// The quaternion in a position of a spherical or free joint has unit length.
Result<void> check_position(const KeyframeSpec& keyframe, const std::string& joint, const JointKind& kind,
                            const std::vector<double>& position);
Result<void> check_contact(const ContactSpec& contact);
// A beam needs E (and G for a shaft or in Timoshenko's theory).
Result<void> check_beam_material(const BodySpec& body, const MaterialSpec* material);
// A joint holds an elastic body somewhere on its axis; `point` is in the body frame.
Result<void> check_on_beam(const Body& body, const Eigen::Vector3d& point, const JointSpec& joint);

}  // namespace espalier::model::detail

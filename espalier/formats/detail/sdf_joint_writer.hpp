#pragma once

#include <string>
#include <vector>

#include "espalier/formats/detail/sdf_print.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats::detail {

// Prints the joints and couplings of a model into an open <model>. `links` and `joints` are the names in the file, one
// for each body (the ground is "world") and joint.
class SdfJointWriter {
 public:
  SdfJointWriter(const model::Model& model, const std::vector<std::string>& links,
                 const std::vector<std::string>& joints, SdfPrint& print, SdfNotes& notes);

  void write_joints();
  // Those that no <mimic> in a joint could say.
  void write_couplings();

 private:
  void write_joint(std::size_t index);
  bool at_zero_as_drawn(const model::Joint& joint) const;
  std::vector<double> drawn_position(const model::Joint& joint) const;
  void write_parent_pose(const model::Joint& joint);
  void write_axes(const model::Joint& joint, std::size_t index);
  void write_plain_axis(double damping);
  void write_limits(const model::JointSpec& spec, std::size_t k);
  void write_dynamics(const model::JointSpec& spec, std::size_t k);
  void write_own_elements(const model::Joint& joint);
  void write_hints(const model::JointSpec& spec);
  void choose_mimics();
  void write_mimic(std::size_t joint);
  void add_order(std::size_t coupling, SdfPrint::Attributes& attributes) const;

  const model::Model& model_;
  const std::vector<std::string>& links_;
  const std::vector<std::string>& joints_;
  SdfPrint& print_;
  SdfNotes& notes_;
  std::vector<int> mimics_;  // for each joint, the coupling it is written with, or -1
};

}  // namespace espalier::formats::detail

#pragma once

#include <string>
#include <vector>

#include "espalier/formats/detail/sdf_joint.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

struct SdfCoupling {
  model::CouplingSpec spec;
  double order = 0;  // espalier:order: our writer numbers couplings whose place in the file is not theirs in the model
};

// Each adds what it finds to `into`. `prefix` stands before the names of this model's joints.

// Each <mimic> in the axes of `joint`: q = multiplier (q_other - reference) + offset.
void read_sdf_mimics(XmlReader& xml, const XMLElement* joint, const std::string& prefix,
                     std::vector<SdfCoupling>& into);

// <espalier:coupling>, for what <mimic> cannot say.
void read_sdf_coupling(XmlReader& xml, const XMLElement* coupling, const std::string& prefix,
                       std::vector<SdfCoupling>& into);

// A joint of type gearbox holds nothing; it couples the revolute joints from its reference body to its parent and to
// its child, which stand among `joints`. `frame` is the gearbox's own.
void read_sdf_gearbox(SdfJointReader& reader, const XMLElement* gearbox, int scope, int frame,
                      const std::vector<model::JointSpec>& joints, std::vector<SdfCoupling>& into);

}  // namespace espalier::formats::detail

#pragma once

// The parts of the URDF writer: one context, filled by write_urdf, used by the functions that write links, joints and
// couplings.

#include <map>
#include <span>
#include <string>
#include <vector>

#include <tinyxml2.h>

#include "espalier/formats/detail/urdf_frames.hpp"
#include "espalier/formats/detail/written.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats::detail {

// An XML printer for elements with attributes. Text is escaped; numbers are the shortest that read back the same.
class UrdfPrinter {
 public:
  UrdfPrinter& open(const char* element);
  UrdfPrinter& close();
  UrdfPrinter& attribute(const char* name, const std::string& value);
  UrdfPrinter& attribute(const char* name, double value);
  UrdfPrinter& attribute(const char* name, std::span<const double> values);
  UrdfPrinter& attribute(const char* name, const Eigen::Vector3d& value);
  // An element that holds words and nothing else.
  UrdfPrinter& content(const char* element, const char* words);
  // <origin>, left out where it is the identity; what is below 1e-15 becomes 0.
  UrdfPrinter& origin(const math::Pose& pose);
  std::string text() const { return printer_.CStr(); }

 private:
  tinyxml2::XMLPrinter printer_;
};

struct UrdfOutput {
  const model::Model& model;
  UrdfFrames frames;
  UrdfPrinter xml;
  std::vector<std::string> link_names;  // of each body
  std::map<model::JointId, const UrdfTreeJoint*> in_tree;
  std::map<model::JointId, std::size_t> mimics;  // joint, index of the coupling it carries as <mimic>
  Remarks remarks;

  void remark(const std::string& message, const std::string& example) { remarks.add(message, example); }
};

// <joint> of a tree joint or <loop> of any other, in the model's order.
void write_urdf_joints(UrdfOutput& out);
// The couplings that become <mimic>; write_urdf_joints writes them.
void choose_urdf_mimics(UrdfOutput& out);
void write_urdf_mimic(UrdfOutput& out, std::size_t coupling);
// The other couplings.
void write_urdf_couplings(UrdfOutput& out);

}  // namespace espalier::formats::detail

#pragma once

// The steps of the URDF reader share one UrdfRobot: links and joints as the file has them, with the elements they came
// from. Each step goes straight through; the first failure sticks in `xml` and read_urdf looks at it between steps.

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "espalier/formats/detail/xml.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

struct UrdfLink {
  const XMLElement* element = nullptr;
  model::BodySpec body;
  bool has_inertial = false;
  bool is_ground = false;
  int placed_by = -1;  // index of the joint that places it; -1 for a root
  int depth = 0;       // joints between it and its root
};

// A <joint> or <loop>. Its frames are in spec.in_a and spec.in_b; the names of the bodies are filled in last, when the
// ground is known.
struct UrdfJoint {
  const XMLElement* element = nullptr;
  model::JointSpec spec;
  int parent = -1;  // link index
  int child = -1;
  math::Pose origin;         // child link in the parent link at zero; of a <joint> only
  bool reversed = false;     // spec.a is the child
  std::vector<double> zero;  // position of the joint at the file's zero; empty: 0
};

struct UrdfRobot {
  XmlReader xml;
  const XMLElement* element = nullptr;
  std::string file;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<model::CouplingSpec> couplings;
  std::vector<model::Note> notes;
  std::unordered_map<std::string, int> link_index;
  std::unordered_map<std::string, int> joint_index;

  // One note for all elements of which the same is to be said: "... (link 'a' and 3 more)".
  void remark(const XMLElement* first, const std::string& example, const std::string& message);
  // The index of a name, or -1 and a failure at `element`.
  int find_link(const XMLElement* element, const std::string& name, std::string_view what);
  int find_joint(const XMLElement* element, const std::string& name, std::string_view what);
  // Puts a joint in the list; fails where its name is taken.
  void add_joint(UrdfJoint joint);
  std::string unused_joint_name(std::string name) const;
  std::vector<std::string> link_names() const;
  std::vector<std::string> joint_names() const;
  std::vector<model::Note> all_notes() const;

 private:
  struct Remark {
    const XMLElement* first = nullptr;
    std::string example;
    int count = 0;
  };
  std::map<std::string, Remark> remarks_;
};

// xyz and rpy of the <origin> in `parent`; the identity where there is none.
math::Pose read_urdf_origin(XmlReader& xml, const XMLElement* parent);

// <link>: inertial and shapes.
void read_urdf_links(UrdfRobot& robot);
// <joint>, <drake:joint> and <loop>: type, frames, limits, dynamics.
void read_urdf_joints(UrdfRobot& robot);
// Which link is the ground, which joint places each link, where it stands at zero; the other joints close loops.
void place_urdf_links(UrdfRobot& robot, Base base);
// <transmission>: which joints are actuated, and how their motors reach them.
void read_urdf_transmissions(UrdfRobot& robot);
// <mimic> and <coupling>. After place_urdf_links.
void read_urdf_couplings(UrdfRobot& robot);
// closed_loop, type, name_mot, joint_name and joint_type of the YAML file beside the URDF file, if there is one. After
// place_urdf_links.
void read_urdf_sidecar(UrdfRobot& robot);
// Ball joints of all hinges with `word` in their names; fails where there are none. After place_urdf_links.
void make_urdf_balls(UrdfRobot& robot, const std::string& word);
// Another type, of which the URDF does not speak. What it says of the one coordinate belongs to the type it had there.
void retype_urdf_joint(UrdfJoint& joint, model::JointType type);

}  // namespace espalier::formats::detail

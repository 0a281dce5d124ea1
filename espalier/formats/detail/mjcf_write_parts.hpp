#pragma once

// The elements of a written MJCF file, one function each.

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <tinyxml2.h>

#include "espalier/formats/detail/mjcf_written_joint.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats::detail {

// Elements and attributes one after the other; what is at its default is left out by the callers.
class MjcfText {
 public:
  void open(const char* element) { printer_.OpenElement(element); }
  void close() { printer_.CloseElement(); }
  void text(const char* attribute, const std::string& value) { printer_.PushAttribute(attribute, value.c_str()); }
  void number(const char* attribute, double value);
  void numbers(const char* attribute, const Eigen::Vector3d& values);
  void list(const char* attribute, std::span<const double> values);
  // pos and quat, each where it is not the default.
  void pose(const math::Pose& pose);
  std::string str() const { return printer_.CStr(); }

 private:
  // Indents to a limit: a chain of 10^5 bodies would otherwise be 10^10 blanks.
  class Printer : public tinyxml2::XMLPrinter {
   protected:
    void PrintSpace(int depth) override { XMLPrinter::PrintSpace(depth < 20 ? depth : 20); }
  };
  Printer printer_;
};

// A top-level element that is only written once something stands in it.
class MjcfSection {
 public:
  MjcfSection(MjcfText& xml, const char* element) : xml_(xml), element_(element) {}
  ~MjcfSection() {
    if (open_) xml_.close();
  }
  MjcfSection(const MjcfSection&) = delete;
  MjcfSection& operator=(const MjcfSection&) = delete;

  MjcfText& get() {
    if (!open_) xml_.open(element_);
    open_ = true;
    return xml_;
  }

 private:
  MjcfText& xml_;
  const char* element_;
  bool open_ = false;
};

// Name in <asset> of each mesh, by what tells meshes apart.
using MjcfMeshNames = std::map<std::string, std::string>;

void write_assets(MjcfText& xml, const model::Model& model, MjcfMeshNames& names);
void write_geoms(MjcfText& xml, const model::Model& model, const model::Body& body, const MjcfMeshNames& names,
                 std::set<std::string>& used);
void write_inertial(MjcfText& xml, const math::Inertia& inertia);
void write_joint(MjcfText& xml, const MjcfWrittenJoint& joint);
void write_connect(MjcfText& xml, const std::string& name, const std::string& first, const std::string& second,
                   const Eigen::Vector3d& anchor);
void write_weld(MjcfText& xml, const std::string& name, const std::string& first, const std::string& second,
                const math::Pose& second_in_first);
void write_equality_joint(MjcfText& xml, const std::string& name, const std::string& first, const std::string& second,
                          const std::vector<double>& polynomial);
// False where MJCF cannot say it.
bool write_coupling(MjcfSection& section, const model::Model& model, const model::Coupling& coupling);
void write_motor(MjcfText& xml, const std::string& name, const std::string& joint, const std::optional<double>& effort);
// A load on a joint as an actuator: gain control + constant + position q + rate v, held to the load's range.
struct MjcfServo {
  std::string name, joint;
  model::StraightLoad law;
  double gain = 1;
};
// Nothing where MJCF has no actuator for the load.
std::optional<MjcfServo> make_servo(const model::Force& force, const std::string& joint);
// The control at which it acts as this value of its load; nothing where none does.
std::optional<double> control_of(const MjcfServo& servo, const model::Expression& value, const std::string& joint);
void write_servo(MjcfText& xml, const MjcfServo& servo);
// A ball's three coordinates have values that MJCF's one cannot stand for.
bool has_uneven_ball(const model::Joint& joint);

}  // namespace espalier::formats::detail

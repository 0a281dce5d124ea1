#pragma once

// An MJCF file as text: includes put in place, compiler settings, default classes, and attributes looked up through
// them. No mechanics here; mjcf_state.hpp builds the model from it.

#include <array>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Geometry>

#include "espalier/formats/detail/unread.hpp"
#include "espalier/formats/detail/xml.hpp"
#include "espalier/math/pose.hpp"

namespace espalier::formats::detail {

// One <default class="...">. Its attributes by element kind ("joint", "geom", ...), each with the element that sets it.
struct MjcfClass {
  const MjcfClass* parent = nullptr;
  std::map<std::string, std::map<std::string, const XMLElement*, std::less<>>, std::less<>> kinds;
};

// <compiler>, with MuJoCo's defaults.
struct MjcfCompiler {
  enum class FromGeom { kAuto, kAlways, kNever };
  bool degree = true;
  bool autolimits = true;
  std::string eulerseq = "xyz";
  FromGeom inertia_from_geom = FromGeom::kAuto;
  bool balance_inertia = false;
  double bound_mass = 0;                    // [kg]
  double bound_inertia = 0;                 // [kg m^2]
  double total_mass = -1;                   // [kg]; negative: as it is
  std::string mesh_folder;                  // that files of meshes are in, beside the model
  bool strip_path = false;                  // files of meshes have no folder but that
  std::array<double, 2> group_range{0, 5};  // groups of geoms that weigh
};

// An element seen through its defaults: attributes come from the element, else from its class, else from that class's
// parents.
struct MjcfSource {
  const XMLElement* element = nullptr;
  const MjcfClass* defaults = nullptr;
  const char* kind = "";  // element kind in <default>: <motor> looks for <motor>
};

class MjcfDocument {
 public:
  // Parses the file and everything it includes, then <compiler> and <default>. Look at xml.failed() afterwards.
  MjcfDocument(std::string_view text, const std::string& name);

  XmlReader xml;
  MjcfCompiler compiler;

  // Children with includes put in place. All of them where `name` is null.
  std::vector<const XMLElement*> children(const XMLElement* parent, const char* name = nullptr) const;
  // Top-level elements of this name; MJCF allows several of each. All of them where `name` is null.
  std::vector<const XMLElement*> sections(const char* name = nullptr) const { return children(root_, name); }
  const XMLElement* root() const { return root_; }

  // The element with the class it names, else with `inherited` (a childclass; null: the main class).
  MjcfSource source(const XMLElement* element, const MjcfClass* inherited, const char* kind = nullptr);
  // The class of this name; fails on `element` where there is none.
  const MjcfClass* find_class(const XMLElement* element, const std::string& name);

  // The element that sets this attribute, or null.
  const XMLElement* holder(const MjcfSource& source, const char* attribute) const;
  std::string text(const MjcfSource& source, const char* attribute, std::string_view otherwise = "") const;
  double number(const MjcfSource& source, const char* attribute, double otherwise);
  Eigen::Vector3d vector(const MjcfSource& source, const char* attribute, const Eigen::Vector3d& otherwise);
  // Between `least` and `most` numbers, or nothing where the attribute is absent.
  std::optional<std::vector<double>> numbers(const MjcfSource& source, const char* attribute, std::size_t least,
                                             std::size_t most);
  // "true", "false" or, where `may_be_auto`, "auto" (nothing).
  std::optional<bool> flag(const MjcfSource& source, const char* attribute, std::optional<bool> otherwise,
                           bool may_be_auto = false);

  // `value` from the file's angle unit to radians.
  double angle(double value) const;
  // Says so where one of these angles of an element is hardly in the unit of the file.
  void note_angles(const XMLElement* element, const char* name, std::span<const double> values);
  // quat, axisangle, euler, xyaxes or zaxis; at most one of them. Nothing where none is given.
  std::optional<Eigen::Quaterniond> orientation(const MjcfSource& source);
  // pos and orientation.
  math::Pose pose(const MjcfSource& source);

  // Counts the attributes of `element` that are not in `known`, for one note an attribute in take_notes().
  void only_attributes(const XMLElement* element, std::span<const std::string_view> known);
  void only_attributes(const XMLElement* element, std::initializer_list<std::string_view> known) {
    only_attributes(element, std::span(known.begin(), known.size()));
  }
  // The same for this kind of element in all default classes.
  void only_default_attributes(const char* kind, std::span<const std::string_view> known);
  // All notes of the document.
  std::vector<model::Note> take_notes();

 private:
  struct Unread {
    int count = 0;
    const XMLElement* first = nullptr;
    model::NoteKind kind;
  };
  void count_unread(const XMLElement* element, std::string_view attribute);
  void load_includes(const XMLElement* parent, int depth);
  void include(const XMLElement* element, int depth);
  void append_children(const XMLElement* parent, const char* name, std::vector<const XMLElement*>& all) const;
  void read_compiler();
  void read_defaults();
  void read_class(const XMLElement* element, MjcfClass& into);
  std::optional<Eigen::Quaterniond> orientation_from(const XMLElement* element);

  const XMLElement* root_ = nullptr;
  std::string folder_;
  std::map<const XMLElement*, const XMLElement*> included_;
  std::set<std::string> files_;
  std::map<std::string, std::unique_ptr<MjcfClass>> classes_;
  MjcfClass main_;
  std::map<std::pair<std::string, std::string>, Unread> unread_;
};

}  // namespace espalier::formats::detail

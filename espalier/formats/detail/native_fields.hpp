#pragma once

// Typed access to the maps of a native model file: units, one sticky error, and no key left unread in silence.

#include <array>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/formats/detail/native_constants.hpp"
#include "espalier/formats/detail/yaml.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/expression.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/model/notes.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

// The powers of length and angle in a quantity: {1, 0} a length, {2, 0} an inertia (mass is always kg), {1, -1} a
// rotational stiffness in N m/rad (force is always N). `units:` says what one length and one angle of the file are.
struct Dimension {
  int length = 0;
  int angle = 0;
};
inline constexpr Dimension kNone{};
inline constexpr Dimension kLength{1, 0};
inline constexpr Dimension kAngle{0, 1};

Dimension coordinate_dimension(model::CoordinateKind kind);
// Stiffness and damping against that coordinate: [N/m] or [N m/rad].
Dimension stiffness_dimension(model::CoordinateKind kind);
// Its force: [N] or [N m].
Dimension effort_dimension(model::CoordinateKind kind);

struct NativeContext {
  std::string file;
  double length = 1;  // [m] in one length of the file
  double angle = 1;   // [rad] in one angle of the file
  Constants constants;
  std::vector<model::NamedTable> tables;           // that formulas may call
  std::span<const model::TableSpec> known_tables;  // read before: their files are not read again
  std::optional<Error> error;
  std::vector<model::Note> notes;
  bool degrees_noted = false;

  // Only the first failure is kept: it is the cause of those after it.
  void fail(ErrorCode code, const YamlNode& node, std::string message);
  void fail(Error problem);
  // Says so where one of these angles [rad] is hardly meant in radians, once a file: the others are written alike.
  void note_degrees(const YamlNode& node, const std::string& what, const Eigen::Vector3d& angles);
  bool failed() const { return error.has_value(); }
  Where where(const YamlNode& node) const { return {file, node.line, node.column}; }
  double factor(Dimension dimension) const;

  // Values of a node; `what` names it in messages. A failed read gives a harmless value.
  double number(const YamlNode& node, std::string_view what, Dimension dimension);
  std::vector<double> numbers(const YamlNode& node, std::string_view what, Dimension dimension);
  Eigen::Vector3d vector(const YamlNode& node, std::string_view what, Dimension dimension);
  std::string text(const YamlNode& node, std::string_view what);
  bool boolean(const YamlNode& node, std::string_view what);
  std::vector<std::string> texts(const YamlNode& node, std::string_view what);
  model::Expression expression(const YamlNode& node, std::string_view what, Dimension dimension);
  // The same for a load, whose formula may name coordinates of these joints, in units of the file.
  model::Expression expression(const YamlNode& node, std::string_view what, Dimension dimension,
                               std::span<const model::JointSpec> joints);
};

// One map of the file. Every key asked for counts as known; done() refuses the others.
class Fields {
 public:
  // Fails where `node` is no map. `what` names it in messages: "joint 'pin'".
  Fields(NativeContext& context, const YamlNode& node, std::string what);

  const YamlNode* find(std::string_view key);
  // The same, failing where the key is missing.
  const YamlNode* require(std::string_view key);

  double number(std::string_view key, double otherwise, Dimension dimension);
  std::optional<double> optional_number(std::string_view key, Dimension dimension);
  std::string text(std::string_view key, std::string_view otherwise);
  std::optional<Eigen::Vector3d> optional_vector(std::string_view key, Dimension dimension);
  // A number for one coordinate or a list, each entry with the dimension of its coordinate.
  std::vector<double> coordinate_list(std::string_view key, model::JointType type,
                                      Dimension (*dimension)(model::CoordinateKind));

  const YamlNode& node() const { return node_; }
  const std::string& what() const { return what_; }
  void rename(std::string what) { what_ = std::move(what); }
  void done();

 private:
  NativeContext& context_;
  const YamlNode& node_;
  std::string what_;
  std::vector<std::string> known_;
};

// {position, rotation | rpy}: both optional.
math::Pose read_pose(NativeContext& context, const YamlNode& node, const std::string& what);
// The same for a joint frame, where `axis` (and `axis2` for a universal joint) may stand for the rotation.
math::Pose read_joint_frame(NativeContext& context, const YamlNode& node, const std::string& what,
                            model::JointType type);

// The items of a list; none (and a failure) where it is no list.
const std::vector<YamlNode>& list_items(NativeContext& context, const YamlNode& node, std::string_view what);

}  // namespace espalier::formats::detail

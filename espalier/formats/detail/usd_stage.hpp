#pragma once

// What the parts of the USD reader share: the prims that count, where each stands, typed attributes, and one sticky
// error, so that a reader can go straight through a file and look once at the end.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/formats/detail/usd_transform.hpp"
#include "espalier/formats/detail/usda_text.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::formats::detail {

// A prim that is defined and active.
struct UsdNode {
  const UsdPrim* prim = nullptr;
  int parent = -1;     // of nodes(); -1: the file
  int body = -1;       // the node at or above it that is a rigid body and moves it; -1: nothing does
  UsdTransform X_W;    // in the units of the file
  bool reset = false;  // X_W does not follow the parent
  math::Pose X_WB;     // of a body: its frame here, without scale [m]
  Eigen::Matrix3d in_body = Eigen::Matrix3d::Identity();  // of a body: its points to the same in that frame [m/unit]
};

class UsdStage {
 public:
  // Parses the file, reads its units and places its prims. Look at failed() afterwards.
  UsdStage(std::string_view text, const std::string& file);

  const UsdPrim& root() const { return *root_; }
  const std::vector<UsdNode>& nodes() const { return nodes_; }
  const UsdNode& node(int index) const { return nodes_[to_index(index)]; }
  // The node that a target of a relationship of `from` names; nothing (and failed) where there is none.
  std::optional<int> find(const UsdPrim& from, const std::string& target);
  // The same where nothing need be there: how a prim looks may stand in another file.
  std::optional<int> look_up(const UsdPrim& from, const std::string& target) const;

  double length() const { return length_; }  // [m/unit]
  double mass() const { return mass_; }      // [kg/unit]
  int up_axis() const { return up_axis_; }   // 1 or 2: y or z

  Where where(int line) const { return {file_, line, 0}; }
  // Only the first failure is kept: it is the cause of those after it.
  void fail(ErrorCode code, int line, std::string message);
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  void note(int line, const std::string& message, const std::string& word = {},
            model::Effect effect = model::Effect::kNone);
  // One note for all places of which the same is to be said, "message (3 times)", at the first.
  void note_once(int line, const std::string& message, const std::string& word, model::Effect effect);
  // By line.
  std::vector<model::Note> notes() const;

  // Attributes of a prim. What stands in the file must have the right count of numbers; what does not is `otherwise`.
  const UsdProperty* find_property(const UsdPrim& prim, std::string_view name);
  int line_of(const UsdPrim& prim, std::string_view name) const;
  std::optional<double> number(const UsdPrim& prim, std::string_view name);  // may be infinite
  double finite(const UsdPrim& prim, std::string_view name, double otherwise);
  std::optional<Eigen::Vector3d> vector(const UsdPrim& prim, std::string_view name);
  Eigen::Quaterniond rotation(const UsdPrim& prim, std::string_view name);  // unit; zero is none, the identity
  bool flag(const UsdPrim& prim, std::string_view name, bool otherwise);
  std::string token(const UsdPrim& prim, std::string_view name, std::string_view otherwise);
  std::vector<std::string> targets(const UsdPrim& prim, std::string_view name);
  std::vector<double> list(const UsdPrim& prim, std::string_view name);  // finite numbers
  // "X", "Y" or "Z" as 0, 1 or 2.
  int axis(const UsdPrim& prim, std::string_view name, char otherwise);

 private:
  struct Repeated {
    int count = 0;
    int line = 0;
    std::string word;
    model::Effect effect = model::Effect::kNone;
  };

  // The prim at the end of the path, or null; `last` is the prim in which the last of its names was sought.
  const UsdPrim* follow(const UsdPrim& from, const std::string& target, const UsdPrim*& last) const;
  void read_units();
  double read_unit(const char* key, double otherwise, const char* meaning);
  void place_prims();
  void place_prim(const UsdPrim& prim, int parent, const UsdTransform& X_W);
  void place_body(int index);
  bool counts(const UsdPrim& prim);
  void refuse_arcs(const UsdPrim& prim);
  UsdTransform local_transform(const UsdPrim& prim, bool& reset);
  UsdTransform operation(const UsdPrim& prim, std::string_view name);
  UsdTransform rotation_of(const UsdPrim& prim, std::string_view name, std::string_view kind);
  std::vector<double> numbers_of(const UsdPrim& prim, std::string_view name, std::size_t count);

  std::string file_;
  std::unique_ptr<UsdPrim> root_;
  std::vector<UsdNode> nodes_;
  std::unordered_map<const UsdPrim*, int> index_;
  double length_ = 1, mass_ = 1;
  int up_axis_ = 2;
  std::optional<Error> error_;
  std::vector<model::Note> notes_;
  std::map<std::string, Repeated> repeated_;
};

bool usd_applied(const UsdPrim& prim, std::string_view api);
// "joint 'A'", for messages.
std::string usd_named(const char* what, const UsdPrim& prim);

}  // namespace espalier::formats::detail

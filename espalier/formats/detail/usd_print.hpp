#pragma once

// USD text, prim by prim.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/formats/detail/unique_names.hpp"
#include "espalier/math/pose.hpp"

namespace espalier::formats::detail {

// "(1, 0, 0)"; infinities as USD has them.
std::string usd_tuple(std::span<const double> values);
std::string usd_tuple(const Eigen::Vector3d& values);
// w first.
std::string usd_tuple(const Eigen::Quaterniond& rotation);
std::string usd_number(double value);
// In quotes; what a text file cannot hold becomes _.
std::string usd_quoted(std::string_view text);
// A name that a prim can have and that `taken` has not given away.
std::string usd_prim_name(const std::string& name, UniqueNames& taken);

class UsdPrint {
 public:
  // def type "name" (prepend apiSchemas = [...]) {
  void open(const char* type, const std::string& name, const std::vector<std::string>& apis = {});
  void close();
  // What is called otherwise in the file than here.
  void own_name(const std::string& here, const std::string& in_file);
  // type name = value
  void attribute(std::string_view type, std::string_view name, std::string_view value);
  void number(std::string_view name, double value);  // float
  void target(std::string_view name, const std::string& path);
  // An attribute of ours, which the schema of the prim does not have.
  void own(std::string_view type, std::string_view name, std::string_view value);
  void pose(const math::Pose& pose, const Eigen::Vector3d& scale = Eigen::Vector3d::Ones());

  // All that was printed, behind the lines that say how it counts.
  std::string document(const std::string& default_prim) const;
  bool has_own() const { return has_own_; }

 private:
  void line(const std::string& text);

  std::string text_;
  std::size_t depth_ = 0;
  bool fresh_ = true;  // nothing stands in the open prim yet
  bool has_own_ = false;
};

}  // namespace espalier::formats::detail

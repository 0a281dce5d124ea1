#pragma once

// SDF text, element by element.

#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <tinyxml2.h>

#include "espalier/math/pose.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats::detail {

// What other readers may stumble over, each said once.
class SdfNotes {
 public:
  void add(const std::string& note) {
    if (seen_.insert(note).second) notes_.push_back(note);
  }
  const std::vector<std::string>& all() const { return notes_; }

 private:
  std::vector<std::string> notes_;
  std::unordered_set<std::string> seen_;
};

// Numbers with blanks between.
std::string sdf_list_text(std::span<const double> values);

class SdfPrint {
 public:
  using Attributes = std::vector<std::pair<const char*, std::string>>;

  void open(const char* name, const Attributes& attributes = {});
  void close();
  // <name>text</name>
  void text(const char* name, const std::string& text);
  // As x y z roll pitch yaw where these give the rotation back to the last bits, else with a quaternion.
  void pose(const char* name, const math::Pose& pose);
  // What stands in <geometry>.
  void geometry(const model::ShapeSpec& shape);

  // All that was printed, in an <sdf> element that declares our namespace where it is used.
  std::string document() const;

 private:
  tinyxml2::XMLPrinter printer_{nullptr, false, 1};
};

}  // namespace espalier::formats::detail

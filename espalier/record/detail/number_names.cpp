#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "espalier/record/detail/quantity.hpp"

namespace espalier::record::detail {
namespace {

constexpr std::array<const char*, 6> kSix = {".x", ".y", ".z", ".rx", ".ry", ".rz"};
constexpr const char* kCouple = "N m";

// A column is called as its joint or force, with an ending where that has several numbers.
bool belongs(std::string_view column, std::string_view owner) {
  return column.starts_with(owner) && (column.size() == owner.size() || column[owner.size()] == '.');
}

// Calls `see(owner, column)` for each column; owners and columns stand in the same order.
template <class See>
void with_owners(const std::vector<std::string>& owners, const std::vector<Column>& columns, See see) {
  std::size_t owner = 0;
  for (const Column& column : columns) {
    // Owners without columns, fixed joints say, are passed over.
    while (owner < owners.size() && !belongs(column.name, owners[owner])) ++owner;
    see(owner < owners.size() ? owners[owner] : column.name, column);
    // One number is all it has: another owner may be called alike and go on with a dot.
    if (owner < owners.size() && column.name == owners[owner]) ++owner;
  }
}

std::string ending_of(const std::string& owner, const Column& column) { return column.name.substr(owner.size()); }
const char* effort_word(const std::string& unit) { return unit == kCouple ? ".torque" : ".force"; }

}  // namespace

std::vector<NumberName> joint_names(const ResultLayout& layout, const std::vector<Column>& columns, const char* word) {
  std::vector<NumberName> names;
  with_owners(layout.joints, columns, [&](const std::string& joint, const Column& column) {
    names.push_back({"joints", joint + "." + word + ending_of(joint, column), column.unit, joint.size()});
  });
  return names;
}

std::vector<NumberName> drive_names(const ResultLayout& layout) {
  std::vector<NumberName> names;
  with_owners(layout.joints, layout.joint_effort, [&](const std::string& joint, const Column& column) {
    // Of a joint with several coordinates no torque is the one that is meant.
    const bool only = column.name == joint;
    names.push_back({"joints", only ? joint + effort_word(column.unit) : "", column.unit, joint.size()});
  });
  return names;
}

std::vector<NumberName> reaction_names(const ResultLayout& layout) {
  std::vector<NumberName> names;
  for (const std::string& joint : layout.joints) {
    for (std::size_t k = 0; k < kSix.size(); ++k) {
      names.push_back({"joints", joint + ".reaction" + kSix[k], k < 3 ? "N" : kCouple, joint.size()});
    }
  }
  return names;
}

std::vector<NumberName> force_names(const ResultLayout& layout) {
  std::vector<NumberName> names;
  with_owners(layout.forces, layout.force, [&](const std::string& force, const Column& column) {
    names.push_back({"forces", force + effort_word(column.unit) + ending_of(force, column), column.unit, force.size()});
  });
  return names;
}

std::vector<NumberName> body_names(const ResultLayout& layout, const char* word, const char* length,
                                   const char* angle) {
  std::vector<NumberName> names;
  for (std::size_t body = 0; body < layout.bodies.size(); ++body) {
    for (std::size_t k = 0; k < kSix.size(); ++k) {
      // The ground does not move.
      const std::string& name = layout.bodies[body];
      names.push_back({"bodies", body == 0 ? "" : name + "." + word + kSix[k], k < 3 ? length : angle, name.size()});
    }
  }
  return names;
}

std::vector<NumberName> pose_number_names(const ResultLayout& layout) {
  constexpr std::array<const char*, 7> kPose = {".position.x",  ".position.y",  ".position.z", ".rotation.qw",
                                                ".rotation.qx", ".rotation.qy", ".rotation.qz"};
  std::vector<NumberName> names;
  for (std::size_t body = 0; body < layout.bodies.size(); ++body) {
    for (std::size_t k = 0; k < kPose.size(); ++k) {
      const std::string& name = layout.bodies[body];
      names.push_back({"bodies", body == 0 ? "" : name + kPose[k], k < 3 ? "m" : "1", name.size()});
    }
  }
  return names;
}

}  // namespace espalier::record::detail

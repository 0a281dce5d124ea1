#pragma once

// The quantities of a result: what result.h5 and result.csv hold of a frame. A new one is one more line of the table in
// quantity.cpp.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "espalier/model/run.hpp"
#include "espalier/record/detail/stored.hpp"
#include "espalier/record/result_file.hpp"

namespace espalier::record::detail {

// What the rows of a dataset stand for. A frame has one row by frame and any number of the others, which stand one
// after the other.
enum class By { kFrame, kContact, kRank };
constexpr std::size_t kByCount = 3;

// How users name a number of a row (record/selection.hpp).
struct NumberName {
  std::string list;  // "joints", "bodies" or "forces", which may stand in front; empty: nothing may
  std::string name;  // "pin.velocity"; empty: it has none
  std::string unit;
  std::size_t owner = 0;  // so many characters of the name are that of the joint, body or force
};

// One dataset of result.h5.
struct Quantity {
  const char* path;
  const char* unit;
  const char* says;
  std::vector<std::size_t> inner;  // shape of a row; empty: one number
  void (*take)(const model::Frame& frame, std::vector<double>& to);
  Stored stored = Stored::kDouble;
  By by = By::kFrame;
  // `take` gives how many such rows the frame has, and the file says where they end.
  std::optional<By> ends = std::nullopt;
  // Of its columns in result.csv; none: it is not there. A number without a name is left out.
  std::vector<std::string> csv = {};
  // Of all its numbers; none: they have no names.
  std::vector<NumberName> names = {};
  // A later version of this program has added it: results of before go without.
  bool is_added = false;

  std::size_t row_size() const;
};

// The names of numbers that belong to joints, bodies or forces, in the order of the layout's columns.
std::vector<NumberName> joint_names(const ResultLayout& layout, const std::vector<Column>& columns, const char* word);
// Of what drives joints of one coordinate: "pin.torque", "slide.force". Others are driven by nothing.
std::vector<NumberName> drive_names(const ResultLayout& layout);
std::vector<NumberName> reaction_names(const ResultLayout& layout);
std::vector<NumberName> force_names(const ResultLayout& layout);
// Of 6 numbers for each body: `word` with .x .y .z in `length` and .rx .ry .rz in `angle`. The ground has none.
std::vector<NumberName> body_names(const ResultLayout& layout, const char* word, const char* length, const char* angle);
std::vector<NumberName> pose_number_names(const ResultLayout& layout);

// All that a result of this layout holds, in the order of its datasets; those whose rows would be empty are not there.
// `/time` stands last: where a block was cut off, it is the shortest.
std::vector<Quantity> quantities(const ResultLayout& layout);

}  // namespace espalier::record::detail

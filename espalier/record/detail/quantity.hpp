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

  std::size_t row_size() const;
};

// All that a result of this layout holds, in the order of its datasets; those whose rows would be empty are not there.
// `/time` stands last: where a block was cut off, it is the shortest.
std::vector<Quantity> quantities(const ResultLayout& layout);

}  // namespace espalier::record::detail

#pragma once

// Quantities of a run by name, as users type them: for tables of chosen columns, for sweeps, for goals on a run.
//   In:   ResultLayout, which says what there is; words such as "pin.velocity, spring1.force, energy"; frames
//   Out:  Selection: columns with their units, and their numbers out of every Frame; Summary of them over a run
// Names are made from the table that result.h5 is written by (detail/quantity.cpp): a number of a joint, body or force
// is OWNER.QUANTITY, with an ending where the quantity has several numbers: pin.velocity, crank.acceleration.x,
// spring1.force, energy.kinetic. docs/formats/run-folder.md lists them.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/model/run.hpp"
#include "espalier/record/result_file.hpp"

namespace espalier::record {

// All numbers of a frame that have a name, in the order of result.h5. Where a joint and a body are called alike their
// names begin with joints. and bodies. (forces., energy. likewise), which may be typed always.
std::vector<Column> named_numbers(const ResultLayout& layout);

// Numbers of a frame that were chosen by their names. Copies share what they hold, which never changes.
class Selection {
 public:
  Selection();  // of no number
  // `words` are names between commas. What is no name of a number stands for all that begin with it and a dot: "pin"
  // for all of pin, "energy" for all energies; a * in it stands for any text, so that "*" is everything and
  // "*.velocity" all velocities. Numbers come in the order of the words, each once. Error (kName): a word that names
  // nothing, with what is near and what there is; the caller adds the place.
  static Result<Selection> choose(const ResultLayout& layout, std::string_view words);

  const std::vector<Column>& columns() const;
  // Appends one number for each column; of a frame of this layout. O(numbers of the quantities that were chosen).
  void take(const model::Frame& frame, std::vector<double>& numbers) const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

// "pin.velocity [rad/s]", the head of a column.
std::string column_head(const Column& column);

// What a run was like, by column of a Selection, at the frames it handed out. Before the first all lists are empty.
class Summary {
 public:
  explicit Summary(Selection selection) : selection_(std::move(selection)) {}

  void see(const model::Frame& frame);

  const Selection& selection() const { return selection_; }
  const std::vector<double>& least() const { return least_; }
  const std::vector<double>& largest() const { return largest_; }
  const std::vector<double>& end() const { return end_; }  // of the last frame

 private:
  Selection selection_;
  std::vector<double> least_, largest_, end_;
};

}  // namespace espalier::record

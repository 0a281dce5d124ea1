#pragma once

// A trajectory on disk: result.h5, plain HDF5, one row per frame, and rows of contacts and ranks where a run has them:
// they stand one after the other, and contact/end and rank/end say where those of a frame end.
//   In:   ResultLayout, what the numbers of a row belong to; frames
//   Out:  ResultWriter, which writes them; Recording, all of a file
// Read next: docs/formats/run-folder.md, the datasets; detail/quantity.cpp, the table that they are made from.
// The file is closed between two blocks of rows: others may read it while the run continues. A block gets into it whole
// or not at all (files/system_file.hpp): a program that is killed leaves all blocks before the one it was writing.

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/run.hpp"

namespace espalier::record {

// What a folder holds the run of. The word stands in its checkpoint.
enum class RunKind {
  kMechanism,  // on its tree (dynamics)
  kScene,      // with contact (contact)
  kTune,       // a design search (study)
};
constexpr Words<RunKind, 3> words(RunKind) {
  return {{{"mechanism", RunKind::kMechanism}, {"scene", RunKind::kScene}, {"tune", RunKind::kTune}}};
}

namespace detail {
struct Quantity;
}  // namespace detail

// One number of a row.
struct Column {
  std::string name;  // the joint's, with ".x", ".rz", ".qw", ... where the joint has several
  std::string unit;

  bool operator==(const Column&) const = default;
};

// What the numbers of a row belong to.
struct ResultLayout {
  RunKind kind = RunKind::kMechanism;
  std::string model;                     // its name; may be empty
  std::vector<std::string> bodies;       // the ground first
  std::vector<std::string> joints;       // in the order of the model
  std::vector<std::string> joint_types;  // the same
  std::vector<std::string> forces;       // the same; one without a name has its place in the list, from 0
  std::vector<Column> q, v;              // of the tree; a scene has none
  std::vector<Column> joint_position;    // of all joints, cut or not
  std::vector<Column> joint_velocity;
  std::vector<Column> joint_acceleration;
  std::vector<Column> joint_effort;  // along the velocities
  std::vector<Column> force;         // of all forces

  bool operator==(const ResultLayout&) const = default;
};

// Of a mechanism on its tree, and of a scene with contact.
ResultLayout make_layout(const dynamics::System& system);
ResultLayout make_scene_layout(const model::Model& model);

// What a frame takes in a file of this layout, without its contacts and ranks [bytes].
double frame_bytes(const ResultLayout& layout);

// All rows of all datasets, one after the other, by the path of the dataset: "time", "body_pose", "energy/kinetic", ...
// Whole numbers too.
using Rows = std::map<std::string, std::vector<double>, std::less<>>;

struct Recording {
  ResultLayout layout;
  Rows rows;
  std::vector<std::uint8_t> reaction_unique;  // as model::Frame has it; empty: not known

  std::size_t frames() const { return rows.at("time").size(); }
};

// The whole file. Errors: not a file of ours, datasets that do not fit each other.
Result<Recording> read_result(const std::filesystem::path& path);

// Writes rows in blocks: when some megabytes have gathered, and when told to. One thread at a time uses it.
class ResultWriter {
 public:
  // A new file without rows; one of this name is replaced. `expected_frames` decides how it is laid out, no more.
  static Result<ResultWriter> create(const std::filesystem::path& path, const ResultLayout& layout,
                                     std::int64_t expected_frames = std::numeric_limits<std::int64_t>::max());
  // Goes on behind the first `frames` frames of a file and drops what comes after them. Errors: too few frames, or
  // another layout.
  static Result<ResultWriter> reopen(const std::filesystem::path& path, const ResultLayout& layout,
                                     std::int64_t frames);

  // An error (a full disk) leaves the rows that were in the file, and the others for the next try.
  Result<void> append(const model::Frame& frame);
  Result<void> flush();
  std::int64_t frames_in_file() const { return in_file_[0]; }
  // kinetic + potential - exchanged of the first frame of a file that was reopened [J].
  std::optional<double> first_balance() const { return first_balance_; }

 private:
  using Block = std::vector<std::vector<double>>;  // by quantity
  using Counts = std::array<std::int64_t, 3>;      // of frames, contacts and ranks

  ResultWriter(std::filesystem::path path, std::vector<detail::Quantity> table);
  void see_unique(std::span<const std::uint8_t> unique);

  std::filesystem::path path_;
  std::shared_ptr<const std::vector<detail::Quantity>> table_;
  Counts in_file_{};
  Block block_;
  std::int64_t frames_ = 0;           // in the block
  std::size_t numbers_ = 0;           // the same
  std::vector<std::uint8_t> unique_;  // of all frames so far: 1 where it was in each
  bool unique_written_ = false;
  std::optional<double> first_balance_;
};

}  // namespace espalier::record

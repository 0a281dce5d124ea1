#pragma once

// A trajectory on disk: result.h5, plain HDF5, one row a Frame. docs/file-formats.md lists its datasets.
// The file is closed between two blocks of rows: others may read it while the run goes on. A block gets into it whole
// or not at all (detail/file_change.hpp): a program that is killed leaves all blocks before the one it was writing.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/trajectory.hpp"

namespace espalier::record {

// One number of a row.
struct Column {
  std::string name;  // the joint's, with ".x", ".rz", ".qw", ... where the joint has several
  std::string unit;

  bool operator==(const Column&) const = default;
};

// What the numbers of a row belong to.
struct ResultLayout {
  std::string model;                     // its name; may be empty
  std::vector<std::string> bodies;       // the ground first
  std::vector<std::string> joints;       // in the order of the model
  std::vector<std::string> joint_types;  // the same
  std::vector<Column> q, v;              // of the tree
  std::vector<Column> joint_position;    // of all joints, cut or not
  std::vector<Column> joint_velocity;

  bool operator==(const ResultLayout&) const = default;
};

ResultLayout make_layout(const dynamics::System& system);

// Frames one after the other: each list holds the rows of what model::Frame says under the same name.
struct Frames {
  std::vector<double> time;
  std::vector<double> q, v;
  std::vector<double> joint_position, joint_velocity;
  std::vector<double> body_pose, body_velocity, body_acceleration;
  std::vector<double> reaction;
  std::vector<double> kinetic, potential, exchanged;
  std::vector<double> total;  // kinetic + potential
  std::vector<double> loop_distance, loop_angle;

  std::size_t size() const { return time.size(); }
  void append(const model::Frame& frame);
  void clear();
  bool operator==(const Frames&) const = default;
};

// The frame in row `row`; its spans point into `frames`.
model::Frame frame_at(const Frames& frames, const ResultLayout& layout, std::size_t row);

struct Recording {
  ResultLayout layout;
  Frames frames;
  std::vector<std::uint8_t> reaction_unique;  // as model::Frame has it; empty: not known
};

// The whole file. Errors: not a file of ours, datasets that do not fit each other.
Result<Recording> read_result(const std::filesystem::path& path);

// Writes rows in blocks: when some megabytes have gathered, and when told to. One thread at a time uses it.
class ResultWriter {
 public:
  // A new file without rows; one of this name is replaced. `expected_rows` decides how it is laid out, no more.
  static Result<ResultWriter> create(const std::filesystem::path& path, const ResultLayout& layout,
                                     std::int64_t expected_rows);
  // Goes on behind the first `rows` rows of a file and drops what comes after them. Errors: too few rows, or another
  // layout.
  static Result<ResultWriter> reopen(const std::filesystem::path& path, const ResultLayout& layout, std::int64_t rows);

  // An error (a full disk) leaves the rows that were in the file.
  Result<void> append(const model::Frame& frame);
  Result<void> flush();
  std::int64_t rows_in_file() const { return rows_; }
  // kinetic + potential - exchanged of the first row of a file that was reopened [J].
  std::optional<double> first_balance() const { return first_balance_; }

 private:
  ResultWriter(std::filesystem::path path, ResultLayout layout, std::int64_t rows);
  void see_unique(std::span<const std::uint8_t> unique);

  std::filesystem::path path_;
  ResultLayout layout_;
  std::int64_t rows_ = 0;
  std::size_t row_bytes_ = 0;
  Frames block_;
  std::vector<std::uint8_t> unique_;  // of all frames so far: 1 where it was in each
  bool unique_written_ = false;
  std::optional<double> first_balance_;
};

}  // namespace espalier::record

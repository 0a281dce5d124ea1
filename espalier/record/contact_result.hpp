#pragma once

// The frames of a scene with contact on disk: result.h5 with the datasets of result_file.hpp that a scene has, and
// contacts, owners and loads of the ranks besides. docs/file-formats.md lists them.
// A frame has any number of contacts: they stand one after the other, and /contact/end says where those of a frame end.
// As in result_file.hpp, the file is closed between two blocks and may be read while the run goes on.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/contact/contact.hpp"

namespace espalier::record {

struct SceneLayout {
  std::string model;                // its name; may be empty
  std::vector<std::string> bodies;  // the ground first

  bool operator==(const SceneLayout&) const = default;
};

// Rows of the datasets, one after the other; whole numbers too.
struct SceneRows {
  std::vector<double> time, body_pose, body_velocity, owner;
  std::vector<double> kinetic, potential, strain, total;
  // By contact.
  std::vector<double> contact_end;  // by frame: contacts of it and of all frames before
  std::vector<double> contact_bodies, contact_point, contact_normal, contact_force, contact_gap;
  // By rank.
  std::vector<double> rank_end;  // by frame, as contact_end
  std::vector<double> rank_busy, rank_waiting, rank_bodies, rank_contacts;

  std::size_t size() const { return time.size(); }
  std::size_t bytes() const;
  void append(const model::Frame& frame);
  // Drops all rows; the ends count on.
  void clear();
};

struct SceneRecording {
  SceneLayout layout;
  SceneRows rows;
};
// The whole file. Errors: not a file of ours, datasets that do not fit each other.
Result<SceneRecording> read_scene_result(const std::filesystem::path& path);

// Writes rows in blocks: when some megabytes have gathered, and when told to. One thread at a time uses it.
class SceneWriter {
 public:
  // A new file without rows; one of this name is replaced.
  static Result<SceneWriter> create(const std::filesystem::path& path, const SceneLayout& layout);
  // Goes on behind the first `rows` frames of a file and drops what comes after them. Errors: too few rows, or another
  // layout.
  static Result<SceneWriter> reopen(const std::filesystem::path& path, const SceneLayout& layout, std::int64_t rows);

  // An error (a full disk) leaves the rows that were in the file.
  Result<void> append(const model::Frame& frame);
  Result<void> flush();

 private:
  SceneWriter(std::filesystem::path path, SceneLayout layout);

  std::filesystem::path path_;
  SceneLayout layout_;
  std::int64_t frames_ = 0, contacts_ = 0, ranks_ = 0;  // in the file
  SceneRows block_;
};

}  // namespace espalier::record

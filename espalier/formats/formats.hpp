#pragma once

// Front door of the room: model files in and out.
//   In:   native YAML/JSON, URDF with its loop dialects, SDF, MJCF, USD text (docs/file-formats.md)
//   Out:  ModelSpec, with the file and line of everything; or the text of a file

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::formats {

enum class Format { kNative, kUrdf, kSdf, kMjcf, kUsd };
const char* format_name(Format format);                    // "native", "URDF", ...
std::optional<Format> find_format(std::string_view word);  // "native", "yaml", "urdf", ...

// The format called `word`, or, where that is empty, the one the ending of `path` stands for; native if both are empty.
Result<Format> choose_format(const std::string& word, const std::filesystem::path& path);

// Where a robot file does not say how its root stands in the world (URDF), or lets it float (SDF, MJCF).
enum class Base { kFloating, kFixed };

// Of robot files, an error for native ones.
struct ReadOptions {
  std::optional<Base> base;  // floating if not given
  // Of URDF alone, which has no ball joints: hinges with this word in their names are meant as such. Empty: none.
  std::string spherical = {};
  friend bool operator==(const ReadOptions&, const ReadOptions&) = default;
};

// Reads a model file; the format is told from its content, not from its name. Files it refers to (an MJCF include, a
// robot.yaml beside a robot.urdf) are read too; meshes are never opened.
Result<model::ModelSpec> read_model(const std::filesystem::path& path, const ReadOptions& options = {});

// The same from memory. `name` stands for the file in messages; files it refers to are sought in the folder of `name`.
Result<model::ModelSpec> read_model_text(std::string_view text, const std::string& name,
                                         const ReadOptions& options = {});

// Which format a text is written in, by its first element or key.
Result<Format> detect_format(std::string_view text, const std::string& name);

// True for a JSON object whose first key of `vertices`, `edges` and `espalier` is one of the first two: a plain graph,
// broken or not, and no native model. Reads no further than to that key.
bool is_graph_text(std::string_view text);

struct WrittenModel {
  std::string text;
  std::vector<std::string> notes;  // what other readers of this format may stumble over
};

struct WriteOptions {
  // USD alone: names of the joints outside the tree, which a simulator excludes from its articulations; plan/ finds
  // them. Not given: those whose author marked them as closures.
  std::optional<std::vector<std::string>> cut_joints = {};
  // Native alone: the folder of the new file, from where the files of tables are named. Not given: as the model has
  // them, which holds in its own folder.
  std::optional<std::filesystem::path> folder = {};
  friend bool operator==(const WriteOptions&, const WriteOptions&) = default;
};

// The model as a file of this format. What a format cannot say is left out: compare() what comes back (formats.hpp).
Result<WrittenModel> write_model(const model::ModelSpec& spec, Format format, const WriteOptions& options = {});

struct Conversion {
  WrittenModel written;
  std::vector<model::Difference> changes;  // what the written file says otherwise, or no longer
};

// Writes the model in another format and reads it back: `changes` is what really came out, not what a writer believes.
Result<Conversion> convert(const model::ModelSpec& spec, Format format, const WriteOptions& options = {});

// A mechanism that comes with the program: the text of models/<name>.yaml.
struct ShippedModel {
  std::string_view name;
  std::string_view text;
};

// By name, ascending.
std::span<const ShippedModel> shipped_models();

}  // namespace espalier::formats

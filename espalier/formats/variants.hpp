#pragma once

// Model files with other numbers in them: the path to a number, variants of a model, and sweeps over several numbers.
//   In:   a model file of any format; FieldValue, a number and where it stands; Sweep, which numbers and which values
//   Out:  ModelVariants, which makes a ModelSpec of them; the values of each run of a sweep
// Read next: formats.hpp, how a file is read; docs/formats/sweep.md, sweeps as a file has them.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/formats/formats.hpp"

namespace espalier::formats {

namespace detail {
struct YamlNode;
}

// A number of a model file and what it is to be. The path is the way through the native file: keys, the names of
// bodies, joints, forces, ... and places in lists, counted from 0, with dots between them:
//   bodies.arm.mass   joints.pin.velocity   forces.motor.torque.value   gravity.2   keyframes.home.positions.hip
struct FieldValue {
  std::string path;
  double value = 0;
};

// One model, read once, with other numbers in it. Frozen: threads may share it.
class ModelVariants {
 public:
  // A native file as it stands, in its own units; of another format, what convert writes of it.
  static Result<ModelVariants> read(const std::filesystem::path& path, const ReadOptions& options = {});
  static Result<ModelVariants> read_text(std::string_view text, const std::string& name,
                                         const ReadOptions& options = {});

  // The model with these numbers. A key that its map does not have is added; an error names what is there instead.
  Result<model::ModelSpec> with(std::span<const FieldValue> values) const;

  // The file, as it was named.
  const std::string& file() const { return name_; }

  // What the reader of the file had to say; variants say nothing more.
  const std::vector<model::Note>& notes() const { return notes_; }

  // The number at a path, in the units of the file; nothing where the file leaves the field out.
  Result<std::optional<double>> value(const std::string& path) const;

  // The paths that a pattern stands for, in the order of the file: a * is any text within one name or key. A path
  // without one is itself. Errors as of with(), and a pattern that nothing fits.
  Result<std::vector<std::string>> match(const std::string& pattern) const;

 private:
  ModelVariants(std::shared_ptr<const detail::YamlNode> root, std::string name);

  std::shared_ptr<const detail::YamlNode> root_;
  std::string name_;
  std::vector<model::Note> notes_;
  std::vector<model::TableSpec> tables_;  // shared by all variants
};

// Many runs of one model, each with other numbers in it: which numbers, and which values they take.

struct SweepParameter {
  enum class Kind {
    kValues,   // each of `values` in turn
    kUniform,  // drawn from [low, high)
    kNormal,   // drawn around `low` with the deviation `high`
  };
  std::string path;  // FieldValue::path
  Kind kind = Kind::kValues;
  std::vector<double> values;
  double low = 0, high = 0;
};

// All values in turn make a grid, the first parameter slowest; at each of its points `samples` runs draw the others.
struct Sweep {
  std::vector<SweepParameter> parameters;
  std::int64_t samples = 1;
  std::uint64_t seed = 1;
};

inline constexpr std::int64_t kMostRuns = 100'000'000;

// vary: {PATH: {values: [...]} | {range: [low, high]} | {range: [low, high], points: n} | {normal: [mean, deviation]}},
// samples: n, seed: n.
Result<Sweep> read_sweep(const std::filesystem::path& path);
// PATH=low:high, PATH=low:high:points, PATH=a,b,c of the command line.
Result<SweepParameter> parse_vary(const std::string& text);
// Errors: a parameter twice, nothing to draw for several samples, too many runs.
Result<void> check_sweep(const Sweep& sweep);

std::int64_t run_count(const Sweep& sweep);
// The numbers of run `run`, from 0: a function of seed and run alone.
std::vector<FieldValue> sample(const Sweep& sweep, std::int64_t run);

}  // namespace espalier::formats

#pragma once

// Many runs of one model, each with other numbers in it: which numbers, and which values they take.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/formats/model_variants.hpp"

namespace espalier::formats {

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

#pragma once

// A design search as a file asks for it: which numbers of the model vary, what makes a design good, and how designs are
// run where goals look at runs.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"

namespace espalier::formats {

inline constexpr int kMostDesigns = 100'000;  // of a population
inline constexpr int kMostModes = 100'000;    // that a goal may ask for

// One unknown of the search; several fields of the model may share it.
struct TuningParameter {
  std::string name;
  std::vector<std::string> paths;  // FieldValue::path, or patterns of it: ModelVariants::match
  double low = 0, high = 0;        // in the units of the file; of a factor [-]
  bool factor = false;             // on what each field has in the file
  bool logarithmic = false;
  Where where;
};

// Something that is to be small. Frequencies are counted from the lowest, without free motions.
struct TuningGoal {
  enum class Kind {
    kNear,        // mean over `targets` of (frequency / target - 1)^2, weighed by `target_weights`
    kAvoid,       // frequencies inside (low, high): how far each is in, 0 at the edges and 1 in the middle; their sum
    kFrequency,   // the frequency number `mode` [Hz]
    kMass,        // of all that moves [kg]
    kParameters,  // the sum of `names` [their units]
    kDamping,     // of the `mode` lowest frequencies: what part of the damping ratio `low` is missing; their sum
    kQuantity,    // of a run: `statistic` of `quantity`; near `target`, within bounds, small, or large
  };
  // Of a quantity over the frames of a run.
  enum class Statistic {
    kEnd,  // in the last one
    kMaximum,
    kMinimum,
    kDistance,  // root of the mean square of the difference to `values` at `times`, between frames on straight lines
  };
  Kind kind = Kind::kNear;
  std::string name;  // in tables
  double weight = 1;
  bool weighed = false;         // `weight` is given
  bool maximise = false;        // kFrequency, kMass, kParameters, kQuantity: the negative is small
  std::vector<double> targets;  // [Hz]
  std::vector<double> target_weights;
  double low = 0, high = 0;  // [Hz]; kDamping: [-]
  int mode = 1;
  std::vector<std::string> names;
  std::string reference_name;            // kNear: of numbers to print beside the targets; empty: none
  std::vector<double> reference_values;  // [Hz]
  Statistic statistic = Statistic::kEnd;
  std::string quantity;                             // as `simulate --csv` names it
  std::optional<double> target, at_most, at_least;  // [its unit]; without any the statistic itself is small
  double scale = 1;                                 // what counts as 1 of a difference [its unit]
  std::string table, column;                        // kDistance: the CSV file, and its column; empty: by its head
  std::string table_unit;                           // as the head of the column has it; empty: it has none
  std::vector<double> times, values;                // of its rows, ascending [s], [unit]
  Where where;

  bool is_bounded() const { return at_most || at_least; }
  // Has a best value, 0, that more is never better than.
  bool is_limit() const { return kind == Kind::kAvoid || kind == Kind::kDamping || is_bounded(); }
  // A limit that a design must hold before its other goals count: one without a weight.
  bool is_constraint() const { return is_limit() && !weighed; }
};

constexpr Words<TuningGoal::Statistic, 4> words(TuningGoal::Statistic) {
  using Statistic = TuningGoal::Statistic;
  return {{{"end", Statistic::kEnd},
           {"maximum", Statistic::kMaximum},
           {"minimum", Statistic::kMinimum},
           {"distance", Statistic::kDistance}}};
}

// How designs are run for the goals on quantities. What is not given is as in `simulate`; words are checked by who
// runs.
struct TuningRun {
  std::optional<double> end;                           // [s]; not given: the last time of the tables, if there is one
  std::optional<double> output_step, tolerance, step;  // [s], [-], [s]
  std::string integrator, engine, keyframe;            // empty: not given
  Where where;
};

struct Tuning {
  std::vector<TuningParameter> parameters;
  std::vector<TuningGoal> goals;
  TuningRun run;
  bool pareto = false;  // each goal for itself; weighed limits are added to each. Else all are weighed into one number
  std::string algorithm = "genetic";
  int population = 64;
  int generations = 200;
  std::uint64_t seed = 1;
  std::optional<double> enough;  // stop where the one number is at most this
  int patience = 0;              // stop after this many generations without a gain; 0: do not
  Where where;
};

// The section `tune` of a native model file, or a file of its own with the keys of that section, with the tables that
// its goals name, which are sought in its folder. Errors have the line.
Result<Tuning> read_tuning(const std::filesystem::path& path);
// The same from memory, without the tables; `name` stands for the file.
Result<Tuning> read_tuning_text(std::string_view text, const std::string& name);

}  // namespace espalier::formats

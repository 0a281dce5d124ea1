#pragma once

// One design of a search: numbers put into a model, its modes, and what they are worth.
//   In:   ModelVariants and a Tuning (io); a value for each of its parameters
//   Out:  Judgement: frequencies, and a number for each goal

#include <array>
#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/formats/model_variants.hpp"
#include "espalier/formats/tuning.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/optimize/optimize.hpp"

namespace espalier::study {

// A field of the model that a parameter sets.
struct TunedField {
  std::size_t parameter = 0;
  std::string path;
  double factor = 1;  // on the parameter: what the file has, or 1
};

// A tuning whose paths are found in its model. Frozen: threads may share it.
struct DesignSpace {
  formats::ModelVariants model;
  formats::Tuning tuning;
  std::vector<TunedField> fields;
  std::vector<double> drawn;  // by parameter: its value in the file, where its fields agree on one; else NaN
  int modes = 0;              // the lowest so many frequencies are needed,
  double upto = 0;            // and all up to this [Hz]
  // The tree of the model as drawn; designs with the same vertices and elements use it too.
  modes::Tree tree;
  std::vector<std::array<int, 2>> elements;
  std::size_t vertices = 0;
};

// Errors, with the line: a path that is no number of the model, a field that two parameters set, a factor on a field
// that the file leaves out or has as 0, a goal of damping where nothing dissipates, a model that has no modes.
Result<DesignSpace> make_design_space(formats::ModelVariants model, formats::Tuning tuning);

std::vector<formats::FieldValue> field_values(const DesignSpace& space, std::span<const double> parameters);

struct Judgement {
  std::string problem;              // the numbers make no model, or its modes are not certain; empty: all is well
  std::vector<double> frequencies;  // [Hz], ascending, with multiplicities, without free motions; at least those needed
  std::vector<double> damping;      // ratio of each
  modes::Certainty certainty = modes::Certainty::kNone;
  double mass = 0;            // of all that moves [kg]
  std::vector<double> goals;  // by goal of the tuning, without weight; NaN where there is a problem
  bool stopped = false;       // cut short: nothing of it counts
};

// O(modes * elements): up to five searches for modes, whose number is proved (undamped) or checked (damped) and each of
// which ends within the work that modes/detail/damped.hpp states. `stop`: end now.
Judgement judge(const DesignSpace& space, std::span<const double> parameters, const std::atomic<bool>* stop = nullptr);
// The same of the model as its file has it.
Judgement judge_drawn(const DesignSpace& space, const std::atomic<bool>* stop = nullptr);

// The numbers that a search makes small: one, weighed, or with `pareto` one for each goal that is no limit. Limits
// without a weight are none of them: they are to be held first.
int search_goals(const formats::Tuning& tuning);
bool has_constraints(const formats::Tuning& tuning);
// With constraints one number more in `searched`: the sum of what is not held of them.
void weigh(const formats::Tuning& tuning, std::span<const double> goals, std::span<double> searched);

// A goal that is a limit, and how a design stands to it.
struct LimitState {
  std::size_t goal = 0;  // of the tuning
  bool held = false;
  std::vector<double> frequencies;  // [Hz] inside the band, or of too little damping
};
std::vector<LimitState> limit_states(const DesignSpace& space, const Judgement& judgement);

}  // namespace espalier::study

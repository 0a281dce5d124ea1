#include "espalier/study/detail/run_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "espalier/base/text.hpp"

namespace espalier::study::detail {
namespace {

constexpr double kMostFrames = 1e15;  // counted in doubles
constexpr double kMostSteps = 1e15;   // of contact
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr int kMostThreads = 1024;

// One message for one mistake: what is checked after the first may only be out of bounds because of it.
class Bounds {
 public:
  explicit Bounds(const std::string& file) : file_(file) {}

  // The first that is out of its bounds is kept.
  void within(const char* name, double value, double low, double high) {
    // Written so that a NaN, which is neither above nor below anything, is refused.
    if (error_ || (value >= low && value <= high)) return;
    refuse(name, value,
           // "Between 0 and 1.8e308" would be true, and of no help.
           high == kLargest ? fmt::format("it must be a finite number, {:.6g} or more", low)
                            : fmt::format("it must lie between {:.6g} and {:.6g}", low, high));
  }
  void positive(const char* name, double value) {
    // Infinity is refused too: a tolerance of it accepts everything.
    if (error_ || (value > 0 && value <= kLargest)) return;
    refuse(name, value, "it must be a positive number");
  }
  // So many pieces of length `value` up to the end.
  void at_most(const char* name, double value, double length, double most, const char* what) {
    // The quotient, not a counter: it may be far above what an integer holds.
    if (error_ || length / value <= most) return;
    refuse(name, value,
           fmt::format("{:.3g} {} up to the end are too many, {:.0e} are the most", length / value, what, most));
  }
  void refuse(const char* name, double value, const std::string& why) {
    if (error_) return;
    const std::string message = fmt::format("`{}` is {}", name, number_text(value));
    // Numbers that were typed are options; those of a run.json have a place in it.
    error_ = file_.empty() ? Error{ErrorCode::kOption, message, {}, name, why}
                           : Error{ErrorCode::kValue, message, {file_, 0, 0}, {}, why};
  }

  Result<void> result() const { return error_ ? Result<void>(tl::unexpected(*error_)) : Result<void>(); }

 private:
  const std::string& file_;
  std::optional<Error> error_;
};

}  // namespace

Result<void> check_bounds(const dynamics::SimulateOptions& options, double time, const std::string& file) {
  Bounds bounds(file);
  // What is left: a run that continues has taken its first steps.
  const double length = std::max(options.run.end_time - time, 0.0);
  bounds.within("end_time", options.run.end_time, 0, kLargest);
  bounds.positive("output_step", options.run.output_step);
  // Frames are counted from the start of the run, whatever part of it this is.
  bounds.at_most("output_step", options.run.output_step, options.run.end_time, kMostFrames, "frames");
  bounds.positive("tolerance", options.tolerance);
  bounds.within("step", options.step, 0, kLargest);
  // Only a run.json can have another number of steps than the default; an edited one is checked like any other.
  bounds.within("max_steps", static_cast<double>(options.max_steps), 1, 1e15);
  // 0 asks for a tenth of the output step, whose number is bounded above.
  if (options.step > 0) {
    bounds.at_most("step", options.step, length, static_cast<double>(options.max_steps), "steps");
  }
  bounds.positive("loop_tolerance", options.loop_tolerance);
  bounds.within("threads", options.threads, 1, kMostThreads);
  return bounds.result();
}

Result<void> check_bounds(const contact::SimulateOptions& options, double time, const std::string& file) {
  Bounds bounds(file);
  const contact::Settings& settings = options.settings;
  // What is left of it.
  const double length = std::max(options.run.end_time - time, 0.0);
  bounds.within("end_time", options.run.end_time, 0, kLargest);
  bounds.positive("step", settings.step);
  // Such a run would end behind the time that was asked for.
  if (settings.step > options.run.end_time) {
    bounds.refuse("step", settings.step,
                  fmt::format("the run ends at {} s, before the first step does", number_text(options.run.end_time)));
  }
  bounds.at_most("step", settings.step, length, kMostSteps, "steps");
  bounds.positive("output_step", options.run.output_step);
  bounds.at_most("output_step", options.run.output_step, options.run.end_time, kMostFrames, "frames");
  bounds.positive("tolerance", settings.solve.tolerance);
  bounds.within("max_sweeps", settings.solve.max_sweeps, 1, 1e9);
  // More than the whole overlap in one step throws bodies apart.
  bounds.within("correction", settings.correction, 0, 1);
  bounds.within("joint_correction", settings.joint_correction, 0, 1);
  bounds.within("weight_factor", settings.weight_factor, 0, 1);
  bounds.within("balance_every", settings.balance_every, 1, 1e9);
  bounds.within("imbalance", settings.imbalance, 0, kLargest);
  return bounds.result();
}

}  // namespace espalier::study::detail

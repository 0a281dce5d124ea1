#include "espalier/study/modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/modes/results.hpp"

namespace espalier::study {
namespace {

using modes::Track;
using modes::TrackSet;

// Modes beyond those asked for: where frequencies cross, some come from above.
constexpr int kMore = 4;
// Beams are cut once, for four times the frequency of the first value.
constexpr double kFaster = 4;

Result<void> check_values(const ModeSweepOptions& options) {
  const std::vector<double>& values = options.values;
  if (values.size() < 2) {
    return make_option_error("vary", fmt::format("`vary` has {} for {}", counted(values.size(), "value", "values"),
                                                 in_quotes(options.path)),
                             "give two values or more");
  }
  // Equal neighbours are in order both ways.
  const bool up = std::is_sorted(values.begin(), values.end());
  const bool down = std::is_sorted(values.rbegin(), values.rend());
  if (up || down) return {};
  return make_option_error("vary", fmt::format("`vary`: the values of {} go up and down", in_quotes(options.path)),
                           "modes are followed from value to value; give them in order");
}

// What find_modes() is asked at one value of the parameter.
class Stepper {
 public:
  Stepper(const comm::Comm& comm, const formats::ModelVariants& variants, std::string path, modes::ModesOptions options)
      : comm_(comm), variants_(variants), path_(std::move(path)), options_(std::move(options)) {
    // make_track_step() computes shapes, with beams cut alike at all values.
    options_.shapes = false;
    options_.count += kMore;
  }

  Result<modes::TrackStep> at(double value) {
    Result<modes::TrackStep> step = find(value);
    // A wrong option is wrong at every value.
    if (!step && step.error().code != ErrorCode::kOption) {
      // One value among many makes no model, and the file alone does not tell which.
      step.error().message += fmt::format(" (with {} = {:.10g})", path_, value);
    }
    // All ranks search together, so that none may leave alone.
    return comm::agree(comm_, std::move(step));
  }

 private:
  // (1) The model with this value; (2) its structure and tree; (3) its modes; (4) shapes, cut alike at every value.
  Result<modes::TrackStep> find(double value) {
    // (1) One number alone: all others stay as the file has them.
    const formats::FieldValue field{path_, value};
    const Result<model::ModelSpec> spec = variants_.with(std::span(&field, 1));
    ESPALIER_TRY(spec);
    const Result<model::Model> model = model::compile(*spec);
    ESPALIER_TRY(model);
    // (2) Made again: the number may be a length, or decide in which directions a joint yields.
    const Result<modes::Structure> structure = modes::make_structure(*model);
    ESPALIER_TRY(structure);
    const Result<modes::Tree> tree = modes::plan_tree(*structure);
    ESPALIER_TRY(tree);
    // (3) Without shapes, which are computed below on beams that are cut alike.
    const Result<modes::ModeSet> set = modes::find_modes(comm_, *structure, *tree, options_);
    ESPALIER_TRY(set);
    // (4) Shapes are compared number by number, which asks for the same points at every value.
    if (pieces_.empty()) pieces_ = modes::slice_counts(*structure, kFaster * set->upto, 4);
    if (pieces_.size() != structure->elements.size()) {
      return make_error(ErrorCode::kOption, {},
                        fmt::format("{} changes how many elements the structure has: its modes cannot be compared",
                                    in_quotes(path_)));
    }
    return modes::make_track_step(*structure, *tree, *set, pieces_);
  }

  const comm::Comm& comm_;
  const formats::ModelVariants& variants_;
  std::string path_;
  modes::ModesOptions options_;
  std::vector<int> pieces_;  // by element
};

bool is_damped(const TrackSet& set) {
  for (const Track& track : set.tracks) {
    if (std::any_of(track.s.begin(), track.s.end(), [](const std::complex<double>& s) { return s.real() < 0; }))
      return true;
  }
  return false;
}

Result<TrackSet> follow(const comm::Comm& comm, const LoadedVariants& loaded, const ModeSweepOptions& options,
                        const modes::ModesOptions& search) {
  Stepper stepper(comm, loaded.variants, options.path, search);
  int steps = 0;
  modes::TrackOptions tracking;
  // What must be followed; the others that were found help to follow them.
  tracking.count = search.count;
  Result<TrackSet> set = modes::track_modes(
      [&](double value) {
        ++steps;
        // Told of each search, also of those between two values that tell modes apart.
        if (options.watch) options.watch(steps, value);
        return stepper.at(value);
      },
      options.values, tracking);
  ESPALIER_TRY(set);
  // Those that were followed beyond what was asked for.
  // Only `count` asks for a number of modes; other searches answer with all in their range.
  if (!options.modes.max_frequency && !options.modes.box) {
    std::vector<Track>& tracks = set->tracks;
    if (tracks.size() > to_index(search.count)) tracks.resize(to_index(search.count));
  }
  return set;
}

Result<ModeSweepAnswer> sweep(const comm::Comm& comm, const LoadedVariants& loaded, const ModeSweepOptions& options) {
  // Options first, then the file: the first mistake that costs nothing is the one that is told.
  const Result<modes::ModesOptions> search = search_options(options.modes);
  ESPALIER_TRY(search);
  const Result<void> values = check_values(options);
  ESPALIER_TRY(values);
  Result<ReaderNotes> reader = reader_notes(loaded, model::Use::kModes);
  ESPALIER_TRY(reader);
  Result<TrackSet> set = follow(comm, loaded, options, *search);
  ESPALIER_TRY(set);
  return ModeSweepAnswer{*std::move(reader), options.path, *std::move(set)};
}

}  // namespace

Result<ModeSweepAnswer> sweep_modes(const comm::Comm& comm, const LoadedVariants& loaded,
                                    const ModeSweepOptions& options) {
  return comm::agree(comm, sweep(comm, loaded, options));
}

double hertz(std::complex<double> s) { return s.imag() / (2 * std::numbers::pi); }
// Of a free motion there is no part of anything.
double damping_ratio(std::complex<double> s) { return std::abs(s) == 0 ? 0 : -s.real() / std::abs(s); }

std::string to_csv(const ModeSweepAnswer& answer) {
  std::string text = answer.path;
  for (std::size_t t = 1; t <= answer.set.tracks.size(); ++t) text += fmt::format(",mode {0} [Hz],mode {0} damping", t);
  text += "\n";
  for (std::size_t k = 0; k < answer.set.values.size(); ++k) {
    // With all digits, as the values were given.
    text += fmt::format("{}", answer.set.values[k]);
    for (const Track& track : answer.set.tracks) {
      // A mode that was not followed this far has empty cells.
      text += std::isnan(track.s[k].imag()) ? std::string(",,")
                                            : fmt::format(",{},{}", hertz(track.s[k]), damping_ratio(track.s[k]));
    }
    text += "\n";
  }
  return text;
}

draw::ChartPage make_page(const ModeSweepAnswer& answer, std::string command) {
  draw::Chart frequency, damping;
  frequency.title = fmt::format("Modes over {}", answer.path);
  damping.title = fmt::format("Damping over {}", answer.path);
  frequency.x.label = damping.x.label = answer.path;
  frequency.y.label = "frequency [Hz]";
  damping.y.label = "damping ratio";
  for (std::size_t t = 0; t < answer.set.tracks.size(); ++t) {
    draw::Curve curve, ratio;
    curve.name = ratio.name = fmt::format("mode {}", t + 1);
    curve.x = ratio.x = answer.set.values;
    for (const std::complex<double>& s : answer.set.tracks[t].s) {
      curve.y.push_back(hertz(s));
      ratio.y.push_back(damping_ratio(s));
    }
    frequency.curves.push_back(std::move(curve));
    damping.curves.push_back(std::move(ratio));
  }
  draw::ChartPage page{frequency.title, "", {frequency}, std::move(command)};
  // A chart of zeros would look like a result.
  if (is_damped(answer.set)) page.charts.push_back(std::move(damping));
  return page;
}

}  // namespace espalier::study

#include "espalier/study/modes.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "espalier/comm/collectives.hpp"
#include "espalier/modes/results.hpp"
#include "espalier/study/detail/modes_input.hpp"

namespace espalier::study {
namespace {

// Above this [1/s] nothing is a beam or a rigid body any more, and squares leave the range of numbers.
constexpr double kHighest = 1e15;
constexpr double kTurn = 2 * std::numbers::pi;
constexpr int kMostModes = 100'000;

bool is_positive(double x) { return x > 0 && std::isfinite(x); }

// In the order of the options; each refusal names value and bound, and the first one counts.
Result<void> check_frequencies(const ModesOptions& options) {
  if (options.count < 1 || options.count > kMostModes) {
    return make_option_error("count", fmt::format("`count` is {}", options.count),
                             fmt::format("ask for 1 mode or more, at most {}", kMostModes));
  }
  if (options.max_frequency && !is_positive(*options.max_frequency)) {
    return make_option_error("max_frequency", fmt::format("`max_frequency` is {}", *options.max_frequency),
                             "give a frequency above 0 Hz");
  }
  // Compared in 1/s, in which the bound is given, and told in the unit of the option.
  if (options.max_frequency && kTurn * *options.max_frequency > kHighest) {
    return make_option_error("max_frequency", fmt::format("`max_frequency` is {}", *options.max_frequency),
                             fmt::format("give at most {:.3g} Hz", kHighest / kTurn));
  }
  if (options.max_decay && !is_positive(*options.max_decay)) {
    return make_option_error("max_decay", fmt::format("`max_decay` is {}", *options.max_decay),
                             "give a number above 0 1/s");
  }
  if (options.max_decay && *options.max_decay > kHighest) {
    return make_option_error("max_decay", fmt::format("`max_decay` is {}", *options.max_decay),
                             fmt::format("give at most {:.3g} 1/s", kHighest));
  }
  return {};
}

Result<void> check_box(const modes::Box& box) {
  // A NaN is not below any bound, and is refused with the infinite ones.
  bool finite = true;
  for (const double x : {box.left, box.right, box.bottom, box.top}) finite = finite && std::abs(x) <= kHighest;
  if (finite && box.left < box.right && box.bottom < box.top && box.left < 0 && box.bottom >= 0) return {};
  return make_option_error(
      "box", fmt::format("`box` is {} {} {} {}", box.left, box.right, box.bottom, box.top),
      fmt::format("give lower and upper Re s, then lower and upper Im s, in 1/s, with Re s from below 0 (modes decay) "
                  "and Im s from 0 or above (eigenvalues below the axis mirror those above), none beyond {:.3g}",
                  kHighest));
}

// An option that would do nothing is a mistake.
Result<void> check_use(const ModesOptions& options) {
  const auto only = [](const char* option, const char* methods) {
    return make_option_error(option, fmt::format("`{}` is for `method` {}", option, methods));
  };
  if (options.method == modes::Method::kAuto) {
    if (options.samples) return only("samples", "recursive or bisection");
    if (options.resolution) return only("resolution", "recursive or bisection");
  }
  if (options.method != modes::Method::kRecursive) {
    if (options.distribution) return only("distribution", "recursive");
    if (options.threads) return only("threads", "recursive");
  }
  return {};
}

modes::GridOptions grid_of(const ModesOptions& options) {
  modes::GridOptions grid;
  grid.samples = options.samples.value_or(grid.samples);
  grid.resolution = options.resolution.value_or(grid.resolution);
  grid.spread.distribution = options.distribution.value_or(grid.spread.distribution);
  grid.spread.threads = options.threads.value_or(grid.spread.threads);
  grid.spread.watch = options.watch_samples;
  return grid;
}

// Searches of the literature can miss modes: their grid is asked for and never chosen in silence.
Result<void> check_grid(const ModesOptions& options, const modes::GridOptions& grid) {
  for (const int n : grid.samples) {
    // Three samples are the fewest between which a curve can have a dip.
    if (n >= 3 && n <= 100'000) continue;
    return make_option_error("samples", fmt::format("`samples` is {} {}", grid.samples[0], grid.samples[1]),
                             "give two numbers from 3 to 100000");
  }
  if (options.resolution && !is_positive(*options.resolution)) {
    return make_option_error("resolution", fmt::format("`resolution` is {}", *options.resolution),
                             "give a number above 0 1/s");
  }
  const int threads = grid.spread.threads;
  if (threads < 1 || threads > 1024) {
    return make_option_error("threads", fmt::format("`threads` is {}", threads), "give a number from 1 to 1024");
  }
  if (threads > 1 && grid.spread.distribution == modes::Distribution::kElements) {
    return make_option_error("threads",
                             "`threads`: where `distribution` is elements all ranks compute one sample together, with "
                             "one thread each");
  }
  return {};
}

// What is made before anything is searched.
Result<ModesAnswer> prepare(const LoadedModel& loaded, const ModesOptions& options) {
  // Before the structure is made, so that a wrong option is told at once even for a large model.
  const Result<modes::ModesOptions> search = search_options(options);
  ESPALIER_TRY(search);
  Result<detail::ModesInput> input = detail::make_modes_input(loaded);
  ESPALIER_TRY(input);
  ModesAnswer answer;
  answer.reader = std::move(input->reader);
  answer.model = loaded.model;
  answer.structure = std::move(input->structure);
  answer.tree = std::move(input->tree);
  answer.shapes = options.shapes;
  answer.box = options.box;
  answer.grid = search->grid;
  // The answer may live longer than the caller's watch.
  answer.grid.spread.watch = nullptr;
  return answer;
}

// The same modes with twice the segments. Where that search has no certainty there is nothing to say.
Result<void> estimate(const comm::Comm& comm, const modes::ModesOptions& search, ModesAnswer& answer) {
  modes::StructureOptions twice;
  // By Richardson's rule: twice the segments leave a quarter of the error, so that the difference shows three quarters.
  twice.refine = 2;
  const Result<modes::Structure> structure = modes::make_structure(answer.model, twice);
  ESPALIER_TRY(structure);
  const Result<modes::Tree> tree = modes::plan_tree(*structure);
  ESPALIER_TRY(tree);
  const Result<modes::ModeSet> finer =
      modes::find_modes(comm, *structure, *tree, modes::finer_options(answer.set, search));
  ESPALIER_TRY(finer);
  if (finer->certainty != modes::Certainty::kNone) modes::estimate_segments(answer.set, *finer);
  // The estimate is part of the time that the answer took.
  answer.set.seconds += finer->seconds;
  answer.set.communication_seconds += finer->communication_seconds;
  return {};
}

Result<void> find(const comm::Comm& comm, const ModesOptions& options, ModesAnswer& answer) {
  // prepare() has checked them.
  const modes::ModesOptions search = *search_options(options);
  Result<modes::ModeSet> set = modes::find_modes(comm, answer.structure, answer.tree, search);
  ESPALIER_TRY(set);
  answer.set = *std::move(set);
  answer.ranks = comm.size();
  // Before time is spent on the estimate.
  if (options.no_free_motion && answer.set.free_motions > 0) {
    return tl::unexpected(Error{
        ErrorCode::kValue,
        fmt::format("{}; `no_free_motion` asks for none", modes::describe_free_motions(answer.structure, answer.set)),
        {},
        "no_free_motion",
        "hold them with a joint to the ground, or give a joint a stiffness"});
  }
  // Searches of the literature are compared as they are, without an estimate.
  const bool segments = answer.structure.segmented_bodies > 0 && options.method == modes::Method::kAuto;
  return segments && !options.no_estimate ? estimate(comm, search, answer) : Result<void>();
}

Result<void> add_results(const ModesOptions& options, ModesAnswer& answer) {
  modes::ResultOptions scaled;
  scaled.scaling = options.scaling;
  Result<modes::ModeResults> results = modes::find_results(answer.structure, answer.tree, answer.set, scaled);
  ESPALIER_TRY(results);
  answer.results = *std::move(results);
  return {};
}

// Errors that stand for the whole model get its name.
tl::unexpected<Error> in_file(Error error, const std::string& file) {
  // An option has no place in the file, and one would mislead.
  if (error.where.file.empty() && error.code != ErrorCode::kOption) error.where.file = file;
  return tl::unexpected(std::move(error));
}

}  // namespace

Result<modes::ModesOptions> search_options(const ModesOptions& options) {
  const Result<void> frequencies = check_frequencies(options);
  ESPALIER_TRY(frequencies);
  const Result<void> box = options.box ? check_box(*options.box) : Result<void>();
  ESPALIER_TRY(box);
  const Result<void> use = check_use(options);
  ESPALIER_TRY(use);
  const modes::GridOptions grid = grid_of(options);
  const Result<void> sound = check_grid(options, grid);
  ESPALIER_TRY(sound);
  modes::ModesOptions search;
  search.method = options.method;
  search.count = options.count;
  // From Hz, in which people think, to 1/s, in which everything below computes.
  if (options.max_frequency) search.max_frequency = kTurn * *options.max_frequency;
  search.max_decay = options.max_decay.value_or(0);
  search.box = options.box;
  search.shapes = options.shapes;
  search.grid = grid;
  search.watch = options.watch;
  search.stop = options.stop;
  return search;
}

Result<ModesAnswer> modes(const comm::Comm& comm, const LoadedModel& loaded, const ModesOptions& options) {
  Result<ModesAnswer> answer = comm::agree(comm, prepare(loaded, options));
  if (!answer) return in_file(answer.error(), loaded.file);
  const Result<void> found = comm::agree(comm, find(comm, options, *answer));
  if (!found) return in_file(found.error(), loaded.file);
  // Shapes cost a sweep each and are needed by whoever writes the answer: the root.
  const bool wanted = options.shapes && comm.is_root();
  const Result<void> added = comm::agree(comm, wanted ? add_results(options, *answer) : Result<void>());
  if (!added) return in_file(added.error(), loaded.file);
  return answer;
}

}  // namespace espalier::study

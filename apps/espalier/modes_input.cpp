#include "apps/espalier/modes_input.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "apps/espalier/modes_plot.hpp"

namespace espalier::app {
namespace {

tl::unexpected<Error> refuse(const std::string& text) { return make_error(ErrorCode::kOption, {}, text); }

// The place of a word in a list.
Result<int> choose(const char* option, const std::string& word, const std::vector<std::string>& words) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return static_cast<int>(found - words.begin());
  std::string all;
  for (const std::string& known : words) all += (all.empty() ? "" : ", ") + known;
  return refuse(fmt::format("{} {}: there are {}{}", option, word, all, did_you_mean(word, words)));
}

bool is_positive(double x) { return x > 0 && std::isfinite(x); }

// Above this [1/s] nothing is a beam or a rigid body any more, and squares leave the range of numbers.
constexpr double kHighest = 1e15;

constexpr int kMostModes = 100'000;

Result<void> read_region(const ModesCommand& command, modes::ModesOptions& options) {
  options.count = command.count.value_or(options.count);
  if (options.count < 1 || options.count > kMostModes) {
    return refuse(fmt::format("--count {}: ask for 1 mode or more, at most {}", options.count, kMostModes));
  }
  if (command.max_frequency) {
    if (!is_positive(*command.max_frequency)) {
      return refuse(fmt::format("--max-frequency {}: give a frequency above 0 Hz", *command.max_frequency));
    }
    options.max_frequency = 2 * std::numbers::pi * *command.max_frequency;
    if (options.max_frequency > kHighest) {
      return refuse(fmt::format("--max-frequency {}: give at most {:.3g} Hz", *command.max_frequency,
                                kHighest / (2 * std::numbers::pi)));
    }
  }
  if (command.max_decay) {
    if (!is_positive(*command.max_decay)) {
      return refuse(fmt::format("--max-decay {}: give a number above 0 1/s", *command.max_decay));
    }
    if (*command.max_decay > kHighest) {
      return refuse(fmt::format("--max-decay {}: give at most {:.3g} 1/s", *command.max_decay, kHighest));
    }
    options.max_decay = *command.max_decay;
  }
  if (command.box.empty()) return {};
  const std::vector<double>& box = command.box;
  const bool finite = std::all_of(box.begin(), box.end(), [](double x) { return std::abs(x) <= kHighest; });
  if (!finite || !(box[0] < box[1]) || !(box[2] < box[3]) || !(box[0] < 0) || !(box[2] >= 0)) {
    return refuse(fmt::format(
        "--box {} {} {} {}: give lower and upper Re s, then lower and upper Im s, in 1/s, with Re s from "
        "below 0 (modes "
        "decay) and Im s from 0 or above (eigenvalues below the axis mirror those above), none beyond {:.3g}",
        box[0], box[1], box[2], box[3], kHighest));
  }
  options.box = modes::Box{box[0], box[1], box[2], box[3]};
  return {};
}

constexpr std::array kDistributions = {modes::Distribution::kDynamic, modes::Distribution::kPaper,
                                       modes::Distribution::kElements};

Result<void> read_grid(const ModesCommand& command, modes::GridOptions& grid) {
  if (!command.samples.empty()) {
    if (std::any_of(command.samples.begin(), command.samples.end(), [](int n) { return n < 3 || n > 100'000; })) {
      return refuse(
          fmt::format("--samples {} {}: give two numbers from 3 to 100000", command.samples[0], command.samples[1]));
    }
    grid.samples = {command.samples[0], command.samples[1]};
  }
  if (command.resolution) {
    if (!is_positive(*command.resolution)) {
      return refuse(fmt::format("--resolution {}: give a number above 0 1/s", *command.resolution));
    }
    grid.resolution = *command.resolution;
  }
  if (!command.distribution.empty()) {
    const Result<int> which = choose("--distribution", command.distribution, {"dynamic", "paper", "elements"});
    ESPALIER_TRY(which);
    grid.spread.distribution = kDistributions[static_cast<std::size_t>(*which)];
  }
  if (command.threads) {
    if (*command.threads < 1 || *command.threads > 1024) {
      return refuse(fmt::format("--threads {}: give a number from 1 to 1024", *command.threads));
    }
    if (*command.threads > 1 && grid.spread.distribution == modes::Distribution::kElements) {
      return refuse(
          "--threads: with --distribution elements all ranks compute one sample together, with one thread each");
    }
    grid.spread.threads = *command.threads;
  }
  return {};
}

// An option that would do nothing is a mistake.
Result<void> check_use(const ModesCommand& command, modes::Method method) {
  const auto only = [](const char* option, const char* methods) {
    return refuse(fmt::format("{} is for --method {}", option, methods));
  };
  if (method == modes::Method::kAuto) {
    if (!command.samples.empty()) return only("--samples", "recursive or bisection");
    if (command.resolution) return only("--resolution", "recursive or bisection");
  }
  if (method != modes::Method::kRecursive) {
    if (!command.distribution.empty()) return only("--distribution", "recursive");
    if (command.threads) return only("--threads", "recursive");
  }
  if (command.ranks < 1) return refuse(fmt::format("--ranks {}: give 1 or more", command.ranks));
  if (!command.csv.empty() && command.response.empty() && command.vary.empty()) {
    return refuse("--csv is for --response and --vary; -o writes modes as JSON");
  }
  for (const double x : command.at) {
    if (!std::isfinite(x)) return refuse("--at: give two finite numbers, in 1/s");
  }
  return {};
}

}  // namespace

Result<modes::ModesOptions> make_modes_options(const ModesCommand& command) {
  constexpr std::array kMethods = {modes::Method::kAuto, modes::Method::kRecursive, modes::Method::kBisection};
  modes::ModesOptions options;
  const Result<int> method = choose("--method", command.method, {"auto", "recursive", "bisection"});
  ESPALIER_TRY(method);
  options.method = kMethods[static_cast<std::size_t>(*method)];
  const Result<void> used = check_use(command, options.method);
  ESPALIER_TRY(used);
  const Result<void> region = read_region(command, options);
  ESPALIER_TRY(region);
  const Result<void> grid = read_grid(command, options.grid);
  ESPALIER_TRY(grid);
  options.shapes = !command.no_shapes;
  return options;
}

Result<ModesInput> read_modes_input(const ModesCommand& command) {
  Result<modes::ModesOptions> options = make_modes_options(command);
  ESPALIER_TRY(options);
  const Result<void> plot = check_plot(command.plot);
  ESPALIER_TRY(plot);
  const Result<model::ModelSpec> spec = formats::read_model(command.model, command.read);
  ESPALIER_TRY(spec);
  Result<ReaderNotes> reader = study::reader_notes(command.model, spec->notes, model::Use::kModes, command.accept);
  ESPALIER_TRY(reader);
  Result<model::Model> model = model::compile(*spec);
  ESPALIER_TRY(model);
  Result<modes::Structure> structure = modes::make_structure(*model);
  ESPALIER_TRY(structure);
  Result<modes::Tree> tree = modes::plan_tree(*structure);
  ESPALIER_TRY(tree);
  return ModesInput{*std::move(model), *std::move(options), *std::move(structure), *std::move(tree),
                    *std::move(reader)};
}

}  // namespace espalier::app

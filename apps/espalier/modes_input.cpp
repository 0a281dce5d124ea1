#include "apps/espalier/modes_input.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/variants.hpp"

namespace espalier::app {
namespace {

// The value whose word this is.
template <class T, std::size_t N>
Result<T> choose(const char* option, const std::string& word, const std::array<T, N>& values) {
  std::vector<std::string> words;
  for (const T value : values) {
    words.emplace_back(modes::word(value));
    if (words.back() == word) return value;
  }
  return make_option_error(option, fmt::format("`{}` is {}", option, in_quotes(word)),
                           fmt::format("there are {}{}", fmt::join(words, ", "), did_you_mean(word, words)));
}

// An option that would do nothing is a mistake.
Result<void> check_use(const ModesCommand& command, modes::Method method) {
  const auto only = [](const char* option, const char* methods) {
    return make_option_error(option, fmt::format("`{}` is for `method` {}", option, methods));
  };
  if (method == modes::Method::kAuto) {
    if (!command.samples.empty()) return only("samples", "recursive or bisection");
    if (command.resolution) return only("resolution", "recursive or bisection");
  }
  if (method != modes::Method::kRecursive) {
    if (!command.distribution.empty()) return only("distribution", "recursive");
    if (command.threads) return only("threads", "recursive");
  }
  // In the library 0 stands for a default.
  if (command.resolution && !(*command.resolution > 0)) {
    return make_option_error("resolution", fmt::format("`resolution` is {}", *command.resolution),
                             "give a number above 0 1/s");
  }
  if (!command.csv.empty() && command.response.empty() && command.vary.empty()) {
    return make_option_error("csv", "`csv` is for `response` and `vary`", "-o writes modes as JSON");
  }
  return {};
}

Result<void> read_grid(const ModesCommand& command, modes::GridOptions& grid) {
  if (!command.samples.empty()) grid.samples = {command.samples[0], command.samples[1]};
  grid.resolution = command.resolution.value_or(grid.resolution);
  grid.spread.threads = command.threads.value_or(grid.spread.threads);
  if (command.distribution.empty()) return {};
  const Result<modes::Distribution> which =
      choose("distribution", command.distribution,
             std::array{modes::Distribution::kDynamic, modes::Distribution::kPaper, modes::Distribution::kElements});
  ESPALIER_TRY(which);
  grid.spread.distribution = *which;
  return {};
}

}  // namespace

Result<void> check_plot(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (file.empty() || ending == ".svg" || ending == ".html") return {};
  return make_option_error("plot", fmt::format("`plot` is {}", in_quotes(file)), "the file must end in .svg or .html");
}

Result<study::ModesOptions> make_modes_options(const ModesCommand& command) {
  study::ModesOptions options;
  const Result<modes::Method> method =
      choose("method", command.method,
             std::array{modes::Method::kAuto, modes::Method::kRecursive, modes::Method::kBisection});
  ESPALIER_TRY(method);
  options.method = *method;
  for (const Result<void>& checked :
       {check_use(command, *method), read_grid(command, options.grid), check_plot(command.plot)}) {
    ESPALIER_TRY(checked);
  }
  options.count = command.count.value_or(options.count);
  options.max_frequency = command.max_frequency;
  options.max_decay = command.max_decay;
  if (!command.box.empty()) options.box = modes::Box{command.box[0], command.box[1], command.box[2], command.box[3]};
  options.shapes = !command.no_shapes;
  options.scaling = command.scaling == "mass" ? modes::Scaling::kMass : modes::Scaling::kLargest;
  options.no_estimate = command.no_estimate;
  options.no_free_motion = command.no_free_motion;
  const Result<modes::ModesOptions> sound = study::search_options(options);
  ESPALIER_TRY(sound);
  return options;
}

Result<study::ResponseOptions> make_response_options(const ModesCommand& command) {
  const Result<study::ModesOptions> others = make_modes_options(command);
  ESPALIER_TRY(others);
  if (!command.to) {
    return make_option_error("to", "`response`: how far is not said",
                             "give the highest frequency with `to` HZ, and the lowest with `from` HZ");
  }
  study::ResponseOptions options{command.response[0], command.response[1], command.from.value_or(0), *command.to};
  options.points = command.points.value_or(options.points);
  return options;
}

Result<study::ModeSweepOptions> make_sweep_options(const ModesCommand& command) {
  Result<study::ModesOptions> options = make_modes_options(command);
  ESPALIER_TRY(options);
  Result<formats::SweepParameter> parameter = formats::parse_vary(command.vary);
  ESPALIER_TRY(parameter);
  if (parameter->kind != formats::SweepParameter::Kind::kValues) {
    return make_option_error("vary", fmt::format("`vary` is {}", in_quotes(command.vary)),
                             "modes are followed from value to value; say how many, PATH=low:high:points");
  }
  return study::ModeSweepOptions{std::move(parameter->path), std::move(parameter->values), *std::move(options), {}};
}

}  // namespace espalier::app

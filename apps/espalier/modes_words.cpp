#include "apps/espalier/modes_words.hpp"

#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/study/words.hpp"

namespace espalier::app {

study::ModesFiles files_of(const ModesCommand& command) {
  return {command.output, command.csv, command.plot, command.page};
}

Result<study::ModesOptions> make_modes_options(const ModesCommand& command) {
  study::ModesOptions options;
  for (const Result<void>& read :
       {study::read_word<modes::Method>("method", command.method, options.method),
        study::read_word<modes::Distribution>("distribution", command.distribution, options.distribution),
        study::read_word<modes::Scaling>("scaling", command.scaling, options.scaling)}) {
    ESPALIER_TRY(read);
  }
  if (!command.csv.empty() && command.response.empty() && command.vary.empty()) {
    return make_option_error("csv", "`csv` is for `response` and `vary`", "-o writes modes as JSON");
  }
  if (!command.samples.empty()) options.samples = {command.samples[0], command.samples[1]};
  options.resolution = command.resolution;
  options.threads = command.threads;
  options.count = command.count.value_or(options.count);
  options.max_frequency = command.max_frequency;
  options.max_decay = command.max_decay;
  if (!command.box.empty()) options.box = modes::Box{command.box[0], command.box[1], command.box[2], command.box[3]};
  options.shapes = !command.no_shapes;
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

#include "apps/espalier/tune_words.hpp"

#include <filesystem>

#include "apps/espalier/stop_on_signal.hpp"
#include "apps/espalier/wording.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::app {

study::TuneOptions tune_options(const TuneCommand& command) {
  study::TuneOptions options;
  options.model = command.model;
  options.load = command.load;
  options.study = command.study;
  options.algorithm = command.algorithm;
  options.population = command.population;
  options.generations = command.generations;
  options.seed = command.seed;
  options.pareto = command.pareto;
  options.threads = command.threads;
  options.folder = command.output;
  options.restart = command.restart;
  if (command.output.empty() && command.restart.empty()) {
    options.folder = record::new_run_folder(std::filesystem::path(command.model).stem().string());
  }
  options.command = command.line;
  options.text = text_options();
  options.stop = StopOnSignal::wanted();
  return options;
}

}  // namespace espalier::app

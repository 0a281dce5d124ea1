#include "apps/espalier/tune_words.hpp"

#include <filesystem>

#include "apps/espalier/wording.hpp"
#include "espalier/comm/processes.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::app {

std::string continue_text(const TuneCommand& command, const std::string& folder) {
  return call_text(with_load({"tune", "", {{"restart", folder}}}, command.load));
}

study::TextOptions tune_text(const TuneCommand& command) {
  study::TextOptions options = text_options();
  // The best design is written as a model of its own, but a search continues with the model as it was read.
  options.wording.call = [load = command.load](const study::Advice& advice) {
    return call_text(advice.verb == "tune" ? with_load(advice, load) : advice);
  };
  return options;
}

study::TuneOptions tune_options(const TuneCommand& command) {
  study::TuneOptions options;
  options.model = command.model;
  options.load = command.load;
  options.study = command.study;
  options.algorithm = command.algorithm;
  options.population = command.population;
  options.generations = command.generations;
  options.patience = command.patience;
  options.seed = command.seed;
  options.pareto = command.pareto;
  options.threads = command.threads;
  options.folder = command.output;
  options.restart = command.restart;
  if (command.output.empty() && command.restart.empty()) {
    options.folder = record::new_run_folder(std::filesystem::path(command.model).stem().string());
  }
  options.command = command.line;
  options.text = tune_text(command);
  options.stop = comm::StopOnSignal::wanted();
  return options;
}

}  // namespace espalier::app

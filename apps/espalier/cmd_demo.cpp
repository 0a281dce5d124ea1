#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/base/printable.hpp"

namespace espalier::app {
namespace {

struct Step {
  std::string command;
  int exit_code;
};
using Steps = std::vector<Step>;

// Shows a command, then runs it as the command line would.
template <class Options>
void show(Steps& steps, const std::string& command, const Options& options, int (*run)(const Options&)) {
  print(fmt::format("\n$ espalier {}\n", command));
  steps.push_back({"espalier " + command, run(options)});
}

void show_generate(Steps& steps, const std::string& kind, const std::vector<int>& sizes, const std::string& file) {
  GenerateCommand options;
  options.kind = kind;
  options.sizes = sizes;
  options.output = file;
  const std::string size = sizes.empty() ? "" : fmt::format(" {}", fmt::join(sizes, " "));
  show(steps, fmt::format("generate {}{} -o {}", kind, size, shell_word(file)), options, run_generate);
}

void show_check(Steps& steps, const std::string& file, const std::string& picture = "") {
  CheckCommand options;
  options.model = file;
  options.picture = picture;
  show(steps, fmt::format("check {}{}", shell_word(file), picture.empty() ? "" : " --picture " + shell_word(picture)),
       options, run_check);
}

void show_plan(Steps& steps, const std::string& file, const std::string& picture) {
  PlanCommand command;
  command.model = file;
  command.picture = picture;
  show(steps, fmt::format("plan {} --picture {}", shell_word(file), shell_word(picture)), command, run_plan);
}

void show_explained_plan(Steps& steps, const std::string& file) {
  PlanCommand command;
  command.model = file;
  command.beta = 10;
  command.front = true;
  command.explain = true;
  show(steps, fmt::format("plan {} --beta 10 --front --explain", shell_word(file)), command, run_plan);
}

void show_simulate(Steps& steps, const std::string& file, const std::string& folder) {
  SimulateCommand command;
  command.model = file;
  command.line = fmt::format("simulate {} --end 2 -o {}", shell_word(file), shell_word(folder));
  command.end = 2;
  command.output = folder;
  std::filesystem::remove_all(folder);
  show(steps, command.line, command, run_simulate);
}

void show_convert(Steps& steps, const std::string& file, const std::string& output) {
  ConvertCommand options;
  options.model = file;
  options.output = output;
  show(steps, fmt::format("convert {} -o {}", shell_word(file), shell_word(output)), options, run_convert);
}

std::string demo_json(const DemoOptions& options, const Steps& steps) {
  nlohmann::ordered_json commands = nlohmann::ordered_json::array();
  for (const Step& step : steps) commands.push_back({{"command", step.command}, {"exit_code", step.exit_code}});
  const nlohmann::ordered_json document = {{"folder", options.folder}, {"commands", commands}};
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

int run_demo(const DemoOptions& options) {
  const auto in_folder = [&](const std::string& name) {
    return (std::filesystem::path(options.folder) / name).string();
  };
  Steps steps;
  set_quiet(options.json);
  print("A first run. Each line that starts with $ is a command you can type yourself.\n");

  print("\n1. Mechanisms with closed loops, and what they are made of\n");
  for (const std::string name : {"governor", "stewart"}) {
    show_generate(steps, name, {}, in_folder(name + ".yaml"));
    show_check(steps, in_folder(name + ".yaml"));
  }

  print("\n2. Models by rule, as large as you like\n");
  show_generate(steps, "strandbeest", {6}, in_folder("strandbeest.yaml"));
  show_check(steps, in_folder("strandbeest.yaml"), in_folder("strandbeest.svg"));

  print("\n3. Which joints to cut: the tree of lowest cost, and the proof\n");
  for (const std::string name : {"governor", "stewart", "strandbeest"}) {
    show_plan(steps, in_folder(name + ".yaml"), in_folder(name + "_plan.html"));
  }
  show_generate(steps, "double_wishbone", {}, in_folder("double_wishbone.yaml"));
  show_explained_plan(steps, in_folder("double_wishbone.yaml"));

  print("\n4. Motion on the tree that is fastest: loops stay closed, energy is accounted for\n");
  for (const std::string name : {"stewart", "strandbeest"}) {
    show_simulate(steps, in_folder(name + ".yaml"), in_folder(name + "_run"));
  }

  print("\n5. The same mechanism for other programs: loops are kept, and what is lost is said\n");
  for (const char* ending : {"urdf", "sdf", "xml"}) {
    show_convert(steps, in_folder("stewart.yaml"), in_folder(fmt::format("stewart.{}", ending)));
  }

  print(
      fmt::format("\nThe files are in {0}; open {0}/strandbeest_plan.html and strandbeest.svg there.\n"
                  "Next: espalier plan YOUR_ROBOT.urdf\n",
                  options.folder));
  set_quiet(false);
  if (options.json) print(demo_json(options, steps));
  return std::max_element(steps.begin(), steps.end(),
                          [](const Step& a, const Step& b) { return a.exit_code < b.exit_code; })
      ->exit_code;
}

}  // namespace espalier::app

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/base/text.hpp"

namespace espalier::app {
namespace {

struct Step {
  std::string command;
  int exit_code;
};
using Steps = std::vector<Step>;

// Shows a command, then runs it.
void show(Steps& steps, const std::vector<std::string>& words) {
  std::string command = "espalier";
  for (const std::string& word : words) command += ' ' + shell_word(word);
  print(fmt::format("\n$ {}\n", command));
  steps.push_back({command, run_words(words)});
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
  const auto model = [&](const std::string& name) { return in_folder(name + ".yaml"); };
  Steps steps;
  set_quiet(options.json);
  print("A first run. Each line that starts with $ is a command you can type yourself.\n");

  print("\n1. Mechanisms with closed loops, and what they are made of\n");
  for (const std::string name : {"governor", "stewart"}) {
    show(steps, {"generate", name, "-o", model(name)});
    show(steps, {"check", model(name)});
  }

  print("\n2. Models by rule, as large as you like\n");
  show(steps, {"generate", "strandbeest", "6", "-o", model("strandbeest")});
  show(steps, {"check", model("strandbeest"), "--picture", in_folder("strandbeest.svg")});

  print("\n3. Which joints to cut: the tree of lowest cost, and the proof\n");
  for (const std::string name : {"governor", "stewart", "strandbeest"}) {
    show(steps, {"plan", model(name), "--page", in_folder(name + "_plan.html")});
  }
  show(steps, {"generate", "double_wishbone", "-o", model("double_wishbone")});
  show(steps, {"plan", model("double_wishbone"), "--beta", "10", "--front", "--explain"});

  print("\n4. Motion on the tree that is fastest: loops stay closed, energy is accounted for\n");
  for (const std::string name : {"stewart", "strandbeest"}) {
    std::filesystem::remove_all(in_folder(name + "_run"));
    show(steps, {"simulate", model(name), "--end", "2", "-o", in_folder(name + "_run")});
  }

  print("\n5. The same mechanism for other programs: loops are kept, and what is lost is said\n");
  for (const char* ending : {"urdf", "sdf", "xml"}) {
    show(steps, {"convert", model("stewart"), "-o", in_folder(fmt::format("stewart.{}", ending))});
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

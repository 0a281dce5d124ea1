#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::app {
namespace {

namespace fs = std::filesystem;

struct Step {
  std::string command;
  int exit_code;
};
using Steps = std::vector<Step>;

// What is shown, and the chapters of the page at its end.
struct Tour {
  fs::path folder;
  Steps steps;
  std::vector<draw::ViewChapter> chapters;

  std::string in(const std::string& name) const { return (folder / name).string(); }
  void chapter(const std::string& title, const std::string& text, const std::string& page) {
    print(fmt::format("\n{}. {}\n{}", chapters.size() + 1, title, wrapped("", text, terminal_width())));
    chapters.push_back({title, text, {}, page});
  }
};

// Shows a command, then runs it.
void show(Tour& tour, const std::vector<std::string>& words) {
  std::string command = "espalier";
  for (const std::string& word : words) command += ' ' + shell_word(word);
  print(fmt::format("\n$ {}\n", command));
  tour.chapters.back().commands.push_back(command);
  tour.steps.push_back({command, run_words(words)});
}

// Runs of an earlier tour would be in the way.
std::string fresh(const Tour& tour, const std::string& name) {
  std::error_code ignored;
  fs::remove_all(tour.folder / name, ignored);
  return tour.in(name);
}

void show_mechanism(Tour& tour) {
  const std::string model = tour.in("strandbeest.yaml");
  tour.chapter("What is it made of?",
               "A walking linkage of 73 bodies closes 36 loops. Counted before anything moves: its degrees of freedom, "
               "which constraints are redundant, and what is doubtful about it.",
               "check.html");
  show(tour, {"generate", "strandbeest", "6", "-o", model});
  show(tour, {"check", model, "--page", tour.in("check.html")});
  tour.chapter("Which joints to cut?",
               "Equations of motion are computed on a spanning tree, and every loop is cut once. Another tree costs up "
               "to several times as much; this one is the cheapest, with the proof.",
               "plan.html");
  show(tour, {"plan", model, "--page", tour.in("plan.html")});
  tour.chapter("How does it move?",
               "On the tree that is fastest the loops stay closed to rounding, and energy is accounted for. The page "
               "on top of this one is this run.",
               "");
  show(tour, {"simulate", model, "--end", "4", "-o", fresh(tour, "walk")});
}

void show_others(Tour& tour) {
  tour.chapter(
      "What if things touch?",
      "A pile of grains falls into a tray, on two processes. It comes out the same, bit for bit, on any number "
      "of them.",
      "pile.html");
  show(tour, {"generate", "pile", "80", "-o", tour.in("pile.yaml")});
  std::vector<std::string> words = {"simulate", tour.in("pile.yaml"), "--end", "0.5", "--output-step", "0.02"};
  // A program without MPI has one process.
  if (comm::has_mpi()) words.insert(words.end(), {"--ranks", "2"});
  words.insert(words.end(), {"-o", fresh(tour, "pile"), "--page", tour.in("pile.html")});
  show(tour, words);
  tour.chapter("At which frequencies does it vibrate?",
               "A rocket launcher with an elastic tube. None of its lowest modes is missing, and the report says why.",
               "modes.html");
  show(tour, {"generate", "mlrs", "-o", tour.in("launcher.yaml")});
  show(tour, {"modes", tour.in("launcher.yaml"), "--count", "10", "--page", tour.in("modes.html")});
  tour.chapter(
      "And which numbers would be better?",
      "Sixteen stiffnesses of the same launcher are searched until its frequencies are those that were measured "
      "on a real one, and none is near the firing rate.",
      "tuned.html");
  show(tour, {"tune", tour.in("launcher.yaml"), "--generations", "6", "-o", fresh(tour, "tuned"), "--page",
              tour.in("tuned.html")});
  tour.chapter("Does another program take it?",
               "A mechanism with loops as MJCF, URDF or SDF: its loops are kept, and what is lost is said.", "");
  show(tour, {"generate", "stewart", "-o", tour.in("stewart.yaml")});
  show(tour, {"convert", tour.in("stewart.yaml"), "-o", tour.in("stewart.xml")});
}

// The page with the run on top and all chapters below.
int write_tour(const Tour& tour) {
  study::ViewOptions options;
  // A folder's name may be no text, and would stand in run.json as something else.
  options.model = tour.in("strandbeest.yaml");
  options.command = "espalier demo -o " + shell_word(tour.folder.string());
  options.chapters = tour.chapters;
  const Result<void> written = write_page(tour.in("index.html"), study::view(tour.in("walk"), options));
  return written ? kDone : report(written.error(), false);
}

std::string demo_json(const Tour& tour) {
  nlohmann::ordered_json commands = nlohmann::ordered_json::array();
  for (const Step& step : tour.steps) commands.push_back({{"command", step.command}, {"exit_code", step.exit_code}});
  const nlohmann::ordered_json document = {
      {"folder", tour.folder.string()}, {"page", tour.in("index.html")}, {"commands", commands}};
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

int run_demo(const DemoOptions& options) {
  Tour tour{options.folder, {}, {}};
  set_quiet(options.json);
  print("A first run. Each line that starts with $ is a command you can type yourself.\n");
  show_mechanism(tour);
  show_others(tour);
  int code = write_tour(tour);
  for (const Step& step : tour.steps) code = std::max(code, step.exit_code);
  print(fmt::format("\nOpen {} in a browser: it leads through all of this.\nNext: espalier plan YOUR_ROBOT.urdf\n",
                    tour.in("index.html")));
  set_quiet(false);
  if (options.json) print(demo_json(tour));
  return code;
}

}  // namespace espalier::app

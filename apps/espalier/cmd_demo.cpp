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
#include "espalier/manual/manual.hpp"

namespace espalier::app {
namespace {

namespace fs = std::filesystem;

struct Step {
  std::string command;
  int exit_code;
};
using Steps = std::vector<Step>;

// What was shown, for the page at its end.
struct Tour {
  fs::path folder;
  Steps steps;
  std::vector<draw::ViewChapter> chapters;

  std::string in(const std::string& name) const { return (folder / name).string(); }
};

// Shows a command, then runs it.
void show(Tour& tour, const std::vector<std::string>& words) {
  std::string command = "espalier";
  for (const std::string& word : words) command += ' ' + shell_word(word);
  print(fmt::format("\n$ {}\n", command));
  tour.chapters.back().commands.push_back(command);
  tour.steps.push_back({command, run_words(words)});
}

void show(Tour& tour, const manual::Chapter& chapter) {
  tour.chapters.push_back({chapter.title, chapter.text, {}, chapter.page});
  print(fmt::format("\n{}. {}\n{}", tour.chapters.size(), chapter.title, wrapped("", chapter.text, terminal_width())));
  // Runs of an earlier tour would be in the way.
  std::error_code ignored;
  if (!chapter.remade.empty()) fs::remove_all(tour.folder / chapter.remade, ignored);
  for (const std::vector<std::string>& words : chapter.commands) show(tour, words);
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
  // A program without MPI has one process.
  for (const manual::Chapter& chapter : manual::first_tour(options.folder, comm::has_mpi() ? 2 : 1))
    show(tour, chapter);
  int code = write_tour(tour);
  for (const Step& step : tour.steps) code = std::max(code, step.exit_code);
  print(fmt::format("\nOpen {} in a browser: it leads through all of this.\nNext: espalier plan YOUR_ROBOT.urdf\n",
                    tour.in("index.html")));
  set_quiet(false);
  if (options.json) print(demo_json(tour));
  return code;
}

}  // namespace espalier::app

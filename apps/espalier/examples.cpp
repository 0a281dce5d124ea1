#include <array>
#include <utility>

#include "apps/espalier/program_help.hpp"

namespace espalier::app {
namespace {

struct Entry {
  std::string_view verb;  // empty: the program itself
  const char* command;
  const char* text;
};

// tests/help_test.py runs every one, with the models that are named made by `generate` before.
constexpr std::array kEntries = {
    Entry{"", "espalier generate four_bar -o four_bar.yaml", "Write a model that comes with the program."},
    Entry{"", "espalier check four_bar.yaml", "What is it made of, and what is wrong with it?"},
    Entry{"check", "espalier check four_bar.yaml --picture four_bar.svg", "Draw it with its loops closed."},
    Entry{"plan", "espalier plan stewart.yaml --explain --page plan.html",
          "Which joints are cut, why, and what it looks like."},
    Entry{"plan", "espalier plan stewart.yaml --objective sequential --root free", "Fewest equations, from any body."},
    Entry{"simulate", "espalier simulate four_bar.yaml --end 2 --csv A.velocity,motor.torque -o run",
          "Two seconds, into the folder run, with a table of these columns."},
    Entry{"simulate", "espalier simulate --restart run --end 3", "One second more, in the same folder."},
    Entry{"simulate", "espalier simulate four_bar.yaml --vary bodies.rocker.mass=1:2:3 -o masses",
          "Three runs with three masses, into masses/runs.csv."},
    Entry{"view", "espalier view run --model four_bar.yaml -o run.html", "The run of `simulate` above as one page."},
    Entry{"view", "espalier view four_bar.yaml -o four_bar.html", "The model with its loops closed, and its plan."},
    Entry{"modes", "espalier modes y_frame.yaml --count 6 --page y_frame.html",
          "Six modes, the proof that none is missing, and a page with moving shapes."},
    Entry{"modes", "espalier modes y_frame.yaml --response hub.y tip.y --to 30 --csv response.csv",
          "The frequency response of one point to a force at another."},
    Entry{"tune", "espalier tune mlrs.yaml --generations 2 -o tuned", "Search a little, into the folder tuned."},
    Entry{"tune", "espalier tune mlrs.yaml --population 8 --generations 30 --patience 5 -o patient",
          "Stop where five generations brought no gain."},
    Entry{"convert", "espalier convert stewart.yaml -o stewart.xml", "Write MJCF, and show what changed."},
    Entry{"generate", "espalier generate ladder 10 -o ladder.yaml", "A ladder of ten loops."},
    Entry{"generate", "espalier generate strandbeest --to urdf -o strandbeest.urdf",
          "A model that comes with the program, in another format."},
    Entry{"demo", "espalier demo -o first-run", "All verbs one after the other; open first-run/index.html at the end."},
    Entry{"help", "espalier help plan", "The same as `espalier plan --help`."},
    Entry{"completion", "espalier completion bash > espalier.bash", "Then: source espalier.bash"},
    Entry{"man", "espalier man plan > espalier-plan.1", "Then: man ./espalier-plan.1"},
};

}  // namespace

std::vector<manual::ExampleHelp> examples_of(std::string_view verb) {
  std::vector<manual::ExampleHelp> found;
  for (const Entry& entry : kEntries) {
    if (entry.verb == verb) found.push_back({entry.command, entry.text});
  }
  return found;
}

}  // namespace espalier::app

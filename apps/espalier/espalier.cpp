// The program: reads the command, calls its verb, and says what the system says.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <iostream>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/help_verbs.hpp"
#include "apps/espalier/options.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/program_help.hpp"
#include "espalier/base/text.hpp"
#include "espalier/draw/view_page.hpp"

namespace espalier::app {
namespace {

// The command as it could be typed again.
std::string command_line(const std::vector<std::string>& words) {
  std::string line = "espalier";
  for (const std::string& word : words) line += ' ' + shell_word(word);
  return line;
}

// CLI11 has codes of its own past 100; ours is one for all bad input.
int report_mistake(const CLI::App& app, const CLI::ParseError& problem) {
  const std::optional<Error> mistake = problem.get_exit_code() != 0 ? unknown_option(app) : std::nullopt;
  if (mistake) return report(*mistake, false);
  std::ostringstream help;
  const bool asked = app.exit(problem, help, std::cerr) == 0;
  print(help.str());
  return asked ? kDone : kBadInput;
}

}  // namespace

int run_words(const std::vector<std::string>& words) {
  CLI::App app("Espalier plans how a multibody computation is spread over cores and machines, then runs it.",
               "espalier");
  app.set_version_flag("-V,--version", version_text, "Print version, build and libraries, and exit");
  app.add_flag_callback(
      "--licences", [] { throw CLI::CallForVersion(draw::view_licences(), 0); },
      "Print the licences of what pages contain, and exit");
  set_help_layout(app);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& problem) {
    return printable(fmt::format("espalier: {}\nTry `espalier --help`, or `espalier VERB --help`.\n", problem.what()));
  });
  Commands commands;
  commands.check.line = commands.plan.line = commands.simulate.line = commands.modes.line = commands.tune.line =
      command_line(words);
  commands.view.options.command = commands.plan.line;
  commands.simulate.words = commands.modes.words = commands.tune.words = words;
  std::function<int()> chosen;
  add_verbs(app, commands, chosen);
  add_help_verbs(app, chosen);
  // Last: verbs take over what is said before them.
  app.footer("`espalier help VERB`, or `espalier VERB --help`, lists the options of a verb; `man espalier` has all.");
  if (const std::optional<Error> mistake = unknown_verb(app, words)) return report(*mistake, false);
  try {
    // CLI11 takes words from the back.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& problem) {
    return report_mistake(app, problem);
  }
  return chosen();
}

}  // namespace espalier::app

int main(int argc, char** argv) {
  espalier::app::open_standard_streams();
  // A reader that is gone and a file that may not grow are met as errors of the call that writes, with words: a run
  // must not end for them without its state.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return espalier::app::finish_output(espalier::app::run_words({argv + std::min(argc, 1), argv + argc}));
  } catch (const std::bad_alloc&) {
    std::fputs("espalier: out of memory; the model is too large for this machine\n", stderr);
    return espalier::app::kSolverFailed;
  } catch (const std::system_error& problem) {
    // A thread that could not be started, mostly: fewer than the bound of --threads may be too many here.
    espalier::app::say(fmt::format("espalier: the system refuses: {}; take fewer --threads\n", problem.what()));
    return espalier::app::kSolverFailed;
  }
}

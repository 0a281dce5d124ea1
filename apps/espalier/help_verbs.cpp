#include "apps/espalier/help_verbs.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/program_help.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::app {
namespace {

constexpr int kWidest = 100;  // [columns] Longer lines are tiring to read.

int help_width() { return std::min(terminal_width(), kWidest); }

// Of one verb, or of the program where `verb` is that.
std::string help_of(const manual::ProgramHelp& program, const manual::VerbHelp& verb) {
  return &verb == &program.top ? help_text(program, help_width()) : help_text(verb, help_width());
}

int run_help(const CLI::App& app, const std::string& word) {
  const manual::ProgramHelp program = describe_program(app);
  const Result<const manual::VerbHelp*> verb = find_verb(program, word);
  return verb ? print_result(help_of(program, **verb)) : report(verb.error(), false);
}

int run_completion(const CLI::App& app, const std::string& shell) {
  const Result<std::string> script = manual::completion(shell, describe_program(app));
  return script ? print_file(*script) : report(script.error(), false);
}

int run_man(const CLI::App& app, const std::string& word, const std::string& folder) {
  const manual::ProgramHelp program = describe_program(app);
  if (!folder.empty()) {
    for (const manual::ManPage& page : man_pages(program)) {
      const Result<void> written = files::write_text_file(std::filesystem::path(folder) / page.file, page.text);
      if (!written) return report(written.error(), false);
    }
    return kDone;
  }
  const Result<const manual::VerbHelp*> verb = find_verb(program, word);
  if (!verb) return report(verb.error(), false);
  return print_file(*verb == &program.top ? man_page(program) : man_page(**verb, program.version));
}

}  // namespace

void set_help_layout(CLI::App& app) {
  app.formatter_fn([](const CLI::App* verb, const std::string&, CLI::AppFormatMode) {
    return verb->get_parent() == nullptr ? help_text(describe_program(*verb), help_width())
                                         : help_text(describe_verb(*verb), help_width());
  });
}

void add_help_verbs(CLI::App& app, std::function<int()>& run) {
  const auto word = std::make_shared<std::string>();
  const auto folder = std::make_shared<std::string>();
  CLI::App* help = app.add_subcommand("help", "Show the options of a verb, or the list of verbs");
  help->add_option("verb", *word, "The verb that is asked about; none: all")->type_name("VERB");
  help->callback([&app, &run, word] { run = [&app, word] { return run_help(app, *word); }; });
  CLI::App* completion =
      app.add_subcommand("completion", "Print the script by which a shell completes the words of this program");
  completion->group("");
  completion->add_option("shell", *word, "bash, zsh or fish")->required()->type_name("SHELL");
  completion->callback([&app, &run, word] { run = [&app, word] { return run_completion(app, *word); }; });
  CLI::App* man = app.add_subcommand("man", "Print the manual page of the program or of a verb");
  man->group("");
  man->add_option("verb", *word, "The verb that is asked about; none: the program")->type_name("VERB");
  man->add_option("-o,--output", *folder, "Write all pages into this folder instead")->type_name("FOLDER");
  man->callback([&app, &run, word, folder] { run = [&app, word, folder] { return run_man(app, *word, *folder); }; });
}

std::optional<Error> unknown_verb(const CLI::App& app, const std::vector<std::string>& words) {
  if (!words.empty() && words[0].starts_with('-')) return std::nullopt;
  const manual::ProgramHelp program = describe_program(app);
  // An empty word is none too.
  if (words.empty() || words[0].empty()) return manual::no_verb(program);
  const Result<const manual::VerbHelp*> found = find_verb(program, words[0]);
  return found ? std::nullopt : std::optional(found.error());
}

std::optional<Error> unknown_option(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const CLI::App& verb = parsed.empty() ? app : *parsed.front();
  return manual::unknown_option(describe_program(app), parsed.empty() ? "" : verb.get_name(), verb.remaining());
}

}  // namespace espalier::app

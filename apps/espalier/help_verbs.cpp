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
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::app {
namespace {

constexpr int kWidest = 100;  // [columns] Longer lines are tiring to read.

int help_width() { return std::min(terminal_width(), kWidest); }

// Verbs that people are told of; `with_hidden` all.
std::vector<std::string> verb_names(const CLI::App& app, bool with_hidden = false) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (with_hidden || !verb->get_group().empty()) names.push_back(verb->get_name());
  }
  return names;
}

std::string no_verb(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> verbs = verb_names(app);
  return fmt::format("no verb is called {} (there are {}){}", in_quotes(word), fmt::join(verbs, ", "),
                     did_you_mean(word, verbs));
}

// The verb that is asked about; none: the program itself.
Result<const CLI::App*> find_verb(const CLI::App& app, const std::string& word) {
  if (word.empty()) return &app;
  const std::vector<std::string> names = verb_names(app, true);
  if (std::find(names.begin(), names.end(), word) != names.end()) return app.get_subcommand(word);
  return make_error(ErrorCode::kOption, {}, no_verb(app, word));
}

int run_help(const CLI::App& app, const std::string& word) {
  const Result<const CLI::App*> verb = find_verb(app, word);
  if (!verb) return report(verb.error(), false);
  return print_result(*verb == &app ? help_text(describe_program(app), help_width())
                                    : help_text(describe_verb(**verb), help_width()));
}

int run_completion(const CLI::App& app, const std::string& shell) {
  const ProgramHelp program = describe_program(app);
  if (shell == "bash") return print_file(bash_completion(program));
  if (shell == "zsh") return print_file(zsh_completion(program));
  if (shell == "fish") return print_file(fish_completion(program));
  const std::vector<std::string> shells = option_words("completion", "shell");
  return report({ErrorCode::kOption,
                 fmt::format("there is no completion for {} (there are {}){}", in_quotes(shell),
                             fmt::join(shells, ", "), did_you_mean(shell, shells)),
                 {}},
                false);
}

// All pages, as man finds them.
Result<void> write_pages(const ProgramHelp& program, const std::filesystem::path& folder) {
  Result<void> written = files::write_text_file(folder / "espalier.1", man_page(program));
  for (const VerbHelp& verb : program.verbs) {
    if (written && !verb.hidden) {
      written = files::write_text_file(folder / fmt::format("espalier-{}.1", verb.name), man_page(verb));
    }
  }
  return written;
}

int run_man(const CLI::App& app, const std::string& word, const std::string& folder) {
  if (!folder.empty()) {
    const Result<void> written = write_pages(describe_program(app), folder);
    return written ? kDone : report(written.error(), false);
  }
  const Result<const CLI::App*> verb = find_verb(app, word);
  if (!verb) return report(verb.error(), false);
  return print_file(*verb == &app ? man_page(describe_program(app)) : man_page(describe_verb(**verb)));
}

// "--max_length=3" and "-end" are near "--max-length" and "--end".
std::string as_long_option(std::string word) {
  word = word.substr(0, word.find('='));
  std::replace(word.begin(), word.end(), '_', '-');
  const std::size_t begin = word.find_first_not_of('-');
  return begin == std::string::npos || word.size() - begin < 2 ? word : "--" + word.substr(begin);
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const OptionHelp& option : describe_verb(verb).options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// Verbs that have the option which this one has not.
std::string verbs_with(const CLI::App& app, const std::string& option) {
  std::vector<std::string> verbs;
  for (const std::string& name : verb_names(app)) {
    const std::vector<std::string> names = option_names(*app.get_subcommand(name));
    if (std::find(names.begin(), names.end(), option) != names.end()) verbs.push_back(name);
  }
  return verbs.empty() ? "" : fmt::format("; it is an option of {}", fmt::join(verbs, ", "));
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

std::optional<std::string> unknown_verb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) {
    return fmt::format("no verb is given (there are {}); `espalier help` explains them",
                       fmt::join(verb_names(app), ", "));
  }
  if (argv[1][0] == '-') return std::nullopt;
  const std::vector<std::string> verbs = verb_names(app, true);
  if (std::find(verbs.begin(), verbs.end(), argv[1]) != verbs.end()) return std::nullopt;
  return no_verb(app, argv[1]);
}

std::optional<std::string> unknown_option(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const CLI::App& verb = parsed.empty() ? app : *parsed.front();
  const std::vector<std::string> names = option_names(verb);
  for (const std::string& word : verb.remaining()) {
    // What is no option is a second model, say, or the value of an option that is unknown.
    if (word.size() < 2 || word.front() != '-') continue;
    const std::string option = word.substr(0, word.find('='));
    const std::string whose = parsed.empty() ? "espalier" : verb.get_name();
    std::string near = did_you_mean(as_long_option(word), names);
    if (near.empty() || as_long_option(word) == option) {
      const std::string elsewhere = verbs_with(app, option);
      if (!elsewhere.empty()) near = elsewhere;
    }
    return fmt::format("{} has no option {}{} (`espalier {}--help` lists them)", whose, in_quotes(option), near,
                       parsed.empty() ? "" : verb.get_name() + " ");
  }
  return std::nullopt;
}

}  // namespace espalier::app

#include <algorithm>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/espalier/program_help.hpp"
#include "espalier/study/words.hpp"

namespace espalier::app {
namespace {

constexpr int kMany = 1000;  // values: CLI11 has no bound for a list

// "X X X X" of an option that takes four numbers.
std::string value_of(const CLI::Option& option) {
  std::string type = option.get_type_name();
  if (option.get_items_expected_max() == 0) return "";
  if (option.get_items_expected_max() >= kMany) return option.get_allow_extra_args() ? type + "..." : type;
  // A type of several words names each value.
  if (type.find(' ') != std::string::npos) return type;
  std::string value = type;
  for (int k = 1; k < option.get_items_expected_max(); ++k) value += ' ' + type;
  return value;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back('-' + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// " (with --response)", in the order of the alphabet: CLI11 keeps them by address.
std::string relations(const char* word, const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(names_of(*option).back());
  std::sort(names.begin(), names.end());
  return names.empty() ? "" : fmt::format(" ({} {})", word, fmt::join(names, ", "));
}

// "max_length" of "--max-length", as the library calls it.
std::string field_of(std::string name) {
  name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

manual::OptionHelp describe_option(const CLI::App& verb, const CLI::Option& option) {
  manual::OptionHelp help;
  help.names = names_of(option);
  help.value = value_of(option);
  help.text = option.get_description() + relations("with", option.get_needs());
  help.text += relations("not with", option.get_excludes());
  help.required = option.get_required();
  help.group = option.get_group();
  if (&option == verb.get_help_ptr() || &option == verb.get_version_ptr()) help.group = manual::kHelp;
  const std::string name = help.names.empty() ? option.get_name(true) : help.names.back();
  help.words = study::option_words(verb.get_parent() == nullptr ? "" : verb.get_name(), field_of(name));
  if (!help.names.empty()) return help;
  help.group = manual::kArguments;
  help.value = help.value.empty() ? name : fmt::format("{} {}", name, help.value);
  return help;
}

}  // namespace

manual::VerbHelp describe_verb(const CLI::App& verb) {
  manual::VerbHelp help;
  help.name = verb.get_name();
  help.text = verb.get_description();
  help.notes = verb.get_footer();
  help.hidden = verb.get_group().empty();
  help.examples = examples_of(verb.get_parent() == nullptr ? "" : verb.get_name());
  for (const CLI::Option* option : verb.get_options()) help.options.push_back(describe_option(verb, *option));
  return help;
}

manual::ProgramHelp describe_program(const CLI::App& app) {
  manual::ProgramHelp program{describe_verb(app), {}, ESPALIER_VERSION};
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    program.verbs.push_back(describe_verb(*verb));
  }
  std::vector<std::string> names;
  for (const manual::VerbHelp& verb : program.verbs) {
    if (!verb.hidden) names.push_back(verb.name);
  }
  // Of `help VERB` and `completion SHELL`.
  for (manual::VerbHelp& verb : program.verbs) {
    for (manual::OptionHelp& option : verb.options) {
      if (option.value == "verb VERB") option.words = names;
      if (option.value == "shell SHELL") option.words.assign(manual::kShells.begin(), manual::kShells.end());
    }
  }
  return program;
}

}  // namespace espalier::app

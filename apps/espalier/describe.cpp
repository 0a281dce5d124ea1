#include <algorithm>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/espalier/program_help.hpp"

namespace espalier::app {
namespace {

constexpr const char* kArguments = "Arguments";
constexpr const char* kHelp = "Help";
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

OptionHelp describe_option(const CLI::App& verb, const CLI::Option& option) {
  OptionHelp help;
  help.names = names_of(option);
  help.value = value_of(option);
  help.text = option.get_description() + relations("with", option.get_needs());
  help.text += relations("not with", option.get_excludes());
  help.required = option.get_required();
  help.group = option.get_group();
  if (&option == verb.get_help_ptr() || &option == verb.get_version_ptr()) help.group = kHelp;
  const std::string name = help.names.empty() ? option.get_name(true) : help.names.back();
  help.words = option_words(verb.get_parent() == nullptr ? "" : verb.get_name(), name);
  if (!help.names.empty()) return help;
  help.group = kArguments;
  help.value = help.value.empty() ? name : fmt::format("{} {}", name, help.value);
  return help;
}

}  // namespace

VerbHelp describe_verb(const CLI::App& verb) {
  VerbHelp help;
  help.name = verb.get_name();
  help.text = verb.get_description();
  help.notes = verb.get_footer();
  help.hidden = verb.get_group().empty();
  help.examples = examples_of(verb.get_parent() == nullptr ? "" : verb.get_name());
  for (const CLI::Option* option : verb.get_options()) help.options.push_back(describe_option(verb, *option));
  return help;
}

ProgramHelp describe_program(const CLI::App& app) {
  ProgramHelp program{describe_verb(app), {}};
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    program.verbs.push_back(describe_verb(*verb));
  }
  std::vector<std::string> names;
  for (const VerbHelp& verb : program.verbs) {
    if (!verb.hidden) names.push_back(verb.name);
  }
  // Of `help VERB`, which is one of the list.
  for (VerbHelp& verb : program.verbs) {
    for (OptionHelp& option : verb.options) {
      if (option.value == "verb VERB") option.words = names;
    }
  }
  return program;
}

std::vector<std::string> headings(const VerbHelp& verb) {
  std::vector<std::string> found;
  for (const OptionHelp& option : verb.options) {
    const bool is_new = std::find(found.begin(), found.end(), option.group) == found.end();
    if (is_new && !option.group.empty()) found.push_back(option.group);
  }
  const auto rank = [](const std::string& group) { return group == kArguments ? 0 : group == kHelp ? 2 : 1; };
  std::stable_sort(found.begin(), found.end(),
                   [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  return found;
}

std::string option_head(const OptionHelp& option) {
  std::string head = fmt::format("{}", fmt::join(option.names, ", "));
  if (option.value.empty()) return head;
  return head.empty() ? option.value : fmt::format("{} {}", head, option.value);
}

}  // namespace espalier::app

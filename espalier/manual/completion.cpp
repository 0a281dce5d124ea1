#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/text.hpp"
#include "espalier/manual/detail/parts.hpp"
#include "espalier/manual/manual.hpp"

namespace espalier::manual {
namespace {

// What stands behind an option, as a shell can offer it.
enum class Offer { kNothing, kWords, kFiles, kFolders };

Offer offer_of(const OptionHelp& option) {
  if (!option.words.empty()) return Offer::kWords;
  // The name of a value says what it is: all help texts keep these two words.
  if (option.value.ends_with("FILE")) return Offer::kFiles;
  return option.value == "FOLDER" ? Offer::kFolders : Offer::kNothing;
}

bool is_argument(const OptionHelp& option) { return option.names.empty(); }
bool is_shown(const OptionHelp& option) { return !option.group.empty(); }

// The argument of a verb, whose kind decides what is offered where no option is typed.
const OptionHelp* argument_of(const VerbHelp& verb) {
  const auto found = std::find_if(verb.options.begin(), verb.options.end(), is_argument);
  return found == verb.options.end() ? nullptr : &*found;
}

std::vector<std::string> option_names(const VerbHelp& verb) {
  std::vector<std::string> names;
  for (const OptionHelp& option : verb.options) {
    if (is_shown(option)) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// In single quotes, whatever stands in it.
std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  // Within single quotes nothing has a meaning but their end.
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string in_one(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

// Lists with a line for each verb are short where a description is one sentence.
std::string first_sentence(const std::string& text) {
  const std::size_t end = std::min({text.find(". "), text.find("; ")});
  return text.substr(0, end);
}

std::string bash_offer(const OptionHelp& option) {
  switch (offer_of(option)) {
    case Offer::kWords:
      return fmt::format("_espalier_words {}", shell_quoted(in_one(option.words)));
    case Offer::kFiles:
      return "_espalier_paths -f";
    case Offer::kFolders:
      return "_espalier_paths -d";
    case Offer::kNothing:
      break;
  }
  return ":";
}

std::string bash_verb(const VerbHelp& verb, const std::string& label, const std::string& argument) {
  // What stands before the cursor decides first, then whether a dash has been typed.
  std::string text = fmt::format("    {})\n      case $before in\n", label);
  for (const OptionHelp& option : verb.options) {
    // A flag has no value that could be completed behind it.
    if (is_argument(option) || !is_shown(option) || option.value.empty()) continue;
    text += fmt::format("        {}) {}; return ;;\n", fmt::join(option.names, "|"), bash_offer(option));
  }
  constexpr const char* kRest =
      "      esac\n      case $word in\n        -*) _espalier_words {} ;;\n        *) {} ;;\n      esac ;;\n";
  return text + fmt::format(kRest, shell_quoted(in_one(option_names(verb))), argument);
}

// `{}` of it is the list of cases. "--base=fixed" reaches the function as three words.
constexpr const char* kBash = R"(# Completion of espalier in bash, as `espalier completion bash` prints it.
_espalier_words() {{ COMPREPLY=($(compgen -W "$1" -- "$word")); }}
_espalier_paths() {{
  compopt -o filenames 2>/dev/null
  local path
  COMPREPLY=()
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$word")
}}
_espalier() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} verb=
  ((COMP_CWORD > 1)) && verb=${{COMP_WORDS[1]}}
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  COMPREPLY=()
  case $verb in
{}  esac
}}
complete -F _espalier espalier
)";

// The name of an argument or a value is shown by zsh while it is typed.
std::string zsh_text(std::string text) {
  std::string result;
  for (const char c : text) {
    // _arguments parts its specifications at these.
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(const OptionHelp& option) {
  switch (offer_of(option)) {
    case Offer::kWords:
      return fmt::format("({})", fmt::join(option.words, " "));
    case Offer::kFiles:
      return "_files";
    case Offer::kFolders:
      return "_files -/";
    case Offer::kNothing:
      break;
  }
  return " ";
}

// "--picture[Draw ...]:FILE:_files", with a part for each value.
std::string zsh_spec(const OptionHelp& option, const std::string& name) {
  // The star offers the option again: several may be given more than once.
  std::string spec = fmt::format("*{}[{}]", name, zsh_text(first_sentence(option.text)));
  for (const std::string_view value : split_words(option.value)) {
    spec += fmt::format(":{}:{}", zsh_text(std::string(value)), zsh_action(option));
  }
  return shell_quoted(spec);
}

std::string zsh_arguments(const VerbHelp& verb) {
  std::string text = "      _arguments -s";
  for (const OptionHelp& option : verb.options) {
    if (!is_shown(option)) continue;
    // Short and long names are options of their own to _arguments.
    for (const std::string& name : option.names) text += " \\\n        " + zsh_spec(option, name);
  }
  if (const OptionHelp* argument = argument_of(verb)) {
    text +=
        " \\\n        " + shell_quoted(fmt::format("*:{}:{}", detail::argument_name(*argument), zsh_action(*argument)));
  }
  return text;
}

std::string fish_option(const OptionHelp& option, const std::string& where) {
  std::string text = fmt::format("complete -c espalier -n {}", shell_quoted(where));
  if (is_argument(option)) {
    if (offer_of(option) == Offer::kWords) text += " -a " + shell_quoted(in_one(option.words));
    if (offer_of(option) == Offer::kFiles) text += " -F";
    return text + fmt::format(" -d {}\n", shell_quoted(first_sentence(option.text)));
  }
  // fish takes names without their dashes, long and short apart.
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (offer_of(option) == Offer::kWords) text += " -x -a " + shell_quoted(in_one(option.words));
  if (offer_of(option) == Offer::kFiles) text += " -r -F";
  if (offer_of(option) == Offer::kFolders) text += " -x -a '(__fish_complete_directories)'";
  // A value of its own: nothing to offer, but no file either.
  if (offer_of(option) == Offer::kNothing && !option.value.empty()) text += " -x";
  return text + fmt::format(" -d {}\n", shell_quoted(first_sentence(option.text)));
}

std::string bash_completion(const ProgramHelp& program) {
  std::string cases =
      bash_verb(program.top, "''", "_espalier_words " + shell_quoted(in_one(detail::shown_verbs(program))));
  for (const VerbHelp& verb : program.verbs) {
    const OptionHelp* argument = argument_of(verb);
    cases += bash_verb(verb, verb.name, argument == nullptr ? ":" : bash_offer(*argument));
  }
  return fmt::format(kBash, cases);
}

std::string zsh_completion(const ProgramHelp& program) {
  std::string verbs, cases;
  for (const VerbHelp& verb : program.verbs) {
    if (!verb.hidden)
      verbs += fmt::format("    {}\n", shell_quoted(verb.name + ":" + zsh_text(first_sentence(verb.text))));
    cases += fmt::format("    {})\n{} ;;\n", verb.name, zsh_arguments(verb));
  }
  return fmt::format(
      "#compdef espalier\n# Completion of espalier in zsh, as `espalier completion zsh` prints it.\n"
      "_espalier() {{\n  local -a verbs\n  verbs=(\n{}  )\n  if (( CURRENT == 2 )); then\n"
      "    _describe verb verbs\n    return\n  fi\n  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
      "  case $verb in\n{}  esac\n}}\n_espalier \"$@\"\n",
      verbs, cases);
}

std::string fish_completion(const ProgramHelp& program) {
  std::string text =
      "# Completion of espalier in fish, as `espalier completion fish` prints it.\ncomplete -c espalier -f\n";
  for (const OptionHelp& option : program.top.options) {
    if (is_shown(option) && !is_argument(option)) text += fish_option(option, "__fish_use_subcommand");
  }
  for (const VerbHelp& verb : program.verbs) {
    if (!verb.hidden) {
      text += fmt::format("complete -c espalier -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                          shell_quoted(first_sentence(verb.text)));
    }
    for (const OptionHelp& option : verb.options) {
      if (is_shown(option)) text += fish_option(option, "__fish_seen_subcommand_from " + verb.name);
    }
  }
  return text;
}

}  // namespace

Result<std::string> completion(std::string_view shell, const ProgramHelp& program) {
  if (shell == "bash") return bash_completion(program);
  if (shell == "zsh") return zsh_completion(program);
  if (shell == "fish") return fish_completion(program);
  const std::vector<std::string> shells(kShells.begin(), kShells.end());
  return make_error(ErrorCode::kOption, {},
                    fmt::format("there is no completion for {} (there are {}){}", in_quotes(shell),
                                fmt::join(shells, ", "), did_you_mean(shell, shells)));
}

}  // namespace espalier::manual

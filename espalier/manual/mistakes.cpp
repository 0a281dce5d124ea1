#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/text.hpp"
#include "espalier/manual/detail/parts.hpp"
#include "espalier/manual/manual.hpp"

namespace espalier::manual {
namespace {

// Hidden ones too: who types one has read of it.
std::vector<std::string> option_names(const VerbHelp& verb) {
  std::vector<std::string> names;
  for (const OptionHelp& option : verb.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// "--max_length=3" and "-end" are near "--max-length" and "--end".
std::string as_long_option(std::string word) {
  word = word.substr(0, word.find('='));
  std::replace(word.begin(), word.end(), '_', '-');
  const std::size_t begin = word.find_first_not_of('-');
  return begin == std::string::npos || word.size() - begin < 2 ? word : "--" + word.substr(begin);
}

// Verbs that have the option which this one has not.
std::string verbs_with(const ProgramHelp& program, const std::string& option) {
  std::vector<std::string> verbs;
  for (const VerbHelp& verb : program.verbs) {
    const std::vector<std::string> names = option_names(verb);
    if (!verb.hidden && std::find(names.begin(), names.end(), option) != names.end()) verbs.push_back(verb.name);
  }
  return verbs.empty() ? "" : fmt::format("; it is an option of {}", fmt::join(verbs, ", "));
}

}  // namespace

Result<const VerbHelp*> find_verb(const ProgramHelp& program, const std::string& name) {
  if (name.empty()) return &program.top;
  for (const VerbHelp& verb : program.verbs) {
    // Hidden verbs are found, since scripts call them; they are only not told of.
    if (verb.name == name) return &verb;
  }
  const std::vector<std::string> verbs = detail::shown_verbs(program);
  return make_error(ErrorCode::kOption, {},
                    fmt::format("no verb is called {} (there are {}){}", in_quotes(name), fmt::join(verbs, ", "),
                                did_you_mean(name, verbs)));
}

Error no_verb(const ProgramHelp& program) {
  return {ErrorCode::kOption,
          fmt::format("no verb is given (there are {}); `espalier help` explains them",
                      fmt::join(detail::shown_verbs(program), ", ")),
          {}};
}

std::optional<Error> unknown_option(const ProgramHelp& program, const std::string& verb,
                                    std::span<const std::string> words) {
  const Result<const VerbHelp*> found = find_verb(program, verb);
  // What is no option is a second model, say, or the value of an option that is unknown.
  const auto word =
      std::find_if(words.begin(), words.end(), [](const auto& w) { return w.size() > 1 && w.front() == '-'; });
  if (!found || word == words.end()) return std::nullopt;
  const std::string option = word->substr(0, word->find('='));
  std::string near = did_you_mean(as_long_option(*word), option_names(**found));
  // Where it is spelt well, another verb's option is a likelier mistake than a near one of this verb.
  if (near.empty() || as_long_option(*word) == option) {
    const std::string elsewhere = verbs_with(program, option);
    if (!elsewhere.empty()) near = elsewhere;
  }
  return Error{ErrorCode::kOption,
               fmt::format("{} has no option {}{} (`espalier {}--help` lists them)", verb.empty() ? "espalier" : verb,
                           in_quotes(option), near, verb.empty() ? "" : verb + " "),
               {}};
}

}  // namespace espalier::manual

#include "espalier/manual/detail/parts.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace espalier::manual::detail {

std::vector<std::string> headings(const VerbHelp& verb) {
  std::vector<std::string> found;
  for (const OptionHelp& option : verb.options) {
    const bool is_new = std::find(found.begin(), found.end(), option.group) == found.end();
    if (is_new && !option.group.empty()) found.push_back(option.group);
  }
  // Readers look for the model at the top, and pass over what every verb has.
  const auto rank = [](const std::string& group) { return group == kArguments ? 0 : group == kHelp ? 2 : 1; };
  std::stable_sort(found.begin(), found.end(),
                   [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  return found;
}

std::string argument_name(const OptionHelp& argument) { return argument.value.substr(0, argument.value.find(' ')); }

std::string option_head(const OptionHelp& option) {
  const std::string head = fmt::format("{}", fmt::join(option.names, ", "));
  // A flag.
  if (option.value.empty()) return head;
  return head.empty() ? option.value : fmt::format("{} {}", head, option.value);
}

std::vector<NoteLine> note_lines(std::string_view notes) {
  std::vector<NoteLine> lines;
  while (!notes.empty()) {
    const std::size_t end = std::min(notes.find('\n'), notes.size());
    const std::string line(notes.substr(0, end));
    notes.remove_prefix(std::min(end + 1, notes.size()));
    const std::size_t head = line.find_first_not_of(' ');
    if (head == std::string::npos) continue;
    // Two spaces part a word from its meaning; prose has them nowhere.
    const std::size_t gap = head > 0 ? line.find("  ", head) : std::string::npos;
    if (gap != std::string::npos) {
      lines.push_back({line.substr(head, gap - head), line.substr(line.find_first_not_of(' ', gap))});
    } else if (head > 0 && !lines.empty() && lines.back().head.empty() && lines.back().text.starts_with(' ')) {
      lines.back().text += line.substr(head - 1);  // of an indented paragraph
    } else {
      lines.push_back({"", line});
    }
  }
  return lines;
}

std::vector<std::string> shown_verbs(const ProgramHelp& program) {
  std::vector<std::string> names;
  for (const VerbHelp& verb : program.verbs) {
    if (!verb.hidden) names.push_back(verb.name);
  }
  return names;
}

}  // namespace espalier::manual::detail

#include <algorithm>

#include <fmt/format.h>

#include "apps/espalier/program_help.hpp"
#include "espalier/base/text.hpp"

namespace espalier::app {
namespace {

constexpr int kNarrow = 60;        // [columns] Below, texts stand under their heads.
constexpr std::size_t kHead = 25;  // [columns] Heads of options, with their indent.

// "  --end S                  Time at which ...": a head that is too long has a line of its own.
std::string item(const std::string& head, const std::string& text, int width) {
  const std::string first = "  " + head;
  if (width < kNarrow || first.size() + 2 > kHead) {
    return first + "\n" + wrapped(std::string(width < kNarrow ? 6 : kHead, ' '), text, width);
  }
  return wrapped(fmt::format("{:<{}}", first, kHead), text, width);
}

std::string usage(const VerbHelp& verb, int width) {
  std::string line = fmt::format("espalier {} [OPTIONS]", verb.name);
  for (const OptionHelp& option : verb.options) {
    if (!option.names.empty()) continue;
    const std::string name = option.value.substr(0, option.value.find(' '));
    line += option.required ? ' ' + name : fmt::format(" [{}]", name);
  }
  return wrapped("Usage: ", line, width);
}

std::string groups_text(const VerbHelp& verb, int width) {
  std::string text;
  for (const std::string& group : headings(verb)) {
    text += fmt::format("\n{}\n", group);
    for (const OptionHelp& option : verb.options) {
      if (option.group == group) text += item(option_head(option), option.text, width);
    }
  }
  return text;
}

std::string notes_text(const VerbHelp& verb, int width) {
  std::string text = verb.notes.empty() ? "" : "\n";
  for (const NoteLine& line : note_lines(verb.notes)) {
    // An indented paragraph stays one.
    const char* indent = line.text.starts_with(' ') ? "  " : "";
    text += line.head.empty() ? wrapped(indent, line.text, width) : item(line.head, line.text, width);
  }
  return text;
}

// A command that a terminal breaks can still be copied; one that we break could not.
std::string examples_text(const VerbHelp& verb, int width) {
  std::string text = verb.examples.empty() ? "" : verb.examples.size() == 1 ? "\nExample\n" : "\nExamples\n";
  for (const ExampleHelp& example : verb.examples) {
    text += fmt::format("  {}\n", example.command) + wrapped("      ", example.text, width);
  }
  return text;
}

}  // namespace

std::vector<NoteLine> note_lines(const std::string& notes) {
  std::vector<NoteLine> lines;
  std::size_t begin = 0;
  while (begin < notes.size()) {
    const std::size_t end = std::min(notes.find('\n', begin), notes.size());
    const std::string line = notes.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t head = line.find_first_not_of(' ');
    if (head == std::string::npos) continue;
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

std::string help_text(const VerbHelp& verb, int width) {
  return wrapped("", verb.text + ".", width) + "\n" + usage(verb, width) + groups_text(verb, width) +
         notes_text(verb, width) + examples_text(verb, width);
}

std::string help_text(const ProgramHelp& program, int width) {
  std::string text = wrapped("", program.top.text, width) + "\nUsage: espalier VERB [OPTIONS]\n\nVerbs\n";
  for (const VerbHelp& verb : program.verbs) {
    if (!verb.hidden) text += item(verb.name, verb.text, width);
  }
  return text + groups_text(program.top, width) + notes_text(program.top, width) + examples_text(program.top, width);
}

}  // namespace espalier::app

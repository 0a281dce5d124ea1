#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/manual/detail/parts.hpp"
#include "espalier/manual/manual.hpp"

namespace espalier::manual {
namespace {

constexpr int kNarrow = 60;        // [columns] Below, texts stand under their heads.
constexpr std::size_t kHead = 25;  // [columns] Heads of options, with their indent.

// "  --end S                  Time at which ...": a head that is too long has a line of its own.
std::string item(const std::string& head, const std::string& text, int width) {
  const std::string first = "  " + head;
  // Two spaces at least part a head from its text, or the two would read as one.
  if (width < kNarrow || first.size() + 2 > kHead) {
    return first + "\n" + wrapped(std::string(width < kNarrow ? 6 : kHead, ' '), text, width);
  }
  return wrapped(fmt::format("{:<{}}", first, kHead), text, width);
}

std::string usage(const VerbHelp& verb, int width) {
  std::string line = fmt::format("espalier {} [OPTIONS]", verb.name);
  for (const OptionHelp& option : verb.options) {
    // Of options a usage line would be as long as the help.
    if (!option.names.empty()) continue;
    const std::string name = detail::argument_name(option);
    line += option.required ? ' ' + name : fmt::format(" [{}]", name);
  }
  return wrapped("Usage: ", line, width);
}

std::string groups_text(const VerbHelp& verb, int width) {
  std::string text;
  for (const std::string& group : detail::headings(verb)) {
    text += fmt::format("\n{}\n", group);
    for (const OptionHelp& option : verb.options) {
      // In the order of their definitions, which stand in the order of a session.
      if (option.group == group) text += item(detail::option_head(option), option.text, width);
    }
  }
  return text;
}

std::string notes_text(const VerbHelp& verb, int width) {
  std::string text = verb.notes.empty() ? "" : "\n";
  for (const detail::NoteLine& line : detail::note_lines(verb.notes)) {
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

}  // namespace espalier::manual

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/manual/detail/parts.hpp"
#include "espalier/manual/manual.hpp"

namespace espalier::manual {
namespace {

// Text as roff takes it for text: no escapes of its own, dashes that can be copied, no request at the front of a line.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    // roff reads a backslash as a call, - as a hyphen and quotes as typographic ones: none could be copied.
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else if (c == '`') {
      result += "\\(ga";
    } else if (c == '\n') {
      result += ' ';
    } else {
      result += c;
    }
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", roff(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", roff(text)); }

std::string upper(std::string text) {
  for (char& c : text) {
    // Titles of manual pages are in capitals.
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// "espalier-plan"; the page of the program itself has its name alone.
std::string page_name(const VerbHelp& verb) { return verb.name == "espalier" ? verb.name : "espalier-" + verb.name; }

std::string head(const VerbHelp& verb, std::string_view version) {
  std::string summary = verb.text;
  // NAME lines of manual pages are no sentences; whatis(1) reads them.
  if (summary.ends_with('.')) summary.pop_back();
  return fmt::format(".TH {} 1 \"\" \"espalier {}\" \"Espalier\"\n.SH NAME\n{} \\- {}\n", roff(upper(page_name(verb))),
                     version, roff(page_name(verb)), roff(summary));
}

std::string option_item(const OptionHelp& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  std::string tag = fmt::format("{}", fmt::join(names, ", "));
  if (!option.value.empty()) tag += (tag.empty() ? "" : " ") + italic(option.value);
  std::string text = roff(option.text);
  // Hidden from --help, which beginners read, and told here, where all is.
  if (option.group.empty()) text += " (for tests and measurements)";
  return fmt::format(".TP\n{}\n{}\n", tag, text);
}

std::string options(const VerbHelp& verb) {
  std::string text = verb.options.empty() ? "" : ".SH OPTIONS\n";
  for (const std::string& group : detail::headings(verb)) {
    text += fmt::format(".SS {}\n", roff(group));
    for (const OptionHelp& option : verb.options) {
      if (option.group == group) text += option_item(option);
    }
  }
  std::string hidden;
  for (const OptionHelp& option : verb.options) {
    if (option.group.empty()) hidden += option_item(option);
  }
  return hidden.empty() ? text : text + ".SS Measurements\n" + hidden;
}

std::string notes(const VerbHelp& verb) {
  std::string text = verb.notes.empty() ? "" : ".SH NOTES\n";
  for (const detail::NoteLine& line : detail::note_lines(verb.notes)) {
    const std::size_t begin = std::min(line.text.find_first_not_of(' '), line.text.size());
    const std::string prose = roff(line.text.substr(begin));
    text += line.head.empty() ? fmt::format(".PP\n{}\n", prose) : fmt::format(".TP\n{}\n{}\n", bold(line.head), prose);
  }
  return text;
}

std::string examples(const VerbHelp& verb) {
  std::string text = verb.examples.empty() ? "" : ".SH EXAMPLES\n";
  for (const ExampleHelp& example : verb.examples) {
    text += fmt::format(".TP\n{}\n{}\n", bold(example.command), roff(example.text));
  }
  return text;
}

constexpr const char* kExit =
    ".SH EXIT STATUS\n0: done. 1: the solver failed, with its state saved, or an answer is not certain. 2: bad input. "
    "128 and the number of a signal: stopped by it, with everything saved.\n";

}  // namespace

std::string man_page(const VerbHelp& verb, std::string_view version) {
  std::string synopsis = fmt::format(".SH SYNOPSIS\n{} [{}]", bold("espalier " + verb.name), italic("OPTIONS"));
  for (const OptionHelp& option : verb.options) {
    // Arguments alone: the options stand in their own section.
    if (!option.names.empty()) continue;
    const std::string name = italic(detail::argument_name(option));
    synopsis += option.required ? ' ' + name : fmt::format(" [{}]", name);
  }
  return head(verb, version) + synopsis + "\n.SH DESCRIPTION\n" + roff(verb.text) + ".\n" + options(verb) +
         notes(verb) + examples(verb) + kExit + ".SH SEE ALSO\n" + bold("espalier") + "(1)\n";
}

std::string man_page(const ProgramHelp& program) {
  std::string verbs, also;
  for (const VerbHelp& verb : program.verbs) {
    if (verb.hidden) continue;
    verbs += fmt::format(".TP\n{}\n{}. See {}(1).\n", bold(verb.name), roff(verb.text), bold(page_name(verb)));
    also += fmt::format("{}{}(1)", also.empty() ? "" : ",\n", bold(page_name(verb)));
  }
  return head(program.top, program.version) + ".SH SYNOPSIS\n" + bold("espalier") + " " + italic("VERB") + " [" +
         italic("OPTIONS") + "]\n.SH DESCRIPTION\n" + roff(program.top.text) + "\n.SS Verbs\n" + verbs +
         options(program.top) + notes(program.top) + examples(program.top) + kExit + ".SH SEE ALSO\n" + also + "\n";
}

std::vector<ManPage> man_pages(const ProgramHelp& program) {
  std::vector<ManPage> pages = {{page_name(program.top) + ".1", man_page(program)}};
  for (const VerbHelp& verb : program.verbs) {
    if (!verb.hidden) pages.push_back({page_name(verb) + ".1", man_page(verb, program.version)});
  }
  return pages;
}

}  // namespace espalier::manual

#pragma once

// What the program takes, as plain data: help texts, man pages and completions are written from it alone.
//   In:   the definitions of options in main.cpp
//   Out:  VerbHelp of a verb, ProgramHelp of all; texts made of them

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace espalier::app {

// An option, or an argument that has no name on the command line.
struct OptionHelp {
  std::vector<std::string> names;  // "-o", "--output"; empty: an argument
  std::string value;               // "FILE", "X X X X"; empty: a flag
  std::string text;
  std::string group;               // the heading it stands under; empty: hidden from people
  std::vector<std::string> words;  // that it takes; empty: anything
  bool required = false;
};

struct ExampleHelp {
  std::string command, text;
};

struct VerbHelp {
  std::string name, text;
  std::vector<OptionHelp> options;
  std::string notes;  // lines below the options; "  WORD   what it means" for a list
  std::vector<ExampleHelp> examples;
  bool hidden = false;
};

struct ProgramHelp {
  VerbHelp top;  // of the program itself
  std::vector<VerbHelp> verbs;
};

VerbHelp describe_verb(const CLI::App& verb);
ProgramHelp describe_program(const CLI::App& app);

// The headings of a verb in the order in which its options are defined; that of the arguments comes first, that of the
// help last.
std::vector<std::string> headings(const VerbHelp& verb);
// "-o, --output FILE", or "model FILE" of an argument.
std::string option_head(const OptionHelp& option);

// Words that an option takes, by verb and long name; empty where it takes anything. An argument goes by its own name.
std::vector<std::string> option_words(std::string_view verb, std::string_view option);
// Commands that work as they stand, in a folder where the models are that they name.
std::vector<ExampleHelp> examples_of(std::string_view verb);

// "Objectives: ..." and "  mwst   least weight W": a line of VerbHelp::notes in its two parts.
struct NoteLine {
  std::string head;  // empty: the text is prose
  std::string text;
};
std::vector<NoteLine> note_lines(const std::string& notes);

// For `--help`, in lines of at most `width`; the commands of examples are not broken.
std::string help_text(const VerbHelp& verb, int width);
std::string help_text(const ProgramHelp& program, int width);

// The page of section 1 for man.
std::string man_page(const ProgramHelp& program);
std::string man_page(const VerbHelp& verb);

// A script that completes the command line in bash, zsh or fish.
std::string bash_completion(const ProgramHelp& program);
std::string zsh_completion(const ProgramHelp& program);
std::string fish_completion(const ProgramHelp& program);

// "espalier 0.1.0", how it was built, and the versions of the libraries that decide what it can do.
std::string version_text();

}  // namespace espalier::app

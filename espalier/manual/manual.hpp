#pragma once

// What a program of verbs takes, as plain data, and the texts that are made of it: help, manual pages, completions, and
// what is said of a word that there is not. Nothing in here knows who reads the command line.
//   In:   ProgramHelp, one VerbHelp for each verb
//   Out:  text, each line with its end

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"

namespace espalier::manual {

// Headings that every verb may have: that of its arguments comes first, that of `--help` and the like last.
inline constexpr const char* kArguments = "Arguments";
inline constexpr const char* kHelp = "Help";

// An option, or an argument that has no name on the command line.
struct OptionHelp {
  std::vector<std::string> names;  // "-o", "--output"; empty: an argument
  std::string value;               // "FILE", "X X X X", or "model FILE" of an argument; empty: a flag
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
  std::string version;
};

// For `--help`, in lines of at most `width` columns; the commands of examples are not broken.
std::string help_text(const VerbHelp& verb, int width);
std::string help_text(const ProgramHelp& program, int width);

// The page of section 1 for man.
std::string man_page(const ProgramHelp& program);
std::string man_page(const VerbHelp& verb, std::string_view version);

// All of them: the program's and those of the verbs that people are told of.
struct ManPage {
  std::string file;  // "espalier-plan.1"
  std::string text;
};
std::vector<ManPage> man_pages(const ProgramHelp& program);

// A script that completes the command line in one of these shells. The error: another one, with the nearest.
inline constexpr std::array<const char*, 3> kShells = {"bash", "zsh", "fish"};
Result<std::string> completion(std::string_view shell, const ProgramHelp& program);

// The verb of this name, hidden or not; the program's own text for an empty name. The error names the nearest one.
Result<const VerbHelp*> find_verb(const ProgramHelp& program, const std::string& name);

// Where no verb is given: those that there are.
Error no_verb(const ProgramHelp& program);

// What is said of an option that the verb of this name (empty: the program itself) does not have, the first among
// `words`: the nearest one that it has, or the verbs that have it. Nothing where no word looks like an option.
std::optional<Error> unknown_option(const ProgramHelp& program, const std::string& verb,
                                    std::span<const std::string> words);

// What a first tour shows, in its order.
struct Chapter {
  std::string title, text;
  std::string page;    // that its commands write; empty: none
  std::string remade;  // a folder that they write, and that must not be there before; empty: none
  std::vector<std::vector<std::string>> commands;  // without the name of the program
};
// All files in `folder`; grains fall on `ranks` processes.
std::vector<Chapter> first_tour(const std::string& folder, int ranks);

}  // namespace espalier::manual

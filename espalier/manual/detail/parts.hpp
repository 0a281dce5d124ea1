#pragma once

// What help texts and manual pages lay out alike.

#include <string>
#include <string_view>
#include <vector>

#include "espalier/manual/manual.hpp"

namespace espalier::manual::detail {

// The headings of a verb in the order in which its options are defined, but for kArguments and kHelp.
std::vector<std::string> headings(const VerbHelp& verb);

// The name of an argument: "model" of "model FILE".
std::string argument_name(const OptionHelp& argument);
// "-o, --output FILE", or "model FILE" of an argument.
std::string option_head(const OptionHelp& option);

// "Objectives: ..." and "  mwst   least weight W": a line of VerbHelp::notes in its two parts.
struct NoteLine {
  std::string head;  // empty: the text is prose
  std::string text;
};
std::vector<NoteLine> note_lines(std::string_view notes);

// Names of the verbs that people are told of.
std::vector<std::string> shown_verbs(const ProgramHelp& program);

}  // namespace espalier::manual::detail

#pragma once

#include "espalier/manual/manual.hpp"

namespace espalier::manual {

// A program of two verbs and a hidden one, with one option of each kind.
inline ProgramHelp make_program() {
  const OptionHelp help{{"-h", "--help"}, "", "Print this help, and exit", kHelp, {}};
  const OptionHelp model{{}, "model FILE", "Model file; any format", kArguments, {}, true};
  const OptionHelp order{{"--order"}, "WORD", "Order of the rows", "Run", {"keys", "ranks"}};
  const OptionHelp output{{"-o", "--output"}, "FOLDER", "Folder for the results. A new one each time", "Output", {}};
  const OptionHelp box{{"--box"}, "X X", "Two corners [m]: lower, then upper", "Run", {}};
  const OptionHelp storage{{"--storage"}, "WORD", "Who keeps what", "", {"all"}};
  VerbHelp move{"move", "Move a model through time", {help, output, model, order, box, storage}, "", {}};
  move.notes = "Words:\n  keys   by name\n  ranks  as they come\nProse it is.\n";
  move.examples = {{"tool move 'a b.yaml' -o run", "Into the folder run."}};
  const VerbHelp look{"look", "Look at a model; draw it", {help, model}, "", {}};
  VerbHelp hidden{"inner", "For tests", {help}, "", {}};
  hidden.hidden = true;
  const VerbHelp top{"espalier", "A program of verbs.", {help, {{"--version"}, "", "Version", kHelp, {}}}, "", {}};
  return {top, {move, look, hidden}, "1.2.3"};
}

inline const VerbHelp& verb_of(const ProgramHelp& program, const std::string& name) {
  return **find_verb(program, name);
}

}  // namespace espalier::manual

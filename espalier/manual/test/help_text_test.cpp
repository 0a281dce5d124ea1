#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "espalier/manual/test/program.hpp"

namespace espalier::manual {
namespace {

const ProgramHelp kProgram = make_program();

TEST(HelpText, ShowsAVerbInItsParts) {
  EXPECT_EQ(help_text(verb_of(kProgram, "move"), 80),
            "Move a model through time.\n"
            "\n"
            "Usage: espalier move [OPTIONS] model\n"
            "\n"
            "Arguments\n"
            "  model FILE             Model file; any format\n"
            "\n"
            "Output\n"
            "  -o, --output FOLDER    Folder for the results. A new one each time\n"
            "\n"
            "Run\n"
            "  --order WORD           Order of the rows\n"
            "  --box X X              Two corners [m]: lower, then upper\n"
            "\n"
            "Help\n"
            "  -h, --help             Print this help, and exit\n"
            "\n"
            "Words:\n"
            "  keys                   by name\n"
            "  ranks                  as they come\n"
            "Prose it is.\n"
            "\n"
            "Example\n"
            "  tool move 'a b.yaml' -o run\n"
            "      Into the folder run.\n");
}

TEST(HelpText, LeavesOutHiddenOptionsAndVerbs) {
  EXPECT_EQ(help_text(verb_of(kProgram, "move"), 80).find("--storage"), std::string::npos);
  const std::string all = help_text(kProgram, 80);
  EXPECT_NE(all.find("\n  look "), std::string::npos);
  EXPECT_EQ(all.find("inner"), std::string::npos);
}

TEST(HelpText, FitsNarrowTerminalsButBreaksNoCommand) {
  const std::string text = help_text(verb_of(kProgram, "move"), 40);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    EXPECT_LE(end - begin, 40u) << text.substr(begin, end - begin);
    begin = end + 1;
  }
  EXPECT_NE(help_text(verb_of(kProgram, "move"), 20).find("tool move 'a b.yaml' -o run\n"), std::string::npos);
}

}  // namespace
}  // namespace espalier::manual

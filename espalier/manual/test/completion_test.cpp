#include <string>

#include <gtest/gtest.h>

#include "espalier/manual/test/program.hpp"

namespace espalier::manual {
namespace {

const ProgramHelp kProgram = make_program();

std::string script_for(const char* shell) {
  const Result<std::string> script = completion(shell, kProgram);
  EXPECT_TRUE(script) << shell;
  return script.value_or("");
}

void expect_lines(const std::string& script, std::initializer_list<const char*> lines) {
  for (const char* line : lines) EXPECT_NE(script.find(line), std::string::npos) << line << " in\n" << script;
}

TEST(Completion, BashOffersWordsFilesAndFolders) {
  const std::string script = script_for("bash");
  expect_lines(script,
               {"--order) _espalier_words 'keys ranks'; return ;;", "-o|--output) _espalier_paths -d; return ;;",
                "*) _espalier_paths -f ;;", "'')\n", "_espalier_words 'move look' ;;"});
  EXPECT_EQ(script.find("--storage"), std::string::npos);
}

TEST(Completion, ZshQuotesWhatItWouldRead) {
  const std::string script = script_for("zsh");
  EXPECT_TRUE(script.starts_with("#compdef espalier\n"));
  expect_lines(script, {"'*--box[Two corners \\[m\\]\\: lower, then upper]:X: :X: '",
                        "'*--order[Order of the rows]:WORD:(keys ranks)'", "'look:Look at a model'",
                        "'*-o[Folder for the results]:FOLDER:_files -/'", "'*:model:_files'"});
}

TEST(Completion, FishTakesOneLineForEachOption) {
  expect_lines(script_for("fish"),
               {"complete -c espalier -n '__fish_seen_subcommand_from move' -l order -x -a 'keys ranks' -d",
                "complete -c espalier -n '__fish_seen_subcommand_from move' -F -d 'Model file'",
                "complete -c espalier -n '__fish_seen_subcommand_from move' -l box -x -d",
                "complete -c espalier -n '__fish_use_subcommand' -l version -d 'Version'"});
}

TEST(Completion, AnotherShellIsAnsweredWithTheNearest) {
  const Result<std::string> script = completion("bsh", kProgram);
  ASSERT_FALSE(script);
  EXPECT_EQ(script.error().message,
            "there is no completion for 'bsh' (there are bash, zsh, fish); did you mean 'bash'?");
}

}  // namespace
}  // namespace espalier::manual

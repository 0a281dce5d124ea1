#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/manual/test/program.hpp"

namespace espalier::manual {
namespace {

const ProgramHelp kProgram = make_program();

std::string said_of(const std::string& verb, const std::vector<std::string>& words) {
  const std::optional<Error> mistake = unknown_option(kProgram, verb, words);
  return mistake ? mistake->message : "";
}

TEST(FindVerb, KnowsHiddenOnesButDoesNotTellOfThem) {
  EXPECT_EQ(*find_verb(kProgram, ""), &kProgram.top);
  EXPECT_EQ((*find_verb(kProgram, "inner"))->name, "inner");
  const Result<const VerbHelp*> none = find_verb(kProgram, "zzzz");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kOption);
  EXPECT_EQ(none.error().message, "no verb is called 'zzzz' (there are move, look)");
  EXPECT_EQ(find_verb(kProgram, "moe").error().message,
            "no verb is called 'moe' (there are move, look); did you mean 'move'?");
}

TEST(UnknownOption, NamesTheNearestOfTheVerb) {
  EXPECT_EQ(said_of("move", {"other.yaml", "--ordr=keys"}),
            "move has no option '--ordr'; did you mean '--order'? (`espalier move --help` lists them)");
  // One dash for a long option, and an underscore.
  EXPECT_NE(said_of("move", {"-order"}).find("did you mean '--order'?"), std::string::npos);
  EXPECT_EQ(said_of("", {"--versin"}),
            "espalier has no option '--versin'; did you mean '--version'? (`espalier --help` lists them)");
}

TEST(UnknownOption, NamesTheVerbThatHasIt) {
  EXPECT_EQ(said_of("look", {"--output"}),
            "look has no option '--output'; it is an option of move (`espalier look --help` lists them)");
}

TEST(UnknownOption, IsSilentWhereNothingLooksLikeOne) {
  EXPECT_EQ(said_of("look", {"other.yaml", "-"}), "");
  EXPECT_EQ(said_of("look", {}), "");
}

TEST(NoVerb, TellsWhichThereAre) { EXPECT_NE(no_verb(kProgram).message.find("move, look"), std::string::npos); }

}  // namespace
}  // namespace espalier::manual

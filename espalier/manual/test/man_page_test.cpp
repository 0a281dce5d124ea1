#include <string>

#include <gtest/gtest.h>

#include "espalier/manual/test/program.hpp"

namespace espalier::manual {
namespace {

const ProgramHelp kProgram = make_program();

TEST(ManPage, HasTheVersionAndEveryOption) {
  const std::string page = man_page(verb_of(kProgram, "move"), kProgram.version);
  EXPECT_TRUE(page.starts_with(".TH ESPALIER\\-MOVE 1 \"\" \"espalier 1.2.3\" \"Espalier\"\n")) << page;
  for (const char* option : {"\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFOLDER\\fR", "\\fB\\-\\-order\\fR"}) {
    EXPECT_NE(page.find(option), std::string::npos) << page;
  }
  // Hidden options are for those who read the manual.
  EXPECT_GT(page.find("\\fB\\-\\-storage\\fR"), page.find(".SS Measurements"));
}

TEST(ManPage, TextIsNoRequestOfRoff) {
  ProgramHelp program = kProgram;
  program.verbs[0].text = ".so /etc/passwd with a \\ and a 'quote'";
  const std::string page = man_page(program.verbs[0], program.version);
  EXPECT_NE(page.find("\n\\&.so /etc/passwd with a \\e and a \\(aqquote\\(aq"), std::string::npos) << page;
  EXPECT_EQ(page.find("\n.so"), std::string::npos);
}

TEST(ManPages, AreThoseThatPeopleAreToldOf) {
  const std::vector<ManPage> pages = man_pages(kProgram);
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_EQ(pages[0].file, "espalier.1");
  EXPECT_EQ(pages[0].text, man_page(kProgram));
  EXPECT_EQ(pages[1].file, "espalier-move.1");
  EXPECT_NE(pages[0].text.find("espalier\\-look\\fR(1)"), std::string::npos) << pages[0].text;
}

}  // namespace
}  // namespace espalier::manual
